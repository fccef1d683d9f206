/* SPDX-License-Identifier: Apache-2.0 */
/* Stretches of time as people write and read them. */
#ifndef ADJOINT_BASE_DURATION_H
#define ADJOINT_BASE_DURATION_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

/* Whole numbers with units, the larger ones first: 500ms, 90s, 10m, 1h30m, 2d. 0 needs no unit. */
MUST_CHECK bool duration_parse(const char *string, int64_t *out_ms, struct error *error);

/* Longer than anybody means, and the longest that crds/ takes: five digits of days. */
#define DURATION_MS_MAX (INT64_C(99999) * 24 * 60 * 60 * 1000)

/* What duration_parse reads as the same: 1d12h, 90s; "0s". ms >= 0. */
void duration_print(int64_t ms, struct text *out);

/* As kubectl prints ages: 119s, 2m5s, 12m, 3h7m, 2d4h, 400d, 3y100d. Negative counts as 0.
   Source: apimachinery util/duration HumanDuration. */
void duration_print_age(int64_t ms, struct text *out);

#endif
