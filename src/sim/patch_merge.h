/* SPDX-License-Identifier: Apache-2.0 */
/* JSON merge patch (RFC 7386). */
#ifndef ADJOINT_SRC_SIM_PATCH_MERGE_H
#define ADJOINT_SRC_SIM_PATCH_MERGE_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* ERROR_INVALID: patch is no object. Nulls in arrays stay, as RFC 7386 has it. */
MUST_CHECK bool patch_merge_apply(cJSON *document, const cJSON *patch, struct error *error);

/* Removes members that are null, those of members and elements, too. */
void patch_merge_drop_nulls(cJSON *value);

#endif
