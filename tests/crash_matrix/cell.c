/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/cell.h"

#include "base/memory.h"

#include <assert.h>

const char *mode_name(enum mode mode)
{
    static const char *const names[MODE_COUNT] = {"plain",  "before", "applied", "replied",
                                                  "person", "pause",  "restart"};
    assert(mode < MODE_COUNT);
    return names[mode];
}

void cells_init(struct cells *cells)
{
    *cells = (struct cells){.count = 0};
    arena_init(&cells->arena, 0);
}

void cells_release(struct cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        memory_free(cells->cells[i]);
    }
    memory_free(cells->cells);
    arena_release(&cells->arena);
}

struct cell *cells_add(struct cells *cells, struct cell cell)
{
    if (cells->count == cells->capacity) {
        cells->capacity = cells->capacity * 2 + 64;
        cells->cells = memory_resize(cells->cells, cells->capacity, sizeof(struct cell *));
    }
    struct cell *added = memory_new(1, sizeof(*added));
    *added = cell;
    cells->cells[cells->count++] = added;
    return added;
}

static int count_before(const struct cell_write *writes, size_t count, const char *name)
{
    int found = 0;
    for (size_t i = 0; i < count; i++) {
        found += text_equal(writes[i].name, name);
    }
    return found;
}

const struct cell_write *cells_list_writes(struct cells *cells,
                                           const struct interceptor *interceptor, size_t *out_count)
{
    size_t name_count = interceptor_name_count(interceptor);
    struct cell_write *writes = arena_new(&cells->arena, name_count + 1, sizeof(*writes));
    size_t count = 0;
    for (size_t i = 0; i < name_count; i++) {
        const char *name = interceptor_name(interceptor, i);
        int before = count_before(writes, count, name);
        if (before > 0 && text_equal(name, "dry runs")) {
            continue;
        }
        writes[count++] =
            (struct cell_write){.name = arena_copy(&cells->arena, name), .occurrence = before + 1};
    }
    *out_count = count;
    return writes;
}

void cell_title(const struct cell *cell, struct text *out)
{
    text_append(out, cell->scenario->name);
    if (cell->mode != MODE_PLAIN) {
        text_print(out, " %d %s", cell->number,
                   cell->mode == MODE_PERSON ? cell->person->name : mode_name(cell->mode));
    }
}
