/* SPDX-License-Identifier: Apache-2.0 */
/* Compact JSON as lines for a reader: a value that fits on its line stays on it, any other is
   opened, a member or element a line. */
#ifndef ADJOINT_SUPPORT_JSON_LINES_H
#define ADJOINT_SUPPORT_JSON_LINES_H

#include "base/text.h"

#include <stddef.h>

/* json: compact, known to be JSON. Each line gets the indent in front and a break behind. */
void json_lines(const char *json, size_t indent_columns, struct text *out);

#endif
