/* SPDX-License-Identifier: Apache-2.0 */
/* How checks look, and tell. */
#include "api/instance.h"
#include "api/names.h"
#include "base/memory.h"
#include "cli/doctor.h"
#include "cli/explain.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { REPLY_BYTES_MAX = 16 * 1024 * 1024, LINE_BYTES_MAX = 8 * 1024 };

/* ---- telling ---- */

static void add(struct doctor *doctor, enum finding_level level, const char *subject,
                const char *message)
{
    doctor->findings =
        memory_resize(doctor->findings, doctor->finding_count + 1, sizeof(*doctor->findings));
    doctor->findings[doctor->finding_count++] =
        (struct finding){.level = level,
                         .check = doctor->check,
                         .subject = arena_copy(&doctor->arena, subject),
                         .message = message};
    doctor->counts[level]++;
}

void doctor_find(struct doctor *doctor, enum finding_level level, const char *subject,
                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(doctor, level, subject, arena_print_list(&doctor->arena, format, arguments));
    va_end(arguments);
}

void doctor_all_well(struct doctor *doctor, const char *format, ...)
{
    for (size_t i = 0; i < doctor->finding_count; i++) {
        if (doctor->findings[i].check == doctor->check && doctor->findings[i].level != FINDING_OK) {
            return;
        }
    }
    va_list arguments;
    va_start(arguments, format);
    add(doctor, FINDING_OK, NULL, arena_print_list(&doctor->arena, format, arguments));
    va_end(arguments);
}

void doctor_cannot_see(struct doctor *doctor, const char *subject, const struct error *error)
{
    doctor_find(doctor, FINDING_WARN, subject, "cannot be looked at: %s",
                explain_is_missing_kind(error) ? "the API server does not have it"
                                               : error->message);
}

void doctor_cannot_read(struct doctor *doctor, enum object_kind kind, const struct error *error)
{
    cleanup_text struct text line;
    text_init(&line, LINE_BYTES_MAX);
    explain_error(error, kind, doctor->cli->session.description, &line);
    doctor_find(doctor, FINDING_FAIL, NULL,
                "%s; what compares objects with each other was left out", line.bytes);
}

/* ---- looking ---- */

bool doctor_post(struct doctor *doctor, const char *path, const char *body,
                 struct json_document **out, struct error *error)
{
    struct request request = {.method = METHOD_POST,
                              .path = path,
                              .content_type = "application/json",
                              .body = body,
                              .body_bytes = strlen(body)};
    cleanup_text struct text reply;
    text_init(&reply, REPLY_BYTES_MAX);
    return cli_call(doctor->cli, &request, &reply, error) &&
           json_parse(reply.bytes, reply.length_bytes, out, error);
}

static bool is_named(const struct doctor *doctor, const char *namespace, const char *name)
{
    return doctor->pool_name == NULL ||
           (text_equal(namespace, doctor->pool_namespace) && text_equal(name, doctor->pool_name));
}

static bool is_looked_at(const struct doctor *doctor, const struct object *object)
{
    if (object->kind == KIND_POOL) {
        return is_named(doctor, object->meta.namespace, object->meta.name);
    }
    if (object->kind == KIND_INSTANCE) {
        return is_named(doctor, object->instance->pool_namespace, object->instance->pool);
    }
    if (object->kind == KIND_VOLUME) {
        return is_named(doctor, object_label(object, LABEL_POOL_NAMESPACE),
                        object_label(object, LABEL_POOL));
    }
    if (object->kind == KIND_VOLUME_CLAIM) { /* a holding one: others name no Pool */
        return is_named(doctor, object->meta.namespace, object_label(object, LABEL_POOL));
    }
    return doctor->pool_name == NULL;
}

static int compare_names(const void *one, const void *other)
{
    const struct object *const *left = one;
    const struct object *const *right = other;
    int order = strcmp((*left)->meta.namespace, (*right)->meta.namespace);
    return order != 0 ? order : strcmp((*left)->meta.name, (*right)->meta.name);
}

const struct object *const *doctor_objects(struct doctor *doctor, enum object_kind kind,
                                           size_t *out_count)
{
    const struct store *store = doctor->cluster.store;
    const struct object **objects =
        arena_new(&doctor->arena, store_count(store, kind) + 1, sizeof(void *));
    const struct object *object = NULL;
    size_t at = 0;
    size_t count = 0;
    while ((object = store_next(store, kind, &at)) != NULL) {
        if (is_looked_at(doctor, object)) {
            objects[count++] = object;
        }
    }
    qsort(objects, count, sizeof(void *), compare_names);
    *out_count = count;
    return objects;
}

const char *doctor_name(struct doctor *doctor, const struct object *object)
{
    const char *namespace = object->meta.namespace;
    return arena_print(&doctor->arena, "%s %s%s%s", kind_of(object->kind)->kind, namespace,
                       namespace[0] == '\0' ? "" : "/", object->meta.name);
}
