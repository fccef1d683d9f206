/* SPDX-License-Identifier: Apache-2.0 */
/* One JSON string (RFC 8259) as the bytes it means. */
#ifndef ADJOINT_SIM_VALUE_STRING_H
#define ADJOINT_SIM_VALUE_STRING_H

/* *at is at the opening quote and moves behind the closing one. *out_bytes: cJSON_free. Returns
   NULL, or what is wrong with it (static text, *out_bytes untouched, *at at the trouble). */
const char *value_string_read(const char **at, char **out_bytes);

#endif
