/* SPDX-License-Identifier: Apache-2.0 */
/* The real server reads the merge keys from its Go types. Here they are a table by the list's name,
   which is enough because within the kinds served a name means one list; `ports` alone has another
   key in services than in containers. */
#include "sim/patch_strategic.h"

#include "base/text.h"
#include "sim/patch_merge.h"
#include "sim/value.h"

#include <stdio.h>
#include <string.h>

#define ORDER_PREFIX "$setElementOrder/"
#define DELETE_PREFIX "$deleteFromPrimitiveList/"

struct merge_list {
    const char *name;
    const char *key; /* "" a set of primitive values */
};

static const struct merge_list LISTS[] = {
    {"addresses", "type"},
    {"conditions", "type"},
    {"containers", "name"},
    {"env", "name"},
    {"ephemeralContainers", "name"},
    {"finalizers", ""},
    {"hostAliases", "ip"},
    {"hostIPs", "ip"},
    {"imagePullSecrets", "name"},
    {"initContainers", "name"},
    {"ownerReferences", "uid"},
    {"podIPs", "ip"},
    {"ports", "containerPort"},
    {"resourceClaims", "name"},
    {"schedulingGates", "name"},
    {"secrets", "name"},
    {"topologySpreadConstraints", "topologyKey"},
    {"volumeDevices", "devicePath"},
    {"volumeMounts", "mountPath"},
    {"volumes", "name"},
};

/* Where in the object the patch is. */
struct context {
    const struct resource *resource;
    bool in_metadata;
};

/* NULL: the list is replaced as a whole. */
static const char *merge_key(struct context context, const char *list)
{
    if (context.resource == &resource_services && strcmp(list, "ports") == 0) {
        return "port";
    }
    if (strcmp(list, "finalizers") == 0 && !context.in_metadata) {
        return NULL; /* a namespace's spec.finalizers */
    }
    for (size_t i = 0; i < sizeof(LISTS) / sizeof(LISTS[0]); i++) {
        if (strcmp(LISTS[i].name, list) == 0) {
            return LISTS[i].key;
        }
    }
    return NULL;
}

/* NOLINTBEGIN(misc-no-recursion): as deep as the patch, which has a limit */

static bool merge(cJSON *target, const cJSON *patch, struct context context, struct error *error);

/* ---- items ---- */

/* Both are the same item: equal primitives, or objects with equal keys. */
static bool same_item(const cJSON *left, const cJSON *right, const char *key)
{
    if (key[0] == '\0') {
        return value_equal(left, right);
    }
    const cJSON *left_key = value_member(left, key);
    const cJSON *right_key = value_member(right, key);
    return left_key != NULL && right_key != NULL && value_equal(left_key, right_key);
}

static cJSON *find_item(const cJSON *list, const cJSON *like, const char *key)
{
    cJSON *item = NULL;
    cJSON_ArrayForEach(item, list)
    {
        if (same_item(item, like, key)) {
            return item;
        }
    }
    return NULL;
}

static void remove_items(cJSON *list, const cJSON *like, const char *key)
{
    cJSON *item = NULL;
    while ((item = find_item(list, like, key)) != NULL) {
        cJSON_Delete(cJSON_DetachItemViaPointer(list, item));
    }
}

static bool merge_item(cJSON *list, const cJSON *change, const char *key, struct context context,
                       struct error *error)
{
    if (key[0] != '\0' && value_member(change, key) == NULL) {
        return error_set(error, ERROR_INVALID, "map does not contain declared merge key: %s", key);
    }
    if (key[0] != '\0' && value_equal_text(change, "delete", "$patch", NULL)) {
        remove_items(list, change, key);
        return true;
    }
    cJSON *present = find_item(list, change, key);
    if (present != NULL) {
        return key[0] == '\0' || merge(present, change, context, error);
    }
    cJSON *item = key[0] == '\0' ? cJSON_Duplicate(change, true) : cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    return key[0] == '\0' || merge(item, change, context, error);
}

/* [{"$patch": "replace"}, ...]: the other items are all there shall be. */
static bool replaces_list(const cJSON *changes)
{
    const cJSON *change = NULL;
    cJSON_ArrayForEach(change, changes)
    {
        if (value_equal_text(change, "replace", "$patch", NULL)) {
            return true;
        }
    }
    return false;
}

static bool merge_list(cJSON *list, const cJSON *changes, const char *key, struct context context,
                       struct error *error)
{
    const cJSON *change = NULL;
    bool replaces = replaces_list(changes);
    while (replaces && list->child != NULL) {
        cJSON_Delete(cJSON_DetachItemViaPointer(list, list->child));
    }
    cJSON_ArrayForEach(change, changes)
    {
        if (replaces && value_equal_text(change, "replace", "$patch", NULL)) {
            continue;
        }
        if (!merge_item(list, change, key, context, error)) {
            return false;
        }
    }
    return true;
}

/* ---- order ---- */

static int place_in(const cJSON *list, const cJSON *like, const char *key)
{
    int place = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list)
    {
        if (same_item(item, like, key)) {
            return place;
        }
        place++;
    }
    return -1;
}

/* Items that the order names come in that order; between them the others, each before the first
   named item that stood behind it. before: the list as it was. */
static void set_order(cJSON *list, const cJSON *before, const cJSON *order, const char *key)
{
    cJSON *others = cJSON_CreateArray();
    cJSON *item = NULL;
    const cJSON *named = NULL;
    cJSON *sorted = cJSON_CreateArray();
    while ((item = cJSON_DetachItemFromArray(list, 0)) != NULL) {
        cJSON_AddItemToArray(place_in(order, item, key) < 0 ? others : sorted, item);
    }
    cJSON_ArrayForEach(named, order)
    {
        cJSON *match = find_item(sorted, named, key);
        int place = match == NULL ? -1 : place_in(before, match, key);
        while (place >= 0 && others->child != NULL &&
               place_in(before, others->child, key) < place) {
            cJSON_AddItemToArray(list, cJSON_DetachItemFromArray(others, 0));
        }
        if (match != NULL) {
            cJSON_AddItemToArray(list, cJSON_DetachItemViaPointer(sorted, match));
        }
    }
    while ((item = cJSON_DetachItemFromArray(others, 0)) != NULL) {
        cJSON_AddItemToArray(list, item);
    }
    cJSON_Delete(others);
    cJSON_Delete(sorted);
}

/* ---- objects ---- */

static cJSON *list_to_merge(cJSON *target, const char *name)
{
    cJSON *list = value_member(target, name);
    if (!cJSON_IsArray(list)) {
        list = cJSON_CreateArray();
        value_set(target, name, list);
    }
    return list;
}

static const char *after_prefix(const char *name, const char *prefix)
{
    return text_starts_with(name, prefix) ? name + strlen(prefix) : NULL;
}

static bool delete_from_list(cJSON *target, const char *name, const cJSON *values,
                             struct error *error)
{
    const cJSON *value = NULL;
    if (!cJSON_IsArray(values)) {
        return error_set(error, ERROR_INVALID, "invalid patch format of primitive list: %s", name);
    }
    cJSON *list = value_member(target, name);
    cJSON_ArrayForEach(value, values)
    {
        remove_items(list, value, "");
    }
    return true;
}

static bool retain_keys(cJSON *target, const cJSON *keys, struct error *error)
{
    cJSON *next = NULL;
    if (!cJSON_IsArray(keys)) {
        return error_set(error, ERROR_INVALID, "invalid patch format of retainKeys");
    }
    for (cJSON *member = target->child; member != NULL; member = next) {
        next = member->next;
        if (!value_list_has(keys, member->string)) {
            cJSON_Delete(cJSON_DetachItemViaPointer(target, member));
        }
    }
    return true;
}

/* The directives that are done before the members. false: refused. */
static bool apply_directives(cJSON *target, const cJSON *patch, struct error *error)
{
    const cJSON *change = NULL;
    cJSON_ArrayForEach(change, patch)
    {
        const char *name = change->string == NULL ? "" : change->string;
        const char *list = after_prefix(name, DELETE_PREFIX);
        bool done = true;
        if (list != NULL) {
            done = delete_from_list(target, list, change, error);
        } else if (strcmp(name, "$retainKeys") == 0) {
            done = retain_keys(target, change, error);
        } else if (strcmp(name, "$patch") == 0) {
            done = value_equal_text(patch, "merge", "$patch", NULL) ||
                   error_set(error, ERROR_INVALID, "unable to handle the $patch directive here");
        } else if (name[0] == '$' && after_prefix(name, ORDER_PREFIX) == NULL) {
            done = error_set(error, ERROR_INVALID, "unknown directive %s", name);
        }
        if (!done) {
            return false;
        }
    }
    return true;
}

static bool merge_member_list(cJSON *target, const cJSON *patch, const cJSON *change,
                              const char *key, struct context context, struct error *error)
{
    char name[128];
    cJSON *list = list_to_merge(target, change->string);
    (void)snprintf(name, sizeof(name), ORDER_PREFIX "%s", change->string);
    const cJSON *order = value_member(patch, name);
    cJSON *before = cJSON_Duplicate(list, true);
    bool merged = merge_list(list, change, key, context, error);
    if (merged) {
        set_order(list, before, order == NULL ? change : order, key);
    }
    cJSON_Delete(before);
    return merged;
}

static bool merge_member(cJSON *target, const cJSON *patch, const cJSON *change,
                         struct context context, struct error *error)
{
    const char *name = change->string;
    cJSON *present = value_member(target, name);
    const char *key = merge_key(context, name);
    if (name[0] == '$') {
        return true;
    }
    if (cJSON_IsNull(change)) {
        value_set(target, name, NULL);
        return true;
    }
    if (cJSON_IsArray(change) && key != NULL) {
        return merge_member_list(target, patch, change, key, context, error);
    }
    if (cJSON_IsObject(change)) {
        bool replaces = value_equal_text(change, "replace", "$patch", NULL);
        if (value_equal_text(change, "delete", "$patch", NULL)) {
            value_set(target, name, NULL);
            return true;
        }
        if (!cJSON_IsObject(present) || replaces) {
            present = cJSON_CreateObject();
            value_set(target, name, present);
        }
        context.in_metadata = strcmp(name, "metadata") == 0;
        cJSON *content = cJSON_Duplicate(change, true);
        value_set(content, "$patch", NULL);
        bool merged = merge(present, content, context, error);
        cJSON_Delete(content);
        return merged;
    }
    cJSON *copy = cJSON_Duplicate(change, true);
    patch_merge_drop_nulls(copy);
    value_set(target, name, copy);
    return true;
}

/* Lists of which the patch has the order alone. */
static void order_untouched(cJSON *target, const cJSON *patch, struct context context)
{
    const cJSON *change = NULL;
    cJSON_ArrayForEach(change, patch)
    {
        const char *name = after_prefix(change->string, ORDER_PREFIX);
        const char *key = name == NULL ? NULL : merge_key(context, name);
        cJSON *list = name == NULL ? NULL : value_member(target, name);
        if (key != NULL && cJSON_IsArray(list) && cJSON_IsArray(change) &&
            value_member(patch, name) == NULL) {
            cJSON *before = cJSON_Duplicate(list, true);
            set_order(list, before, change, key);
            cJSON_Delete(before);
        }
    }
}

static bool merge(cJSON *target, const cJSON *patch, struct context context, struct error *error)
{
    const cJSON *change = NULL;
    if (!apply_directives(target, patch, error)) {
        return false;
    }
    cJSON_ArrayForEach(change, patch)
    {
        if (!merge_member(target, patch, change, context, error)) {
            return false;
        }
    }
    order_untouched(target, patch, context);
    return true;
}

/* NOLINTEND(misc-no-recursion) */

bool patch_strategic_apply(cJSON *document, const struct resource *resource, const cJSON *patch,
                           struct error *error)
{
    if (!cJSON_IsObject(patch)) {
        return error_set(error, ERROR_INVALID, "Invalid JSON Patch");
    }
    return merge(document, patch, (struct context){.resource = resource}, error);
}
