/* SPDX-License-Identifier: Apache-2.0 */
/* The rows, and what they do that nothing else does. */
#include "simulation/scenario.h"

#include "base/text.h"
#include "simulation/acts.h"
#include "simulation/day.h"
#include "simulation/deed.h"
#include "simulation/morning.h"
#include "simulation/people.h"
#include "simulation/punctual.h"
#include "simulation/scene.h"
#include "simulation/sharing.h"
#include "simulation/turnover.h"
#include "simulation/weeks.h"
#include "support/weeks.h"

#include <stdio.h>
#include <stdlib.h>

enum { SECOND_MS = 1000, SIZE_BYTES = 24 };

static int64_t within_ms(const struct trial *trial)
{
    return trial->options->scenario->within_s * SECOND_MS;
}

/* ---- what people do at their time ---- */

static void delete_claimed(struct trial *trial, const char *name)
{
    if (!trial->is_over) {
        people_delete_instance(trial, name);
    }
}

static void scale(struct trial *trial, const char *size)
{
    int64_t number = 0;
    struct error error;
    if (!trial->is_over && text_parse_int64(size, &number, &error)) {
        people_scale_pool(trial, number);
    }
}

static void delete_pool(struct trial *trial, const char *name)
{
    people_delete(trial, people_kind(trial, "pools"), SCENE_POOLS, name);
}

static void delete_namespace(struct trial *trial, const char *name)
{
    people_delete(trial, &resource_namespaces, NULL, name);
}

/* ---- the rows' own ---- */

static void delete_some(struct trial *trial)
{
    for (int64_t i = 1; i <= trial->wish.claim_count; i++) {
        char name[ACTS_NAME_BYTES];
        acts_instance_name(i, name);
        trial_at(trial, trial_draw(trial, 0, within_ms(trial)), delete_claimed, name);
    }
}

static void scale_about(struct trial *trial)
{
    for (int i = 0; i < 5; i++) {
        char size[SIZE_BYTES];
        (void)snprintf(size, sizeof(size), "%d", (int)trial_draw(trial, 0, 5));
        trial_at(trial, trial_draw(trial, 0, within_ms(trial)), scale, size);
    }
}

/* Clones are taken, retired and disposed of at once. */
static void scale_and_delete(struct trial *trial)
{
    scale_about(trial);
    delete_some(trial);
}

static void delete_the_pool(struct trial *trial)
{
    trial_at(trial, trial_draw(trial, 0, within_ms(trial)), delete_pool, SCENE_POOL);
}

static void delete_the_namespace(struct trial *trial)
{
    trial_at(trial, trial_draw(trial, 0, within_ms(trial)), delete_namespace, SCENE_DEV);
}

static void interfere(struct trial *trial)
{
    deed_draw(trial, trial_draw(trial, 1, 4), within_ms(trial));
}

static void do_anything(struct trial *trial)
{
    if (trial_draw(trial, 0, 2) == 0) {
        delete_some(trial);
    }
    if (trial_draw(trial, 0, 2) == 0) {
        scale_about(trial);
    }
    if (trial_draw(trial, 0, 1) == 0) {
        interfere(trial);
    }
    if (trial_draw(trial, 0, 9) == 0) {
        delete_the_pool(trial);
    }
    if (trial_draw(trial, 0, 9) == 0) {
        delete_the_namespace(trial);
    }
}

const struct scenario scenarios[] = {
    {.name = "mixed",
     .size_least = 0,
     .size_most = 6,
     .claims_least = 1,
     .claims_most = 8,
     .within_s = 180,
     .is_drawn = true,
     .interferes = true,
     .act = do_anything},
    {.name = "fill", .size_least = 3, .size_most = 5, .within_s = 5},
    {.name = "claim-swap",
     .order = "Swap",
     .size_least = 1,
     .size_most = 1,
     .claims_least = 1,
     .claims_most = 1,
     .within_s = 1,
     .begins_with_pool = true},
    {.name = "claim-release",
     .order = "Release",
     .size_least = 1,
     .size_most = 1,
     .claims_least = 1,
     .claims_most = 1,
     .within_s = 1,
     .begins_with_pool = true},
    {.name = "burst",
     .size_least = 10,
     .size_most = 10,
     .claims_least = 13,
     .claims_most = 13,
     .within_s = 1,
     .begins_with_pool = true},
    {.name = "empty", .claims_least = 2, .claims_most = 6, .within_s = 30},
    {.name = "deletion",
     .size_least = 1,
     .size_most = 3,
     .claims_least = 1,
     .claims_most = 3,
     .within_s = 60,
     .begins_with_pool = true,
     .act = delete_some},
    {.name = "scale",
     .size_least = 2,
     .size_most = 4,
     .claims_least = 2,
     .claims_most = 5,
     .within_s = 60,
     .begins_with_pool = true,
     .act = scale_about},
    {.name = "pool-deletion",
     .size_least = 2,
     .size_most = 3,
     .claims_least = 1,
     .claims_most = 3,
     .within_s = 10,
     .begins_with_pool = true,
     .act = delete_the_pool},
    {.name = "golden-missing",
     .size_least = 1,
     .size_most = 2,
     .claims_least = 1,
     .claims_most = 3,
     .within_s = 60,
     .begins_without_golden = true,
     .act = turnover_first_golden},
    {.name = "rotate",
     .size_least = 1,
     .size_most = 4,
     .claims_least = 1,
     .claims_most = 6,
     .within_s = 120,
     .begins_with_pool = true,
     .rotates = true,
     .act = turnover_goldens},
    {.name = "namespace-deletion",
     .size_least = 2,
     .size_most = 3,
     .claims_least = 1,
     .claims_most = 3,
     .within_s = 20,
     .begins_with_pool = true,
     .interferes = true,
     .act = delete_the_namespace},
    {.name = "people",
     .size_least = 1,
     .size_most = 3,
     .claims_least = 1,
     .claims_most = 3,
     .within_s = 40,
     .begins_with_pool = true,
     .interferes = true,
     .act = interfere},
    {.name = "two-operators",
     .size_least = 2,
     .size_most = 5,
     .claims_least = 4,
     .claims_most = 8,
     .within_s = 120,
     .begins_with_pool = true,
     .has_two_operators = true},
    {.name = "two-leases",
     .size_least = 2,
     .size_most = 5,
     .claims_least = 4,
     .claims_most = 8,
     .within_s = 60,
     .begins_with_pool = true,
     .has_two_operators = true,
     .has_two_leases = true,
     .interferes = true,
     .act = scale_and_delete},
    {.name = "retain",
     .size_least = 1,
     .size_most = 2,
     .claims_least = 1,
     .claims_most = 2,
     .within_s = 40,
     .begins_with_pool = true,
     .retains = true,
     .act = delete_some},
    {.name = "sanitize",
     .size_least = 1,
     .size_most = 3,
     .claims_least = 1,
     .claims_most = 4,
     .within_s = 30,
     .begins_with_pool = true,
     .sanitizes = true,
     .act = delete_some},
    {.name = "adopt-again",
     .size_least = 1,
     .size_most = 2,
     .claims_least = 1,
     .claims_most = 2,
     .within_s = 120,
     .begins_with_pool = true,
     .interferes = true,
     .act = acts_delete_what_runs},
    {.name = "lanes",
     .size_least = 1,
     .size_most = 3,
     .claims_least = 2,
     .claims_most = 5,
     .within_s = 40,
     .begins_with_pool = true,
     .act = sharing_lane},
    {.name = "fair",
     .size_least = 0,
     .size_most = 1,
     .claims_least = 3,
     .claims_most = 6,
     .within_s = 20,
     .begins_with_pool = true,
     .act = sharing_pool},
    {.name = "caps",
     .size_least = 1,
     .size_most = 3,
     .claims_least = 3,
     .claims_most = 5,
     .within_s = 60,
     .begins_with_pool = true,
     .act = sharing_caps},
    {.name = "morning",
     .order = "Swap",
     .size_least = 10,
     .size_most = 10,
     .within_s = 1020,
     .begins_with_pool = true,
     .is_calm = true,
     .is_real = true,
     .act = morning_act,
     .measure = morning_measure},
    {.name = "eta",
     .order = "Swap",
     .size_least = 10,
     .size_most = 10,
     .claims_least = 24,
     .claims_most = 24,
     .within_s = 600,
     .begins_with_pool = true,
     .is_calm = true,
     .is_real = true,
     .is_uneven = true,
     .act = morning_fail_some,
     .measure = morning_measure_etas},
    {.name = "punctual",
     .order = "Swap",
     .size_least = 1,
     .size_most = 3,
     .within_s = 3900,
     .early_s = 3600,
     .begins_with_pool = true,
     .is_calm = true,
     .is_real = true,
     .act = punctual_act,
     .measure = punctual_measure},
    {.name = "reset",
     .size_least = 1,
     .size_most = 1,
     .claims_least = 1,
     .claims_most = 1,
     .within_s = 20,
     .begins_with_pool = true,
     .act = acts_reset},
    {.name = "cancel",
     .order = "Swap",
     .size_least = 1,
     .size_most = 1,
     .claims_least = 1,
     .claims_most = 1,
     .within_s = 1,
     .begins_with_pool = true,
     .act = acts_cancel},
    {.name = "cancel-claimed",
     .order = "Swap",
     .size_least = 1,
     .size_most = 1,
     .claims_least = 1,
     .claims_most = 1,
     .within_s = 1,
     .begins_with_pool = true,
     .act = acts_cancel_claimed},
    {.name = "hibernation",
     .size_least = 1,
     .size_most = 2,
     .claims_least = 1,
     .claims_most = 2,
     .within_s = 60,
     .begins_with_pool = true,
     .act = acts_sleep},
    {.name = "lifetime",
     .size_least = 1,
     .size_most = 2,
     .claims_least = 1,
     .claims_most = 2,
     .within_s = 1200,
     .begins_with_pool = true,
     .act = acts_end},
    {.name = "day",
     .order = "Swap",
     .size_least = 3,
     .size_most = 5,
     .within_s = 36000,
     .early_s = 7200,
     .begins_with_pool = true,
     .is_calm = true,
     .is_real = true,
     .is_uneven = true,
     .is_long = true,
     .set = day_set,
     .act = day_act,
     .measure = day_measure},
    {.name = "weeks",
     .order = "Swap",
     .size_least = 10,
     .size_most = 10,
     .within_s = 4 * 7 * 24 * 3600,
     .begins_ms = WEEKS_START_MS + 4 * WEEKS_WEEK_MS,
     .begins_with_pool = true,
     .is_calm = true,
     .is_real = true,
     .is_long = true,
     .is_undisturbed = true,
     .act = weeks_act,
     .measure = weeks_measure},
    {.name = NULL},
};

const struct scenario *scenario_find(const char *name)
{
    for (const struct scenario *scenario = scenarios; scenario->name != NULL; scenario++) {
        if (text_equal(scenario->name, name)) {
            return scenario;
        }
    }
    return NULL;
}
