/* SPDX-License-Identifier: Apache-2.0 */
/* A schema as it is worked with: a tree of nodes, one for each value that an object can have. Made
   once by schema_build.c, never changed, read by pruning, defaults, validation and CEL. */
#ifndef ADJOINT_SRC_SIM_SCHEMA_NODE_H
#define ADJOINT_SRC_SIM_SCHEMA_NODE_H

#include "sim/schema_pattern.h"
#include "sim/violations.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

struct cel;

enum schema_type {
    SCHEMA_ANYTHING, /* no type: x-kubernetes-preserve-unknown-fields */
    SCHEMA_OBJECT,
    SCHEMA_ARRAY,
    SCHEMA_STRING,
    SCHEMA_INTEGER,
    SCHEMA_NUMBER,
    SCHEMA_BOOLEAN,
    SCHEMA_INT_OR_STRING,
};

enum schema_format {
    FORMAT_NONE,
    FORMAT_INT32,
    FORMAT_INT64,
    FORMAT_DATE,
    FORMAT_DATE_TIME,
    FORMAT_UUID,
    FORMAT_BYTE,
};

enum schema_list { LIST_ATOMIC, LIST_SET, LIST_MAP };

/* An item of x-kubernetes-validations; texts are borrowed from the schema's copy. */
struct schema_rule {
    struct cel *condition;
    struct cel *message_expression; /* NULL: none */
    const char *source, *message;   /* message NULL: none */
    enum violation reason;
    const char *field_path; /* ".a.b"; "" the node itself */
    bool old_is_optional;
};

/* A bound that may be absent. */
struct schema_bound {
    bool is_set, is_exclusive;
    double number;
};

struct schema_member {
    const char *name;
    struct schema_node *node;
};

struct schema_node {
    enum schema_type type;
    enum schema_format format;
    bool is_nullable, keeps_unknown;
    bool is_resource; /* the root or an embedded one: has apiVersion, kind, metadata */
    /* On it or somewhere below. */
    bool has_rules_within, has_keys_within;

    struct schema_member *members; /* properties */
    size_t member_count;
    struct schema_node *additional; /* additionalProperties */
    struct schema_node *items;
    enum schema_list list;

    /* Borrowed from the schema's copy of what was posted; NULL: absent. */
    const cJSON *required, *enumeration, *fallback, *list_keys;
    const char *pattern_text, *format_text;

    struct schema_bound minimum, maximum, multiple_of;
    struct schema_bound length_min, length_max, items_min, items_max;
    struct schema_bound properties_min, properties_max;
    struct pattern *pattern; /* NULL: none */

    struct schema_rule *rules;
    size_t rule_count;
};

/* Borrowed from `path`. NULL: refused, for the violations. root: of a resource. */
struct schema_node *schema_node_new(const cJSON *open_api, const char *path,
                                    struct violations *violations);
void schema_node_free(struct schema_node *node); /* NULL is fine */

/* The node of a member of that name, additionalProperties' included; NULL: the schema has none. */
const struct schema_node *schema_node_member(const struct schema_node *node, const char *name);
/* "object", "string"...: as `type` names it. Static. */
const char *schema_type_name(enum schema_type type);

/* Equal as CEL has it: the order in sets and maps does not count. node NULL: a plain comparison. */
bool schema_equal(const struct schema_node *node, const cJSON *left, const cJSON *right);

#endif
