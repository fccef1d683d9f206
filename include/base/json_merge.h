/* SPDX-License-Identifier: Apache-2.0 */
/* JSON merge patch (RFC 7386) on text, for subtrees that pass through unread: every number and
   string of either side keeps its own spelling. */
#ifndef ADJOINT_BASE_JSON_MERGE_H
#define ADJOINT_BASE_JSON_MERGE_H

#include "base/error.h"
#include "base/text.h"

/* All three: ERROR_INVALID for what is not one JSON value, ERROR_LIMIT for more than 32 levels;
   then nothing has been appended. Keys that mean the same are the same however they are spelled; of
   equal keys the last one counts. That everything fitted is for text_check to say. */

/* Appends the merged value, compact, the members of merged objects in byte order of their keys.
   NULL target or patch counts as `{}`. */
MUST_CHECK bool json_merge(const char *target, const char *patch, struct text *out,
                           struct error *error);

/* Compact text of the member at the dotted path of ASCII names, appended; found=false when absent.
   A member that is null is there. */
MUST_CHECK bool json_extract(const char *json, const char *path, struct text *out, bool *out_found,
                             struct error *error);

/* Compact copy with the members of every object in byte order of their keys and every string in its
   shortest spelling, so that equal values have equal text; for hashes. Numbers keep their spelling:
   1.0 and 1 differ. */
MUST_CHECK bool json_canonical(const char *json, struct text *out, struct error *error);

#endif
