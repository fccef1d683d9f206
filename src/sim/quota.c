/* SPDX-License-Identifier: Apache-2.0 */
/* Usage is counted anew each time instead of being carried along: a namespace with a quota is rare
   and small, and a count that cannot be wrong needs no repair. */
#include "sim/quota.h"

#include "base/text.h"
#include "sim/amount.h"

#include <stdio.h>
#include <string.h>

#define CLASS_INFIX ".storageclass.storage.k8s.io/"

enum { MILLI = 1000, LIST_BYTES_MAX = 1024 };

/* What one line of spec.hard counts. */
struct measure {
    const struct resource *resource;
    bool counts_storage;   /* the requests' sum instead of how many */
    bool leaves_out_ended; /* pods that have ended */
    char class[256];       /* claims of that class; "" all */
};

static bool measure_plain(const char *name, struct measure *out)
{
    static const struct {
        const char *name;
        const struct resource *resource;
    } plain[] = {
        {"pods", &resource_pods},
        {"persistentvolumeclaims", &resource_persistent_volume_claims},
        {"requests.storage", &resource_persistent_volume_claims},
        {"services", &resource_services},
        {"secrets", &resource_secrets},
        {"configmaps", &resource_config_maps},
    };
    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        if (strcmp(name, plain[i].name) == 0) {
            out->resource = plain[i].resource;
            out->counts_storage = strcmp(name, "requests.storage") == 0;
            out->leaves_out_ended = out->resource == &resource_pods;
            return true;
        }
    }
    return false;
}

/* false: not counted by us, or not of this resource. */
static bool measure_of(const char *name, const struct resource *resource, struct measure *out)
{
    const char *infix = strstr(name, CLASS_INFIX);
    *out = (struct measure){0};
    if (text_starts_with(name, "count/")) {
        out->resource = resource;
        return strcmp(name + strlen("count/"), resource_qualified(resource).text) == 0;
    }
    if (infix != NULL) {
        (void)snprintf(out->class, sizeof(out->class), "%.*s", (int)(infix - name), name);
        name = infix + strlen(CLASS_INFIX);
    }
    return measure_plain(name, out) && out->resource == resource &&
           (infix == NULL || resource == &resource_persistent_volume_claims);
}

static int64_t weight(const struct measure *measure, const cJSON *value)
{
    int64_t milli = 0;
    if (measure->leaves_out_ended &&
        (value_equal_text(value, "Succeeded", "status", "phase", NULL) ||
         value_equal_text(value, "Failed", "status", "phase", NULL))) {
        return 0;
    }
    if (measure->class[0] != '\0' &&
        !value_equal_text(value, measure->class, "spec", "storageClassName", NULL)) {
        return 0;
    }
    if (!measure->counts_storage) {
        return MILLI;
    }
    (void)amount_parse(value_at(value, "spec", "resources", "requests", "storage", NULL), &milli);
    return milli;
}

static int64_t usage(const struct objects *objects, const struct measure *measure,
                     const char *namespace)
{
    int64_t sum = 0;
    for (const struct record *at = objects_next(objects, measure->resource, namespace, NULL);
         at != NULL; at = objects_next(objects, measure->resource, namespace, at)) {
        sum += weight(measure, at->value);
    }
    return sum;
}

/* What would be exceeded, as lists of name=amount. */
struct excess {
    struct text requested, used, limited;
};

static void list_amount(struct text *list, const char *name, int64_t milli, bool is_binary)
{
    char amount[AMOUNT_BYTES];
    amount_print(milli, is_binary, amount);
    text_print(list, "%s%s=%s", list->length_bytes == 0 ? "" : ",", name, amount);
}

static void check_line(const struct write *write, const cJSON *hard, struct excess *excess)
{
    struct measure measure;
    int64_t limit = 0;
    if (!measure_of(hard->string, write->resource, &measure) || !amount_parse(hard, &limit)) {
        return;
    }
    int64_t more = weight(&measure, write->value);
    if (write->before != NULL) {
        more -= weight(&measure, write->before->value);
    }
    int64_t used = usage(write->server->objects, &measure, write->namespace);
    if (more > 0 && used + more > limit) {
        list_amount(&excess->requested, hard->string, more, measure.counts_storage);
        list_amount(&excess->used, hard->string, used, measure.counts_storage);
        list_amount(&excess->limited, hard->string, limit, measure.counts_storage);
    }
}

static bool admit_one(struct write *write, const struct record *quota)
{
    const cJSON *line = NULL;
    struct excess excess;
    text_init(&excess.requested, LIST_BYTES_MAX);
    text_init(&excess.used, LIST_BYTES_MAX);
    text_init(&excess.limited, LIST_BYTES_MAX);
    cJSON_ArrayForEach(line, value_at(quota->value, "spec", "hard", NULL))
    {
        check_line(write, line, &excess);
    }
    bool admitted = excess.requested.length_bytes == 0;
    if (!admitted) {
        outcome_forbidden(write->outcome, write->resource, write->name,
                          "exceeded quota: %s, requested: %s, used: %s, limited: %s", quota->name,
                          excess.requested.bytes, excess.used.bytes, excess.limited.bytes);
    }
    text_release(&excess.requested);
    text_release(&excess.used);
    text_release(&excess.limited);
    return admitted;
}

bool quota_admit(struct write *write)
{
    const struct objects *objects = write->server->objects;
    if (!write->resource->is_namespaced || write->resource == &resource_resource_quotas) {
        return true;
    }
    for (const struct record *quota =
             objects_next(objects, &resource_resource_quotas, write->namespace, NULL);
         quota != NULL;
         quota = objects_next(objects, &resource_resource_quotas, write->namespace, quota)) {
        if (!admit_one(write, quota)) {
            return false;
        }
    }
    return true;
}

/* Each line's own resource: found by asking for all. */
static bool measure_any(const struct apiserver *server, const char *name, struct measure *out)
{
    const struct resource *resource = NULL;
    while ((resource = apiserver_next_resource(server, resource)) != NULL) {
        if (measure_of(name, resource, out)) {
            return true;
        }
    }
    return false;
}

static cJSON *status_of(const struct apiserver *server, const struct record *quota)
{
    const cJSON *hard = value_at(quota->value, "spec", "hard", NULL);
    const cJSON *line = NULL;
    cJSON *status = cJSON_CreateObject();
    cJSON *used = cJSON_CreateObject();
    cJSON_ArrayForEach(line, hard)
    {
        struct measure measure;
        if (measure_any(server, line->string, &measure)) {
            char amount[AMOUNT_BYTES];
            amount_print(usage(server->objects, &measure, quota->namespace), measure.counts_storage,
                         amount);
            value_set_text(used, line->string, amount);
        }
    }
    value_set(status, "hard", hard == NULL ? cJSON_CreateObject() : cJSON_Duplicate(hard, true));
    value_set(status, "used", used);
    return status;
}

static bool concerns(const struct record *quota, const struct resource *resource)
{
    const cJSON *line = NULL;
    struct measure measure;
    cJSON_ArrayForEach(line, value_at(quota->value, "spec", "hard", NULL))
    {
        if (measure_of(line->string, resource, &measure)) {
            return true;
        }
    }
    return resource == &resource_resource_quotas;
}

void quota_settle(struct apiserver *server, const struct resource *resource, const char *namespace)
{
    const struct record *quota = NULL;
    if (!resource->is_namespaced) {
        return;
    }
    while ((quota = objects_next(server->objects, &resource_resource_quotas, namespace, quota)) !=
           NULL) {
        if (!concerns(quota, resource)) {
            continue;
        }
        cJSON *status = status_of(server, quota);
        if (value_equal(status, value_member(quota->value, "status"))) {
            cJSON_Delete(status);
            continue;
        }
        cJSON *changed = cJSON_Duplicate(quota->value, true);
        value_set(changed, "status", status);
        quota = objects_put(server->objects, &resource_resource_quotas, changed);
    }
}
