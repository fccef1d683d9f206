/* SPDX-License-Identifier: Apache-2.0 */
/* Regular expressions of a schema's `pattern` and of CEL's matches(). Kubernetes' are RE2's; of
   those the part is taken that POSIX has too and means the same by. */
#ifndef ADJOINT_SRC_SIM_SCHEMA_PATTERN_H
#define ADJOINT_SRC_SIM_SCHEMA_PATTERN_H

#include "base/error.h"

#include <stdbool.h>

struct pattern;

/* ERROR_INVALID: no regular expression, or one that is not done here; the message says which. */
MUST_CHECK bool pattern_new(const char *expression, struct pattern **out_pattern,
                            struct error *error);
void pattern_free(struct pattern *pattern); /* NULL is fine */
/* Somewhere in the text, as RE2's MatchString; ^ and $ are the ends of the text. */
bool pattern_found(const struct pattern *pattern, const char *text);

#endif
