/* SPDX-License-Identifier: Apache-2.0 */
/* An Instance for which there is no clone: why, which place it has, and when its turn comes. Times
   are told again only when they have moved by a share that matters: each change is a write. */
#include "plan/instance_turn.h"

#include <inttypes.h>

#define OVERDUE_AFTER_MS INT64_C(16000)

bool instance_would_wait(const struct instance_observation *seen)
{
    return seen->instance->instance->when_empty == WHEN_EMPTY_WAIT;
}

bool waiting_is_over(const struct object *instance)
{
    const struct instance *fields = instance->instance;
    return fields->when_empty == WHEN_EMPTY_FAIL && fields->phase == PHASE_FAILED &&
           fields->volume == NULL && fields->observed_generation == instance->meta.generation;
}

static struct verdict find_reason(const struct instance_turn *turn)
{
    const struct lane *lane = turn->seen->lane;
    struct arena *arena = turn->plan->arena;
    if (lane != NULL && lane->running_count >= lane->caps.running_max) {
        return (struct verdict){
            "LaneBusy", arena_print(arena,
                                    "as many Instances have a clone on lane %s as spec.maxRunning "
                                    "of its Pools allows (%" PRId64 "): this one takes its turn as "
                                    "others are deleted",
                                    lane->measured.name, lane->caps.running_max)};
    }
    if (lane != NULL && lane->is_full) {
        return (struct verdict){
            "LaneFull", arena_print(arena,
                                    "no clone is warm, and lane %s has as many volumes as "
                                    "spec.maxVolumes of its Pools allows (%" PRId64 "): this one "
                                    "takes its turn as volumes are deleted",
                                    lane->measured.name, lane->caps.volumes_max)};
    }
    return (struct verdict){
        "WaitingForClone", turn->before->current_only
                               ? "no clone of the current golden is warm: this Instance takes its "
                                 "turn as clones finish"
                               : "no clone is warm: this Instance takes its turn as clones finish"};
}

static void give_up(struct instance_turn *turn, struct verdict verdict)
{
    turn->next.phase = PHASE_FAILED;
    turn->next.queue_position = 0;
    bool empty = text_equal(verdict.reason, "WaitingForClone");
    instance_not_bound(turn, empty ? "PoolEmpty" : verdict.reason,
                       arena_print(turn->plan->arena,
                                   "%s, and spec.whenEmpty is Fail: set it to Wait, or delete this "
                                   "Instance and make it again when `adj pools` shows a warm clone",
                                   empty ? "no clone is warm" : verdict.message));
}

void waiting_tell_turn(struct instance_turn *turn)
{
    const struct instance_observation *seen = turn->seen;
    struct instance *next = &turn->next;
    int64_t wall_ms = turn->plan->now.wall_ms;
    next->queue_position = seen->queue_position;
    if (eta_is_news(next->queue_eta_ms, seen->queue_eta_ms, wall_ms)) {
        next->queue_eta_ms = seen->queue_eta_ms;
    }
    if (next->first_eta_ms == 0) {
        next->first_eta_ms = next->queue_eta_ms;
    }
    if (next->queue_eta_ms != 0) {
        int64_t left_ms = next->queue_eta_ms - wall_ms;
        plan_look_again(turn->plan, (left_ms > 0 ? left_ms : 0) + OVERDUE_AFTER_MS);
    }
}

void waiting_plan(struct instance_turn *turn)
{
    struct verdict verdict = find_reason(turn);
    instance_condition(turn, INSTANCE_CONDITION_ELIGIBLE, true, "Eligible",
                       "a clone can be handed over");
    if (turn->seen->is_passed_over && !instance_would_wait(turn->seen)) {
        give_up(turn, verdict);
        return;
    }
    turn->next.phase = PHASE_WAITING;
    waiting_tell_turn(turn);
    instance_not_bound(turn, verdict.reason, verdict.message);
}
