/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that lives and dies together: an observation with its plan, or one stored object.
   There is no free of a part. */
#ifndef ADJOINT_BASE_ARENA_H
#define ADJOINT_BASE_ARENA_H

#include "base/error.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first; private */
    uint32_t next_block_bytes;  /* private */
    uint32_t used_bytes;        /* sum of all that was asked for, in any order */
};

/* No allocation yet. first_block_bytes: size of the first block (0: 1 KiB); later ones double up
   to 64 KiB, and a larger request gets a block of its own. */
void arena_init(struct arena *arena, size_t first_block_bytes);

/* Frees all of it; the arena is empty and may be used again. */
void arena_release(struct arena *arena);
/* The same, but the newest block is kept for what comes next, unless it is larger than 64 KiB. */
void arena_clear(struct arena *arena);
void arena_cleanup(struct arena *arena);
#define cleanup_arena __attribute__((cleanup(arena_cleanup)))

/* Zeroed, aligned for pointers and numbers of 8 bytes; never NULL. An arena holds less than 4 GiB.
 */
void *arena_new(struct arena *arena, size_t count, size_t size_bytes);

/* Copies, with a NUL behind; NULL for NULL. Text is not aligned. */
char *arena_copy(struct arena *arena, const char *text);
char *arena_copy_bytes(struct arena *arena, const char *bytes, size_t byte_count);

char *arena_print(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_print_list(struct arena *arena, const char *format, va_list arguments)
    PRINTF_LIKE(2, 0);

#endif
