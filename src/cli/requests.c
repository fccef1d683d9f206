/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/requests.h"

#include "base/timestamp.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 40 };

static int compare(const void *one, const void *other)
{
    const int64_t *left = one;
    const int64_t *right = other;
    return *left < *right ? -1 : *left > *right;
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++) {
        count++;
    }
    return count;
}

/* The first column, without quotes and blanks around it. */
static char *column_of(char *line)
{
    char *column = line + strspn(line, " \t\"");
    column[strcspn(column, ",;\t \"\r")] = '\0';
    return column;
}

bool requests_read(char *text, struct arena *arena, int64_t **out_times_ms, size_t *out_count,
                   struct error *error)
{
    int64_t *times_ms = arena_new(arena, count_lines(text), sizeof *times_ms);
    size_t count = 0;
    size_t number = 0;
    char *line = NULL;
    while ((line = strsep(&text, "\n")) != NULL) {
        const char *column = column_of(line);
        bool is_time = timestamp_parse(column, &times_ms[count], error);
        number++;
        if (!is_time && column[0] != '\0' && number > 1) {
            return error_set(error, ERROR_INVALID,
                             "line %zu begins with \"%.*s\", which is no time such as "
                             "2026-08-22T09:00:00Z",
                             number, SHOWN_BYTES, column);
        }
        count += is_time;
    }
    if (count == 0) {
        return error_set(error, ERROR_INVALID, "no line begins with a time");
    }
    qsort(times_ms, count, sizeof *times_ms, compare);
    *out_times_ms = times_ms;
    *out_count = count;
    return true;
}
