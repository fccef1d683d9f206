/* SPDX-License-Identifier: Apache-2.0 */
/* The JSONPath that additionalPrinterColumns take: .a.b, ['a'], [0], [*], [?(@.a=="x")].
   (k8s.io/client-go/util/jsonpath, without ranges, unions, scripts and descent) */
#ifndef ADJOINT_SRC_SIM_SCHEMA_JSON_PATH_H
#define ADJOINT_SRC_SIM_SCHEMA_JSON_PATH_H

#include "base/error.h"

#include <cjson/cJSON.h>

/* ERROR_INVALID: not a path, or one with what is not done here. */
MUST_CHECK bool json_path_check(const char *path, struct error *error);
/* The first value it leads to; NULL: none. path has been checked. */
const cJSON *json_path_first(const cJSON *value, const char *path);

#endif
