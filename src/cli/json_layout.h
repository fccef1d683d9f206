/* SPDX-License-Identifier: Apache-2.0 */
/* JSON for people's eyes: one member a line, four spaces a level, as kubectl prints it. */
#ifndef ADJOINT_CLI_JSON_LAYOUT_H
#define ADJOINT_CLI_JSON_LAYOUT_H

#include "base/text.h"

#include <stddef.h>

/* Appends json, which is compact and known to be JSON, with a line break at its end. */
void json_layout(const char *json, struct text *out);

/* The elements of a compact array, which is known to be one, as text:
   `for (at = json_element_first(array, &byte_count); at != NULL;
         at = json_element_next(at, &byte_count))`. */
const char *json_element_first(const char *array, size_t *out_byte_count);
const char *json_element_next(const char *element, size_t *in_out_byte_count);

#endif
