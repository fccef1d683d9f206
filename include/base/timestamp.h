/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 3339 as Kubernetes writes it: Time has seconds, MicroTime exactly six digits, both in Z.
   (k8s.io/apimachinery meta/v1 time.go and micro_time.go) */
#ifndef ADJOINT_BASE_TIMESTAMP_H
#define ADJOINT_BASE_TIMESTAMP_H

#include "base/error.h"

#include <stdint.h>

#define TIMESTAMP_BYTES 32

/* All write at most TIMESTAMP_BYTES, NUL included; wall_ms as in base/now.h. What lies outside the
   years 0000 to 9999 is written as the first or last moment of them. */
void timestamp_format_seconds(int64_t wall_ms, char out[TIMESTAMP_BYTES]);
void timestamp_format_millis(int64_t wall_ms, char out[TIMESTAMP_BYTES]); /* 3 digits */
void timestamp_format_micros(int64_t wall_ms, char out[TIMESTAMP_BYTES]);

/* Takes 0 to 9 fraction digits, of which those below a millisecond are dropped, and any offset;
   ERROR_INVALID otherwise, and for a leap second, which Kubernetes' own parser refuses too. */
MUST_CHECK bool timestamp_parse(const char *text, int64_t *out_wall_ms, struct error *error);

#endif
