/* SPDX-License-Identifier: Apache-2.0 */
/* What happened in a world: its lines hashed as they come, and handed on. */
#ifndef ADJOINT_SIM_TRACE_H
#define ADJOINT_SIM_TRACE_H

#include "base/error.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct trace {
    char *line; /* the last one; NULL: there was none */
    size_t capacity_bytes;
    uint64_t hash; /* of all of them, each with a line's end */
    void (*give)(void *self, const char *line);
    void *self;
};

void trace_init(struct trace *trace);
void trace_release(struct trace *trace);

/* The line starts with the time, in seconds: "12.345 ". It is kept whole, however long. */
void trace_add(struct trace *trace, int64_t at_ms, const char *format, va_list arguments)
    PRINTF_LIKE(3, 0);

#endif
