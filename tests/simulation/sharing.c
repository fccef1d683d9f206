/* SPDX-License-Identifier: Apache-2.0 */
/* Names differ from those of a scenario's own Instances: i1, i2... */
#include "simulation/sharing.h"

#include "simulation/people.h"
#include "simulation/scenario.h"
#include "simulation/scene.h"

static int64_t within_ms(const struct trial *trial)
{
    return trial->options->scenario->within_s * 1000;
}

static void claim_of_stock(struct trial *trial, const char *name)
{
    if (!trial->is_over) {
        people_make_instance(trial, SCENE_DEV, SCENE_STOCK, name);
    }
}

static void claim_in_tests(struct trial *trial, const char *name)
{
    if (!trial->is_over) {
        people_make_instance(trial, SCENE_TESTS, SCENE_POOL, name);
    }
}

void sharing_lane(struct trial *trial)
{
    static const char *const names[] = {"s1", "s2", "s3"};
    people_make_pool(trial, SCENE_STOCK, trial_draw(trial, 0, 3));
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        trial_at(trial, trial_draw(trial, 0, within_ms(trial)), claim_of_stock, names[i]);
    }
}

void sharing_pool(struct trial *trial)
{
    static const char *const names[] = {"t1", "t2", "t3"};
    people_make_namespace(trial, SCENE_TESTS);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        trial_at(trial, trial_draw(trial, within_ms(trial) / 2, within_ms(trial)), claim_in_tests,
                 names[i]);
    }
}

static void set_caps(struct trial *trial, const char *caps)
{
    if (!trial->is_over) {
        people_patch(trial, people_kind(trial, "pools"), SCENE_POOLS, SCENE_POOL, NULL, "%s", caps);
    }
}

void sharing_caps(struct trial *trial)
{
    set_caps(trial, trial_draw(trial, 0, 1) == 0 ? "{'spec':{'maxVolumes':4}}"
                                                 : "{'spec':{'maxRunning':2}}");
    trial_at(trial, within_ms(trial), set_caps, "{'spec':{'maxVolumes':90,'maxRunning':null}}");
}
