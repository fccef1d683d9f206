/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that nobody can guess, for passwords, from whoever has them: io/identity.h has the
   kernel's. */
#ifndef ADJOINT_BASE_ENTROPY_H
#define ADJOINT_BASE_ENTROPY_H

#include <stddef.h>

struct entropy {
    void (*fill)(void *self, unsigned char *bytes, size_t byte_count);
    void *self;
};

#endif
