/* SPDX-License-Identifier: Apache-2.0 */
/* Structural schemas only, as apiextensions.k8s.io/v1 asks for: each value's type is said at one
   place of the tree, so a tree of nodes is all there is to know.
   (apiextensions-apiserver pkg/apiserver/schema/validation.go) */
#include "sim/schema_build.h"

#include "sim/schema_judge.h"
#include "sim/schema_shape.h"
#include "sim/value.h"

#include "base/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DETAIL_BYTES_MAX = 1024 };

static const char *const type_names[] = {
    [SCHEMA_ANYTHING] = "",       [SCHEMA_OBJECT] = "object",
    [SCHEMA_ARRAY] = "array",     [SCHEMA_STRING] = "string",
    [SCHEMA_INTEGER] = "integer", [SCHEMA_NUMBER] = "number",
    [SCHEMA_BOOLEAN] = "boolean", [SCHEMA_INT_OR_STRING] = "integer,string",
};

static struct schema_node *build(const cJSON *open_api, bool is_root,
                                 const struct schema_path *path, struct schema_builder *builder);

void schema_refuse(const struct schema_builder *builder, const struct schema_path *path,
                   const char *keyword, enum violation kind, const cJSON *value, const char *format,
                   ...)
{
    char detail[DETAIL_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(detail, sizeof(detail), format, arguments);
    va_end(arguments);
    struct schema_path at = {.parent = path, .kind = PATH_MEMBER, .name = keyword};
    schema_path_violation(keyword != NULL ? &at : path, builder->violations, kind, value, "%s",
                          detail);
}

const char *schema_type_name(enum schema_type type)
{
    return type_names[type];
}

/* ---- type ---- */

/* The only anyOf there may be: what controller-gen writes beside x-kubernetes-int-or-string. */
static void check_any_of(const cJSON *open_api, const struct schema_path *path,
                         const struct schema_builder *builder)
{
    const cJSON *any_of = value_member(open_api, "anyOf");
    const cJSON *first = cJSON_GetArrayItem(any_of, 0);
    bool is_usual = cJSON_GetArraySize(any_of) == 2 &&
                    value_equal_text(first, "integer", "type", NULL) &&
                    value_equal_text(first->next, "string", "type", NULL) &&
                    cJSON_GetArraySize(first) == 1 && cJSON_GetArraySize(first->next) == 1;
    if (any_of != NULL && !(is_usual && value_true(open_api, "x-kubernetes-int-or-string", NULL))) {
        schema_refuse(builder, path, "anyOf", VIOLATION_FORBIDDEN, NULL,
                      "not supported by this simulated API server");
    }
}

static void read_type(struct schema_node *node, const cJSON *open_api, bool is_root,
                      const struct schema_path *path, const struct schema_builder *builder)
{
    const cJSON *type = value_member(open_api, "type");
    check_any_of(open_api, path, builder);
    if (value_true(open_api, "x-kubernetes-int-or-string", NULL)) {
        node->type = SCHEMA_INT_OR_STRING;
        return;
    }
    for (size_t i = SCHEMA_OBJECT; i <= SCHEMA_BOOLEAN; i++) {
        if (cJSON_IsString(type) && strcmp(type->valuestring, type_names[i]) == 0) {
            node->type = (enum schema_type)i;
        }
    }
    if (type == NULL && !node->keeps_unknown) {
        schema_refuse(builder, path, "type", VIOLATION_REQUIRED, NULL,
                      is_root ? "must not be empty at the root"
                              : "must not be empty for specified object fields and array items");
    } else if (type != NULL && node->type == SCHEMA_ANYTHING) {
        schema_refuse(builder, path, "type", VIOLATION_UNSUPPORTED, type,
                      "supported values: \"array\", \"boolean\", \"integer\", \"number\", "
                      "\"object\", \"string\"");
    } else if ((is_root || node->is_resource) && node->type != SCHEMA_OBJECT) {
        schema_refuse(builder, path, "type", VIOLATION_INVALID, type, "must be object here");
    }
}

/* ---- what is within ---- */

/* NOLINTBEGIN(misc-no-recursion): as deep as the posted definition, which has a limit */

static void read_properties(struct schema_node *node, const cJSON *properties,
                            const struct schema_path *path, struct schema_builder *builder)
{
    struct schema_path at = {.parent = path, .kind = PATH_MEMBER, .name = "properties"};
    const cJSON *property = NULL;
    /* Room for what resource_members adds. */
    node->members = memory_new((size_t)cJSON_GetArraySize(properties) + 3, sizeof(*node->members));
    cJSON_ArrayForEach(property, properties)
    {
        struct schema_path within = {.parent = &at, .kind = PATH_KEY, .name = property->string};
        node->members[node->member_count++] = (struct schema_member){
            .name = property->string, .node = build(property, false, &within, builder)};
    }
}

static void read_additional(struct schema_node *node, const cJSON *additional,
                            const struct schema_path *path, struct schema_builder *builder)
{
    struct schema_path at = {.parent = path, .kind = PATH_MEMBER, .name = "additionalProperties"};
    if (additional == NULL) {
        return;
    }
    if (!cJSON_IsObject(additional) || node->member_count > 0 || node->is_resource) {
        schema_refuse(builder, &at, NULL, VIOLATION_FORBIDDEN, NULL,
                      cJSON_IsObject(additional)
                          ? "additionalProperties and properties are mutual exclusive"
                          : "without a schema not supported by this simulated API server");
        return;
    }
    node->additional = build(additional, false, &at, builder);
}

static void read_items(struct schema_node *node, const cJSON *items, const struct schema_path *path,
                       struct schema_builder *builder)
{
    struct schema_path at = {.parent = path, .kind = PATH_MEMBER, .name = "items"};
    bool was_correlated = builder->is_correlated;
    builder->is_correlated = was_correlated && node->list == LIST_MAP;
    if (cJSON_IsObject(items)) {
        node->items = build(items, false, &at, builder);
    } else if (node->type == SCHEMA_ARRAY) {
        schema_refuse(builder, &at, NULL, VIOLATION_REQUIRED, NULL, "must be specified");
    }
    builder->is_correlated = was_correlated;
}

/* NOLINTEND(misc-no-recursion) */

static void read_list_type(struct schema_node *node, const cJSON *type,
                           const struct schema_path *path, const struct schema_builder *builder)
{
    bool is_map = cJSON_IsString(type) && strcmp(type->valuestring, "map") == 0;
    bool is_set = cJSON_IsString(type) && strcmp(type->valuestring, "set") == 0;
    if (type != NULL && node->type != SCHEMA_ARRAY) {
        schema_refuse(builder, path, "type", VIOLATION_INVALID, NULL,
                      "must be array if x-kubernetes-list-type is specified");
    } else if (type != NULL && !is_map && !is_set &&
               !(cJSON_IsString(type) && strcmp(type->valuestring, "atomic") == 0)) {
        schema_refuse(builder, path, "x-kubernetes-list-type", VIOLATION_UNSUPPORTED, type,
                      "supported values: \"atomic\", \"map\", \"set\"");
    }
    if (is_map != (cJSON_GetArraySize(node->list_keys) > 0)) {
        schema_refuse(builder, path, "x-kubernetes-list-map-keys", VIOLATION_REQUIRED, NULL,
                      "goes with x-kubernetes-list-type map, and must not be empty then");
    }
    node->list = is_map ? LIST_MAP : is_set ? LIST_SET : LIST_ATOMIC;
}

static void check_list_keys(const struct schema_node *node, const struct schema_path *path,
                            const struct schema_builder *builder)
{
    const cJSON *key = NULL;
    cJSON_ArrayForEach(key, node->list_keys)
    {
        const struct schema_node *member =
            cJSON_IsString(key) ? schema_node_member(node->items, key->valuestring) : NULL;
        if (member == NULL) {
            schema_refuse(builder, path, "x-kubernetes-list-map-keys", VIOLATION_INVALID,
                          node->list_keys, "entries must all be names of item properties");
            continue;
        }
        bool is_scalar = member->type != SCHEMA_OBJECT && member->type != SCHEMA_ARRAY;
        bool is_there =
            value_list_has(node->items->required, key->valuestring) || member->fallback != NULL;
        if (!is_scalar || !is_there) {
            schema_refuse(builder, path, "x-kubernetes-list-map-keys", VIOLATION_INVALID,
                          node->list_keys,
                          "each must be of a scalar type, and be required or "
                          "have a default");
        }
    }
}

/* ---- apiVersion, kind, metadata ---- */

static struct schema_node *plain_node(enum schema_type type)
{
    struct schema_node *node = memory_new(1, sizeof(*node));
    node->type = type;
    return node;
}

static struct schema_node *own_member(const struct schema_node *node, const char *name)
{
    for (size_t i = 0; i < node->member_count; i++) {
        const char *own = node->members[i].name;
        if (own[0] == name[0] && strcmp(own, name) == 0) { /* most differ at once */
            return node->members[i].node;
        }
    }
    return NULL;
}

static struct schema_node *add_member(struct schema_node *node, const char *name,
                                      enum schema_type type)
{
    struct schema_node *member = own_member(node, name);
    if (member == NULL) {
        member = plain_node(type);
        node->members[node->member_count++] = (struct schema_member){.name = name, .node = member};
    }
    return member;
}

/* What every resource has, of which rules may see no more than this. */
static void add_resource_members(struct schema_node *node)
{
    (void)add_member(node, "apiVersion", SCHEMA_STRING);
    (void)add_member(node, "kind", SCHEMA_STRING);
    struct schema_node *metadata = add_member(node, "metadata", SCHEMA_OBJECT);
    if (metadata->members == NULL) {
        metadata->members = memory_new(2, sizeof(*metadata->members));
    }
    (void)add_member(metadata, "name", SCHEMA_STRING);
    (void)add_member(metadata, "generateName", SCHEMA_STRING);
}

/* ---- the whole node ---- */

static void check_default(const struct schema_node *node, const struct schema_path *path,
                          const struct schema_builder *builder)
{
    struct schema_path at = {.parent = path, .kind = PATH_MEMBER, .name = "default"};
    cJSON *copy = cJSON_Duplicate(node->fallback, true);
    schema_shape_prune(node, copy, NULL);
    if (!value_equal(copy, node->fallback)) {
        schema_refuse(builder, &at, NULL, VIOLATION_INVALID, node->fallback,
                      "must not have unknown fields");
    }
    schema_shape_default(node, copy);
    schema_judge(node, copy, NULL, &at, builder->violations);
    cJSON_Delete(copy);
}

static void note_within(struct schema_node *node, const struct schema_node *child)
{
    if (child != NULL) {
        node->has_rules_within = node->has_rules_within || child->has_rules_within;
        node->has_keys_within = node->has_keys_within || child->has_keys_within;
    }
}

static void note_what_is_within(struct schema_node *node)
{
    node->has_rules_within = node->rule_count > 0;
    node->has_keys_within = node->list != LIST_ATOMIC;
    note_within(node, node->items);
    note_within(node, node->additional);
    for (size_t i = 0; i < node->member_count; i++) {
        note_within(node, node->members[i].node);
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the posted definition, which has a limit */
static struct schema_node *build(const cJSON *open_api, bool is_root,
                                 const struct schema_path *path, struct schema_builder *builder)
{
    struct schema_node *node = memory_new(1, sizeof(*node));
    schema_read_keywords(node, open_api, path, builder);
    node->is_resource = node->is_resource || is_root;
    read_type(node, open_api, is_root, path, builder);
    read_properties(node, value_member(open_api, "properties"), path, builder);
    read_additional(node, value_member(open_api, "additionalProperties"), path, builder);
    read_list_type(node, value_member(open_api, "x-kubernetes-list-type"), path, builder);
    read_items(node, value_member(open_api, "items"), path, builder);
    if (node->is_resource) {
        add_resource_members(node);
    }
    check_list_keys(node, path, builder);
    schema_read_rules(node, value_member(open_api, "x-kubernetes-validations"), path, builder);
    note_what_is_within(node);
    if (node->fallback != NULL && violations_none(builder->violations)) {
        check_default(node, path, builder);
    }
    return node;
}

struct schema_node *schema_node_new(const cJSON *open_api, const char *path,
                                    struct violations *violations)
{
    struct schema_path at = {.kind = PATH_MEMBER, .name = path};
    struct schema_builder builder = {.violations = violations, .is_correlated = true};
    if (!cJSON_IsObject(open_api)) {
        schema_path_violation(&at, violations, VIOLATION_REQUIRED, NULL, "schemas are required");
        return NULL;
    }
    assert(violations_none(violations));
    struct schema_node *node = build(open_api, true, &at, &builder);
    if (!violations_none(violations)) {
        schema_node_free(node);
        return NULL;
    }
    return node;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the posted definition, which has a limit */
void schema_node_free(struct schema_node *node)
{
    if (node == NULL) {
        return;
    }
    for (size_t i = 0; i < node->member_count; i++) {
        schema_node_free(node->members[i].node);
    }
    memory_free(node->members);
    schema_node_free(node->additional);
    schema_node_free(node->items);
    pattern_free(node->pattern);
    schema_free_rules(node);
    memory_free(node);
}

const struct schema_node *schema_node_member(const struct schema_node *node, const char *name)
{
    const struct schema_node *member = node != NULL ? own_member(node, name) : NULL;
    return member != NULL || node == NULL ? member : node->additional;
}
