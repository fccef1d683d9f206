/* SPDX-License-Identifier: Apache-2.0 */
/* Lines are written into the memory of those they replace. */
#include "simulation/last_lines.h"

#include <string.h>

enum { LINE_BYTES_MAX = 64 * 1024 };

void last_lines_release(struct last_lines *last)
{
    for (size_t i = 0; i < LAST_LINES; i++) {
        text_release(&last->lines[i]);
    }
    last->count = 0;
}

void last_lines_take(struct last_lines *last, const char *line)
{
    if (strstr(line, " leases ") != NULL || strstr(line, "/leases") != NULL) {
        return;
    }
    struct text *kept = &last->lines[last->count++ % LAST_LINES];
    if (kept->bytes == NULL) {
        text_init(kept, LINE_BYTES_MAX);
    }
    text_clear(kept);
    text_append(kept, line);
}

void last_lines_report(const struct last_lines *last, struct text *out)
{
    size_t first = last->count < LAST_LINES ? 0 : last->count - LAST_LINES;
    for (size_t i = first; i < last->count; i++) {
        text_append(out, "    ");
        text_append(out, last->lines[i % LAST_LINES].bytes);
        text_append(out, "\n");
    }
}
