/* SPDX-License-Identifier: Apache-2.0 */
/* Developers come at nine and after lunch, most of them, and stay for a while. An appointment's
   argument is the number of the visit. */
#include "simulation/day.h"

#include "base/text.h"
#include "simulation/day_state.h"
#include "simulation/life.h"
#include "simulation/others.h"
#include "simulation/people.h"
#include "simulation/remedy.h"
#include "simulation/scenario.h"
#include "simulation/scene.h"
#include "simulation/sight.h"

#include <inttypes.h>
#include <stdio.h>

#define SECOND_MS INT64_C(1000)
#define MINUTE_MS (60 * SECOND_MS)
#define HOUR_MS (60 * MINUTE_MS)
/* The clock of a run begins there, less early_s. */
#define NINE_MS INT64_C(1772355600000)

enum { NUMBER_BYTES = 24, CREATE_FAILS_IN_1000 = 50, NAMESPACES = 4 };

static const char *const namespaces[NAMESPACES] = {SCENE_DEV, SCENE_TESTS, "web", "reports"};

const struct day_pool day_pools[DAY_POOLS] = {
    {SCENE_POOL, SCENE_GOLDEN, "shop-noon", 0},
    {SCENE_STOCK, "stock-golden", "stock-noon", 0},
    {"books", "books-golden", "books-noon", 1},
    {"parts", "parts-golden", "parts-noon", 1},
};

const char *day_class(size_t lane)
{
    return lane == 0 ? SCENE_CLASS : SCENE_OTHER_CLASS;
}

void day_set(struct trial *trial)
{
    for (size_t i = 1; i < DAY_POOLS; i++) {
        scene_make_golden_on(trial, day_pools[i].golden, day_pools[i].lane);
    }
    trial->golden = SCENE_GOLDEN;
    for (size_t i = 0; i < NAMESPACES; i++) {
        people_make_namespace(trial, namespaces[i]);
    }
    trial->wish.rotation = trial_draw(trial, 0, 3) == 0 ? "Recreate" : "Rolling";
    trial->wish.surge = trial_draw(trial, 0, 2);
    trial->wish.warm = trial_draw(trial, 1, trial->wish.size);
}

/* ---- developers ---- */

/* NULL: they have gone home. */
static struct visit *visit_of(struct trial *trial, const char *number)
{
    int64_t index = 0;
    struct error error;
    return trial_now_ms(trial) < trial->acts_until_ms && text_parse_int64(number, &index, &error)
               ? &trial->day->visits[index]
               : NULL;
}

static const struct record *see(const struct trial *trial, const struct visit *visit)
{
    return people_see(trial, people_kind(trial, "instances"), visit->namespace, visit->name);
}

static void come(struct trial *trial, const char *number)
{
    struct visit *visit = visit_of(trial, number);
    if (visit != NULL) {
        visit->found_warm = day_finds_warm(trial->day, visit);
        visit->came_ms = world_now(trial->world).wall_ms;
        people_make_instance(trial, visit->namespace, day_pools[visit->pool].name, visit->name);
    }
}

static void patch_spec(struct trial *trial, const struct visit *visit, const char *spec)
{
    people_patch(trial, people_kind(trial, "instances"), visit->namespace, visit->name, NULL,
                 "{'spec':{%s}}", spec);
}

static bool is_ready(const struct trial *trial, const struct visit *visit)
{
    const struct record *record = see(trial, visit);
    return record != NULL && instance_sight(record->value).is_ready;
}

static void reset(struct trial *trial, const char *number)
{
    struct visit *visit = visit_of(trial, number);
    if (visit != NULL && is_ready(trial, visit)) {
        trial->day->reset_count++;
        patch_spec(trial, visit, "'reset':{'count':1}");
    }
}

static void hibernate(struct trial *trial, const char *number)
{
    struct visit *visit = visit_of(trial, number);
    if (visit != NULL && is_ready(trial, visit)) {
        patch_spec(trial, visit, "'hibernated':true");
    }
}

static void wake(struct trial *trial, const char *number)
{
    struct visit *visit = visit_of(trial, number);
    if (visit != NULL && see(trial, visit) != NULL) {
        patch_spec(trial, visit, "'hibernated':false");
    }
}

static void go(struct trial *trial, struct visit *visit)
{
    visit->is_gone = true;
    people_delete(trial, people_kind(trial, "instances"), visit->namespace, visit->name);
}

/* Who waits is patient. */
static void leave(struct trial *trial, const char *number)
{
    struct visit *visit = visit_of(trial, number);
    if (visit != NULL && is_ready(trial, visit)) {
        go(trial, visit);
    } else if (visit != NULL && !visit->is_gone) {
        trial_at(trial, 5 * MINUTE_MS, leave, number);
    }
}

static void give_up(struct trial *trial, const char *number)
{
    struct visit *visit = visit_of(trial, number);
    if (visit != NULL && !is_ready(trial, visit)) {
        visit->gave_up = true;
        go(trial, visit);
    }
}

static int64_t draw_arrival(struct trial *trial)
{
    int64_t kind = trial_draw(trial, 0, 99);
    if (kind < 35) {
        return trial_draw(trial, 0, 12 * MINUTE_MS);
    }
    return kind < 55 ? 4 * HOUR_MS + trial_draw(trial, 0, 5 * MINUTE_MS)
                     : trial_draw(trial, 0, 7 * HOUR_MS);
}

static void plan_visit(struct trial *trial, size_t index, int64_t nine_in_ms)
{
    struct visit *visit = &trial->day->visits[index];
    char number[NUMBER_BYTES];
    (void)snprintf(number, sizeof(number), "%zu", index);
    (void)snprintf(visit->name, sizeof(visit->name), "d%zu", index + 1);
    visit->namespace = namespaces[trial_draw(trial, 0, NAMESPACES - 1)];
    visit->pool = (size_t)trial_draw(trial, 0, DAY_POOLS - 1);
    int64_t at_ms = nine_in_ms + draw_arrival(trial);
    int64_t stays_ms = trial_draw(trial, 20 * MINUTE_MS, 3 * HOUR_MS);
    int64_t kind = trial_draw(trial, 0, 99);
    trial_at(trial, at_ms, come, number);
    if (kind < 15) {
        trial_at(trial, at_ms + stays_ms / 2, reset, number);
    } else if (kind < 25) {
        trial_at(trial, at_ms + stays_ms / 3, hibernate, number);
        trial_at(trial, at_ms + stays_ms / 2, wake, number);
    } else if (kind < 30) {
        trial_at(trial, at_ms + trial_draw(trial, SECOND_MS, 10 * MINUTE_MS), give_up, number);
    }
    if (kind < 90) { /* the others stay */
        trial_at(trial, at_ms + stays_ms, leave, number);
    }
}

/* ---- what else there is ---- */

static void kill_operator(struct trial *trial, const char *argument)
{
    (void)argument;
    if (!trial->is_over) {
        trial->day->death_count++;
        life_kill(trial->lives[0], trial_draw(trial, SECOND_MS, 20 * SECOND_MS));
    }
}

/* Who looks after the Pools follows the advice of their conditions. */
static void look_after(struct trial *trial, const char *argument)
{
    (void)argument;
    while (!trial->is_over && remedy_fill(trial)) {
    }
}

static void change_golden(struct trial *trial, const char *number)
{
    int64_t index = 0;
    struct error error;
    if (!trial->is_over && text_parse_int64(number, &index, &error)) {
        const struct day_pool *pool = &day_pools[index];
        scene_make_golden_on(trial, pool->next_golden, pool->lane);
        people_patch(trial, people_kind(trial, "pools"), SCENE_POOLS, pool->name, NULL,
                     "{'spec':{'golden':{'snapshot':'%s'}}}", pool->next_golden);
    }
}

/* All four, or one on each file system. */
static void plan_noon(struct trial *trial, int64_t noon_in_ms)
{
    struct day *day = trial->day;
    bool all = trial_draw(trial, 0, 1) == 0;
    for (size_t i = 0; i < DAY_POOLS; i++) {
        char number[NUMBER_BYTES];
        (void)snprintf(number, sizeof(number), "%zu", i);
        day->rotates[i] = all || i % 2 == 0;
        if (day->rotates[i]) {
            trial_at(trial, noon_in_ms, change_golden, number);
        }
    }
    day->noon_ms = world_now(trial->world).wall_ms + noon_in_ms;
}

void day_act(struct trial *trial)
{
    const struct misfortune misfortune = {.create_fails = CREATE_FAILS_IN_1000,
                                          .delete_of_vanished_fails = true};
    struct day *day = arena_new(&trial->arena, 1, sizeof(*day));
    int64_t span_ms = trial->options->scenario->within_s * SECOND_MS;
    int64_t nine_in_ms = NINE_MS - world_now(trial->world).wall_ms;
    day->trial = trial;
    trial->day = day;
    simulation_set_misfortune(trial->simulation, &misfortune);
    others_begin(trial, span_ms);
    day->sizes[0] = trial->wish.size;
    for (size_t i = 1; i < DAY_POOLS; i++) {
        day->sizes[i] = trial_draw(trial, 2, 5);
        people_make_pool_of(trial, day_pools[i].name, day->sizes[i], day_pools[i].golden,
                            day_class(day_pools[i].lane));
    }
    day->visit_count = (size_t)trial_draw(trial, 70, DAY_VISITS_MAX);
    for (size_t i = 0; i < day->visit_count; i++) {
        plan_visit(trial, i, nine_in_ms);
    }
    plan_noon(trial, nine_in_ms + 3 * HOUR_MS);
    for (int64_t at_ms = 10 * MINUTE_MS; at_ms < span_ms; at_ms += 10 * MINUTE_MS) {
        trial_at(trial, at_ms + trial_draw(trial, 0, MINUTE_MS), kill_operator, NULL);
        trial_at(trial, at_ms, look_after, NULL);
    }
    day_look(day);
}
