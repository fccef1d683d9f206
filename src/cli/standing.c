/* SPDX-License-Identifier: Apache-2.0 */
/* An Instance that is not eligible may be so for a moment (what was there before it is still being
   deleted) or until somebody acts (its namespace is not allowed). Waiting helps with the first
   only, so the reasons of the second are named here, as plan/ spells them; a reason that is new to
   this program is waited for. */
#include "cli/standing.h"

#include "api/pool.h"
#include "base/duration.h"
#include "base/text.h"

#include <inttypes.h>

static const char *const LASTING_REASONS[] = {
    "PoolNotFound",
    "PoolDeleting",
    "NamespaceNotAllowed",
    "NamespaceTerminating",
    "NameTaken",
    "QuotaExceeded",
    "Invalid",
    "LimitExceeded",
    "Forbidden",
    "NotFound",
};

static bool is_lasting(const char *reason)
{
    for (size_t i = 0; i < sizeof(LASTING_REASONS) / sizeof(LASTING_REASONS[0]); i++) {
        if (text_equal(reason, LASTING_REASONS[i])) {
            return true;
        }
    }
    return false;
}

/* While it is deleted only one condition is looked after. */
static const struct condition *deletion_obstacle(const struct conditions *conditions)
{
    const struct condition *ready = conditions_find(conditions, CONDITION_READY);
    return ready != NULL && text_equal(ready->reason, "Deleting") ? ready : NULL;
}

const struct condition *standing_obstacle(const struct object *object)
{
    const struct conditions *conditions = &object->instance->conditions;
    if (object->meta.deleting_ms != 0) {
        return deletion_obstacle(conditions);
    }
    static const char *const types[] = {INSTANCE_CONDITION_ELIGIBLE,
                                        INSTANCE_CONDITION_VOLUME_BOUND, CONDITION_READY};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        const struct condition *condition = conditions_find(conditions, types[i]);
        if (condition != NULL && condition->status == CONDITION_FALSE) {
            return condition;
        }
    }
    return NULL;
}

bool standing_is_hopeless(const struct object *object)
{
    if (object->instance->phase == PHASE_FAILED) {
        return true;
    }
    const struct condition *obstacle = standing_obstacle(object);
    return obstacle != NULL && text_equal(obstacle->type, INSTANCE_CONDITION_ELIGIBLE) &&
           obstacle->observed_generation >= object->meta.generation && is_lasting(obstacle->reason);
}

static void print_waiting(const struct object *object, struct text *out)
{
    const struct instance *instance = object->instance;
    const struct condition *obstacle = standing_obstacle(object);
    text_append(out, "Waiting for a clone");
    if (instance->queue_position > 0) {
        text_print(out, ": position %" PRId64 " in the queue of pool %s/%s",
                   instance->queue_position, instance->pool_namespace, instance->pool);
    }
    if (obstacle != NULL && !text_equal(obstacle->reason, "WaitingForClone")) {
        text_print(out, ": %s: %s", obstacle->reason, obstacle->message);
    }
}

void standing_print_left(const struct object *object, int64_t wall_ms, struct text *out)
{
    const struct instance *instance = object->instance;
    int64_t left_ms = instance->queue_eta_ms - wall_ms;
    if (object->meta.deleting_ms != 0 || instance->phase != PHASE_WAITING ||
        instance->queue_eta_ms == 0) {
        return;
    }
    if (left_ms <= 0) {
        text_append(out, ", due now");
        return;
    }
    text_append(out, ", about ");
    duration_print_age(left_ms, out);
    text_append(out, " left");
}

/* What the phase says already. */
static bool is_ordinary(const char *reason)
{
    return text_equal(reason, "Claiming") || text_equal(reason, "PostgresStarting") ||
           text_equal(reason, "Deleting") || text_equal(reason, "Hibernated") ||
           text_equal(reason, "Resetting");
}

static void print_obstacle(const struct object *object, struct text *out)
{
    const struct condition *obstacle = standing_obstacle(object);
    if (obstacle != NULL && is_ordinary(obstacle->reason)) {
        text_print(out, ": %s", obstacle->message);
    } else if (obstacle != NULL) {
        text_print(out, ": %s: %s", obstacle->reason, obstacle->message);
    }
}

static void print_reset(const struct object *object, struct text *out)
{
    const struct instance *instance = object->instance;
    const struct condition *resetting =
        conditions_find(&instance->conditions, INSTANCE_CONDITION_RESETTING);
    if (resetting == NULL || object->meta.deleting_ms != 0) {
        return;
    }
    text_print(out, "; to be reset: %s", resetting->message);
    if (instance->queue_position > 0) {
        text_print(out, " (position %" PRId64 ")", instance->queue_position);
    }
}

void standing_print(const struct object *object, struct text *out)
{
    const struct instance *instance = object->instance;
    enum instance_phase phase = object->meta.deleting_ms != 0 ? PHASE_DELETING : instance->phase;
    if (phase == PHASE_PENDING && instance->conditions.count == 0) {
        text_append(out, "Pending: adjoint-operator has not looked at it yet");
        return;
    }
    if (phase == PHASE_WAITING) {
        print_waiting(object, out);
        return;
    }
    text_append(out, instance_phase_name(phase));
    if (instance->volume != NULL && (phase == PHASE_CLAIMING || phase == PHASE_STARTING)) {
        text_print(out, phase == PHASE_CLAIMING ? " volume %s" : " on volume %s", instance->volume);
    }
    if (phase != PHASE_READY) {
        print_obstacle(object, out);
    }
    print_reset(object, out);
}

const struct condition *standing_of_pool(const struct object *object)
{
    static const char *const types[] = {POOL_CONDITION_GOLDEN_READY, POOL_CONDITION_REFILL_HEALTHY,
                                        CONDITION_READY, POOL_CONDITION_SCHEDULED};
    const struct conditions *conditions = &object->pool->conditions;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        const struct condition *condition = conditions_find(conditions, types[i]);
        if (condition != NULL && condition->status != CONDITION_TRUE) {
            return condition;
        }
    }
    return conditions_find(conditions, CONDITION_READY);
}
