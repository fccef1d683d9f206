/* SPDX-License-Identifier: Apache-2.0 */
/* resource.Quantity (k8s.io/apimachinery pkg/api/resource): "1Gi", "1e3", "100m", "1073741824". */
#ifndef ADJOINT_API_QUANTITY_H
#define ADJOINT_API_QUANTITY_H

#include "base/error.h"

#include <stdint.h>

/* Rounded up to a whole number, as Quantity.Value() does. ERROR_INVALID for what is no quantity or
   does not fit into int64. */
MUST_CHECK bool quantity_parse(const char *text, int64_t *out_value, struct error *error);

#endif
