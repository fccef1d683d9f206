/* SPDX-License-Identifier: Apache-2.0 */
/* The status is written as one merge patch of all our fields, and only when its text differs from
   that of the status we read: the same writer on both sides decides what "differs" means. */
#include "plan/pool_sizing.h"

#include "api/names.h"
#include "plan/body.h"
#include "plan/statements.h"
#include "plan/template.h"
#include "plan/trouble.h"

#include <inttypes.h>

static void write_golden(struct json_writer *json, const struct pool *pool)
{
    if (pool->golden_uid == NULL) {
        json_member_raw(json, "golden", "null");
        return;
    }
    json_member_object(json, "golden");
    json_member_string(json, "name", pool->golden);
    json_member_string(json, "uid", pool->golden_uid);
    json_member_string(json, "systemID", pool->golden_system_id);
    json_end_object(json);
}

static void write_measured(struct json_writer *json, const char *key, int64_t value)
{
    json_write_key(json, key);
    if (value == 0) {
        json_write_null(json);
    } else {
        json_write_int64(json, value);
    }
}

static void write_lane(struct json_writer *json, const struct lane_record *lane)
{
    if (lane->name == NULL) {
        json_member_raw(json, "lane", "null");
        return;
    }
    json_member_object(json, "lane");
    json_member_string(json, "name", lane->name);
    json_member_int64(json, "width", lane->width);
    write_measured(json, "gapMilliseconds", lane->gap_ms);
    write_measured(json, "gapCount", lane->gap_count);
    write_measured(json, "latencyMilliseconds", lane->latency_ms);
    body_time(json, "completedAt", lane->completed_ms);
    body_time(json, "startedAt", lane->started_ms);
    json_end_object(json);
}

static void write_arrivals(struct json_writer *json, const struct arrival_record *arrivals)
{
    json_member_object(json, "arrivals");
    json_member_int64(json, "version", arrivals->version);
    body_time(json, "since", arrivals->since_ms);
    body_time(json, "until", arrivals->until_ms);
    json_member_string(json, "counts", arrivals->counts);
    json_end_object(json);
}

static void write_sizing(struct json_writer *json, const struct sizing_record *sizing,
                         enum autosize_mode mode)
{
    json_member_object(json, "sizing");
    json_member_int64(json, "size", sizing->size);
    body_time(json, "sizedAt", sizing->sized_ms);
    json_member_int64(json, "specSize", sizing->spec_size);
    body_time(json, "scaledAt", sizing->scaled_ms);
    if (mode == AUTOSIZE_OFF) {
        static const char *const recommended[] = {
            "computedAt", "computedGeneration", "days",    "requests", "recommended",
            "week",       "targetReached",      "hitRate", "volumes",  "waitP95Milliseconds"};
        for (size_t i = 0; i < sizeof(recommended) / sizeof(recommended[0]); i++) {
            json_member_raw(json, recommended[i], "null");
        }
        json_end_object(json);
        return;
    }
    body_time(json, "computedAt", sizing->computed_ms);
    write_measured(json, "computedGeneration", sizing->generation);
    json_member_int64(json, "days", sizing->days);
    json_member_int64(json, "requests", sizing->requests);
    write_measured(json, "recommended", sizing->recommended);
    json_member_string(json, "week", sizing->week);
    json_member_bool(json, "targetReached", sizing->reaches);
    json_member_string(json, "hitRate", sizing->hit_rate);
    json_member_string(json, "volumes", sizing->volumes);
    json_member_int64(json, "waitP95Milliseconds", sizing->wait_p95_ms);
    json_end_object(json);
}

static bool schedule_is_told(const struct schedule_record *schedule)
{
    return schedule->current != NULL || schedule->next != NULL;
}

static void write_schedule(struct json_writer *json, const struct schedule_record *schedule)
{
    json_member_object(json, "schedule");
    if (schedule->current == NULL) {
        json_member_raw(json, "current", "null");
    } else {
        json_member_object(json, "current");
        json_member_string(json, "name", schedule->current);
        json_member_int64(json, "size", schedule->size);
        body_time(json, "until", schedule->until_ms);
        json_end_object(json);
    }
    if (schedule->next == NULL) {
        json_member_raw(json, "next", "null");
    } else {
        json_member_object(json, "next");
        json_member_string(json, "name", schedule->next);
        json_member_int64(json, "size", schedule->next_size);
        body_time(json, "beginsAt", schedule->next_ms);
        body_time(json, "fillsAt", schedule->fills_ms);
        json_end_object(json);
    }
    json_end_object(json);
}

/* What is long, or mostly absent, is left out where told has the same. */
static const char *status_text(const struct pool *pool, const struct pool *told,
                               struct arena *arena)
{
    struct body body cleanup_body;
    body_init(&body);
    struct json_writer *json = &body.json;
    json_begin_object(json);
    json_member_object(json, "status");
    json_member_int64(json, "observedGeneration", pool->observed_generation);
    json_member_int64(json, "warm", pool->counts.warm);
    json_member_int64(json, "filling", pool->counts.filling);
    json_member_int64(json, "claimed", pool->counts.claimed);
    json_member_int64(json, "waiting", pool->counts.waiting);
    json_member_int64(json, "retiring", pool->counts.retiring);
    write_lane(json, &pool->measured);
    if (pool->arrivals.counts != told->arrivals.counts) {
        write_arrivals(json, &pool->arrivals);
    }
    if (pool->sizing.is_told) {
        write_sizing(json, &pool->sizing, pool->autosize.mode);
    } else if (told->sizing.is_told) {
        json_member_raw(json, "sizing", "null");
    }
    if (schedule_is_told(&pool->scheduled)) {
        write_schedule(json, &pool->scheduled);
    } else if (schedule_is_told(&told->scheduled)) {
        json_member_raw(json, "schedule", "null");
    }
    json_member_int64(json, "stale", pool->counts.stale);
    json_member_int64(json, "broken", pool->counts.broken);
    write_golden(json, pool);
    json_write_key(json, "conditions");
    conditions_write(&pool->conditions, json);
    json_end_object(json);
    json_end_object(json);
    return body_end(&body, arena);
}

static void set(struct pool_turn *turn, const char *type, bool status, const char *reason,
                const char *message)
{
    conditions_set(&turn->next.conditions, &turn->seen->pool->pool->conditions,
                   (struct condition){.type = type,
                                      .status = status ? CONDITION_TRUE : CONDITION_FALSE,
                                      .reason = reason,
                                      .message = message,
                                      .observed_generation = turn->seen->pool->meta.generation,
                                      .changed_ms = turn->plan->now.wall_ms});
}

static void set_ready(struct pool_turn *turn)
{
    const struct pool *next = &turn->next;
    struct verdict unfit = template_check(turn->seen->pool, turn->plan->arena);
    if (unfit.reason == NULL) {
        unfit = statements_check(turn->seen->pool, turn->seen->statements, turn->plan->arena);
    }
    if (turn->deleting) {
        set(turn, CONDITION_READY, false, "Deleting",
            "the Pool is deleted: warm clones are destroyed, claimed ones stay with their "
            "Instances");
    } else if (unfit.reason != NULL) {
        set(turn, CONDITION_READY, false, unfit.reason, unfit.message);
    } else if (next->counts.warm > 0) {
        set(turn, CONDITION_READY, true, "Warm", "a claim would be served at once");
    } else if (!turn->golden.ready) {
        set(turn, CONDITION_READY, false, "GoldenNotReady", "see the condition GoldenReady");
    } else if (turn->wanted == 0) {
        set(turn, CONDITION_READY, true, "SizeZero", "no clone is kept; each claim waits for one");
    } else {
        set(turn, CONDITION_READY, false, "Filling", "no clone is warm yet; claims wait in order");
    }
}

static void set_lane(struct pool_turn *turn)
{
    const struct lane *lane = turn->seen->lane;
    struct arena *arena = turn->plan->arena;
    if (lane != NULL && lane->is_full && pool_fill_stock(turn).startable > turn->seen->granted) {
        set(turn, POOL_CONDITION_REFILL_HEALTHY, false, "LaneFull",
            arena_print(arena,
                        "lane %s has as many volumes as spec.maxVolumes of its Pools allows "
                        "(%" PRId64 "): delete Instances, or other volumes of it, or raise the "
                        "limit; FSx for OpenZFS allows 100 with the root volume",
                        lane->measured.name, lane->caps.volumes_max));
    } else if (lane != NULL && lane->caps.differ) {
        set(turn, POOL_CONDITION_REFILL_HEALTHY, true, "LaneConflict",
            arena_print(arena,
                        "Pools of lane %s differ in spec.maxVolumes, spec.maxRunning or "
                        "spec.refill.maxInFlight, and the smallest counts for all: make them alike",
                        lane->measured.name));
    } else {
        set(turn, POOL_CONDITION_REFILL_HEALTHY, true, "Refilling", "nothing is in the way");
    }
}

static void set_refill(struct pool_turn *turn)
{
    struct pool_remark remark = pool_refill_remark(turn);
    if (remark.reason != NULL) {
        set(turn, POOL_CONDITION_REFILL_HEALTHY, false, remark.reason, remark.message);
    } else {
        set_lane(turn);
    }
}

/* Its record rides along with other news, or is told when it is news itself: of each clone one
   Pool has other news, and that is enough to go on from. */
static bool is_news(const struct pool_turn *turn)
{
    const struct pool *told = turn->seen->pool->pool;
    struct pool next = turn->next;
    struct arena *arena = turn->plan->arena;
    if (!lane_is_news(&told->measured, &next.measured)) {
        next.measured = told->measured;
    }
    return !text_equal(status_text(told, told, arena), status_text(&next, told, arena));
}

/* Volumes of earlier goldens, whoever has them; out_name: the golden of the oldest. */
static int64_t count_retained(const struct pool_turn *turn, const char **out_name)
{
    const struct pool_observation *seen = turn->seen;
    int64_t count = 0;
    *out_name = NULL;
    for (size_t i = 0; i < seen->volume_count; i++) {
        const struct object *volume = seen->volumes[i];
        if (!text_equal(object_annotation(volume, ANNOTATION_GOLDEN_UID), turn->golden.uid)) {
            *out_name = count == 0 ? object_annotation(volume, ANNOTATION_GOLDEN) : *out_name;
            count++;
        }
    }
    return count;
}

static void set_rotating(struct pool_turn *turn)
{
    struct arena *arena = turn->plan->arena;
    int64_t stale = turn->next.counts.stale;
    const char *earlier = NULL;
    if (!turn->golden.ready) {
        set(turn, POOL_CONDITION_ROTATING, false, "GoldenNotReady",
            "see the condition GoldenReady");
        return;
    }
    int64_t retained = count_retained(turn, &earlier);
    const char *rest =
        retained == 0 ? ""
                      : arena_print(arena,
                                    "clones of earlier goldens: %" PRId64 ", the oldest of "
                                    "VolumeSnapshot %s; storage keeps a snapshot as long as it has "
                                    "clones",
                                    retained, earlier == NULL ? "(unknown)" : earlier);
    if (stale > 0) {
        bool on_claim = turn->seen->pool->pool->rotation.strategy == ROTATION_ON_CLAIM;
        set(turn, POOL_CONDITION_ROTATING, true, on_claim ? "UsingUp" : "Replacing",
            arena_print(arena, "stale: %" PRId64 " of %" PRId64 " warm clones; %s%s%s", stale,
                        turn->next.counts.warm,
                        on_claim ? "they are handed out first" : "fresh ones take their place",
                        retained == 0 ? "" : "; ", rest));
    } else if (retained > 0) {
        set(turn, POOL_CONDITION_ROTATING, false, "GoldenRetained", rest);
    } else {
        set(turn, POOL_CONDITION_ROTATING, false, "UpToDate", "no warm clone is stale");
    }
}

static void set_sized(struct pool_turn *turn)
{
    bool good = false;
    struct pool_remark remark = pool_size_remark(turn, &good);
    if (turn->unreadable != NULL) {
        remark = (struct pool_remark){
            "HistoryUnreadable",
            arena_print(turn->plan->arena,
                        "%s: it is begun anew with the next request for a clone; until weeks are "
                        "recorded again, set spec.size by hand",
                        turn->unreadable)};
    }
    if (remark.reason != NULL) {
        set(turn, POOL_CONDITION_SIZED, good && turn->unreadable == NULL, remark.reason,
            remark.message);
    }
}

static void set_scheduled(struct pool_turn *turn)
{
    struct pool_remark remark = pool_schedule_remark(turn);
    if (remark.reason != NULL) {
        set(turn, POOL_CONDITION_SCHEDULED, turn->schedules.wrong == NULL, remark.reason,
            remark.message);
    }
}

void pool_status_plan(struct pool_turn *turn)
{
    const struct object *object = turn->seen->pool;
    struct arena *arena = turn->plan->arena;
    conditions_begin(&turn->next.conditions, arena);
    turn->next.observed_generation = object->meta.generation;
    turn->next.golden = turn->golden.ready ? turn->golden.name : NULL;
    turn->next.golden_uid = turn->golden.ready ? turn->golden.uid : NULL;
    turn->next.golden_system_id = turn->golden.ready ? turn->golden.system_id : NULL;
    set_ready(turn);
    set(turn, POOL_CONDITION_GOLDEN_READY, turn->golden.ready, turn->golden.reason,
        turn->golden.message);
    set_refill(turn);
    set_rotating(turn);
    set_sized(turn);
    set_scheduled(turn);
    if (turn->seen->lane != NULL) {
        turn->next.measured = turn->seen->lane->measured;
    }
    if (!is_news(turn) || trouble_silences(&turn->seen->trouble, turn->seen->held)) {
        return;
    }
    plan_add(turn->plan, (struct action){.kind = ACTION_STATUS_PATCH,
                                         .purpose = PURPOSE_STATUS,
                                         .object = KIND_POOL,
                                         .namespace = object->meta.namespace,
                                         .name = object->meta.name,
                                         .body = status_text(&turn->next, object->pool, arena),
                                         .reason = "what is seen has changed"});
}
