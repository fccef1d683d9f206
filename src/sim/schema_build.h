/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of making a schema's nodes that have a file each. */
#ifndef ADJOINT_SRC_SIM_SCHEMA_BUILD_H
#define ADJOINT_SRC_SIM_SCHEMA_BUILD_H

#include "sim/schema_node.h"
#include "sim/schema_path.h"

struct schema_builder {
    struct violations *violations;
    bool is_correlated; /* an update can tell which old value a value here comes from */
};

/* At the path, or at the keyword below it unless that is NULL. */
void schema_refuse(const struct schema_builder *builder, const struct schema_path *path,
                   const char *keyword, enum violation kind, const cJSON *value, const char *format,
                   ...) PRINTF_LIKE(6, 7);

/* What stands in keywords of one value: bounds, flags, texts. Refuses keywords that are not
   known. (schema_keywords.c) */
void schema_read_keywords(struct schema_node *node, const cJSON *open_api,
                          const struct schema_path *path, const struct schema_builder *builder);
/* x-kubernetes-validations, when the node is complete otherwise. (schema_rules.c) */
void schema_read_rules(struct schema_node *node, const cJSON *rules, const struct schema_path *path,
                       const struct schema_builder *builder);
void schema_free_rules(struct schema_node *node);

#endif
