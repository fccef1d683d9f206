/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/table.h"

#include <assert.h>

struct table_cell {
    struct table_cell *next;
    const char *text;
    size_t columns;
};

enum { GAP_COLUMNS = 3 };

/* UTF-8: bytes that begin a character. Wide characters are rare in names and not accounted for. */
static bool takes_column(char byte)
{
    return ((unsigned char)byte & 0xC0U) != 0x80U;
}

static size_t columns_of(const char *text)
{
    size_t columns = 0;
    for (; *text != '\0'; text++) {
        columns += takes_column(*text) ? 1 : 0;
    }
    return columns;
}

size_t table_fitting_bytes(const char *line, size_t columns)
{
    size_t byte_count = 0;
    for (size_t column = 0; line[byte_count] != '\0'; byte_count++) {
        column += takes_column(line[byte_count]) ? 1 : 0;
        if (column > columns) {
            break;
        }
    }
    return byte_count;
}

void table_init(struct table *table, struct arena *arena, const char *const *headings)
{
    *table = (struct table){.arena = arena};
    while (headings[table->column_count] != NULL) {
        table->column_count++;
    }
    assert(table->column_count > 0 && table->column_count <= TABLE_COLUMNS_MAX);
    for (size_t i = 0; i < table->column_count; i++) {
        table_add(table, headings[i]);
    }
}

void table_add(struct table *table, const char *text)
{
    struct table_cell *cell = arena_new(table->arena, 1, sizeof(*cell));
    cell->text = arena_copy(table->arena, text == NULL || *text == '\0' ? "-" : text);
    cell->columns = columns_of(cell->text);
    if (table->last == NULL) {
        table->first = cell;
    } else {
        table->last->next = cell;
    }
    table->last = cell;
    if (cell->columns > table->widths[table->column]) {
        table->widths[table->column] = cell->columns;
    }
    table->column = (table->column + 1) % table->column_count;
}

void table_print(struct table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_print_list(table->arena, format, arguments);
    va_end(arguments);
    table_add(table, text);
}

void table_write(const struct table *table, struct text *out)
{
    assert(table->column == 0); /* no row is half full */
    size_t column = 0;
    for (const struct table_cell *cell = table->first; cell != NULL; cell = cell->next) {
        text_append(out, cell->text);
        bool ends_row = ++column == table->column_count;
        size_t gap = ends_row ? 0 : table->widths[column - 1] - cell->columns + GAP_COLUMNS;
        while (gap-- > 0) {
            text_append_char(out, ' ');
        }
        if (ends_row) {
            text_append_char(out, '\n');
            column = 0;
        }
    }
}
