/* SPDX-License-Identifier: Apache-2.0 */
/* What a DELETE gives back differs by kind: the object (still there, or its last version) or, when
   it is gone and its kind's registry does not say ReturnDeletedObject, a Status of Success. A
   client that decides by the reply must cope with both. */
#include "sim/exchange.h"

#include "base/json.h"
#include "sim/failure.h"
#include "sim/filter.h"
#include "sim/past.h"
#include "sim/value.h"
#include "sim/write_options.h"

#include <stddef.h>

static bool gives_back(const struct resource *resource)
{
    static const struct resource *const those[] = {
        &resource_pods,
        &resource_services,
        &resource_persistent_volumes,
        &resource_persistent_volume_claims,
        &resource_resource_quotas,
        &resource_service_accounts,
        &resource_storage_classes,
        &resource_csi_drivers,
    };
    for (size_t i = 0; i < sizeof(those) / sizeof(those[0]); i++) {
        if (those[i] == resource) {
            return true;
        }
    }
    return false;
}

static void reply_success(struct exchange *exchange, const struct outcome *outcome)
{
    const struct resource *resource = exchange->target.resource;
    cleanup_text struct text body;
    text_init(&body, ROUTE_BODY_BYTES_MAX);
    struct json_writer json;
    json_writer_init(&json, &body);
    json_begin_object(&json);
    json_member_string(&json, "kind", "Status");
    json_member_string(&json, "apiVersion", "v1");
    json_member_object(&json, "metadata");
    json_end_object(&json);
    json_member_string(&json, "status", "Success");
    json_member_object(&json, "details");
    json_member_string(&json, "name", exchange->target.name);
    json_member_optional(&json, "group", resource->group[0] == '\0' ? NULL : resource->group);
    json_member_string(&json, "kind", resource->plural);
    json_member_optional(&json, "uid", outcome->record == NULL ? NULL : outcome->record->uid);
    json_end_object(&json);
    json_end_object(&json);
    route_reply_take_text(exchange->out, 200, &body);
}

static bool read_options(struct exchange *exchange, struct verb_options *options,
                         struct preconditions *preconditions, cJSON **out_body)
{
    *options = (struct verb_options){.actor = exchange->user};
    return write_options_read(exchange->request, exchange->url, options, exchange->out) &&
           write_options_read_delete(exchange->request, exchange->url, preconditions, options,
                                     out_body, exchange->out);
}

void exchange_delete(struct exchange *exchange)
{
    struct verb_options options;
    struct preconditions preconditions;
    cJSON *body = NULL;
    if (!read_options(exchange, &options, &preconditions, &body)) {
        return;
    }
    const struct target *target = &exchange->target;
    cleanup_outcome struct outcome outcome =
        apiserver_delete(exchange->server, target->resource, exchange_namespace(exchange),
                         target->name, &preconditions, &options);
    cJSON_Delete(body);
    if (outcome_ok(&outcome) && outcome.is_gone && !gives_back(target->resource)) {
        reply_success(exchange, &outcome);
    } else {
        exchange_reply(exchange, &outcome, target->name);
    }
}

/* ---- a collection ---- */

/* Kept, because deleting one may change what is there. */
static void keep_matching(struct past *past, const struct filter *filter)
{
    size_t count = 0;
    for (size_t i = 0; i < past->count; i++) {
        if (filter_matches(filter, past->records[i])) {
            past->records[count++] = record_keep(past->records[i]);
        }
    }
    past->count = count;
}

static void delete_each(struct exchange *exchange, const struct past *past,
                        const struct preconditions *preconditions,
                        const struct verb_options *options)
{
    for (size_t i = 0; i < past->count; i++) {
        const struct record *record = past->records[i];
        cleanup_outcome struct outcome outcome =
            apiserver_delete(exchange->server, record->resource, record->namespace, record->name,
                             preconditions, options);
        if (!outcome_ok(&outcome) && outcome.http_status != 404) {
            failure_of_outcome(exchange->out, &outcome, record->resource, record->name);
            return;
        }
    }
    struct list_metadata metadata = {
        .revision = objects_revision(apiserver_objects(exchange->server)), .remaining_count = -1};
    cleanup_text struct text list;
    text_init(&list, ROUTE_BODY_BYTES_MAX);
    rendering_append_list(&exchange->rendering, &list, exchange->target.resource, &metadata,
                          past->records, past->count);
    route_reply_take_text(exchange->out, 200, &list);
}

static void delete_matching(struct exchange *exchange, const struct filter *filter)
{
    struct verb_options options;
    struct preconditions preconditions;
    cJSON *body = NULL;
    if (!read_options(exchange, &options, &preconditions, &body)) {
        return;
    }
    const struct objects *objects = apiserver_objects(exchange->server);
    struct past past;
    past_init(&past, objects, exchange->target.resource, exchange->target.namespace,
              objects_revision(objects));
    keep_matching(&past, filter);
    delete_each(exchange, &past, &preconditions, &options);
    for (size_t i = 0; i < past.count; i++) {
        record_release(past.records[i]);
    }
    past_release(&past);
    cJSON_Delete(body);
}

void exchange_delete_collection(struct exchange *exchange)
{
    struct filter filter;
    struct error error;
    const struct url *url = exchange->url;
    if (filter_parse(&filter, exchange->target.resource, url_get(url, "labelSelector"),
                     url_get(url, "fieldSelector"), &error)) {
        delete_matching(exchange, &filter);
    } else {
        failure_bad_request(exchange->out, error.message);
    }
    filter_release(&filter);
}
