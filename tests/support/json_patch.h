/* SPDX-License-Identifier: Apache-2.0 */
/* JSON patch (RFC 6902) on text, for test, add, replace and remove, as kube-apiserver's library has
   it (evanphx/json-patch v4): `test` of null passes on a missing key, `replace` of one adds it,
   `add` needs the parent. */
#ifndef ADJOINT_SUPPORT_JSON_PATCH_H
#define ADJOINT_SUPPORT_JSON_PATCH_H

#include "base/text.h"

#include <stdbool.h>

/* Appends the patched text. false: an operation did not go through, nothing is appended. */
bool json_patch_apply(const char *target, const char *patch, struct text *out);

#endif
