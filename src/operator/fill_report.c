/* SPDX-License-Identifier: Apache-2.0 */
/* Events are not watched: a cluster has many, and one question in some minutes, about a PVC that
   takes long, answers all that a Pool wants to know. What FSx and its driver refuse is said nowhere
   else in the API. */
#include "operator/fill_report.h"

#include "api/event.h"
#include "api/kind.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"

/* An error's message, for its length: it becomes a condition's. */
struct reading {
    struct error complaint; /* class ERROR_NONE: none */
    int64_t last_ms;
};

static bool read_event(void *self, const char *text, size_t byte_count, struct error *error)
{
    struct reading *reading = self;
    struct object *object = NULL;
    if (!object_decode(KIND_EVENT, text, byte_count, NULL, &object, error)) {
        return false;
    }
    const struct kube_event *event = object->kube_event;
    if (text_equal(event->reason, "ProvisioningFailed") && event->last_ms >= reading->last_ms) {
        reading->last_ms = event->last_ms;
        (void)error_set(&reading->complaint, ERROR_INVALID, "%s", event->message);
    }
    object_free(object);
    return true;
}

static void read_list(struct reading *reading, const struct reply *reply)
{
    struct json_scan *scan = json_scan_new(JSON_SCAN_LIST, &kind_of(KIND_EVENT)->filter,
                                           LIMIT_OBJECT_BYTES, read_event, reading);
    struct error error;
    if (!json_scan_feed(scan, reply->body, reply->body_bytes, &error) ||
        !json_scan_end(scan, &error)) {
        reading->complaint.class = ERROR_NONE;
    }
    json_scan_free(scan);
}

void fill_report_absorb(struct memo *memo, const struct action *action, const struct reply *reply,
                        struct now now)
{
    struct reading reading = {.complaint.class = ERROR_NONE};
    if (reply->error.class == ERROR_NONE) {
        read_list(&reading, reply);
    } else if (reply->error.class == ERROR_FORBIDDEN) {
        (void)error_set(&reading.complaint, ERROR_FORBIDDEN, "its events cannot be read: %s",
                        reply->error.message);
    }
    memory_free(memo->fill_claim_uid);
    memory_free(memo->fill_complaint);
    memo->fill_claim_uid = memory_copy_text(action->uid);
    memo->fill_complaint =
        reading.complaint.class == ERROR_NONE ? NULL : memory_copy_text(reading.complaint.message);
    memo->fill_read_ms = now.mono_ms;
}
