/* SPDX-License-Identifier: Apache-2.0 */
/* Values of CEL as they come from JSON and from literals, and what can be asked of two of them. */
#ifndef ADJOINT_SRC_SIM_CEL_VALUE_H
#define ADJOINT_SRC_SIM_CEL_VALUE_H

#include "sim/schema_node.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

enum cel_kind {
    CEL_NULL,
    CEL_BOOL,
    CEL_INT,
    CEL_DOUBLE,
    CEL_STRING,
    CEL_LIST,
    CEL_MAP,      /* additionalProperties */
    CEL_OBJECT,   /* properties */
    CEL_OPTIONAL, /* oldSelf, where it may be absent */
    CEL_DYNAMIC,  /* known only with the value: int-or-string */
};

/* node: what the values are by the schema; NULL: of literals. */
struct cel_type {
    enum cel_kind kind;
    const struct schema_node *node;
};

struct cel_value {
    enum cel_kind kind;
    const struct schema_node *node;
    const cJSON *json; /* of lists, maps and objects, borrowed; NULL: an optional that is none */
    const struct cel_value *items; /* of a list that stands in the rule, instead of json */
    size_t item_count;
    double number;
    const char *text;
    bool truth;
};

struct cel_type cel_type_of(const struct schema_node *node);

struct cel_value cel_value_of_json(const struct schema_node *node, const cJSON *json);
struct cel_value cel_value_of_truth(bool truth);
bool cel_value_is_number(const struct cel_value *value);

bool cel_value_equal(const struct cel_value *left, const struct cel_value *right);
/* Below 0, 0, above 0; false: these two have no order. */
bool cel_value_order(const struct cel_value *left, const struct cel_value *right, int *out_order);
/* item in list, key in map; false: not in such a thing. */
bool cel_value_contains(const struct cel_value *in, const struct cel_value *item, bool *out_yes);
/* Characters, items, members; false: it has no size. */
bool cel_value_size(const struct cel_value *value, size_t *out_size);

#endif
