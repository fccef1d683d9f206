/* SPDX-License-Identifier: Apache-2.0 */
/* In the place of base/memory: a quarter of a run is allocation, most of it of trees that live for
   one request. Nothing is given back before the end. Sanitizers want the heap as it is, and get
   base/memory.

   Small blocks are in pages of one size, found from a block's address, so that a node of a tree is
   one line of the cache and nothing else is touched for it. A page that is empty begins anew: what
   is taken together is together again, however it was freed. Larger blocks wait in a list of their
   size for the next of that size. */
#include "base/memory.h"

#if !defined(__SANITIZE_ADDRESS__)

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    STEP_BYTES = 16, /* sizes of small blocks are so far apart, those of larger ones double */
    SMALL_BYTES = 1024,
    SMALL_CLASSES = SMALL_BYTES / STEP_BYTES,
    LARGE_CLASSES = 11, /* from 2 KiB to 2 MiB; larger ones are the C heap's */
    PAGE_BYTES = 32 * 1024,
    CHUNK_BYTES = 2 * 1024 * 1024, /* a huge page */
};

/* What of it is touched is all that counts; who wants more gets it from the C heap. */
#define SPACE_BYTES ((size_t)1024 * 1024 * 1024)

struct freed {
    struct freed *next;
};

/* At the beginning of its PAGE_BYTES. */
struct page {
    _Alignas(64) struct page *next; /* of those with room */
    struct freed *freed;
    char *at; /* behind it nothing was ever taken */
    size_t block_bytes, used_count;
    bool has_room; /* it is in the list of its class */
};

/* In front of a large block. */
struct large {
    _Alignas(max_align_t) size_t class, bytes;
};

static struct {
    char *space, *space_at, *space_end;
    struct page *pages[SMALL_CLASSES]; /* with room, the one in use first */
    struct freed *large[LARGE_CLASSES + 1];
} heap;

static _Noreturn void end_out_of_memory(void)
{
    (void)fputs("simulation: out of memory\n", stderr);
    _Exit(EXIT_FAILURE);
}

static bool is_small(const void *memory)
{
    uintptr_t at = (uintptr_t)memory;
    return at >= (uintptr_t)heap.space && at < (uintptr_t)heap.space_end;
}

static struct page *page_of(void *memory)
{
    char *at = memory;
    return (struct page *)(at - (uintptr_t)memory % PAGE_BYTES);
}

/* ---- large blocks ---- */

static size_t large_class(size_t bytes, size_t *out_bytes)
{
    size_t class = 0;
    size_t class_bytes = SMALL_BYTES * 2;
    while (class < LARGE_CLASSES && class_bytes < bytes) {
        class ++;
        class_bytes *= 2;
    }
    *out_bytes = class < LARGE_CLASSES ? class_bytes : bytes;
    return class;
}

static void *take_large(size_t bytes)
{
    size_t class_bytes = 0;
    size_t class = large_class(bytes, &class_bytes);
    struct freed *taken = heap.large[class];
    if (class < LARGE_CLASSES && taken != NULL) {
        heap.large[class] = taken->next;
        return taken;
    }
    struct large *block = malloc(sizeof(*block) + class_bytes);
    if (block == NULL) {
        end_out_of_memory();
    }
    *block = (struct large){.class = class, .bytes = class_bytes};
    return block + 1;
}

static void free_large(void *memory)
{
    struct large *block = (struct large *)memory - 1;
    if (block->class == LARGE_CLASSES) {
        free(block);
        return;
    }
    struct freed *freed = memory;
    freed->next = heap.large[block->class];
    heap.large[block->class] = freed;
}

/* ---- small blocks ---- */

static void reserve(void)
{
    char *space = mmap(NULL, SPACE_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) {
        end_out_of_memory();
    }
    (void)madvise(space, SPACE_BYTES, MADV_HUGEPAGE);
    heap.space_end = space + SPACE_BYTES;
    heap.space = heap.space_at = space + CHUNK_BYTES - (uintptr_t)space % CHUNK_BYTES;
}

/* NULL: there is no room for another. */
static struct page *begin_page(size_t class)
{
    if (heap.space == NULL) {
        reserve();
    }
    if (heap.space_end - heap.space_at < PAGE_BYTES) {
        return NULL;
    }
    struct page *page = (struct page *)heap.space_at;
    heap.space_at += PAGE_BYTES;
    *page = (struct page){
        .at = (char *)(page + 1), .block_bytes = (class + 1) * STEP_BYTES, .has_room = true};
    heap.pages[class] = page;
    return page;
}

static bool is_full(const struct page *page)
{
    return page->freed == NULL && page->at + page->block_bytes > (const char *)page + PAGE_BYTES;
}

/* The first page of the class that has room. */
static struct page *page_with_room(size_t class)
{
    struct page *page = heap.pages[class];
    while (page != NULL && is_full(page)) {
        page->has_room = false;
        page = heap.pages[class] = page->next;
    }
    return page == NULL ? begin_page(class) : page;
}

static void *take_small(size_t bytes)
{
    struct page *page = page_with_room(bytes == 0 ? 0 : (bytes - 1) / STEP_BYTES);
    if (page == NULL) {
        return take_large(bytes);
    }
    page->used_count++;
    if (page->freed != NULL) {
        struct freed *taken = page->freed;
        page->freed = taken->next;
        return taken;
    }
    char *taken = page->at;
    page->at += page->block_bytes;
    return taken;
}

static void free_small(void *memory)
{
    struct page *page = page_of(memory);
    struct freed *freed = memory;
    freed->next = page->freed;
    page->freed = freed;
    page->used_count--;
    struct page **of_class = &heap.pages[page->block_bytes / STEP_BYTES - 1];
    if (!page->has_room) {
        page->has_room = true;
        page->next = *of_class;
        *of_class = page;
    }
    if (page->used_count == 0) {
        page->freed = NULL;
        page->at = (char *)(page + 1);
    }
}

/* ---- base/memory.h ---- */

static void *take(size_t bytes)
{
    return bytes <= SMALL_BYTES ? take_small(bytes) : take_large(bytes);
}

void memory_free(void *memory)
{
    if (memory == NULL) {
        return;
    }
    if (is_small(memory)) {
        free_small(memory);
    } else {
        free_large(memory);
    }
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

static size_t bytes_of(void *memory)
{
    return is_small(memory) ? page_of(memory)->block_bytes : ((struct large *)memory - 1)->bytes;
}

void *memory_resize(void *memory, size_t count, size_t size_bytes)
{
    size_t bytes = total_bytes(count, size_bytes);
    if (memory == NULL) {
        return take(bytes);
    }
    size_t had_bytes = bytes_of(memory);
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
