/* SPDX-License-Identifier: Apache-2.0 */
/* Deeds at their times; what is drawn is drawn for each Instance alike, whether it is there by then
   or not. */
#include "simulation/acts.h"

#include "base/text.h"
#include "simulation/deed.h"
#include "simulation/people.h"
#include "simulation/scenario.h"
#include "simulation/sight.h"

#include <stdio.h>

enum { SECOND_MS = 1000 };

static int64_t span_ms(const struct trial *trial)
{
    return trial->options->scenario->within_s * SECOND_MS;
}

void acts_instance_name(int64_t number, char out[ACTS_NAME_BYTES])
{
    (void)snprintf(out, ACTS_NAME_BYTES, "i%d", (int)number);
}

void acts_reset(struct trial *trial)
{
    for (int64_t i = 1; i <= trial->wish.claim_count; i++) {
        char name[ACTS_NAME_BYTES];
        acts_instance_name(i, name);
        deed_at(trial, "resets", name, trial_draw(trial, span_ms(trial) / 4, span_ms(trial)));
    }
}

void acts_cancel(struct trial *trial)
{
    enum { CLAIM_MS = 100 };
    for (int64_t i = 1; i <= trial->wish.claim_count; i++) {
        char name[ACTS_NAME_BYTES];
        acts_instance_name(i, name);
        deed_at(trial, "deletes-instance", name, trial_draw(trial, 0, CLAIM_MS));
    }
}

/* Looks each millisecond, as nobody does: what is between two writes is as long. */
static void delete_when_claimed(struct trial *trial, const char *name)
{
    const struct record *volume = people_see_volume(trial, name);
    if (trial->is_over || trial_now_ms(trial) >= trial->acts_until_ms) {
        return;
    }
    if (volume != NULL && text_equal(volume_sight(volume->value).state, "claimed")) {
        deed_at(trial, "deletes-instance", name, 0);
    } else {
        trial_at(trial, 1, delete_when_claimed, name);
    }
}

void acts_cancel_claimed(struct trial *trial)
{
    for (int64_t i = 1; i <= trial->wish.claim_count; i++) {
        char name[ACTS_NAME_BYTES];
        acts_instance_name(i, name);
        trial_at(trial, 1, delete_when_claimed, name);
    }
}

void acts_sleep(struct trial *trial)
{
    for (int64_t i = 1; i <= trial->wish.claim_count; i++) {
        char name[ACTS_NAME_BYTES];
        acts_instance_name(i, name);
        int64_t at_ms = trial_draw(trial, 0, span_ms(trial));
        deed_at(trial, "hibernates", name, at_ms);
        if (trial_draw(trial, 0, 2) > 0) {
            deed_at(trial, "wakes", name, trial_draw(trial, at_ms, span_ms(trial)));
        }
    }
}

void acts_end(struct trial *trial)
{
    static const char *const names[] = {"shortens", "shortens", "extends", "protects",
                                        "protects-no-longer"};
    enum { NAME_COUNT = sizeof(names) / sizeof(*names) };
    for (int64_t i = 1; i <= 4 * trial->wish.claim_count; i++) {
        char name[ACTS_NAME_BYTES];
        acts_instance_name(1 + i % trial->wish.claim_count, name);
        deed_at(trial, names[trial_draw(trial, 0, NAME_COUNT - 1)], name,
                trial_draw(trial, 0, span_ms(trial)));
    }
}

void acts_delete_what_runs(struct trial *trial)
{
    static const char *const names[] = {"deletes-cluster", "deletes-claim", "deletes-both"};
    for (int64_t i = 1; i <= trial->wish.claim_count; i++) {
        char name[ACTS_NAME_BYTES];
        acts_instance_name(i, name);
        deed_at(trial, names[trial_draw(trial, 0, 2)], name,
                trial_draw(trial, span_ms(trial) / 2, span_ms(trial)));
    }
}
