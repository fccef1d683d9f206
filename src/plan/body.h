/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON body under construction: a text with its writer, ended into a plan's arena. */
#ifndef ADJOINT_SRC_PLAN_BODY_H
#define ADJOINT_SRC_PLAN_BODY_H

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"

struct body {
    struct text text;
    struct json_writer json;
};

void body_init(struct body *body);
void body_cleanup(struct body *body);
#define cleanup_body __attribute__((cleanup(body_cleanup)))

/* The text so far, in the arena. Bodies are bounded by what they are made of (a Pool's template is
   at most an object's size), so not fitting is a bug. */
const char *body_end(struct body *body, struct arena *arena);

/* One operation of a JSON patch (RFC 6902). raw: the value as JSON text. */
void body_operation(struct body *body, const char *operation, const char *path, const char *string);
void body_operation_raw(struct body *body, const char *operation, const char *path,
                        const char *raw);

/* Path of a label or annotation inside a JSON patch: '/' becomes "~1". */
const char *body_label_path(struct arena *arena, const char *key);
const char *body_annotation_path(struct arena *arena, const char *key);

/* Whole seconds; 0 writes null, which removes the field. */
void body_time(struct json_writer *json, const char *key, int64_t wall_ms);

#endif
