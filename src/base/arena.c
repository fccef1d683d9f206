/* SPDX-License-Identifier: Apache-2.0 */
/* A list of blocks with a fill mark in the newest. Text is packed without padding, since most of
   what an arena holds is names. A request too large for a block goes behind the newest one, so that
   the space left in that is still used.

   Blocks come zeroed from the heap and no byte is given out twice before it is zeroed again, so
   nothing is cleared when it is given out.
   Under AddressSanitizer the bytes not given out are poisoned: without it, running past the end of
   a string would go unnoticed in the one allocator that nearly everything uses. */
#include "base/arena.h"

#include "base/memory.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISONS 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISONS 1
#endif

#ifdef ARENA_POISONS
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, byte_count) ((void)(address), (void)(byte_count))
#define ASAN_UNPOISON_MEMORY_REGION(address, byte_count) ((void)(address), (void)(byte_count))
#endif

enum {
    FIRST_BLOCK_BYTES = 1024,
    BLOCK_BYTES_MAX = 64 * 1024,
    LINE_BYTES = 256,
    ALIGNMENT_BYTES = _Alignof(max_align_t),
};

/* Of 16 bytes, as thousands of stored objects have one each. */
struct arena_block {
    struct arena_block *older;
    uint32_t size_bytes;
    uint32_t used_bytes;
    _Alignas(max_align_t) char bytes[];
};

void arena_init(struct arena *arena, size_t first_block_bytes)
{
    *arena = (struct arena){
        .next_block_bytes = first_block_bytes == 0 ? FIRST_BLOCK_BYTES : first_block_bytes,
    };
}

void arena_release(struct arena *arena)
{
    while (arena->blocks != NULL) {
        struct arena_block *block = arena->blocks;
        arena->blocks = block->older;
        memory_free(block);
    }
    arena->used_bytes = 0;
}

void arena_clear(struct arena *arena)
{
    struct arena_block *kept = arena->blocks;
    if (kept == NULL || kept->size_bytes > BLOCK_BYTES_MAX) {
        arena_release(arena);
        return;
    }
    arena->blocks = kept->older;
    kept->older = NULL;
    arena_release(arena);
    ASAN_UNPOISON_MEMORY_REGION(kept->bytes, kept->used_bytes);
    memset(kept->bytes, 0, kept->used_bytes);
    ASAN_POISON_MEMORY_REGION(kept->bytes, kept->size_bytes);
    kept->used_bytes = 0;
    arena->blocks = kept;
}

void arena_cleanup(struct arena *arena)
{
    arena_release(arena);
}

static struct arena_block *block_new(size_t size_bytes)
{
    struct arena_block *block = memory_new(1, sizeof(*block) + size_bytes);
    block->size_bytes = (uint32_t)size_bytes;
    ASAN_POISON_MEMORY_REGION(block->bytes, size_bytes);
    return block;
}

static struct arena_block *add_block(struct arena *arena, size_t request_bytes)
{
    if (request_bytes > arena->next_block_bytes) {
        struct arena_block *own = block_new(request_bytes);
        struct arena_block **place = arena->blocks == NULL ? &arena->blocks : &arena->blocks->older;
        own->older = *place;
        *place = own;
        return own;
    }
    struct arena_block *block = block_new(arena->next_block_bytes);
    block->older = arena->blocks;
    arena->blocks = block;
    size_t doubled = arena->next_block_bytes * 2;
    arena->next_block_bytes = doubled < BLOCK_BYTES_MAX ? doubled : BLOCK_BYTES_MAX;
    return block;
}

static size_t padding_for(const struct arena_block *block, size_t alignment_bytes)
{
    return (alignment_bytes - block->used_bytes % alignment_bytes) % alignment_bytes;
}

static void *take_bytes(struct arena *arena, size_t byte_count, size_t alignment_bytes)
{
    assert(byte_count <= UINT32_MAX);

    struct arena_block *block = arena->blocks;
    size_t padding = block == NULL ? 0 : padding_for(block, alignment_bytes);
    if (block == NULL || padding + byte_count > block->size_bytes - block->used_bytes) {
        block = add_block(arena, byte_count);
        padding = 0;
    }
    char *taken = block->bytes + block->used_bytes + padding;
    block->used_bytes += (uint32_t)(padding + byte_count);
    arena->used_bytes += padding + byte_count;
    ASAN_UNPOISON_MEMORY_REGION(taken, byte_count);
    return taken;
}

void *arena_new(struct arena *arena, size_t count, size_t size_bytes)
{
    assert(size_bytes == 0 || count <= SIZE_MAX / size_bytes);
    return take_bytes(arena, count * size_bytes, ALIGNMENT_BYTES);
}

char *arena_copy(struct arena *arena, const char *text)
{
    return text == NULL ? NULL : arena_copy_bytes(arena, text, strlen(text));
}

char *arena_copy_bytes(struct arena *arena, const char *bytes, size_t byte_count)
{
    if (bytes == NULL) {
        assert(byte_count == 0);
        return NULL;
    }
    char *copy = take_bytes(arena, byte_count + 1, 1);
    memcpy(copy, bytes, byte_count);
    copy[byte_count] = '\0';
    return copy;
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *printed = arena_print_list(arena, format, arguments);
    va_end(arguments);
    return printed;
}

/* Most is a name or a line, and is printed once. */
char *arena_print_list(struct arena *arena, const char *format, va_list arguments)
{
    assert(format != NULL);
    char line[LINE_BYTES];
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(line, sizeof(line), format, arguments);
    assert(length >= 0);

    size_t byte_count = (size_t)length + 1;
    char *printed = take_bytes(arena, byte_count, 1);
    if (byte_count <= sizeof(line)) {
        memcpy(printed, line, byte_count);
    } else {
        (void)vsnprintf(printed, byte_count, format, again);
    }
    va_end(again);
    return printed;
}
