/* SPDX-License-Identifier: Apache-2.0 */
/* Two operators at once, each with a picture of its own, would write over each other's status as
   fast as the API server answers: each write wakes the other one. Whoever finds that somebody else
   has written to the object since its own last write of it waits, longer each time, before it says
   otherwise. A person's edit is such a write, too, so the first few cost nothing. Only what a
   status tells is held back; what it decides is not, because preconditions keep that apart. */
#include "operator/damper.h"

#include "base/memory.h"
#include "base/text.h"
#include "operator/state.h"

enum { FREE_CONTESTS = 3 };

#define BACKOFF_MS_MIN INT64_C(100)
#define BACKOFF_MS_MAX INT64_C(30000)

void damper_note_write(struct memo *memo, const struct object *object)
{
    memory_free(memo->own_version);
    memo->own_version = memory_copy_text(object->meta.resource_version);
    memo->own_generation = object->meta.generation;
}

static bool is_contested(const struct memo *memo, const struct object *object)
{
    return memo->own_version != NULL && memo->own_generation == object->meta.generation &&
           !text_equal(memo->own_version, object->meta.resource_version);
}

static bool tells(const struct plan *plan)
{
    for (size_t i = 0; i < plan->action_count; i++) {
        if (plan->actions[i].purpose == PURPOSE_STATUS) {
            return true;
        }
    }
    return false;
}

static void drop_status(struct plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->action_count; i++) {
        if (plan->actions[i].purpose != PURPOSE_STATUS) {
            plan->actions[kept++] = plan->actions[i];
        }
    }
    plan->action_count = kept;
}

static void begin_wait(struct memo *memo, struct now now, struct random *random)
{
    int64_t delay_ms = BACKOFF_MS_MIN;
    memo->contests++;
    if (memo->contests <= FREE_CONTESTS) {
        return;
    }
    for (int i = FREE_CONTESTS + 1; i < memo->contests && delay_ms < BACKOFF_MS_MAX; i++) {
        delay_ms *= 2;
    }
    delay_ms = delay_ms < BACKOFF_MS_MAX ? delay_ms : BACKOFF_MS_MAX;
    memo->status_after_ms = now.mono_ms + random_jitter(random, delay_ms, 50);
}

bool damper_apply(struct memo *memo, const struct object *object, struct plan *plan,
                  struct random *random)
{
    if (memo == NULL || object == NULL || !tells(plan)) {
        return false;
    }
    if (memo->status_after_ms == 0 && is_contested(memo, object)) {
        begin_wait(memo, plan->now, random);
    } else if (memo->status_after_ms == 0) {
        memo->contests = 0;
    }
    if (memo->status_after_ms <= plan->now.mono_ms) {
        memo->status_after_ms = 0;
        return false;
    }
    drop_status(plan);
    plan_look_again(plan, memo->status_after_ms - plan->now.mono_ms);
    return true;
}
