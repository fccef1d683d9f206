/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_SRC_OPERATOR_ASSIGNMENT_INDEX_H
#define ADJOINT_SRC_OPERATOR_ASSIGNMENT_INDEX_H

#include "operator/assignment.h"

/* Fills owned, reserved and twins from the PVs. */
void assignment_index(struct assignment *assignment, const struct store *store);

#endif
