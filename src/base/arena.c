/* SPDX-License-Identifier: Apache-2.0 */
/* A list of blocks, of which the newest is filled from both ends: text from the front, what has to
   be aligned from the back. So nothing is padded between the two, and how much an arena takes does
   not depend on the order in which it is asked. A request too large for a block goes behind the
   newest one, so that the space left in that is still used.

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
    ALIGNMENT_BYTES = _Alignof(int64_t),
};

/* Small, as thousands of stored objects have one each. What is between the two marks is free. */
struct arena_block {
    struct arena_block *older;
    uint32_t size_bytes;
    uint32_t front_bytes, back_bytes;
    _Alignas(int64_t) char bytes[];
};

void arena_init(struct arena *arena, size_t first_block_bytes)
{
    *arena = (struct arena){
        .next_block_bytes =
            first_block_bytes == 0 ? FIRST_BLOCK_BYTES : (uint32_t)first_block_bytes,
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
    ASAN_UNPOISON_MEMORY_REGION(kept->bytes, kept->size_bytes);
    memset(kept->bytes, 0, kept->front_bytes);
    memset(kept->bytes + kept->size_bytes - kept->back_bytes, 0, kept->back_bytes);
    ASAN_POISON_MEMORY_REGION(kept->bytes, kept->size_bytes);
    kept->front_bytes = kept->back_bytes = 0;
    arena->blocks = kept;
}

void arena_cleanup(struct arena *arena)
{
    arena_release(arena);
}

static size_t aligned(size_t byte_count)
{
    return (byte_count + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
}

static struct arena_block *block_new(size_t wanted_bytes)
{
    size_t size_bytes = aligned(wanted_bytes); /* its end is where the last one begins */
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
    uint32_t doubled = arena->next_block_bytes * 2;
    arena->next_block_bytes = doubled < BLOCK_BYTES_MAX ? doubled : BLOCK_BYTES_MAX;
    return block;
}

/* A block with so much room. */
static struct arena_block *block_for(struct arena *arena, size_t byte_count)
{
    assert(byte_count <= UINT32_MAX - sizeof(struct arena_block));
    struct arena_block *block = arena->blocks;
    arena->used_bytes += (uint32_t)byte_count;
    return block != NULL && byte_count <= block->size_bytes - block->front_bytes - block->back_bytes
               ? block
               : add_block(arena, byte_count);
}

void *arena_new(struct arena *arena, size_t count, size_t size_bytes)
{
    assert(size_bytes == 0 || count <= UINT32_MAX / size_bytes);
    size_t byte_count = count * size_bytes;
    struct arena_block *block = block_for(arena, aligned(byte_count));
    block->back_bytes += (uint32_t)aligned(byte_count);
    char *taken = block->bytes + block->size_bytes - block->back_bytes;
    ASAN_UNPOISON_MEMORY_REGION(taken, byte_count);
    return taken;
}

static char *new_text(struct arena *arena, size_t byte_count)
{
    struct arena_block *block = block_for(arena, byte_count);
    char *taken = block->bytes + block->front_bytes;
    block->front_bytes += (uint32_t)byte_count;
    ASAN_UNPOISON_MEMORY_REGION(taken, byte_count);
    return taken;
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
    char *copy = new_text(arena, byte_count + 1);
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
    char *printed = new_text(arena, byte_count);
    if (byte_count <= sizeof(line)) {
        memcpy(printed, line, byte_count);
    } else {
        (void)vsnprintf(printed, byte_count, format, again);
    }
    va_end(again);
    return printed;
}
