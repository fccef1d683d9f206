/* SPDX-License-Identifier: Apache-2.0 */
/* Who writes events fills different fields in: lastTimestamp is of the older library, eventTime of
   the newer. */
#include "api/event.h"

#include "api/field.h"

void kube_event_decode(struct json_reader *reader, const struct json *root, struct object *object)
{
    struct kube_event *event = arena_new(reader->arena, 1, sizeof(*event));
    event->type = field_string(reader, root, "type");
    event->reason = field_string(reader, root, "reason");
    event->message = field_string(reader, root, "message");
    event->last_ms = field_time(reader, root, "lastTimestamp");
    if (event->last_ms == 0) {
        event->last_ms = field_time(reader, root, "eventTime");
    }
    object->kube_event = event;
}
