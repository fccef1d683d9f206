/* SPDX-License-Identifier: Apache-2.0 */
/* Is a value good? Three walks, as apiextensions-apiserver does it: values by themselves, the keys
   of lists, and then, unless a violation so far makes it pointless, the CEL rules. */
#ifndef ADJOINT_SRC_SIM_SCHEMA_JUDGE_H
#define ADJOINT_SRC_SIM_SCHEMA_JUDGE_H

#include "sim/schema_node.h"
#include "sim/schema_path.h"

/* All three. old: what value replaces; NULL: nothing. */
void schema_judge(const struct schema_node *node, const cJSON *value, const cJSON *old,
                  const struct schema_path *path, struct violations *violations);

/* Types, bounds, formats, required members; what did not change is passed over.
   (schema_values.c) */
void schema_judge_value(const struct schema_node *node, const cJSON *value, const cJSON *old,
                        const struct schema_path *path, struct violations *violations);
/* No two items alike in a set, no two keys in a map. (schema_lists.c) */
void schema_judge_lists(const struct schema_node *node, const cJSON *value,
                        const struct schema_path *path, struct violations *violations);
/* What did not change breaks no rules but those of transitions. (schema_rules.c) */
void schema_judge_rules(const struct schema_node *node, const cJSON *value, const cJSON *old,
                        const struct schema_path *path, struct violations *violations);

bool schema_format_holds(enum schema_format format, const char *text);
/* What the item of a list that is a map replaces, by its keys; NULL: nothing. */
const cJSON *schema_old_item(const struct schema_node *list, const cJSON *old, const cJSON *item);

#endif
