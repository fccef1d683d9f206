/* SPDX-License-Identifier: Apache-2.0 */
/* Where an Instance stands, read from its status. Objects here are Instances, but for the last. */
#ifndef ADJOINT_CLI_STANDING_H
#define ADJOINT_CLI_STANDING_H

#include "api/instance.h"

/* Appends one line without its break: the phase, and what it waits for. */
void standing_print(const struct object *object, struct text *out);

/* Appends what is left of its wait, with a comma before it: ", about 2m5s left". Nothing if it does
   not wait, or nobody knows. wall_ms: now. */
void standing_print_left(const struct object *object, int64_t wall_ms, struct text *out);

/* The condition that tells why it is not ready: of what is false, the earliest in a claim; NULL:
   nothing is known to be wrong. */
const struct condition *standing_obstacle(const struct object *object);

/* It will not become ready by itself: a person has to change something first. */
bool standing_is_hopeless(const struct object *object);

/* A Pool's: of its conditions that are not true the one that says most; if all are, Ready. NULL: it
   has none. */
const struct condition *standing_of_pool(const struct object *object);

#endif
