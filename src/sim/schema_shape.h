/* SPDX-License-Identifier: Apache-2.0 */
/* What a schema does to an object before it judges it. */
#ifndef ADJOINT_SRC_SIM_SCHEMA_SHAPE_H
#define ADJOINT_SRC_SIM_SCHEMA_SHAPE_H

#include "sim/schema_node.h"

/* Removes what the schema does not know; an object with apiVersion, kind and metadata keeps those.
   unknown (NULL: nobody wants to know): an array that gets the paths as texts. */
void schema_shape_prune(const struct schema_node *node, cJSON *value, cJSON *unknown);
/* Fills in defaults, and removes nulls where none may be. */
void schema_shape_default(const struct schema_node *node, cJSON *value);

#endif
