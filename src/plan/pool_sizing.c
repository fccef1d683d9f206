/* SPDX-License-Identifier: Apache-2.0 */
/* How many clones a Pool keeps. spec.size is a person's word: it is never written, and a change of
   it holds for some hours, whatever is applied otherwise. What is applied rises at once, since the
   lane is slow enough, and falls by one clone in five minutes. */
#include "plan/pool_sizing.h"

#include "base/extremes.h"
#include "base/timestamp.h"
#include "plan/lane_state.h"

#include <inttypes.h>

#define DAY_MS (INT64_C(24) * 3600 * 1000)
#define HAND_MS (INT64_C(4) * 3600 * 1000)
#define STEP_MS ARRIVAL_BUCKET_MS
enum { APPLIED_DAYS = 7, GROWTH = 2, HUNDRED = 100 };

static int64_t within(const struct autosize_wish *wish, int64_t size)
{
    return larger(wish->min, smaller(size, wish->max));
}

struct replay_lane pool_sizing_lane(const struct pool_observation *seen)
{
    const struct lane_record unknown = {.name = NULL};
    const struct lane_record *record = seen->lane == NULL ? &unknown : &seen->lane->measured;
    int64_t pools = seen->lane == NULL ? 1 : larger((int64_t)seen->lane->pool_count, 1);
    return (struct replay_lane){lane_gap_ms(record) * pools, lane_latency_ms(record)};
}

/* ---- how many now ---- */

/* Up to when spec.size holds since a person changed it; 0: it does not. */
static int64_t by_hand_until(const struct pool_turn *turn)
{
    const struct pool *pool = turn->seen->pool->pool;
    int64_t now_ms = turn->plan->now.wall_ms;
    bool changed = pool->sizing.is_told && pool->sizing.spec_size != pool->size;
    int64_t scaled_ms = changed ? now_ms : pool->sizing.scaled_ms;
    bool holds = scaled_ms != 0 && scaled_ms <= now_ms && now_ms - scaled_ms < HAND_MS;
    return holds ? scaled_ms + HAND_MS : 0;
}

static int64_t damped(const struct pool_turn *turn, int64_t size)
{
    const struct sizing_record *told = &turn->seen->pool->pool->sizing;
    int64_t since_ms = turn->plan->now.wall_ms - told->sized_ms;
    bool may_fall = since_ms < 0 || since_ms >= STEP_MS;
    return told->is_told ? larger(size, told->size - may_fall) : size;
}

static bool is_sized(const struct pool *pool)
{
    return pool->autosize.mode != AUTOSIZE_OFF || pool->schedule_count > 0;
}

/* What spec.autosize applies now; spec.size, if it applies nothing. */
static int64_t applied_size(const struct pool_turn *turn, enum size_why *out_why)
{
    const struct pool *pool = turn->seen->pool->pool;
    struct week_sizes week;
    if (pool->autosize.mode != AUTOSIZE_APPLY) {
        return pool->size;
    }
    if (week_sizes_read(pool->sizing.week, turn->plan->arena, &week)) {
        struct replay_lane lane = pool_sizing_lane(turn->seen);
        *out_why = SIZE_OF_WEEK;
        return within(&pool->autosize, week_size_at(&week, &lane, turn->plan->now.wall_ms));
    }
    if (pool->sizing.recommended != 0 && pool->sizing.days >= APPLIED_DAYS) {
        *out_why = SIZE_OF_ALL;
        return within(&pool->autosize, pool->sizing.recommended);
    }
    return pool->size;
}

void pool_size_now(struct pool_turn *turn)
{
    const struct pool *pool = turn->seen->pool->pool;
    turn->size = pool->size;
    turn->size_why = SIZE_SPEC;
    if (turn->deleting || (pool->autosize.mode != AUTOSIZE_APPLY && pool->schedule_count == 0)) {
        return;
    }
    int64_t size = applied_size(turn, &turn->size_why);
    pool_look_at_schedules(turn, size);
    turn->by_hand_until_ms = by_hand_until(turn);
    if (turn->by_hand_until_ms != 0) {
        turn->size_why = SIZE_BY_HAND;
    } else if (turn->size_why != SIZE_SPEC || pool->schedule_count > 0) {
        turn->size = damped(turn, larger(size, turn->schedules.size));
    }
}

/* ---- what is recommended ---- */

static const char *hundredths(struct arena *arena, int64_t value, const char *unit)
{
    return arena_print(arena, "%" PRId64 ".%02" PRId64 "%s", value / HUNDRED, value % HUNDRED,
                       unit);
}

static void note_replay(struct sizing_record *next, const struct replay *replay, bool reaches,
                        struct arena *arena)
{
    next->hit_rate = hundredths(arena, replay_hits(replay), "%");
    next->volumes = hundredths(arena, replay->volumes_mean_hundred, "");
    next->reaches = reaches;
}

/* A week like no other changes what is applied by half, or to twice as much, a day. */
static void bound(const struct sizing_record *told, struct week_sizes *sizes, struct arena *arena)
{
    struct week_sizes before;
    if (!week_sizes_read(told->week, arena, &before)) {
        return;
    }
    for (size_t i = 0; i < WEEK_SLOTS; i++) {
        int64_t was = before.slots[i];
        int64_t is = larger(sizes->slots[i], was / GROWTH);
        sizes->slots[i] = (unsigned char)smaller(is, GROWTH * was + GROWTH);
    }
}

static void recommend(struct pool_turn *turn)
{
    const struct pool *pool = turn->seen->pool->pool;
    const struct arrivals *arrivals = turn->arrivals;
    struct arena *arena = turn->plan->arena;
    struct sizing_record *next = &turn->next.sizing;
    struct replay_lane lane = pool_sizing_lane(turn->seen);
    int64_t from_ms = arrivals_first(arrivals) * ARRIVAL_BUCKET_MS;
    int64_t to_ms = arrivals->until * ARRIVAL_BUCKET_MS;
    next->days = (to_ms - from_ms) / DAY_MS;
    if (next->days == 0) {
        return;
    }
    int64_t *times_ms;
    size_t count = arrivals_times(arrivals, arena, &times_ms);
    struct fixed_advice fixed =
        autosize_fixed(times_ms, count, from_ms, to_ms, &pool->autosize, &lane, arena);
    struct week_advice week;
    next->computed_ms = turn->plan->now.wall_ms;
    next->generation = turn->seen->pool->meta.generation;
    next->requests = (int64_t)count;
    next->recommended = fixed.size;
    next->wait_p95_ms = fixed.replay.wait_p95_ms;
    next->week = NULL;
    note_replay(next, &fixed.replay, fixed.reaches, arena);
    if (pool->autosize.mode == AUTOSIZE_APPLY &&
        autosize_week(arrivals, &pool->autosize, &fixed, &lane, arena, &week) && week.reaches) {
        bound(&pool->sizing, &week.sizes, arena);
        next->week = week_sizes_write(&week.sizes, arena);
        next->wait_p95_ms = week.replay.wait_p95_ms;
        note_replay(next, &week.replay, week.reaches, arena);
    }
}

static bool is_due(const struct pool_turn *turn)
{
    const struct sizing_record *told = &turn->seen->pool->pool->sizing;
    int64_t since_ms = turn->plan->now.wall_ms - told->computed_ms;
    return told->computed_ms == 0 || since_ms < 0 || since_ms >= DAY_MS ||
           told->generation != turn->seen->pool->meta.generation;
}

/* Without what was recommended. */
static struct sizing_record kept_alone(const struct sizing_record *record)
{
    return (struct sizing_record){.is_told = record->is_told,
                                  .size = record->size,
                                  .sized_ms = record->sized_ms,
                                  .spec_size = record->spec_size,
                                  .scaled_ms = record->scaled_ms};
}

void pool_plan_size(struct pool_turn *turn)
{
    const struct pool *pool = turn->seen->pool->pool;
    struct sizing_record *next = &turn->next.sizing;
    int64_t now_ms = turn->plan->now.wall_ms;
    turn->next.scheduled = (struct schedule_record){.current = NULL};
    if (turn->deleting || !is_sized(pool)) {
        *next = (struct sizing_record){.is_told = false};
        return;
    }
    if (pool->autosize.mode == AUTOSIZE_OFF) {
        *next = kept_alone(next);
    } else if (is_due(turn) && turn->arrivals->until != 0) {
        recommend(turn);
    }
    if (pool->schedule_count > 0) {
        turn->next.scheduled = pool_schedule_record(turn);
        if (turn->schedules.changes_ms != NOW_NEVER) {
            plan_look_again(turn->plan, turn->schedules.changes_ms - now_ms);
        }
    }
    bool changed = next->is_told && next->spec_size != pool->size;
    next->scaled_ms = changed ? now_ms : next->scaled_ms;
    next->spec_size = pool->size;
    next->sized_ms = next->is_told && next->size == turn->size ? next->sized_ms : now_ms;
    next->size = turn->size;
    next->is_told = true;
    plan_look_again(turn->plan, STEP_MS);
}

/* ---- what is said of it ---- */

static const char *history(const struct pool_turn *turn)
{
    const struct sizing_record *sizing = &turn->next.sizing;
    return arena_print(turn->plan->arena, "%" PRId64 " requests of %" PRId64 " days",
                       sizing->requests, sizing->days);
}

static const char *waits(struct arena *arena, int64_t p95_ms)
{
    return arena_print(arena, ", one in twenty after %" PRId64 " s or more", p95_ms / 1000);
}

static struct pool_remark remark_short(const struct pool_turn *turn)
{
    char since[TIMESTAMP_BYTES] = "now on";
    if (turn->arrivals->until != 0) {
        timestamp_format_seconds(turn->arrivals->since * ARRIVAL_BUCKET_MS, since);
    }
    return (struct pool_remark){
        "HistoryShort",
        arena_print(turn->plan->arena,
                    "requests are recorded from %s: a size is recommended after a day and applied "
                    "after %d; until then spec.size is kept",
                    since, APPLIED_DAYS)};
}

static struct pool_remark remark_by_hand(const struct pool_turn *turn)
{
    char until[TIMESTAMP_BYTES];
    timestamp_format_seconds(turn->by_hand_until_ms, until);
    return (struct pool_remark){
        "ScaledByHand", arena_print(turn->plan->arena,
                                    "spec.size was changed and is kept until %s; then sizes are "
                                    "applied again. autosize.mode Recommend keeps it for good",
                                    until)};
}

struct pool_remark pool_size_remark(const struct pool_turn *turn, bool *out_good)
{
    const struct sizing_record *sizing = &turn->next.sizing;
    const struct autosize_wish *wish = &turn->seen->pool->pool->autosize;
    bool applies = wish->mode == AUTOSIZE_APPLY;
    *out_good = false;
    if (!sizing->is_told || wish->mode == AUTOSIZE_OFF) {
        return (struct pool_remark){NULL, NULL};
    }
    if (applies && turn->size_why == SIZE_BY_HAND) {
        return remark_by_hand(turn);
    }
    if (sizing->recommended == 0 || (applies && sizing->days < APPLIED_DAYS)) {
        return remark_short(turn);
    }
    struct arena *arena = turn->plan->arena;
    if (!sizing->reaches) {
        return (struct pool_remark){"TargetOutOfReach",
                                    arena_print(arena,
                                                "%s: with autosize.max %" PRId64
                                                " %s would have found a clone, and %" PRId64
                                                "%% are wanted: raise it, or lower autosize.target",
                                                history(turn), wish->max, sizing->hit_rate,
                                                wish->target)};
    }
    *out_good = true;
    const char *said = arena_print(
        arena, "%s: %s would have found a clone%s, and %s volumes are kept on average",
        history(turn), sizing->hit_rate,
        sizing->wait_p95_ms == 0 ? "" : waits(arena, sizing->wait_p95_ms), sizing->volumes);
    if (applies) {
        return (struct pool_remark){"Applied", said};
    }
    return (struct pool_remark){
        "Recommended",
        arena_print(arena, "with a size of %" PRId64 ", of %s; spec.size is %" PRId64,
                    sizing->recommended, said, sizing->spec_size)};
}
