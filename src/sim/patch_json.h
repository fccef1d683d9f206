/* SPDX-License-Identifier: Apache-2.0 */
/* JSON patch (RFC 6902) as kube-apiserver applies it, with evanphx/json-patch v4 and what that
   does otherwise: `replace` of a member that is not there adds it, `test` against null holds for a
   member that is not there, `copy` of one gives null, indices may be negative, and the document as
   a whole (path "") cannot be named. */
#ifndef ADJOINT_SRC_SIM_PATCH_JSON_H
#define ADJOINT_SRC_SIM_PATCH_JSON_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

#define PATCH_JSON_OPERATIONS_MAX 10000
/* All copy operations of a patch together, as text (AccumulatedCopySizeLimit there). */
#define PATCH_JSON_COPIED_BYTES_MAX 3145728

/* ERROR_INVALID: patch is not a list of operations; ERROR_LIMIT: too many, or the document has more
   than LIMIT_JSON_DEPTH levels afterwards; ERROR_TEST_FAILED: an operation, `test` or not, does not
   apply. document is then half patched: of no use. */
MUST_CHECK bool patch_json_apply(cJSON *document, const cJSON *patch, struct error *error);

#endif
