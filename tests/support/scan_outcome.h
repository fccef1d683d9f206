/* SPDX-License-Identifier: Apache-2.0 */
/* What the scanner makes of a body, as one text, so that ways of cutting the body can be compared
   with each other and with what a test expects. */
#ifndef ADJOINT_TESTS_SUPPORT_SCAN_OUTCOME_H
#define ADJOINT_TESTS_SUPPORT_SCAN_OUTCOME_H

#include "base/json_scan.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan_input {
    enum json_scan_shape shape;
    const struct json_scan_filter *filter;
    size_t object_bytes_max;
    const char *body;
    size_t byte_count;
};

/* Appends each object on a line of its own, then `end`, or the error's class and message; before
   it, for a list that ended well, `list ` and its metadata. Chunks are 1 to chunk_bytes_max bytes,
   by the seed; 0: the whole body at once. Bodies up to 64 KiB are fed from memory of just the
   chunk's size, for the sanitizer to see a read beyond it. */
void scan_outcome(const struct scan_input *input, size_t chunk_bytes_max, uint64_t seed,
                  struct text *out);

/* Appends the outcome of the body fed whole; false when single bytes or one of several random ways
   to cut it have another: then that one stands behind it. */
bool scan_outcomes_agree(const struct scan_input *input, struct text *out);

#endif
