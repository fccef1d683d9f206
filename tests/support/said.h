/* SPDX-License-Identifier: Apache-2.0 */
/* What a program has said, looked at for a part of it. */
#ifndef ADJOINT_SUPPORT_SAID_H
#define ADJOINT_SUPPORT_SAID_H

#include <stddef.h>

/* How often it is in it. */
size_t said_times(const char *whole, const char *part);
/* Fails the test, with both, when it is not in it. */
void assert_says(const char *whole, const char *part);

#endif
