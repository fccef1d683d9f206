/* SPDX-License-Identifier: Apache-2.0 */
/* After what happened at the write: settle, judge, and leave nothing. */
#include "api/instance.h"
#include "crash_matrix/trial_stages.h"
#include "crash_matrix/wipe.h"

enum { WIPE_HANGS_MS = 60000 };

/* A claim takes a clone that is there, and makes none; what it takes is made once more. */
static const char *wrong_count(const struct trial *trial)
{
    const struct scenario *scenario = trial->cell->scenario;
    size_t created = ledger_created(&trial->around->ledger, trial->world);
    size_t taken = (size_t)scenario->expected.instance_count;
    if (trial->cell->mode == MODE_PERSON || scenario->late_kind != NULL) {
        return NULL; /* what a person destroys, or who sees the past retires, is made again */
    }
    if (created != (size_t)scenario->size + taken) {
        return "volumes were made that nobody needed";
    }
    const struct store *store = mirror_store(trial->around->mirror);
    const struct object *instance = store_get(store, KIND_INSTANCE, trial->world->dev, "alice");
    const char *name = instance == NULL ? NULL : instance->instance->volume;
    size_t made_before = 0;
    for (size_t i = 0; name != NULL && i < trial->around->ledger.count; i++) {
        const struct ledger_volume *volume = trial->around->ledger.volumes[i];
        made_before += volume->world == trial->world;
        if (text_equal(volume->volume, name)) {
            break;
        }
    }
    return made_before > trial->created_before ? "the claim's volume was made for it" : NULL;
}

static void settle(struct trial *trial, const char *ending, struct now now)
{
    struct cell *cell = trial->cell;
    const char *wrong = wrong_count(trial);
    if (wrong != NULL) {
        trial_fail(trial, now, wrong);
        return;
    }
    struct arena *arena = &trial->cells->arena;
    cell->ending = cell->ending == NULL ? arena_copy(arena, ending)
                                        : arena_print(arena, "%s->%s", cell->ending, ending);
    world_note(trial->world, now, "settled: %s", ending);
    if (trial->ending == ENDING_KEPT && cell->person->remedy != NULL) {
        trial->step = 0;
        trial->expected.endings = ENDING_READY;
        trial_enter(trial, STAGE_REMEDY, now);
        return;
    }
    cell->result = RESULT_PASSED;
    if (cell->mode == MODE_PLAIN) {
        cell->writes =
            cells_list_writes(trial->cells, trial_life(trial)->interceptor, &cell->write_count);
    }
    trial_enter(trial, STAGE_CLEAR, now);
}

void trial_step_settle(struct trial *trial, struct now now, struct text *missing)
{
    if (trial_has_settled(trial, &trial->expected, now, TRIAL_QUIET_MS, missing)) {
        settle(trial, missing->bytes, now);
    }
}

void trial_step_clear(struct trial *trial, struct now now, struct text *missing)
{
    if (trial_asks_again(trial, now)) {
        scenario_send_end(trial->around, trial->world);
        if (trial->cell->scenario->retains) {
            scenario_send_end_of_left(trial->around, trial->world);
        }
    }
    if (!ending_nothing_left(trial->around, trial->world, missing)) {
        return;
    }
    for (int slot = 0; slot < WORLD_OPERATORS_MAX; slot++) {
        if (incarnation_lives(&trial->world->lives[slot])) {
            operator_stop(trial->world->lives[slot].op);
        }
    }
    trial_enter(trial, STAGE_STOP, now);
}

void trial_step_stop(struct trial *trial, struct now now, struct text *missing)
{
    bool all_stopped = true;
    text_append(missing, "the operator does not stop");
    for (int slot = 0; slot < WORLD_OPERATORS_MAX; slot++) {
        struct incarnation *life = &trial->world->lives[slot];
        if (!incarnation_lives(life)) {
            continue;
        }
        if (operator_stopped(life->op, now)) {
            world_end_operator(trial->world, slot);
        } else {
            all_stopped = false;
        }
    }
    if (all_stopped) {
        ledger_close(&trial->around->ledger, trial->world);
        trial_enter(trial, STAGE_DONE, now);
    }
}

void trial_step_wipe(struct trial *trial, struct now now, struct text *missing)
{
    (void)missing;
    if (trial_asks_again(trial, now)) {
        wipe_send(trial->around, trial->world);
    }
    bool over = now.mono_ms - trial->stage_since_ms >= WIPE_HANGS_MS;
    if (wipe_is_done(trial->around, trial->world) || over) {
        ledger_close(&trial->around->ledger, trial->world);
        trial_enter(trial, STAGE_DONE, now);
    }
}
