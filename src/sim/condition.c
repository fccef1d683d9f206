/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/condition.h"

#include "base/text.h"
#include "base/timestamp.h"
#include "sim/value.h"

static cJSON *find(const cJSON *conditions, const char *type)
{
    cJSON *at = conditions == NULL ? NULL : conditions->child;
    while (at != NULL && !value_equal_text(at, type, "type", NULL)) {
        at = at->next;
    }
    return at;
}

const cJSON *condition_find(const cJSON *status, const char *type)
{
    return find(value_at(status, "conditions", NULL), type);
}

bool condition_is_true(const cJSON *status, const char *type)
{
    return value_equal_text(condition_find(status, type), "True", "status", NULL);
}

void condition_set(cJSON *status, const struct condition_of *condition, int64_t wall_ms)
{
    cJSON *conditions = value_at(status, "conditions", NULL);
    if (conditions == NULL) {
        conditions = cJSON_CreateArray();
        value_set(status, "conditions", conditions);
    }
    cJSON *found = find(conditions, condition->type);
    if (found == NULL) {
        found = cJSON_CreateObject();
        (void)cJSON_AddItemToArray(conditions, found);
        value_set_text(found, "type", condition->type);
    }
    const char *now = condition->is_true ? "True" : "False";
    if (!value_equal_text(found, now, "status", NULL)) {
        char at[TIMESTAMP_BYTES];
        timestamp_format_seconds(wall_ms, at);
        value_set_text(found, "lastTransitionTime", at);
        value_set_text(found, "status", now);
    }
    value_set_text(found, "reason", condition->reason);
    value_set_text(found, "message", condition->message);
}

void condition_remove(cJSON *status, const char *type)
{
    cJSON *conditions = value_at(status, "conditions", NULL);
    cJSON *found = find(conditions, type);
    if (found != NULL) {
        cJSON_Delete(cJSON_DetachItemViaPointer(conditions, found));
    }
}
