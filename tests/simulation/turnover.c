/* SPDX-License-Identifier: Apache-2.0 */
/* A new golden comes while people claim clones of the one before. */
#include "simulation/turnover.h"

#include "simulation/acts.h"
#include "simulation/people.h"
#include "simulation/scenario.h"
#include "simulation/scene.h"

#include <stdio.h>

enum { SECOND_MS = 1000, NAME_BYTES = 64 };

static void make_golden(struct trial *trial, const char *argument)
{
    (void)argument;
    if (!trial->golden_is_there) {
        scene_make_golden(trial, SCENE_GOLDEN);
    }
}

void turnover_first_golden(struct trial *trial)
{
    trial_at(trial, trial_draw(trial, 0, trial->options->scenario->within_s * SECOND_MS),
             make_golden, NULL);
}

static void replace_golden(struct trial *trial, const char *name)
{
    if (trial->is_over) {
        return;
    }
    scene_make_golden(trial, name);
    if (!trial->wish.follows_latest) {
        people_patch(trial, people_kind(trial, "pools"), SCENE_POOLS, SCENE_POOL, NULL,
                     "{'spec':{'golden':{'snapshot':'%s'}}}", name);
    }
}

void turnover_goldens(struct trial *trial)
{
    int64_t span_ms = trial->options->scenario->within_s * SECOND_MS;
    int64_t count = trial_draw(trial, 1, 2);
    for (int64_t i = 1; i <= count; i++) {
        char name[NAME_BYTES];
        (void)snprintf(name, sizeof(name), SCENE_GOLDEN "-%d", (int)i);
        trial_at(trial, trial_draw(trial, (i - 1) * span_ms / count, i * span_ms / count),
                 replace_golden, name);
    }
}
