/* SPDX-License-Identifier: Apache-2.0 */
/* In the place of base/memory: a quarter of a run is allocation, most of it of trees that live for
   one request, so what is freed waits in a list of its size for the next of that size, and nothing
   is given back before the end. Sanitizers want the heap as it is, and get base/memory.

   In front of each block is its class, in as many bytes as alignment asks for. */
#include "base/memory.h"

#if !defined(__SANITIZE_ADDRESS__)

#include <cjson/cJSON.h>
#include <stddef.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = _Alignof(max_align_t),
    STEP_BYTES = 16, /* classes below SMALL_BYTES are so far apart, those above it double */
    SMALL_BYTES = 1024,
    SMALL_CLASSES = SMALL_BYTES / STEP_BYTES,
    LARGE_CLASSES = 10, /* the largest is of 1 MiB */
    CLASS_COUNT = SMALL_CLASSES + LARGE_CLASSES,
    SLAB_BYTES = 1024 * 1024,
};

struct block {
    size_t class; /* CLASS_COUNT: of the C heap */
    size_t bytes; /* without the header */
};

struct freed {
    struct freed *next;
};

static struct {
    struct freed *freed[CLASS_COUNT];
    char *at;
    size_t left_bytes;
} heap;

static _Noreturn void end_out_of_memory(void)
{
    (void)fputs("simulation: out of memory\n", stderr);
    _Exit(EXIT_FAILURE);
}

static size_t class_of(size_t bytes, size_t *out_bytes)
{
    if (bytes <= SMALL_BYTES) {
        size_t class = bytes == 0 ? 0 : (bytes - 1) / STEP_BYTES;
        *out_bytes = (class + 1) * STEP_BYTES;
        return class;
    }
    size_t class = SMALL_CLASSES;
    size_t class_bytes = SMALL_BYTES * 2;
    while (class < CLASS_COUNT && class_bytes < bytes) {
        class ++;
        class_bytes *= 2;
    }
    *out_bytes = class < CLASS_COUNT ? class_bytes : bytes;
    return class;
}

static char *take_from_c_heap(size_t bytes)
{
    char *taken = malloc(bytes);
    if (taken == NULL) {
        end_out_of_memory();
    }
    return taken;
}

static char *cut(size_t bytes)
{
    if (bytes > SLAB_BYTES / 4) {
        return take_from_c_heap(bytes);
    }
    if (bytes > heap.left_bytes) {
        heap.at = take_from_c_heap(SLAB_BYTES);
        heap.left_bytes = SLAB_BYTES;
    }
    char *taken = heap.at;
    heap.at += bytes;
    heap.left_bytes -= bytes;
    return taken;
}

static void *take(size_t bytes)
{
    size_t class_bytes = 0;
    size_t class = class_of(bytes, &class_bytes);
    if (class < CLASS_COUNT && heap.freed[class] != NULL) {
        struct freed *taken = heap.freed[class];
        heap.freed[class] = taken->next;
        return taken;
    }
    struct block *block = (struct block *)cut(HEADER_BYTES + class_bytes);
    *block = (struct block){.class = class, .bytes = class_bytes};
    return (char *)block + HEADER_BYTES;
}

static struct block *block_of(void *memory)
{
    return (struct block *)((char *)memory - HEADER_BYTES);
}

void memory_free(void *memory)
{
    if (memory == NULL) {
        return;
    }
    struct block *block = block_of(memory);
    if (block->class == CLASS_COUNT) {
        free(block);
        return;
    }
    struct freed *freed = memory;
    freed->next = heap.freed[block->class];
    heap.freed[block->class] = freed;
}

static size_t total_bytes(size_t count, size_t size_bytes)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size_bytes, &bytes)) {
        end_out_of_memory();
    }
    return bytes;
}

void *memory_new(size_t count, size_t size_bytes)
{
    size_t bytes = total_bytes(count, size_bytes);
    return memset(take(bytes), 0, bytes);
}

void *memory_resize(void *memory, size_t count, size_t size_bytes)
{
    size_t bytes = total_bytes(count, size_bytes);
    if (memory == NULL) {
        return take(bytes);
    }
    size_t had_bytes = block_of(memory)->bytes;
    if (bytes <= had_bytes) {
        return memory;
    }
    void *moved = memcpy(take(bytes), memory, had_bytes);
    memory_free(memory);
    return moved;
}

char *memory_copy_text(const char *text)
{
    size_t bytes = text == NULL ? 0 : strlen(text) + 1;
    return text == NULL ? NULL : memcpy(take(bytes), text, bytes);
}

void memory_cleanup(void *pointer_to_memory)
{
    void *memory = NULL;
    memcpy(&memory, pointer_to_memory, sizeof(memory));
    memory_free(memory);
}

void memory_adopt_libraries(void)
{
    cJSON_Hooks hooks = {.malloc_fn = take, .free_fn = memory_free};
    cJSON_InitHooks(&hooks);
}

#endif
