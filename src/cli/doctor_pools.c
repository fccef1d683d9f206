/* SPDX-License-Identifier: Apache-2.0 */
/* What the operator says in its own conditions, of what does not pass by itself. */
#include "api/instance.h"
#include "api/pool.h"
#include "base/duration.h"
#include "cli/doctor.h"
#include "cli/standing.h"

enum { LINE_BYTES_MAX = 4 * 1024, DELETION_MS = 10 * 60 * 1000 };

/* Nothing is told of what was deleted a moment ago. */
static bool hangs(struct doctor *doctor, const struct object *object,
                  const struct conditions *conditions)
{
    int64_t age_ms = doctor->cli->now.wall_ms - object->meta.deleting_ms;
    if (object->meta.deleting_ms == 0 || age_ms < DELETION_MS) {
        return false;
    }
    const struct condition *ready = conditions_find(conditions, CONDITION_READY);
    cleanup_text struct text age;
    text_init(&age, LINE_BYTES_MAX);
    duration_print_age(age_ms, &age);
    doctor_find(doctor, FINDING_WARN, doctor_name(doctor, object),
                "has been in its deletion for %s: %s. If the operator is gone for good: adj doctor "
                "--remove-finalizers",
                age.bytes, ready == NULL ? "the operator has not looked at it" : ready->message);
    return true;
}

/* What is in nobody's way and still asks for somebody (LaneConflict). */
static void judge_refill(struct doctor *doctor, const char *subject,
                         const struct condition *condition)
{
    if (condition != NULL && condition->status == CONDITION_TRUE &&
        !text_equal(condition->reason, "Refilling")) {
        doctor_find(doctor, FINDING_WARN, subject, "%s: %s", condition->reason, condition->message);
    }
}

static void look_at_pool(struct doctor *doctor, const struct object *object)
{
    static const char *const types[] = {POOL_CONDITION_GOLDEN_READY, POOL_CONDITION_REFILL_HEALTHY,
                                        POOL_CONDITION_SCHEDULED};
    const struct pool *pool = object->pool;
    const char *subject = doctor_name(doctor, object);
    if (hangs(doctor, object, &pool->conditions)) {
        return;
    }
    if (pool->conditions.count == 0) {
        doctor_find(doctor, FINDING_WARN, subject,
                    "the operator has not looked at it yet: see the check \"operator\"");
        return;
    }
    size_t before = doctor->finding_count;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        const struct condition *condition = conditions_find(&pool->conditions, types[i]);
        if (condition != NULL && condition->status == CONDITION_FALSE) {
            doctor_find(doctor, FINDING_FAIL, subject, "%s is False: %s: %s", types[i],
                        condition->reason, condition->message);
        }
    }
    judge_refill(doctor, subject,
                 conditions_find(&pool->conditions, POOL_CONDITION_REFILL_HEALTHY));
    const struct condition *ready = conditions_find(&pool->conditions, CONDITION_READY);
    if (doctor->finding_count == before) {
        doctor_find(doctor, FINDING_OK, subject, "%s: %s",
                    ready == NULL ? "Ready is not told" : ready->reason,
                    ready == NULL ? "" : ready->message);
    }
}

void doctor_pools(struct doctor *doctor)
{
    size_t count = 0;
    const struct object *const *pools = doctor_objects(doctor, KIND_POOL, &count);
    for (size_t i = 0; i < count; i++) {
        look_at_pool(doctor, pools[i]);
    }
    if (count == 0) {
        doctor_find(doctor, FINDING_WARN, NULL,
                    "there is none: make one beside its golden VolumeSnapshot "
                    "(deploy/examples/pool.yaml)");
    }
}

void doctor_instances(struct doctor *doctor)
{
    size_t count = 0;
    const struct object *const *instances = doctor_objects(doctor, KIND_INSTANCE, &count);
    for (size_t i = 0; i < count; i++) {
        bool going = hangs(doctor, instances[i], &instances[i]->instance->conditions);
        if (!going && standing_is_hopeless(instances[i])) {
            cleanup_text struct text line;
            text_init(&line, LINE_BYTES_MAX);
            standing_print(instances[i], &line);
            doctor_find(doctor, FINDING_FAIL, doctor_name(doctor, instances[i]), "%s", line.bytes);
        }
    }
    doctor_all_well(doctor, count == 0 ? "there is none" : "none of %zu needs a person", count);
}
