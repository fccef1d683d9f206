/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions as in meta/v1: a type, what it is now, why in one CamelCase word, and a line for a
   person that says what to do. */
#ifndef ADJOINT_API_CONDITION_H
#define ADJOINT_API_CONDITION_H

#include "base/json.h"

#include <stddef.h>
#include <stdint.h>

#define CONDITIONS_MAX 6 /* of one object; ours have at most five, in a store of thousands */

enum condition_status { CONDITION_UNKNOWN, CONDITION_TRUE, CONDITION_FALSE };

struct condition {
    const char *type, *reason, *message;
    enum condition_status status;
    int64_t observed_generation;
    int64_t changed_ms; /* wall, lastTransitionTime */
};

struct conditions {
    size_t count;
    struct condition *items; /* as many, or CONDITIONS_MAX after conditions_begin */
};

/* None yet, with room in the arena for those that are to be set. */
void conditions_begin(struct conditions *conditions, struct arena *arena);

/* Reads status.conditions; more than CONDITIONS_MAX are dropped. */
void conditions_read(struct json_reader *reader, const struct json *status, struct conditions *out);

/* Those of from, with room for more; the strings are borrowed. */
void conditions_copy(struct conditions *conditions, const struct conditions *from,
                     struct arena *arena);

/* Writes the array as a value. */
void conditions_write(const struct conditions *conditions, struct json_writer *writer);

/* NULL: not there. */
const struct condition *conditions_find(const struct conditions *conditions, const char *type);

/* Adds or replaces by type, in what conditions_begin made; changed_ms stays that of `before` while
   the status is the same. The strings are borrowed. */
void conditions_set(struct conditions *conditions, const struct conditions *before,
                    struct condition condition);

/* Same types, statuses, reasons, messages and generations, in the same order. */
bool conditions_equal(const struct conditions *one, const struct conditions *other);

const char *condition_status_name(enum condition_status status); /* "True" ... */

#endif
