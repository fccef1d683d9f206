/* SPDX-License-Identifier: Apache-2.0 */
/* The act, and what happens at the write the cell is about. */
#include "crash_matrix/outage.h"
#include "crash_matrix/trial_stages.h"

/* Others see what the person did, or have even done a claim, before the write goes on. */
enum { SEEN_MS = 150, CLAIMED_MS = 1500 };

static enum interception interception_of(const struct cell *cell)
{
    switch (cell->mode) {
    case MODE_PLAIN:
    case MODE_COUNT:
        return INTERCEPT_NONE;
    case MODE_BEFORE:
        return INTERCEPT_KILL_BEFORE;
    case MODE_APPLIED:
        return INTERCEPT_KILL_APPLIED;
    case MODE_REPLIED:
        return INTERCEPT_KILL_REPLIED;
    case MODE_PERSON:
        return INTERCEPT_HOLD_BEFORE;
    case MODE_PAUSE:
    case MODE_RESTART:
        return cell->number % 2 == 1 ? INTERCEPT_HOLD_BEFORE : INTERCEPT_HOLD_REPLY;
    }
    return INTERCEPT_NONE;
}

void trial_step_act(struct trial *trial, struct now now, struct text *missing)
{
    const struct cell *cell = trial->cell;
    (void)missing;
    interceptor_arm(trial_life(trial)->interceptor, interception_of(cell), cell->write.name,
                    cell->write.occurrence);
    trial->created_before = ledger_created(&trial->around->ledger, trial->world);
    world_note(trial->world, now, "the act");
    cell->scenario->act(trial->around, trial->world, cell->scenario);
    trial_enter(trial, cell->mode == MODE_PLAIN ? STAGE_SETTLE : STAGE_WRITE, now);
}

static void crash(struct trial *trial, struct now now)
{
    world_note(trial->world, now, "CRASH at %s", trial->cell->write.name);
    world_end_operator(trial->world, 0);
    world_start_operator(trial->world, 0, true, NULL, trial->around->transport);
    trial_enter(trial, STAGE_SETTLE, now);
}

void trial_step_write(struct trial *trial, struct now now, struct text *missing)
{
    if (!interceptor_caught(trial_life(trial)->interceptor)) {
        if (trial_has_settled(trial, &trial->cell->scenario->expected, now, TRIAL_QUIET_MS,
                              missing)) {
            trial->cell->result = RESULT_MISSED;
            interceptor_arm(trial_life(trial)->interceptor, INTERCEPT_NONE, NULL, 0);
            trial_enter(trial, STAGE_CLEAR, now);
        }
        return;
    }
    if (trial->cell->mode == MODE_PERSON) {
        trial_enter(trial, STAGE_PERSON, now);
    } else if (trial->cell->mode == MODE_PAUSE || trial->cell->mode == MODE_RESTART) {
        world_note(trial->world, now, "HELD: %s", trial->cell->write.name);
        trial_enter(trial, STAGE_OUTAGE, now);
    } else {
        crash(trial, now);
    }
}

/* What is gone meanwhile may be missing; anything else that is refused is a mistake here. */
static void on_acted(void *self, const struct reply *reply)
{
    struct trial *trial = self;
    enum error_class class = reply->error.class;
    trial->busy = false;
    trial->step++;
    trial->refused = class != ERROR_NONE && class != ERROR_NOT_FOUND;
}

/* false: it is done, or was nothing; trial->step says which. */
static bool act_as_person(struct trial *trial, struct now now,
                          bool (*request_of)(struct surroundings *around, const struct world *world,
                                             int step, struct arena *arena,
                                             struct api_request *out))
{
    cleanup_arena struct arena arena;
    struct api_request request;
    arena_init(&arena, 0);
    if (trial->busy) {
        trial->acted_at_ms = now.mono_ms;
        return true;
    }
    if (request_of(trial->around, trial->world, trial->step, &arena, &request)) {
        world_note(trial->world, now, "PERSON %s, step %d", trial->cell->person->name, trial->step);
        trial->busy = true;
        trial->acted_at_ms = now.mono_ms;
        api_send(trial->around->api, &request, on_acted, trial);
        return true;
    }
    int64_t pause_ms = trial->cell->person->claims ? CLAIMED_MS : SEEN_MS;
    return trial->step > 0 && now.mono_ms - trial->acted_at_ms < pause_ms;
}

void trial_step_person(struct trial *trial, struct now now, struct text *missing)
{
    text_append(missing, "the person is not answered");
    if (act_as_person(trial, now, trial->cell->person->request)) {
        return;
    }
    if (trial->refused) {
        trial_fail(trial, now, "the person was refused");
        return;
    }
    if (trial->step == 0) {
        trial->cell->result = RESULT_NOTHING;
    }
    world_note(trial->world, now, "goes on: %s", trial->cell->write.name);
    interceptor_let_go(trial_life(trial)->interceptor);
    trial_enter(trial, trial->step == 0 ? STAGE_CLEAR : STAGE_SETTLE, now);
}

void trial_step_remedy(struct trial *trial, struct now now, struct text *missing)
{
    text_append(missing, "the remedy is not answered");
    if (!act_as_person(trial, now, trial->cell->person->remedy)) {
        trial_enter(trial, STAGE_SETTLE, now);
    }
}

void trial_step_outage(struct trial *trial, struct now now, struct text *missing)
{
    text_append(missing, "no outage came");
    if (outage_failed(trial->around->outage)) {
        trial_fail(trial, now, "the API server could not be taken away or brought back");
    } else if (outage_is_on(trial->around->outage)) {
        world_note(trial->world, now, "OUTAGE: the write goes on");
        interceptor_let_go(trial_life(trial)->interceptor);
        trial_enter(trial, STAGE_SETTLE, now);
    }
}
