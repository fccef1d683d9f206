/* SPDX-License-Identifier: Apache-2.0 */
/* What came of the cells, for people: a row for each write, a column for each thing that happened
   at it. */
#ifndef ADJOINT_CRASH_MATRIX_TABLE_H
#define ADJOINT_CRASH_MATRIX_TABLE_H

#include "crash_matrix/cell.h"

/* All scenarios' crashes, people and outages that were played, and `N passed, N failed`. true: none
   failed, and there was one. */
bool table_print(const struct cells *cells);

#endif
