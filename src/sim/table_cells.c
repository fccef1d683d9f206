/* SPDX-License-Identifier: Apache-2.0 */
/* Cells that no single field holds. */
#include "base/text.h"
#include "sim/table.h"
#include "sim/value.h"

#include <inttypes.h>

enum { CELL_BYTES_MAX = 1024 };

static const char *text_or(const char *text, const char *otherwise)
{
    return text == NULL ? otherwise : text;
}

/* Each element of the array, through print, with commas between. */
static cJSON *join(const cJSON *array, void (*print)(struct text *text, const cJSON *element))
{
    cleanup_text struct text cell;
    text_init(&cell, CELL_BYTES_MAX);
    const cJSON *element = NULL;
    cJSON_ArrayForEach(element, array)
    {
        text_append(&cell, cell.length_bytes > 0 ? "," : "");
        print(&cell, element);
    }
    return cJSON_CreateString(cell.bytes);
}

static cJSON *fraction(int64_t part, int64_t whole)
{
    cleanup_text struct text cell;
    text_init(&cell, CELL_BYTES_MAX);
    text_print(&cell, "%" PRId64 "/%" PRId64, part, whole);
    return cJSON_CreateString(cell.bytes);
}

cJSON *cell_phase(const cJSON *object)
{
    return cJSON_CreateString(value_is_deleting(object)
                                  ? "Terminating"
                                  : text_or(value_text(object, "status", "phase", NULL), ""));
}

/* ---- pods ---- */

static int64_t count_containers(const cJSON *pod, int64_t *out_ready, int64_t *out_restarts)
{
    *out_ready = 0;
    *out_restarts = 0;
    const cJSON *status = NULL;
    cJSON_ArrayForEach(status, value_at(pod, "status", "containerStatuses", NULL))
    {
        *out_ready += value_true(status, "ready", NULL) ? 1 : 0;
        *out_restarts += value_int64(status, 0, "restartCount", NULL);
    }
    return cJSON_GetArraySize(value_at(pod, "spec", "containers", NULL));
}

cJSON *cell_pod_ready(const cJSON *pod)
{
    int64_t ready;
    int64_t restarts;
    int64_t count = count_containers(pod, &ready, &restarts);
    return fraction(ready, count);
}

cJSON *cell_pod_restarts(const cJSON *pod)
{
    int64_t ready;
    int64_t restarts;
    count_containers(pod, &ready, &restarts);
    return cJSON_CreateNumber((double)restarts);
}

cJSON *cell_pod_status(const cJSON *pod)
{
    const cJSON *status = NULL;
    const char *word = text_or(value_text(pod, "status", "reason", NULL),
                               text_or(value_text(pod, "status", "phase", NULL), ""));
    cJSON_ArrayForEach(status, value_at(pod, "status", "containerStatuses", NULL))
    {
        const char *waits_for = value_text(status, "state", "waiting", "reason", NULL);
        const char *ended_by = value_text(status, "state", "terminated", "reason", NULL);
        word = text_or(waits_for, text_or(ended_by, word));
    }
    return cJSON_CreateString(value_is_deleting(pod) ? "Terminating" : word);
}

/* ---- volumes and claims ---- */

static void print_access_mode(struct text *text, const cJSON *mode)
{
    static const char *const short_names[][2] = {
        {"ReadWriteOnce", "RWO"},
        {"ReadOnlyMany", "ROX"},
        {"ReadWriteMany", "RWX"},
        {"ReadWriteOncePod", "RWOP"},
    };
    for (size_t i = 0; i < sizeof(short_names) / sizeof(short_names[0]); i++) {
        text_append(text, text_equal(cJSON_GetStringValue(mode), short_names[i][0])
                              ? short_names[i][1]
                              : "");
    }
}

cJSON *cell_access_modes(const cJSON *object)
{
    return join(value_at(object, "spec", "accessModes", NULL), print_access_mode);
}

cJSON *cell_attributes_class(const cJSON *object)
{
    const char *class = value_text(object, "spec", "volumeAttributesClassName", NULL);
    return cJSON_CreateString(class == NULL ? "<unset>" : class);
}

/* Only a bound claim has them: they are its volume's. */
cJSON *cell_claim_access_modes(const cJSON *claim)
{
    return join(value_at(claim, "status", "accessModes", NULL), print_access_mode);
}

cJSON *cell_claim_capacity(const cJSON *claim)
{
    return cJSON_CreateString(
        text_or(value_text(claim, "status", "capacity", "storage", NULL), ""));
}

cJSON *cell_volume_claim(const cJSON *volume)
{
    const char *name = value_text(volume, "spec", "claimRef", "name", NULL);
    cleanup_text struct text cell;
    text_init(&cell, CELL_BYTES_MAX);
    if (name != NULL) {
        text_print(&cell, "%s/%s",
                   text_or(value_text(volume, "spec", "claimRef", "namespace", NULL), ""), name);
    }
    return cJSON_CreateString(cell.bytes);
}

/* ---- others ---- */

cJSON *cell_event_object(const cJSON *event)
{
    const char *kind = text_or(value_text(event, "involvedObject", "kind", NULL), "");
    cleanup_text struct text cell;
    text_init(&cell, CELL_BYTES_MAX);
    for (const char *at = kind; *at != '\0'; at++) {
        text_append_char(&cell, (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at));
    }
    text_print(&cell, "/%s", text_or(value_text(event, "involvedObject", "name", NULL), ""));
    return cJSON_CreateString(cell.bytes);
}

static void print_port(struct text *text, const cJSON *port)
{
    text_print(text, "%" PRId64 "/%s", value_int64(port, 0, "port", NULL),
               text_or(value_text(port, "protocol", NULL), "TCP"));
}

cJSON *cell_service_ports(const cJSON *service)
{
    const cJSON *ports = value_at(service, "spec", "ports", NULL);
    return cJSON_GetArraySize(ports) == 0 ? cJSON_CreateString("<none>") : join(ports, print_port);
}

cJSON *cell_external_address(const cJSON *service)
{
    const cJSON *balancer = value_at(service, "status", "loadBalancer", "ingress", NULL);
    const char *address = cJSON_IsArray(balancer) && balancer->child != NULL
                              ? value_text(balancer->child, "ip", NULL)
                              : NULL;
    return cJSON_CreateString(text_or(address, "<none>"));
}

cJSON *cell_data_count(const cJSON *object)
{
    int count = cJSON_GetArraySize(value_at(object, "data", NULL)) +
                cJSON_GetArraySize(value_at(object, "binaryData", NULL));
    return cJSON_CreateNumber(count);
}

/* The condition of that type is True. */
static bool has_condition(const cJSON *object, const char *type)
{
    const cJSON *condition = NULL;
    cJSON_ArrayForEach(condition, value_at(object, "status", "conditions", NULL))
    {
        if (value_equal_text(condition, type, "type", NULL)) {
            return value_equal_text(condition, "True", "status", NULL);
        }
    }
    return false;
}

cJSON *cell_node_status(const cJSON *node)
{
    return cJSON_CreateString(has_condition(node, "Ready") ? "Ready" : "NotReady");
}

cJSON *cell_job_status(const cJSON *job)
{
    if (has_condition(job, "Complete")) {
        return cJSON_CreateString("Complete");
    }
    return cJSON_CreateString(has_condition(job, "Failed") ? "Failed" : "Running");
}

cJSON *cell_job_completions(const cJSON *job)
{
    return fraction(value_int64(job, 0, "status", "succeeded", NULL),
                    value_int64(job, 1, "spec", "completions", NULL));
}
