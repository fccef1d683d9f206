/* SPDX-License-Identifier: Apache-2.0 */
/* The heap. Out of memory ends the process with one line on stderr: an operator restarts into the
   same state, and recovery code that is never run is worse than none. Running over a limit is an
   error instead; see base/limits.h. */
#ifndef ADJOINT_BASE_MEMORY_H
#define ADJOINT_BASE_MEMORY_H

#include <stddef.h>

/* Never NULL; zeroed. A count * size_bytes that overflows counts as out of memory. Free with
   memory_free. */
void *memory_new(size_t count, size_t size_bytes);

/* Never NULL; what is new is not zeroed. */
void *memory_resize(void *memory, size_t count, size_t size_bytes);

/* A copy of text, NULL for NULL. */
char *memory_copy_text(const char *text);

/* NULL is fine. */
void memory_free(void *memory);

/* For __attribute__((cleanup)): frees what a `char *` or `void *` local points to. */
void memory_cleanup(void *pointer_to_memory);
#define cleanup_memory __attribute__((cleanup(memory_cleanup)))

/* Makes cJSON use this heap, so that its calls cannot fail for want of memory, and has the heap
   give large blocks back when they are freed. Once, from main. */
void memory_adopt_libraries(void);

/* Gives back whole pages that are free between blocks in use, of which a burst leaves many. A
   fraction of a millisecond. */
void memory_give_back(void);

#endif
