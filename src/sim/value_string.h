/* SPDX-License-Identifier: Apache-2.0 */
/* Strings as the bytes they mean, of JSON (RFC 8259) and of others. */
#ifndef ADJOINT_SIM_VALUE_STRING_H
#define ADJOINT_SIM_VALUE_STRING_H

#include <stdbool.h>

/* *at is at the opening quote and moves behind the closing one. *out_bytes: cJSON_free. Returns
   NULL, or what is wrong with it (static text, *out_bytes untouched, *at at the trouble). */
const char *value_string_read(const char **at, char **out_bytes);

/* All of it is characters of UTF-8 (RFC 3629). */
bool value_string_is_utf8(const char *text);

#endif
