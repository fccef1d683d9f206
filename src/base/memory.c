/* SPDX-License-Identifier: Apache-2.0 */
/* A thin skin over the C heap. The process ends with _Exit, not abort or exit: a core dump would
   say nothing that the line does not, and exit handlers would allocate. The line is written in one
   piece from constant memory, for the same reason. */
#include "base/memory.h"

#include <cjson/cJSON.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void end_out_of_memory(void)
{
    (void)fputs("adjoint: out of memory\n", stderr);
    _Exit(EXIT_FAILURE);
}

/* One byte for none: NULL means failure everywhere else. */
static size_t total_bytes(size_t count, size_t size_bytes)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size_bytes, &bytes)) {
        end_out_of_memory();
    }
    return bytes == 0 ? 1 : bytes;
}

void *memory_new(size_t count, size_t size_bytes)
{
    void *memory = calloc(1, total_bytes(count, size_bytes));
    if (memory == NULL) {
        end_out_of_memory();
    }
    return memory;
}

void *memory_resize(void *memory, size_t count, size_t size_bytes)
{
    void *resized = realloc(memory, total_bytes(count, size_bytes));
    if (resized == NULL) {
        end_out_of_memory();
    }
    return resized;
}

char *memory_copy_text(const char *text)
{
    if (text == NULL) {
        return NULL;
    }
    size_t bytes = strlen(text) + 1;
    char *copy = memory_resize(NULL, bytes, 1);
    memcpy(copy, text, bytes);
    return copy;
}

void memory_free(void *memory)
{
    free(memory);
}

void memory_cleanup(void *pointer_to_memory)
{
    void *memory = NULL;
    memcpy(&memory, pointer_to_memory, sizeof(memory));
    memory_free(memory);
}

static void *allocate_for_library(size_t size_bytes)
{
    return memory_resize(NULL, size_bytes, 1);
}

/* What is as large as this goes back to the system when it is freed, instead of growing the heap
   for good: a page of a list, a body. glibc would raise the limit by itself otherwise. */
enum { LARGE_BYTES = 64 * 1024 };

void memory_adopt_libraries(void)
{
    cJSON_Hooks hooks = {.malloc_fn = allocate_for_library, .free_fn = memory_free};
    cJSON_InitHooks(&hooks);
    (void)mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    (void)mallopt(M_TRIM_THRESHOLD, LARGE_BYTES);
    (void)mallopt(M_TOP_PAD, 0);
}

void memory_give_back(void)
{
    (void)malloc_trim(0);
}
