/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that kubectl prints: names, and the cells of one object. A custom resource's come from
   additionalPrinterColumns (only Age without), a built-in kind's from a table of the same rows.
   Name is not among them; it is always the first. (apiextensions-apiserver tableconvertor.go) */
#ifndef ADJOINT_SRC_SIM_SCHEMA_COLUMNS_H
#define ADJOINT_SRC_SIM_SCHEMA_COLUMNS_H

#include "sim/violations.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

struct column {
    const char *name, *type;          /* integer, number, string, boolean, date */
    const char *format, *description; /* "" none */
    const char *json_path;            /* .a.b, ['a'], [0], [?(@.type=="Ready")].status, .a[*].b */
    int priority;                     /* above 0: only with -o wide */
};

struct columns {
    size_t count;
    struct column *items;
};

/* columns: the array additionalPrinterColumns, NULL for none; its texts are borrowed. NULL:
   refused, for the violations. */
struct columns *columns_new(const cJSON *columns, const char *path, struct violations *violations);
void columns_free(struct columns *columns);

/* The cell of a column, the caller's: null when there is nothing at the path. wall_ms: what dates
   are the age from ("3m12s"). */
cJSON *column_cell(const struct column *column, const cJSON *object, int64_t wall_ms);
/* How long ago, as people read it: 12s, 5m3s, 4h2m, 3d4h. The caller's (memory_free). */
char *column_age(const char *timestamp, int64_t wall_ms);

#endif
