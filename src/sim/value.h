/* SPDX-License-Identifier: Apache-2.0 */
/* cJSON trees by path. The simulator's objects are whole trees, unlike the operator's, because it
   must give back every field it was given. Numbers are doubles: an integer that none holds is
   refused at the door (value_parse), never changed. Paths are member names, closed by NULL; a
   member that is missing, null or of another type is absent. */
#ifndef ADJOINT_SIM_VALUE_H
#define ADJOINT_SIM_VALUE_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* 2^53, up to which, either way, a double holds each integer; value_int64 gives no larger ones. */
#define VALUE_INTEGER_MAX (INT64_C(1) << 53)

/* Owned by the caller (cJSON_Delete). Of equal keys the last member stays, as Go has it; half a
   surrogate pair becomes U+FFFD, also as there. ERROR_INVALID for what is not one JSON value in
   UTF-8, for an integer that no double holds, a fraction of more than 60 characters or beyond a
   double, and a string with \u0000 in it, which the tree could not hold; ERROR_LIMIT for more than
   LIMIT_JSON_DEPTH levels. */
MUST_CHECK bool value_parse(const char *text, cJSON **out_value, struct error *error);
/* Compact text, the caller's (memory_free). */
char *value_print(const cJSON *value);

/* The member as it is, null included. Borrowed; NULL: there is none, or object is none. */
cJSON *value_member(const cJSON *object, const char *name);
/* Borrowed; NULL: absent. */
cJSON *value_at(const cJSON *object, ...) __attribute__((sentinel));
const char *value_text(const cJSON *object, ...) __attribute__((sentinel));
/* fallback when absent. */
int64_t value_int64(const cJSON *object, int64_t fallback, ...) __attribute__((sentinel));
bool value_true(const cJSON *object, ...) __attribute__((sentinel));
bool value_equal_text(const cJSON *object, const char *expected, ...) __attribute__((sentinel));

/* The object there; made, with all on the way, when absent (also null, or something else). */
cJSON *value_make(cJSON *object, ...) __attribute__((sentinel));
/* Adds or replaces a member; NULL text or value removes it. value becomes object's. */
void value_set(cJSON *object, const char *name, cJSON *value);
/* Gives a member that is in no object, or the only one of its object, another name. */
void value_rename(cJSON *value, const char *name);
void value_set_text(cJSON *object, const char *name, const char *text);
void value_set_int64(cJSON *object, const char *name, int64_t number);
void value_set_true(cJSON *object, const char *name, bool yes);

/* Equal as JSON values: members in any order, elements in theirs. */
bool value_equal(const cJSON *left, const cJSON *right);
/* array of texts; has / adds once / removes. */
bool value_list_has(const cJSON *array, const char *text);
void value_list_add(cJSON *array, const char *text);
bool value_list_remove(cJSON *array, const char *text);

/* ---- what each Kubernetes object has ---- */
const char *value_name(const cJSON *object); /* "" when absent, so are the next */
const char *value_namespace(const cJSON *object);
const char *value_uid(const cJSON *object);
const char *value_label(const cJSON *object, const char *key);      /* NULL when absent */
const char *value_annotation(const cJSON *object, const char *key); /* NULL when absent */
bool value_is_deleting(const cJSON *object);
bool value_has_finalizer(const cJSON *object, const char *finalizer);
/* The ownerReference with controller: true; NULL: none. */
const cJSON *value_controller(const cJSON *object);

#endif
