/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Instances are i1, i2...: a deed can name one before it is made. */
#include "simulation/acts.h"
#include "simulation/people.h"
#include "simulation/scenario.h"
#include "simulation/scene.h"

enum { SECOND_MS = 1000 };

static void claim(struct trial *trial, const char *name)
{
    if (!trial->is_over) {
        people_make_instance(trial, SCENE_DEV, SCENE_POOL, name);
    }
}

void scenario_begin(struct trial *trial)
{
    const struct scenario *scenario = trial->options->scenario;
    int64_t most_ms = scenario->within_s * SECOND_MS;
    if (!scenario->begins_with_pool) {
        people_make_pool(trial, SCENE_POOL, trial->wish.size);
    }
    for (int64_t i = 1; i <= trial->wish.claim_count; i++) {
        char name[ACTS_NAME_BYTES];
        acts_instance_name(i, name);
        /* One alone comes at once: then what is between two runs is chance alone. */
        int64_t delay_ms = trial->wish.claim_count == 1 ? 0 : trial_draw(trial, 0, most_ms / 2);
        trial_at(trial, delay_ms, claim, name);
    }
    if (scenario->act != NULL) {
        scenario->act(trial);
    }
    /* Faults last longer: what people did is still under way. */
    trial->acts_until_ms = trial_now_ms(trial) + most_ms + trial_draw(trial, 5, 90) * SECOND_MS;
}
