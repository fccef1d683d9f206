/* SPDX-License-Identifier: Apache-2.0 */
/* Members have other names, and that is all: a patch of a series needs no translation, a body that
   cannot be read gets its refusal where every other one does. */
#include "sim/events_group.h"

#include "base/memory.h"
#include "sim/value.h"

#include <string.h>

#define GROUP_PATH "/apis/events.k8s.io/v1/"
#define CORE_PATH "/api/v1/"

static const struct {
    const char *name, *core;
} members[] = {
    {"note", "message"},
    {"regarding", "involvedObject"},
    {"reportingController", "reportingComponent"},
};

static void translate_object(const char *text, struct text *out)
{
    cJSON *event = NULL;
    struct error ignored;
    if (text == NULL || !value_parse(text, &event, &ignored) || !cJSON_IsObject(event)) {
        cJSON_Delete(event);
        text_append(out, text == NULL ? "" : text);
        return;
    }
    if (value_equal_text(event, "events.k8s.io/v1", "apiVersion", NULL)) {
        value_set_text(event, "apiVersion", "v1");
    }
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        cJSON *value = cJSON_DetachItemFromObjectCaseSensitive(event, members[i].name);
        if (value != NULL) {
            value_set(event, members[i].core, value);
        }
    }
    cleanup_memory char *printed = value_print(event);
    text_append(out, printed);
    cJSON_Delete(event);
}

bool events_group_translate(const struct request *request, struct text *path, struct text *body,
                            struct request *out)
{
    bool is_write = request->method == METHOD_POST || request->method == METHOD_PATCH;
    if (!is_write || !text_starts_with(request->path, GROUP_PATH "namespaces/")) {
        return false;
    }
    *out = *request;
    text_print(path, CORE_PATH "%s", request->path + strlen(GROUP_PATH));
    out->path = path->bytes;
    if (request->method == METHOD_POST) {
        translate_object(request->body, body);
        out->body = body->bytes;
        out->body_bytes = body->length_bytes;
    }
    return true;
}
