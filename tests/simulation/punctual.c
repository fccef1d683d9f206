/* SPDX-License-Identifier: Apache-2.0 */
/* Some developers come in the quarter of an hour before nine, when the lane is at work already:
   what they take has to be made, too. */
#include "simulation/punctual.h"

#include "sim/value.h"
#include "simulation/people.h"
#include "simulation/scenario.h"
#include "simulation/scene.h"

#include <inttypes.h>
#include <stdio.h>

#define SECOND_MS INT64_C(1000)
#define MINUTE_MS (60 * SECOND_MS)
/* A look each second, and creation times have no more. */
#define GAP_MS (62 * SECOND_MS)

enum { POOLS = 2, EARLY_BIRDS = 2, NAME_BYTES = 24 };

struct punctual_pool {
    const char *name;
    int64_t size;      /* of its schedule */
    int64_t before_ms; /* wall: the first clone beyond spec.size was asked for; 0: not yet */
    int64_t full_ms;   /* wall; 0: not yet */
};

struct punctual {
    struct trial *trial;
    struct punctual_pool pools[POOLS];
    int64_t nine_ms; /* wall */
};

static void look(void *self)
{
    struct punctual *punctual = self;
    struct trial *trial = punctual->trial;
    int64_t now_ms = world_now(trial->world).wall_ms;
    for (size_t i = 0; i < POOLS; i++) {
        struct punctual_pool *pool = &punctual->pools[i];
        const struct record *record =
            people_see(trial, people_kind(trial, "pools"), SCENE_POOLS, pool->name);
        const cJSON *value = record == NULL ? NULL : record->value;
        int64_t size = value_int64(value, 0, "spec", "size", NULL);
        int64_t warm = value_int64(value, 0, "status", "warm", NULL);
        int64_t wants = value_int64(value, 0, "status", "sizing", "size", NULL);
        pool->before_ms = pool->before_ms == 0 && wants > size ? now_ms : pool->before_ms;
        pool->full_ms = pool->full_ms == 0 && warm >= pool->size ? now_ms : pool->full_ms;
    }
    if (!trial->is_over) {
        (void)world_after(trial->world, SECOND_MS, look, punctual);
    }
}

static void come(struct trial *trial, const char *name)
{
    people_make_instance(trial, SCENE_DEV, SCENE_POOL, name);
}

static void set_schedule(struct trial *trial, const struct punctual_pool *pool,
                         const char *schedule, const char *time_zone)
{
    people_patch(trial, people_kind(trial, "pools"), SCENE_POOLS, pool->name, NULL,
                 "{'spec':{'schedules':[{'name':'nine','schedule':'%s','timeZone':'%s',"
                 "'duration':'12h','size':%" PRId64 "}]}}",
                 schedule, time_zone, pool->size);
}

void punctual_act(struct trial *trial)
{
    struct punctual *punctual = arena_new(&trial->arena, 1, sizeof *punctual);
    int64_t early_ms = trial->options->scenario->early_s * SECOND_MS;
    int64_t until_nine_ms = early_ms - trial_now_ms(trial);
    *punctual = (struct punctual){
        .trial = trial,
        .pools = {{.name = SCENE_POOL, .size = trial_draw(trial, 8, 12)},
                  {.name = SCENE_STOCK, .size = trial_draw(trial, 5, 8)}},
        .nine_ms = world_now(trial->world).wall_ms + until_nine_ms,
    };
    trial->punctual = punctual;
    people_make_pool(trial, SCENE_STOCK, 1);
    /* Both are 09:00Z on that day. */
    set_schedule(trial, &punctual->pools[0], "0 10 * * *", "Europe/Berlin");
    set_schedule(trial, &punctual->pools[1], "0 4 * * SUN", "America/New_York");
    for (int i = 0; i < EARLY_BIRDS; i++) {
        char name[NAME_BYTES];
        (void)snprintf(name, sizeof(name), "e%d", i);
        trial_at(trial, until_nine_ms - trial_draw(trial, MINUTE_MS, 15 * MINUTE_MS), come, name);
    }
    look(punctual);
}

static void print(const struct punctual *punctual, const struct punctual_pool *pool)
{
    int64_t after_s = (pool->full_ms - punctual->nine_ms) / SECOND_MS;
    text_print(&punctual->trial->outcome->figures,
               "Pool %s: %" PRId64 " clones at nine; begun %" PRId64 " s before, full %" PRId64
               " s %s nine\n",
               pool->name, pool->size, (punctual->nine_ms - pool->before_ms) / SECOND_MS,
               after_s < 0 ? -after_s : after_s, after_s < 0 ? "before" : "after");
}

void punctual_measure(struct trial *trial)
{
    const struct punctual *punctual = trial->punctual;
    for (size_t i = 0; i < POOLS; i++) {
        const struct punctual_pool *pool = &punctual->pools[i];
        if (trial->options->wants_figures) {
            print(punctual, pool);
        }
        if (pool->full_ms == 0 || pool->full_ms > punctual->nine_ms + GAP_MS) {
            judge_break(trial->judge, "punctual: Pool %s was full %" PRId64 " s after nine",
                        pool->name, (pool->full_ms - punctual->nine_ms) / SECOND_MS);
        }
        if (punctual->nine_ms - pool->before_ms > 60 * MINUTE_MS) {
            judge_break(trial->judge, "punctual: Pool %s is filled too early", pool->name);
        }
    }
}
