/* SPDX-License-Identifier: Apache-2.0 */
/* Reads, and how objects are given back: as they are, or in another form. */
#include "sim/exchange.h"
#include "sim/failure.h"
#include "sim/listing.h"

#include <string.h>

const char *exchange_namespace(const struct exchange *exchange)
{
    return exchange->target.namespace == NULL ? "" : exchange->target.namespace;
}

void exchange_reply(struct exchange *exchange, const struct outcome *outcome, const char *name)
{
    if (!outcome_ok(outcome)) {
        failure_of_outcome(exchange->out, outcome, exchange->target.resource, name);
        return;
    }
    if (exchange->rendering.form == FORM_OBJECT) {
        route_reply_record(exchange->out, outcome->http_status, outcome->record);
        return;
    }
    cleanup_text struct text body;
    text_init(&body, ROUTE_BODY_BYTES_MAX);
    rendering_append(&exchange->rendering, &body, outcome->record, true);
    route_reply_take_text(exchange->out, outcome->http_status, &body);
}

static void read_one(struct exchange *exchange)
{
    uint64_t asked;
    uint64_t present = objects_revision(apiserver_objects(exchange->server));
    if (!listing_revision(exchange->url, &asked, exchange->out)) {
        return;
    }
    if (asked > present) {
        listing_reply_too_large(exchange->out, asked, present);
        return;
    }
    const struct target *target = &exchange->target;
    const char *namespace = exchange_namespace(exchange);
    bool is_scale = target->subresource != NULL && strcmp(target->subresource, "scale") == 0;
    cleanup_outcome struct outcome outcome =
        is_scale ? apiserver_get_scale(exchange->server, target->resource, namespace, target->name)
                 : apiserver_get(exchange->server, target->resource, namespace, target->name);
    exchange_reply(exchange, &outcome, target->name);
}

void exchange_read(struct exchange *exchange)
{
    if (exchange->target.name == NULL) {
        listing_reply(exchange->server, &exchange->target, exchange->url, &exchange->rendering,
                      exchange->out);
    } else {
        read_one(exchange);
    }
}
