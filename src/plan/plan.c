/* SPDX-License-Identifier: Apache-2.0 */
/* A plan holds its actions in place, up to a fixed number: more than that in one batch would only
   starve other keys, so the rest waits for the next plan, which follows at once. */
#include "plan/plan.h"

#include <assert.h>
#include <string.h>

void plan_init(struct plan *plan, struct arena *arena, struct now now)
{
    plan->arena = arena;
    plan->now = now;
    plan->action_count = 0;
    plan->look_again_ms = NOW_NEVER;
}

void plan_add(struct plan *plan, struct action action)
{
    assert(action.reason != NULL && action.name != NULL);
    if (action.namespace == NULL) {
        action.namespace = "";
    }
    if (plan->action_count == LIMIT_ACTIONS_PER_PLAN) {
        plan->look_again_ms = plan->now.mono_ms;
        return;
    }
    plan->actions[plan->action_count++] = action;
}

void plan_look_again(struct plan *plan, int64_t delay_ms)
{
    assert(delay_ms >= 0);
    int64_t at_ms = plan->now.mono_ms + delay_ms;
    if (at_ms < plan->look_again_ms) {
        plan->look_again_ms = at_ms;
    }
}

void plan_write_text(const struct plan *plan, bool bodies, struct text *out)
{
    if (plan->action_count == 0) {
        text_append(out, "nothing\n");
    }
    for (size_t i = 0; i < plan->action_count; i++) {
        const struct action *action = &plan->actions[i];
        text_print(out, "%s %s %s%s%s", action_kind_name(action->kind),
                   kind_of(action->object)->kind, action->namespace,
                   action->namespace[0] == '\0' ? "" : "/", action->name);
        if (action->uid != NULL) {
            text_print(out, " uid %s", action->uid);
        }
        if (action->resource_version != NULL) {
            text_print(out, " at version %s", action->resource_version);
        }
        text_print(out, ": %s\n", action->reason);
        if (bodies && action->body != NULL) {
            text_print(out, "    %s\n", action->body);
        }
    }
}

const char *action_kind_name(enum action_kind kind)
{
    static const char *const names[ACTION_KIND_COUNT] = {
        [ACTION_CREATE] = "create",
        [ACTION_DRY_RUN] = "dry-run",
        [ACTION_EXPECT_NONE] = "expect-none",
        [ACTION_EXPECT_SOME] = "expect-some",
        [ACTION_MERGE_PATCH] = "patch",
        [ACTION_STATUS_PATCH] = "status",
        [ACTION_JSON_PATCH] = "test-and-set",
        [ACTION_DELETE] = "delete",
        [ACTION_READ] = "read",
        [ACTION_EVENTS] = "events",
    };
    assert(kind < ACTION_KIND_COUNT);
    return names[kind];
}

const char *purpose_name(enum purpose purpose)
{
    static const char *const names[PURPOSE_COUNT] = {
        [PURPOSE_FINALIZER] = "finalizer",
        [PURPOSE_STATUS] = "status",
        [PURPOSE_PREFLIGHT] = "preflight",
        [PURPOSE_CHOOSE] = "choose",
        [PURPOSE_DATA_CLAIM] = "data-claim",
        [PURPOSE_CLAIM_VOLUME] = "claim-volume",
        [PURPOSE_WITHDRAW] = "withdraw",
        [PURPOSE_SECRET] = "secret",
        [PURPOSE_CLUSTER] = "cluster",
        [PURPOSE_NETWORK_POLICY] = "network-policy",
        [PURPOSE_ERRAND] = "errand",
        [PURPOSE_HIBERNATE] = "hibernate",
        [PURPOSE_FILL] = "fill",
        [PURPOSE_LABEL_VOLUME] = "label-volume",
        [PURPOSE_RETIRE_VOLUME] = "retire-volume",
        [PURPOSE_RESERVE_VOLUME] = "reserve-volume",
        [PURPOSE_RETURN_VOLUME] = "return-volume",
        [PURPOSE_DISPOSE_VOLUME] = "dispose-volume",
        [PURPOSE_RELEASE_VOLUME] = "release-volume",
        [PURPOSE_DELETE] = "delete",
        [PURPOSE_CONFIRM] = "confirm",
        [PURPOSE_EXPLAIN] = "explain",
    };
    assert(purpose < PURPOSE_COUNT);
    return names[purpose];
}
