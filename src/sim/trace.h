/* SPDX-License-Identifier: Apache-2.0 */
/* What happened in a world: its lines hashed as they come, the last of them kept. */
#ifndef ADJOINT_SIM_TRACE_H
#define ADJOINT_SIM_TRACE_H

#include "base/error.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACE_LINES_MAX = 512 };

struct trace_line {
    char *text; /* NULL: never written */
    size_t capacity_bytes;
};

struct trace {
    struct trace_line lines[TRACE_LINES_MAX]; /* line n is at n % TRACE_LINES_MAX */
    uint64_t line_count;                      /* ever */
    uint64_t hash;                            /* of all of them, each with a line's end */
    void (*give)(void *self, const char *line);
    void *self;
};

void trace_init(struct trace *trace);
void trace_release(struct trace *trace);

/* The line starts with the time, in seconds: "12.345 ". It is kept whole, however long. */
void trace_add(struct trace *trace, int64_t at_ms, const char *format, va_list arguments)
    PRINTF_LIKE(3, 0);
void trace_last(const struct trace *trace, size_t lines_max,
                void (*give)(void *self, const char *line), void *self);

#endif
