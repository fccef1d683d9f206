/* SPDX-License-Identifier: Apache-2.0 */
/* Entropy that everybody can guess, so that a run can be played again. */
#ifndef ADJOINT_SUPPORT_TEST_ENTROPY_H
#define ADJOINT_SUPPORT_TEST_ENTROPY_H

#include "base/entropy.h"

/* 0, 1, 2 ... each time. */
struct entropy test_entropy(void);

#endif
