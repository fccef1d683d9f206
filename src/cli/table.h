/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of text, aligned as kubectl aligns them: three spaces between, none at the end. */
#ifndef ADJOINT_CLI_TABLE_H
#define ADJOINT_CLI_TABLE_H

#include "base/arena.h"
#include "base/text.h"

#include <stddef.h>

#define TABLE_COLUMNS_MAX 20

struct table_cell;

struct table {
    struct arena *arena; /* of the cells; borrowed */
    size_t column_count;
    size_t column;                    /* of the next cell; private */
    struct table_cell *first, *last;  /* private */
    size_t widths[TABLE_COLUMNS_MAX]; /* in characters; private */
};

/* headings: the first row, ends with NULL. */
void table_init(struct table *table, struct arena *arena, const char *const *headings);

/* The next cell, copied; rows follow from the number of columns. NULL or "" shows as "-". */
void table_add(struct table *table, const char *text);
void table_print(struct table *table, const char *format, ...) PRINTF_LIKE(2, 3);

/* So many bytes of a line as there are columns for. */
size_t table_fitting_bytes(const char *line, size_t columns);

void table_write(const struct table *table, struct text *out);

#endif
