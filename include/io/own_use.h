/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_IO_OWN_USE_H
#define ADJOINT_IO_OWN_USE_H

#include <stdint.h>

/* What this process has and has used; 0 where the system does not tell. */
struct own_use {
    int64_t resident_bytes; /* /proc/self/statm */
    int64_t cpu_ms;         /* getrusage(2): user and system */
};

struct own_use own_use_read(void);

#endif
