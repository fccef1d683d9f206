/* SPDX-License-Identifier: Apache-2.0 */
/* Pruning goes first, so that an unknown field is reported as it was sent; a null that may not be
   gives way to the default, or goes. (apiextensions-apiserver schema/pruning, schema/defaulting) */
#include "sim/schema_shape.h"

#include "sim/schema_path.h"
#include "sim/value.h"

#include <string.h>

enum { PATH_BYTES_MAX = 4096 };

/* NOLINTBEGIN(misc-no-recursion): as deep as the object, which has a limit */

/* ---- pruning ---- */

static bool is_of_resource(const char *name)
{
    return strcmp(name, "apiVersion") == 0 || strcmp(name, "kind") == 0 ||
           strcmp(name, "metadata") == 0;
}

static void note(cJSON *unknown, const struct schema_path *path)
{
    cleanup_text struct text said;
    text_init(&said, PATH_BYTES_MAX);
    schema_path_say(path, &said);
    cJSON_AddItemToArray(unknown, cJSON_CreateString(said.bytes));
}

static void prune(const struct schema_node *node, cJSON *value, const struct schema_path *path,
                  cJSON *unknown);

static void prune_member(const struct schema_node *node, cJSON *object, cJSON *member,
                         const struct schema_path *path, cJSON *unknown)
{
    struct schema_path at = {.parent = path, .kind = PATH_MEMBER, .name = member->string};
    const struct schema_node *known = schema_node_member(node, member->string);
    if (node->is_resource && is_of_resource(member->string)) {
        return;
    }
    if (known != NULL) {
        prune(known, member, &at, unknown);
        return;
    }
    if (node->keeps_unknown) {
        return;
    }
    if (unknown != NULL) {
        note(unknown, &at);
    }
    cJSON_Delete(cJSON_DetachItemViaPointer(object, member));
}

static void prune(const struct schema_node *node, cJSON *value, const struct schema_path *path,
                  cJSON *unknown)
{
    size_t index = 0;
    cJSON *next = NULL;
    for (cJSON *child = value->child; child != NULL; child = next, index++) {
        next = child->next;
        if (cJSON_IsObject(value)) {
            prune_member(node, value, child, path, unknown);
        } else if (node->items != NULL) {
            struct schema_path at = {.parent = path, .kind = PATH_INDEX, .index = index};
            prune(node->items, child, &at, unknown);
        }
    }
}

void schema_shape_prune(const struct schema_node *node, cJSON *value, cJSON *unknown)
{
    prune(node, value, NULL, unknown);
}

/* ---- defaults and nulls ---- */

static bool may_not_be_null(const struct schema_node *node, const cJSON *value)
{
    return node != NULL && cJSON_IsNull(value) && !node->is_nullable;
}

static void add_defaults(const struct schema_node *node, cJSON *object)
{
    for (size_t i = 0; i < node->member_count; i++) {
        const struct schema_member *member = &node->members[i];
        if (member->node->fallback == NULL) {
            continue;
        }
        const cJSON *present = value_member(object, member->name);
        if (present == NULL || may_not_be_null(member->node, present)) {
            value_set(object, member->name, cJSON_Duplicate(member->node->fallback, true));
        }
    }
}

/* NULL: it went. */
static cJSON *settle_null(const struct schema_node *node, cJSON *object, cJSON *member)
{
    if (!cJSON_IsObject(object) || !may_not_be_null(node, member)) {
        return member;
    }
    cJSON *fallback = node->fallback != NULL ? cJSON_Duplicate(node->fallback, true) : NULL;
    if (fallback == NULL) {
        cJSON_Delete(cJSON_DetachItemViaPointer(object, member));
        return NULL;
    }
    value_rename(fallback, member->string);
    cJSON_ReplaceItemViaPointer(object, member, fallback);
    return fallback;
}

void schema_shape_default(const struct schema_node *node, cJSON *value)
{
    if (cJSON_IsObject(value)) {
        add_defaults(node, value);
    }
    cJSON *next = NULL;
    for (cJSON *child = value->child; child != NULL; child = next) {
        next = child->next;
        const struct schema_node *known =
            cJSON_IsObject(value) ? schema_node_member(node, child->string) : node->items;
        bool is_theirs =
            cJSON_IsObject(value) && node->is_resource && strcmp(child->string, "metadata") == 0;
        cJSON *stays = known == NULL || is_theirs ? NULL : settle_null(known, value, child);
        if (stays != NULL) {
            schema_shape_default(known, stays);
        }
    }
}

/* NOLINTEND(misc-no-recursion) */
