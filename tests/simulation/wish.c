/* SPDX-License-Identifier: Apache-2.0 */
/* What a scenario leaves open is drawn before anything is there, so that it is the same whatever
   happens in the run. */
#include "simulation/scenario.h"

static void wish_rotation(struct trial *trial)
{
    static const char *const strategies[] = {"Rolling", "Rolling", "OnClaim", "Recreate"};
    struct wish *wish = &trial->wish;
    wish->rotation = strategies[trial_draw(trial, 0, 3)];
    wish->surge = trial_draw(trial, 0, 2);
    wish->warm = trial_draw(trial, 0, wish->size + 1);
    wish->follows_latest = trial_draw(trial, 0, 1) == 0;
}

void scenario_wish(struct trial *trial)
{
    const struct scenario *scenario = trial->options->scenario;
    const char *drawn = trial_draw(trial, 0, 2) == 0 ? "Release" : "Swap";
    bool has_two =
        scenario->has_two_operators || (scenario->is_drawn && trial_draw(trial, 0, 2) == 0);
    trial->wish = (struct wish){
        .order = scenario->order != NULL ? scenario->order : drawn,
        .size = trial_draw(trial, scenario->size_least, scenario->size_most),
        .claim_count = trial_draw(trial, scenario->claims_least, scenario->claims_most),
        .retains = scenario->retains || (scenario->is_drawn && trial_draw(trial, 0, 3) == 0),
        .sanitizes = scenario->sanitizes || (scenario->is_drawn && trial_draw(trial, 0, 3) == 0),
        .operator_count = has_two ? 2 : 1,
        .has_a_lease_each =
            scenario->has_two_leases || (scenario->is_drawn && trial_draw(trial, 0, 2) == 0),
    };
    if (scenario->rotates) {
        wish_rotation(trial);
    }
}
