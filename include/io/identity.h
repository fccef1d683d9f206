/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_IO_IDENTITY_H
#define ADJOINT_IO_IDENTITY_H

#include "base/entropy.h"

#include <stdint.h>

#define IDENTITY_BYTES 128

/* "HOST_RANDOM": no two processes have the same, not even after a restart in the same pod. Returns
   a seed from the same source (the kernel's). */
uint64_t identity_make(char out[IDENTITY_BYTES]);

/* The kernel's, self is not used. */
struct entropy identity_entropy(void);

#endif
