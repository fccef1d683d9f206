/* SPDX-License-Identifier: Apache-2.0 */
/* "Full at nine" is begun as long before nine as the lane takes for what is missing then: the first
   clone takes a latency, each one more a gap, and the lane makes what its other Pools want, too.
   From then on the whole size is wanted, so that what takes longer than usual has time to spare. */
#include "plan/pool_sizing.h"

#include "base/extremes.h"
#include "base/timestamp.h"
#include "plan/cron.h"
#include "plan/lane_state.h"

#include <inttypes.h>

enum {
    SPARE_PARTS = 4, /* one part more time than the lane takes */
    NEWS_PARTS = 8,  /* of the time until it begins */
};
#define NEWS_MS_MIN (INT64_C(60) * 1000)

static const char *title(const struct pool_schedule *schedule)
{
    return schedule->name != NULL ? schedule->name : schedule->schedule;
}

/* Apply keeps within its bounds whatever asks for more. */
static int64_t bounded(const struct pool *pool, int64_t size)
{
    return pool->autosize.mode == AUTOSIZE_APPLY ? smaller(size, pool->autosize.max) : size;
}

/* ---- how long filling takes ---- */

/* Clones that the lane's other Pools want by then. Their statuses say it. */
static int64_t wanted_by_others(const struct pool_turn *turn, int64_t until_ms)
{
    const struct lane *lane = turn->seen->lane;
    int64_t wanted = 0;
    for (size_t i = 0; lane != NULL && i < lane->pool_count; i++) {
        const struct pool *other = lane->pools[i].pool->pool;
        const struct schedule_record *told = &other->scheduled;
        if (text_equal(lane->pools[i].pool->meta.uid, turn->seen->pool->meta.uid)) {
            continue;
        }
        int64_t size = pool_wanted_size(other);
        if (told->next != NULL && told->fills_ms < until_ms) {
            size = larger(size, told->next_size);
        }
        wanted += larger(size - other->counts.warm - other->counts.filling, 0);
    }
    return wanted;
}

/* From when on the schedule's clones are made; size: those that are kept before. */
static int64_t fills_at(const struct pool_turn *turn, const struct pool_schedule *schedule,
                        int64_t begins_ms, int64_t size)
{
    const struct pool *pool = turn->seen->pool->pool;
    const struct lane_record unknown = {.name = NULL};
    const struct lane_record *lane =
        turn->seen->lane == NULL ? &unknown : &turn->seen->lane->measured;
    int64_t there = smaller(size, pool->counts.warm + pool->counts.filling);
    int64_t missing = bounded(pool, schedule->size) - there;
    if (bounded(pool, schedule->size) <= size) {
        return begins_ms;
    }
    int64_t making_ms = (missing + wanted_by_others(turn, begins_ms)) * lane_gap_ms(lane);
    return begins_ms - lane_latency_ms(lane) - making_ms - making_ms / SPARE_PARTS;
}

/* ---- which of them is when ---- */

static void note_change(struct pool_turn *turn, int64_t at_ms)
{
    if (at_ms > turn->plan->now.wall_ms) {
        turn->schedules.changes_ms = smaller(turn->schedules.changes_ms, at_ms);
    }
}

static void note_wrong(struct pool_turn *turn, const struct pool_schedule *schedule,
                       const char *reason, const char *why)
{
    if (turn->schedules.wrong == NULL) {
        turn->schedules.wrong = reason;
        turn->schedules.why = arena_print(turn->plan->arena,
                                          "spec.schedules %s: %s. It is left "
                                          "out; the others are kept to",
                                          title(schedule), why);
    }
}

struct dated {
    int64_t last_ms, next_ms; /* when it began, if it is in force, and begins; NOW_NEVER */
};

static bool date(struct pool_turn *turn, size_t index, struct dated *out)
{
    const struct pool_schedule *schedule = &turn->seen->pool->pool->schedules[index];
    const struct schedule_zone *zone = &turn->seen->zones[index];
    int64_t now_ms = turn->plan->now.wall_ms;
    struct error error;
    struct cron cron;
    if (!cron_parse(schedule->schedule, &cron, &error)) {
        note_wrong(turn, schedule, "ScheduleInvalid", error.message);
        return false;
    }
    if (zone->zone == NULL) {
        note_wrong(turn, schedule, "TimeZoneUnknown",
                   arena_print(turn->plan->arena,
                               "%s. Name a zone of the tz database, such as Europe/Berlin; one "
                               "that is newer than the operator's image needs a newer image, or "
                               "its /usr/share/zoneinfo mounted there",
                               zone->problem));
        return false;
    }
    out->last_ms = cron_last(&cron, zone->zone, now_ms, now_ms - schedule->duration_ms);
    out->next_ms = cron_next(&cron, zone->zone, now_ms);
    if (out->last_ms == NOW_NEVER && out->next_ms == NOW_NEVER) {
        note_wrong(turn, schedule, "ScheduleInvalid", "it does not come within five years");
        return false;
    }
    return true;
}

static void look_at_current(struct pool_turn *turn, const struct dated *dates)
{
    const struct pool *pool = turn->seen->pool->pool;
    struct pool_schedules *found = &turn->schedules;
    for (size_t i = 0; i < pool->schedule_count; i++) {
        const struct pool_schedule *schedule = &pool->schedules[i];
        if (dates[i].last_ms == NOW_NEVER) {
            continue;
        }
        int64_t until_ms = dates[i].last_ms + schedule->duration_ms;
        note_change(turn, until_ms);
        if (found->current == NULL || schedule->size > found->current->size) {
            found->current = schedule;
            found->until_ms = until_ms;
        }
    }
    found->size = found->current == NULL ? 0 : bounded(pool, found->current->size);
}

static void look_at_next(struct pool_turn *turn, const struct dated *dates, int64_t size)
{
    const struct pool *pool = turn->seen->pool->pool;
    struct pool_schedules *found = &turn->schedules;
    for (size_t i = 0; i < pool->schedule_count; i++) {
        const struct pool_schedule *schedule = &pool->schedules[i];
        int64_t next_ms = dates[i].next_ms;
        if (next_ms == NOW_NEVER) {
            continue;
        }
        int64_t fills_ms = fills_at(turn, schedule, next_ms, size);
        bool fills = fills_ms <= turn->plan->now.wall_ms;
        note_change(turn, fills_ms);
        note_change(turn, next_ms);
        if (fills) {
            found->size = larger(found->size, bounded(pool, schedule->size));
        }
        if (found->next == NULL || fills_ms < found->fills_ms) {
            found->next = schedule;
            found->next_ms = next_ms;
            found->fills_ms = fills_ms;
            found->fills = fills;
        }
    }
}

void pool_look_at_schedules(struct pool_turn *turn, int64_t size)
{
    const struct pool *pool = turn->seen->pool->pool;
    struct dated *dates = arena_new(turn->plan->arena, pool->schedule_count + 1, sizeof *dates);
    turn->schedules = (struct pool_schedules){.changes_ms = NOW_NEVER};
    for (size_t i = 0; i < pool->schedule_count; i++) {
        if (!date(turn, i, &dates[i])) {
            dates[i] = (struct dated){NOW_NEVER, NOW_NEVER};
        }
    }
    look_at_current(turn, dates);
    look_at_next(turn, dates, larger(size, turn->schedules.size));
}

/* ---- what is said of it ---- */

/* What is measured moves it all the time; told is a change that matters. */
static int64_t told_fills_at(const struct pool_turn *turn)
{
    const struct pool_schedules *found = &turn->schedules;
    const struct schedule_record *told = &turn->seen->pool->pool->scheduled;
    int64_t now_ms = turn->plan->now.wall_ms;
    int64_t by_ms = larger(found->fills_ms - told->fills_ms, told->fills_ms - found->fills_ms);
    bool same = told->next_ms == found->next_ms && text_equal(told->next, title(found->next)) &&
                (told->fills_ms <= now_ms) == found->fills;
    bool near = by_ms <= larger(NEWS_MS_MIN, (found->next_ms - now_ms) / NEWS_PARTS);
    return same && (near || found->fills) ? told->fills_ms : found->fills_ms;
}

struct schedule_record pool_schedule_record(const struct pool_turn *turn)
{
    const struct pool *pool = turn->seen->pool->pool;
    const struct pool_schedules *found = &turn->schedules;
    struct schedule_record record = {.current = NULL};
    if (found->current != NULL) {
        record.current = title(found->current);
        record.size = bounded(pool, found->current->size);
        record.until_ms = found->until_ms;
    }
    if (found->next != NULL) {
        record.next = title(found->next);
        record.next_size = bounded(pool, found->next->size);
        record.next_ms = found->next_ms;
        record.fills_ms = told_fills_at(turn);
    }
    return record;
}

static const char *clones(const struct pool_turn *turn, const struct pool_schedule *schedule)
{
    const struct pool *pool = turn->seen->pool->pool;
    int64_t size = bounded(pool, schedule->size);
    return size == schedule->size
               ? arena_print(turn->plan->arena, "%" PRId64 " clones", size)
               : arena_print(turn->plan->arena,
                             "%" PRId64 " clones (autosize.max; the schedule says %" PRId64 ")",
                             size, schedule->size);
}

static const char *describe_next(const struct pool_turn *turn)
{
    const struct pool_schedules *found = &turn->schedules;
    const struct schedule_record *next = &turn->next.scheduled;
    char begins[TIMESTAMP_BYTES];
    char fills[TIMESTAMP_BYTES];
    if (found->next == NULL) {
        return "none comes after it";
    }
    timestamp_format_seconds(next->next_ms, begins);
    timestamp_format_seconds(next->fills_ms, fills);
    return arena_print(turn->plan->arena, "%s wants %s at %s%s%s", next->next,
                       clones(turn, found->next), begins,
                       next->fills_ms == next->next_ms ? ""
                       : found->fills                  ? ", filling since "
                                                       : ", filling begins at ",
                       next->fills_ms == next->next_ms ? "" : fills);
}

struct pool_remark pool_schedule_remark(const struct pool_turn *turn)
{
    const struct pool_schedules *found = &turn->schedules;
    struct arena *arena = turn->plan->arena;
    char until[TIMESTAMP_BYTES];
    if (turn->seen->pool->pool->schedule_count == 0 || turn->deleting) {
        return (struct pool_remark){NULL, NULL};
    }
    if (found->wrong != NULL) {
        return (struct pool_remark){found->wrong, found->why};
    }
    if (turn->size_why == SIZE_BY_HAND) {
        timestamp_format_seconds(turn->by_hand_until_ms, until);
        return (struct pool_remark){"ScaledByHand",
                                    arena_print(arena,
                                                "spec.size was changed and is kept until %s; then "
                                                "schedules are kept to again",
                                                until)};
    }
    if (found->fills || found->current == NULL) {
        return (struct pool_remark){found->fills ? "FillingAhead" : "Waiting", describe_next(turn)};
    }
    timestamp_format_seconds(found->until_ms, until);
    return (struct pool_remark){
        "InForce", arena_print(arena, "%s keeps %s until %s; %s", title(found->current),
                               clones(turn, found->current), until, describe_next(turn))};
}
