/* SPDX-License-Identifier: Apache-2.0 */
/* The larger and the smaller of two counts or times. */
#ifndef ADJOINT_BASE_EXTREMES_H
#define ADJOINT_BASE_EXTREMES_H

#include <stdint.h>

static inline int64_t larger(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

static inline int64_t smaller(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

#endif
