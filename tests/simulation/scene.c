/* SPDX-License-Identifier: Apache-2.0 */
/* The fewest objects an operator needs, so that a run is short. */
#include "simulation/scene.h"

#include "simulation/crds.h"
#include "simulation/morning.h"
#include "simulation/people.h"
#include "simulation/scenario.h"

/* 2026-03-01T09:00:00Z */
#define SCENE_WALL_MS INT64_C(1772355600000)

/* Most runs have an FSx thirty times as quick as it is: the same races in a tenth of the virtual
   time. One in eight has the real one. */
static void quicken(struct pace *pace)
{
    pace->fsx_service = (struct span){1000, 4000};
    pace->fsx_latency_beyond = (struct span){500, 4000};
    pace->fsx_poll_ms = 1000;
    pace->provisioner_timeout_ms = 30000;
}

struct simulation_options scene_options(const struct trial_options *options)
{
    struct simulation_options chosen = {.seed = options->seed, .wall_ms = SCENE_WALL_MS};
    if (options->scenario->begins_ms != 0) {
        chosen.wall_ms = options->scenario->begins_ms;
    }
    chosen.wall_ms -= options->scenario->early_s * 1000;
    simulation_pace(&chosen.pace);
    if (options->scenario->is_uneven) {
        chosen.pace.fsx_service = (struct span){60000, 60000};
        chosen.pace.fsx_sigma_in_1000 = 300;
    }
    if (!options->scenario->is_real && (options->seed % 8 != 7 || options->crash_count > 0)) {
        quicken(&chosen.pace);
    }
    return chosen;
}

void scene_make_golden(struct trial *trial, const char *name)
{
    scene_make_golden_on(trial, name, 0);
}

void scene_make_golden_on(struct trial *trial, const char *name, size_t file_system)
{
    const struct golden_options golden = {.namespace = SCENE_POOLS,
                                          .snapshot = name,
                                          .clone_class =
                                              file_system == 0 ? SCENE_CLASS : SCENE_OTHER_CLASS,
                                          .system_id = SCENE_SYSTEM_ID,
                                          .database = "app",
                                          .owner = "app",
                                          .file_system = file_system};
    simulation_make_golden(trial->simulation, &golden);
    judge_note_given(trial->judge);
    trial->golden_is_there = true;
    trial->golden = arena_copy(&trial->arena, name);
}

bool scene_set(struct trial *trial, struct error *error)
{
    static const char *const namespaces[] = {SCENE_SYSTEM, SCENE_POOLS, SCENE_DEV};
    if (!crds_post(trial->options->crds, trial->server, error)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(namespaces) / sizeof(*namespaces); i++) {
        people_make_namespace(trial, namespaces[i]);
    }
    if (!trial->options->scenario->begins_without_golden) {
        scene_make_golden(trial, SCENE_GOLDEN);
    }
    if (trial->options->scenario->set != NULL) {
        trial->options->scenario->set(trial);
    }
    judge_begin(trial->judge);
    if (trial->options->scenario->is_uneven) {
        morning_fail_some(trial);
    }
    return true;
}
