/* SPDX-License-Identifier: Apache-2.0 */
/* The present versions of one resource's objects, in order of (namespace, name): what the server
   has, or what one controller's cache shows. Holds a reference to each. */
#ifndef ADJOINT_SIM_SHELF_H
#define ADJOINT_SIM_SHELF_H

#include "base/map.h"
#include "sim/record.h"

#include <stdbool.h>

struct shelf_slot;

struct shelf {
    struct shelf_slot **slots; /* private, sorted */
    size_t count;
    size_t capacity;    /* private */
    size_t next_at;     /* private: where shelf_next stood last, a guess for its next call */
    struct map by_name; /* private */
};

void shelf_init(struct shelf *shelf);
void shelf_release(struct shelf *shelf);

/* namespace NULL is "". */
const struct record *shelf_get(const struct shelf *shelf, const char *namespace, const char *name);
/* In their order; NULL begins, NULL ends; namespace NULL: of all. `after` need not be in it any
   more: what follows its place is given. */
const struct record *shelf_next(struct shelf *shelf, const char *namespace,
                                const struct record *after);

/* A namespace and a name that are stored have no more bytes than this together. */
enum { SHELF_NAMES_BYTES_MAX = 400 };

/* Adds it or puts it in place of the version that was there, which is given back (the caller's
   reference; NULL: none). A reference of its own is taken. */
struct record *shelf_put(struct shelf *shelf, const struct record *record);
/* What was there, the caller's reference; NULL: nothing. */
struct record *shelf_take(struct shelf *shelf, const char *namespace, const char *name);

#endif
