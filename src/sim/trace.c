/* SPDX-License-Identifier: Apache-2.0 */
/* Every line is formatted even when nobody reads it: two runs of a seed are compared by the hash of
   the lines as they read, so that a hash that differs can always be followed to a line that does.
 */
#include "sim/trace.h"

#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

/* FNV-1a of 64 bits: what base/digest.h offers is of whole texts, this one goes on. */
static const uint64_t HASH_BASIS = 0xcbf29ce484222325, HASH_PRIME = 0x100000001b3;

enum { LINE_BYTES = 160, TIME_BYTES = 32 };

void trace_init(struct trace *trace)
{
    *trace = (struct trace){.hash = HASH_BASIS};
}

void trace_release(struct trace *trace)
{
    memory_free(trace->line);
    trace_init(trace);
}

static void make_room(struct trace *trace, size_t bytes)
{
    if (trace->capacity_bytes < bytes) {
        trace->line = memory_resize(trace->line, bytes, 1);
        trace->capacity_bytes = bytes;
    }
}

static uint64_t hash_line(uint64_t hash, const char *line)
{
    for (const char *at = line; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * HASH_PRIME;
    }
    return (hash ^ '\n') * HASH_PRIME;
}

/* "SECONDS.MILLISECONDS "; returns how many bytes. */
static size_t put_time(char *out, int64_t at_ms)
{
    char reversed[TIME_BYTES] = " ";
    size_t count = 1;
    for (int64_t left = at_ms; left > 0 || count < sizeof("0.000"); left /= 10) {
        if (count == sizeof("000")) {
            reversed[count++] = '.';
        }
        reversed[count++] = (char)('0' + left % 10);
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = reversed[count - 1 - i];
    }
    return count;
}

void trace_add(struct trace *trace, int64_t at_ms, const char *format, va_list arguments)
{
    make_room(trace, LINE_BYTES);
    size_t begin = put_time(trace->line, at_ms);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(trace->line + begin, trace->capacity_bytes - begin, format, arguments);
    assert(length >= 0);
    if (begin + (size_t)length >= trace->capacity_bytes) {
        make_room(trace, begin + (size_t)length + 1);
        (void)vsnprintf(trace->line + begin, trace->capacity_bytes - begin, format, again);
    }
    va_end(again);

    trace->hash = hash_line(trace->hash, trace->line);
    if (trace->give != NULL) {
        trace->give(trace->self, trace->line);
    }
}
