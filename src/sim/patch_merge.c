/* SPDX-License-Identifier: Apache-2.0 */
/* Recursive, as deep as the patch, which the door bounded. */
#include "sim/patch_merge.h"

#include "sim/value.h"

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the value, which has a limit */
void patch_merge_drop_nulls(cJSON *value)
{
    cJSON *next = NULL;
    for (cJSON *member = value->child; member != NULL; member = next) {
        next = member->next;
        if (cJSON_IsNull(member) && cJSON_IsObject(value)) {
            cJSON_Delete(cJSON_DetachItemViaPointer(value, member));
        } else {
            patch_merge_drop_nulls(member);
        }
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the patch, which has a limit */
static void merge(cJSON *target, const cJSON *patch)
{
    const cJSON *change = NULL;
    cJSON_ArrayForEach(change, patch)
    {
        cJSON *present = value_member(target, change->string);
        if (cJSON_IsNull(change)) {
            value_set(target, change->string, NULL);
        } else if (cJSON_IsObject(present) && cJSON_IsObject(change)) {
            merge(present, change);
        } else {
            cJSON *copy = cJSON_Duplicate(change, true);
            patch_merge_drop_nulls(copy);
            value_set(target, change->string, copy);
        }
    }
}

bool patch_merge_apply(cJSON *document, const cJSON *patch, struct error *error)
{
    if (!cJSON_IsObject(patch)) {
        return error_set(error, ERROR_INVALID, "Invalid JSON Patch");
    }
    merge(document, patch);
    return true;
}
