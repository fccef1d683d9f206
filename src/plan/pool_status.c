/* SPDX-License-Identifier: Apache-2.0 */
/* The status is written as one merge patch of all our fields, and only when its text differs from
   that of the status we read: the same writer on both sides decides what "differs" means. */
#include "plan/pool_turn.h"

#include "plan/body.h"
#include "plan/trouble.h"

static void write_golden(struct json_writer *json, const struct pool *pool)
{
    if (pool->golden_uid == NULL) {
        json_member_raw(json, "golden", "null");
        return;
    }
    json_member_object(json, "golden");
    json_member_string(json, "name", pool->golden_snapshot);
    json_member_string(json, "uid", pool->golden_uid);
    json_member_string(json, "systemID", pool->golden_system_id);
    json_end_object(json);
}

static const char *status_text(const struct pool *pool, struct arena *arena)
{
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    json_begin_object(json);
    json_member_object(json, "status");
    json_member_int64(json, "observedGeneration", pool->observed_generation);
    json_member_int64(json, "warm", pool->counts.warm);
    json_member_int64(json, "filling", pool->counts.filling);
    json_member_int64(json, "claimed", pool->counts.claimed);
    json_member_int64(json, "waiting", pool->counts.waiting);
    json_member_int64(json, "retiring", pool->counts.retiring);
    write_golden(json, pool);
    json_write_key(json, "conditions");
    conditions_write(&pool->conditions, json);
    json_end_object(json);
    json_end_object(json);
    return body_end(&body, arena);
}

static void set(struct pool_turn *turn, const char *type, bool status, const char *reason,
                const char *message)
{
    conditions_set(&turn->next.conditions, &turn->seen->pool->pool->conditions,
                   (struct condition){.type = type,
                                      .status = status ? CONDITION_TRUE : CONDITION_FALSE,
                                      .reason = reason,
                                      .message = message,
                                      .observed_generation = turn->seen->pool->meta.generation,
                                      .changed_ms = turn->plan->now.wall_ms});
}

static void set_ready(struct pool_turn *turn)
{
    const struct pool *next = &turn->next;
    if (turn->deleting) {
        set(turn, CONDITION_READY, false, "Deleting",
            "the Pool is deleted: warm clones are destroyed, claimed ones stay with their "
            "Instances");
    } else if (next->counts.warm > 0) {
        set(turn, CONDITION_READY, true, "Warm", "a claim would be served at once");
    } else if (!turn->golden.ready) {
        set(turn, CONDITION_READY, false, "GoldenNotReady", "see the condition GoldenReady");
    } else if (turn->wanted == 0) {
        set(turn, CONDITION_READY, true, "SizeZero", "no clone is kept; each claim waits for one");
    } else {
        set(turn, CONDITION_READY, false, "Filling", "no clone is warm yet; claims wait in order");
    }
}

static void set_refill(struct pool_turn *turn)
{
    const struct trouble *trouble = &turn->seen->trouble;
    struct arena *arena = turn->plan->arena;
    if (trouble->class != ERROR_NONE && trouble->purpose != PURPOSE_STATUS &&
        trouble_is_lasting(trouble)) {
        set(turn, POOL_CONDITION_REFILL_HEALTHY, false, trouble_reason(trouble),
            arena_print(arena, "%s failed: %s", purpose_name(trouble->purpose), trouble->message));
    } else if (turn->stuck != NULL) {
        set(turn, POOL_CONDITION_REFILL_HEALTHY, false, "FillStuck",
            arena_print(arena,
                        "PVC %s waits for its clone for more than 20 minutes: `kubectl describe "
                        "pvc -n %s %s` shows what the CSI driver says",
                        turn->stuck->meta.name, turn->stuck->meta.namespace,
                        turn->stuck->meta.name));
    } else if (turn->misbound != NULL) {
        set(turn, POOL_CONDITION_REFILL_HEALTHY, false, "ForeignVolume",
            arena_print(arena,
                        "PVC %s was bound to volume %s, which was there before and is no clone of "
                        "the golden: both are left alone. Find out whose volume that is, set "
                        "its policy to Retain, then delete the PVC",
                        turn->misbound->meta.name, turn->misbound->volume_claim->volume));
    } else {
        set(turn, POOL_CONDITION_REFILL_HEALTHY, true, "Refilling", "nothing is in the way");
    }
}

void pool_status_plan(struct pool_turn *turn)
{
    const struct object *object = turn->seen->pool;
    struct arena *arena = turn->plan->arena;
    turn->next.conditions.count = 0;
    turn->next.observed_generation = object->meta.generation;
    turn->next.golden_uid = turn->golden.ready ? turn->golden.uid : NULL;
    turn->next.golden_system_id = turn->golden.ready ? turn->golden.system_id : NULL;
    set_ready(turn);
    set(turn, POOL_CONDITION_GOLDEN_READY, turn->golden.ready, turn->golden.reason,
        turn->golden.message);
    set_refill(turn);
    const char *now = status_text(object->pool, arena);
    const char *next = status_text(&turn->next, arena);
    if (text_equal(now, next) || trouble_silences(&turn->seen->trouble, turn->seen->held)) {
        return;
    }
    plan_add(turn->plan, (struct action){.kind = ACTION_STATUS_PATCH,
                                         .purpose = PURPOSE_STATUS,
                                         .object = KIND_POOL,
                                         .namespace = object->meta.namespace,
                                         .name = object->meta.name,
                                         .body = next,
                                         .reason = "what is seen has changed"});
}
