/* SPDX-License-Identifier: Apache-2.0 */
/* What has to be there before the act is asked for again until it is seen. */
#include "crash_matrix/trial.h"

#include "api/cluster.h"
#include "crash_matrix/trial_stages.h"

enum {
    PREPARED_MS = 300, /* without a write, before the act */
    AGAIN_MS = 1000,   /* between two askings */
    STAGE_HANGS_MS = 120000,
    NAMESPACE_HANGS_MS = 180000, /* the namespace controller waits, and longer with each time */
};

void trial_enter(struct trial *trial, enum stage stage, struct now now)
{
    trial->stage = stage;
    trial->stage_since_ms = now.mono_ms;
    trial->asked_at_ms = 0;
    trial->quiet_since_ms = now.mono_ms;
}

bool trial_asks_again(struct trial *trial, struct now now)
{
    if (trial->asked_at_ms != 0 && now.mono_ms - trial->asked_at_ms < AGAIN_MS) {
        return false;
    }
    trial->asked_at_ms = now.mono_ms;
    return true;
}

struct incarnation *trial_life(struct trial *trial)
{
    return &trial->world->lives[0];
}

static void start_operators(struct trial *trial)
{
    const struct scenario *scenario = trial->cell->scenario;
    for (int slot = 0; slot < scenario->operator_count; slot++) {
        world_start_operator(trial->world, slot, scenario->shared_lease,
                             slot == 0 ? NULL : scenario->late_kind, trial->around->transport);
    }
}

static bool somebody_leads(const struct trial *trial, struct now now)
{
    for (int slot = 0; slot < WORLD_OPERATORS_MAX; slot++) {
        const struct incarnation *life = &trial->world->lives[slot];
        if (incarnation_lives(life) && operator_facts(life->op, now).leading &&
            operator_facts(life->op, now).synced) {
            return true;
        }
    }
    return false;
}

void trial_fail(struct trial *trial, struct now now, const char *why)
{
    trial->cell->result = RESULT_FAILED;
    trial->cell->ending = arena_copy(&trial->cells->arena, why);
    world_note(trial->world, now, "FAILED: %s", why);
    for (int slot = 0; slot < WORLD_OPERATORS_MAX; slot++) {
        world_end_operator(trial->world, slot);
    }
    api_forget(trial->around->api, trial);
    trial_enter(trial, STAGE_WIPE, now);
}

bool trial_has_settled(struct trial *trial, const struct expectation *expected, struct now now,
                       int64_t quiet_ms, struct text *out)
{
    size_t written = world_write_count(trial->world);
    bool reached = ending_reached(trial->around, trial->world, expected, &trial->ending, out);
    if (!reached || written != trial->written || !somebody_leads(trial, now)) {
        trial->written = written;
        trial->quiet_since_ms = now.mono_ms;
    }
    return now.mono_ms - trial->quiet_since_ms >= quiet_ms;
}

/* ---- before the act ---- */

static bool is_usable(const struct trial *trial, const char *name)
{
    const struct object *object =
        store_get(mirror_store(trial->around->mirror), KIND_NAMESPACE, NULL, name);
    return object != NULL && object->meta.deleting_ms == 0 && !object->kube_namespace->terminating;
}

static void trial_step_namespaces(struct trial *trial, struct now now, struct text *missing)
{
    if (trial_asks_again(trial, now)) {
        scenario_send_namespaces(trial->around, trial->world);
    }
    if (!is_usable(trial, trial->world->pools) || !is_usable(trial, trial->world->dev)) {
        text_append(missing, "its namespaces are not there");
        return;
    }
    start_operators(trial);
    trial_enter(trial, STAGE_POOL, now);
}

static void trial_step_pool(struct trial *trial, struct now now, struct text *missing)
{
    const struct scenario *scenario = trial->cell->scenario;
    struct expectation before = {.endings = ENDING_GONE,
                                 .has_pool = scenario->pool_before,
                                 .pool_size = scenario->pool_before ? scenario->size : 0};
    if (trial_asks_again(trial, now)) {
        scenario_send_golden(trial->around, trial->world);
        if (scenario->pool_before) {
            scenario_send_pool(trial->around, trial->world, scenario);
        }
    }
    if (!scenario_has_golden(trial->around, trial->world)) {
        text_append(missing, "its golden is not there or not ready");
        return;
    }
    if (trial_has_settled(trial, &before, now, PREPARED_MS, missing)) {
        trial_enter(trial, scenario->instance_before ? STAGE_INSTANCE : STAGE_ACT, now);
    }
}

static void trial_step_instance(struct trial *trial, struct now now, struct text *missing)
{
    const struct scenario *scenario = trial->cell->scenario;
    struct expectation before = scenario->expected;
    before.endings = ENDING_READY;
    if (trial_asks_again(trial, now)) {
        scenario_send_instances(trial->around, trial->world, scenario);
    }
    if (trial_has_settled(trial, &before, now, PREPARED_MS, missing)) {
        trial_enter(trial, STAGE_ACT, now);
    }
}

static void (*const steps[])(struct trial *trial, struct now now, struct text *missing) = {
    [STAGE_NAMESPACES] = trial_step_namespaces,
    [STAGE_POOL] = trial_step_pool,
    [STAGE_INSTANCE] = trial_step_instance,
    [STAGE_ACT] = trial_step_act,
    [STAGE_WRITE] = trial_step_write,
    [STAGE_PERSON] = trial_step_person,
    [STAGE_OUTAGE] = trial_step_outage,
    [STAGE_SETTLE] = trial_step_settle,
    [STAGE_REMEDY] = trial_step_remedy,
    [STAGE_CLEAR] = trial_step_clear,
    [STAGE_STOP] = trial_step_stop,
    [STAGE_WIPE] = trial_step_wipe,
    [STAGE_DONE] = NULL,
};

void trial_begin(struct trial *trial, struct surroundings *around, struct world *world,
                 struct cells *cells, struct cell *cell, struct now now)
{
    *trial = (struct trial){.around = around,
                            .world = world,
                            .cells = cells,
                            .cell = cell,
                            .expected = cell->scenario->expected};
    if (cell->person != NULL) {
        trial->expected.endings = cell->person->endings;
        trial->expected.reasons = cell->person->reasons;
        trial->expected.instance_count += cell->person->claims;
        trial->expected.pool_size = cell->person->empties_pool ? 0 : trial->expected.pool_size;
    }
    world_begin(world, now);
    world->policy_edited = cell->person != NULL && cell->person->edits_policy;
    world->claim_edited = cell->person != NULL && cell->person->edits_claim;
    world->state_edited = cell->person != NULL && cell->person->edits_state;
    world->holding_max = cell->scenario->size;
    if (world->holding_max < trial->expected.pool_size) {
        world->holding_max = trial->expected.pool_size;
    }
    trial_enter(trial, STAGE_NAMESPACES, now);
}

void trial_step(struct trial *trial, struct now now)
{
    cleanup_text struct text missing;
    text_init(&missing, 4096);
    enum stage stage = trial->stage;
    if (steps[stage] == NULL) {
        return;
    }
    steps[stage](trial, now, &missing);
    bool playing = trial->stage != STAGE_WIPE && trial->stage != STAGE_DONE;
    if (playing && trial->world->violations.length_bytes > 0) {
        trial_fail(trial, now, trial->world->violations.bytes);
    } else if (playing && trial->stage == stage &&
               now.mono_ms - trial->stage_since_ms >=
                   (stage == STAGE_NAMESPACES ? NAMESPACE_HANGS_MS : STAGE_HANGS_MS)) {
        trial_fail(trial, now, missing.length_bytes == 0 ? "it does not settle" : missing.bytes);
    }
}
