/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of some dozens at most, so each item is compared with all before it.
   (apiextensions-apiserver pkg/apiserver/schema/listtype/validation.go) */
#include "sim/schema_judge.h"

#include "sim/value.h"

#include <string.h>

/* The members of an item that are its key, as an object; the caller's. */
static cJSON *key_of(const struct schema_node *list, const cJSON *item)
{
    cJSON *key = cJSON_CreateObject();
    const cJSON *name = NULL;
    cJSON_ArrayForEach(name, list->list_keys)
    {
        const cJSON *member = value_member(item, name->valuestring);
        if (member != NULL) {
            cJSON_AddItemToObject(key, name->valuestring, cJSON_Duplicate(member, true));
        }
    }
    return key;
}

static bool have_same_key(const struct schema_node *list, const cJSON *left, const cJSON *right)
{
    const cJSON *name = NULL;
    cJSON_ArrayForEach(name, list->list_keys)
    {
        const cJSON *a = value_member(left, name->valuestring);
        const cJSON *b = value_member(right, name->valuestring);
        if ((a == NULL) != (b == NULL) || (a != NULL && !value_equal(a, b))) {
            return false;
        }
    }
    return true;
}

const cJSON *schema_old_item(const struct schema_node *list, const cJSON *old, const cJSON *item)
{
    if (list->list != LIST_MAP || !cJSON_IsArray(old)) {
        return NULL;
    }
    const cJSON *candidate = old->child;
    while (candidate != NULL && !have_same_key(list, candidate, item)) {
        candidate = candidate->next;
    }
    return candidate;
}

static bool are_alike(const struct schema_node *list, const cJSON *left, const cJSON *right)
{
    return list->list == LIST_MAP ? have_same_key(list, left, right) : value_equal(left, right);
}

/* Each value is reported where it comes for the second time, not for the third. */
static void judge_uniqueness(const struct schema_node *list, const cJSON *value,
                             const struct schema_path *path, struct violations *violations)
{
    size_t index = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, value)
    {
        struct schema_path at = {.parent = path, .kind = PATH_INDEX, .index = index};
        index++;
        int before = 0;
        for (const cJSON *other = value->child; other != item; other = other->next) {
            before += are_alike(list, other, item) ? 1 : 0;
        }
        if (before == 1) {
            cJSON *key = list->list == LIST_MAP ? key_of(list, item) : NULL;
            schema_path_violation(&at, violations, VIOLATION_DUPLICATE, key != NULL ? key : item,
                                  "%s", "");
            cJSON_Delete(key);
        }
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the object, which has a limit */
void schema_judge_lists(const struct schema_node *node, const cJSON *value,
                        const struct schema_path *path, struct violations *violations)
{
    if (!node->has_keys_within) {
        return;
    }
    if (cJSON_IsArray(value) && node->list != LIST_ATOMIC) {
        judge_uniqueness(node, value, path, violations);
    }
    size_t index = 0;
    const cJSON *child = NULL;
    cJSON_ArrayForEach(child, value)
    {
        struct schema_path at = {.parent = path, .kind = PATH_INDEX, .index = index};
        index++;
        const struct schema_node *known = node->items;
        if (cJSON_IsObject(value)) {
            known = schema_node_member(node, child->string);
            at.kind = known == node->additional ? PATH_KEY : PATH_MEMBER;
            at.name = child->string;
        }
        if (known != NULL) {
            schema_judge_lists(known, child, &at, violations);
        }
    }
}

/* ---- equality ---- */

/* NOLINTBEGIN(misc-no-recursion): as deep as the object, which has a limit */

static bool has_equal_item(const struct schema_node *list, const cJSON *array, const cJSON *item)
{
    const cJSON *candidate = array->child;
    while (candidate != NULL && !schema_equal(list->items, candidate, item)) {
        candidate = candidate->next;
    }
    return candidate != NULL;
}

static bool are_items_equal(const struct schema_node *list, const cJSON *left, const cJSON *right)
{
    const cJSON *other = right->child;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, left)
    {
        if (list->list == LIST_ATOMIC ? !schema_equal(list->items, item, other)
                                      : !has_equal_item(list, right, item)) {
            return false;
        }
        other = other->next;
    }
    return true;
}

static bool are_members_equal(const struct schema_node *node, const cJSON *left, const cJSON *right)
{
    const cJSON *member = NULL;
    cJSON_ArrayForEach(member, left)
    {
        const cJSON *other = value_member(right, member->string);
        if (other == NULL ||
            !schema_equal(schema_node_member(node, member->string), member, other)) {
            return false;
        }
    }
    return true;
}

bool schema_equal(const struct schema_node *node, const cJSON *left, const cJSON *right)
{
    bool are_arrays = cJSON_IsArray(left) && cJSON_IsArray(right);
    bool are_objects = cJSON_IsObject(left) && cJSON_IsObject(right);
    if (node == NULL || (!are_arrays && !are_objects)) {
        return value_equal(left, right);
    }
    if (cJSON_GetArraySize(left) != cJSON_GetArraySize(right)) {
        return false;
    }
    return are_arrays ? are_items_equal(node, left, right) : are_members_equal(node, left, right);
}

/* NOLINTEND(misc-no-recursion) */
