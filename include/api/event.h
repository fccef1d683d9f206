/* SPDX-License-Identifier: Apache-2.0 */
/* An Event of core/v1: what a controller said about an object. */
#ifndef ADJOINT_API_EVENT_H
#define ADJOINT_API_EVENT_H

#include "api/object.h"

struct kube_event {
    const char *type, *reason, *message; /* "" when absent; type "Warning" or "Normal" */
    int64_t last_ms;                     /* wall: when it was said last; 0: not known */
};
void kube_event_decode(struct json_reader *reader, const struct json *root, struct object *object);

#endif
