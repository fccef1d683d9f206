/* SPDX-License-Identifier: Apache-2.0 */
/* Strategic merge patch of built-in kinds: a merge patch in which some lists are merged by a key of
   their items, or as sets. Directives: `$patch` (delete, replace, merge), `$retainKeys`,
   `$setElementOrder/<list>`, `$deleteFromPrimitiveList/<list>`.
   (k8s.io/apimachinery/pkg/util/strategicpatch; keys from the patchMergeKey tags of k8s.io/api) */
#ifndef ADJOINT_SRC_SIM_PATCH_STRATEGIC_H
#define ADJOINT_SRC_SIM_PATCH_STRATEGIC_H

#include "base/error.h"
#include "sim/resource.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* ERROR_INVALID: patch is no object, has a directive that is unknown or stands where it cannot, or
   an item without its key. document is then half patched: of no use. */
MUST_CHECK bool patch_strategic_apply(cJSON *document, const struct resource *resource,
                                      const cJSON *patch, struct error *error);

#endif
