/* SPDX-License-Identifier: Apache-2.0 */
/* What every part of an Instance's planning does alike: act unless held, and say a condition. */
#include "plan/instance_turn.h"

#include "api/names.h"

void instance_act(struct instance_turn *turn, struct action action)
{
    if (!turn->seen->held) {
        plan_add(turn->plan, action);
    }
}

bool instance_owns(const struct instance_turn *turn, const struct object *object)
{
    return text_equal(object_label(object, LABEL_INSTANCE_UID), turn->object->meta.uid);
}

void instance_condition(struct instance_turn *turn, const char *type, bool status,
                        const char *reason, const char *message)
{
    conditions_set(&turn->next.conditions, &turn->before->conditions,
                   (struct condition){.type = type,
                                      .status = status ? CONDITION_TRUE : CONDITION_FALSE,
                                      .reason = reason,
                                      .message = message,
                                      .observed_generation = turn->object->meta.generation,
                                      .changed_ms = turn->plan->now.wall_ms});
}

void instance_not_bound(struct instance_turn *turn, const char *reason, const char *message)
{
    instance_condition(turn, INSTANCE_CONDITION_VOLUME_BOUND, false, reason, message);
    instance_condition(turn, CONDITION_READY, false, reason, message);
}
