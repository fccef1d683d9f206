/* SPDX-License-Identifier: Apache-2.0 */
/* An Instance's end by its lifetime. What is deleted cannot be had back, so the end is approached
   with care:

   - The lifetime counts from when the first volume became the Instance's own: who waits loses
     nothing of it, and a reset does not begin it anew.
   - The condition Expiring announces the end. Nothing ends that was not announced for its notice,
     by the time that stands in the cluster, however late it was found or whatever was shortened.
   - The wall clock is believed only when it has gone as the monotonic one for ten minutes: a clock
     that jumps ahead, or a node whose clock was not set yet, ends nothing, and gets its time to be
     put right; one that jumps back makes everything live longer.

   Protection moves the end; it never makes it earlier. */
#include "plan/instance_turn.h"

#include "base/duration.h"
#include "base/timestamp.h"

#define MINUTE_MS (INT64_C(60) * 1000)
#define HOUR_MS (60 * MINUTE_MS)
#define CLOCK_STEADY_MS (10 * MINUTE_MS)
/* Of an end by the lifetime, at most a quarter of that; and before the end of a protection, which
   is asked for by the day. */
#define NOTICE_MS_MAX HOUR_MS
#define PROTECTION_NOTICE_MS (24 * HOUR_MS)
/* The year 9999. */
#define WALL_MS_MAX INT64_C(253402300799000)

struct end {
    int64_t lifetime_ms;    /* 0: it does not end */
    int64_t due_ms, end_ms; /* wall: of the lifetime alone; with the protection */
    int64_t notice_ms;
    bool is_capped; /* the Pool allows no more */
};

static const struct instance_limits no_limits;

static struct end find_end(const struct instance_turn *turn, int64_t served_ms)
{
    const struct object *pool = turn->seen->pool;
    const struct instance_limits *limits = pool == NULL ? &no_limits : &pool->pool->instances;
    struct end end = {.lifetime_ms = turn->before->lifetime_ms};
    if (end.lifetime_ms == 0) {
        end.lifetime_ms = limits->lifetime_default_ms;
    }
    int64_t max_ms = limits->lifetime_max_ms != 0 ? limits->lifetime_max_ms : DURATION_MS_MAX;
    if (end.lifetime_ms > max_ms || (end.lifetime_ms == 0 && limits->lifetime_max_ms != 0)) {
        end.is_capped = end.lifetime_ms != 0;
        end.lifetime_ms = max_ms;
    }
    end.notice_ms =
        end.lifetime_ms / 4 < NOTICE_MS_MAX ? end.lifetime_ms / 4 : (int64_t)NOTICE_MS_MAX;
    end.due_ms = served_ms + end.lifetime_ms;
    end.due_ms = end.due_ms < WALL_MS_MAX ? end.due_ms : WALL_MS_MAX;
    int64_t until_ms = turn->before->protected_until_ms;
    if (limits->protection_max_ms != 0 && until_ms - end.due_ms > limits->protection_max_ms) {
        until_ms = end.due_ms + limits->protection_max_ms;
    }
    end.end_ms = until_ms > end.due_ms ? until_ms : end.due_ms;
    return end;
}

static const char *date(const struct instance_turn *turn, int64_t wall_ms)
{
    char at[TIMESTAMP_BYTES];
    timestamp_format_seconds(wall_ms, at);
    return arena_copy(turn->plan->arena, at);
}

static const char *what_ends(const struct instance_turn *turn)
{
    return turn->before->deletion_policy == DELETION_RETAIN
               ? "this Instance is deleted; its Cluster and volume stay, by its deletionPolicy"
               : "this Instance is deleted, and its database with it";
}

static void announce(struct instance_turn *turn, const struct end *end)
{
    struct arena *arena = turn->plan->arena;
    const char *name = turn->object->meta.name;
    bool protects = end->end_ms > end->due_ms;
    const char *capped = end->is_capped ? " (its Pool allows no longer lifetime)" : "";
    int64_t announced_ms = end->end_ms - (protects ? PROTECTION_NOTICE_MS : end->notice_ms);
    int64_t left_ms = announced_ms - turn->plan->now.wall_ms;
    if (left_ms <= 0 && protects) {
        instance_condition(turn, INSTANCE_CONDITION_EXPIRING, true, "ProtectionEnding",
                           arena_print(arena,
                                       "its protection ends at %s, and its lifetime has by then: "
                                       "%s. `adj protect %s 7d` protects it longer",
                                       date(turn, end->end_ms), what_ends(turn), name));
    } else if (left_ms <= 0) {
        instance_condition(turn, INSTANCE_CONDITION_EXPIRING, true, "LifetimeEnding",
                           arena_print(arena,
                                       "its lifetime ends at %s%s: %s. `adj extend %s 4h` makes it "
                                       "longer, `adj protect %s 7d` keeps it",
                                       date(turn, end->end_ms), capped, what_ends(turn), name,
                                       name));
    } else {
        instance_condition(
            turn, INSTANCE_CONDITION_EXPIRING, false, protects ? "Protected" : "NotDue",
            protects
                ? arena_print(arena, "its lifetime ends at %s, its protection at %s",
                              date(turn, end->due_ms), date(turn, end->end_ms))
                : arena_print(arena, "its lifetime ends at %s%s", date(turn, end->end_ms), capped));
        plan_look_again(turn->plan, left_ms);
    }
}

static int64_t served_since(const struct instance_turn *turn)
{
    const struct instance *next = &turn->next;
    const struct object *volume = turn->seen->volume;
    if (next->served_ms != 0) {
        return next->served_ms;
    }
    if (volume == NULL || volume->volume->state != VOLUME_STATE_CLAIMED ||
        !instance_owns(turn, volume)) {
        return 0;
    }
    int64_t since_ms = next->steps[STEP_VOLUME_CLAIMED];
    since_ms = since_ms != 0 ? since_ms : turn->plan->now.wall_ms;
    /* The API server's clock is another: of two the later one. */
    return since_ms > turn->object->meta.created_ms ? since_ms : turn->object->meta.created_ms;
}

void expiry_plan(struct instance_turn *turn)
{
    int64_t served_ms = served_since(turn);
    struct end end = find_end(turn, served_ms);
    turn->next.expires_ms = 0;
    if (served_ms == 0 || end.lifetime_ms == 0) {
        return;
    }
    turn->next.served_ms = served_ms;
    turn->next.expires_ms = end.end_ms;
    if (turn->next.conditions.count > 0) { /* else nothing is known yet that could be told */
        announce(turn, &end);
    }
}

/* By what stands in the cluster, so that everybody could know it for so long. */
static int64_t notice_left(const struct instance_turn *turn, const struct end *end)
{
    const struct condition *told =
        conditions_find(&turn->before->conditions, INSTANCE_CONDITION_EXPIRING);
    if (told == NULL || told->status != CONDITION_TRUE) {
        return end->notice_ms;
    }
    return end->notice_ms - (turn->plan->now.wall_ms - told->changed_ms);
}

void expiry_end(struct instance_turn *turn)
{
    const struct object_meta *meta = &turn->object->meta;
    if (turn->next.expires_ms == 0) {
        return;
    }
    struct end end = find_end(turn, turn->next.served_ms);
    const int64_t waits[] = {end.end_ms - turn->plan->now.wall_ms, notice_left(turn, &end),
                             CLOCK_STEADY_MS - turn->seen->clock_steady_ms};
    int64_t left_ms = 0;
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        left_ms = waits[i] > left_ms ? waits[i] : left_ms;
    }
    if (left_ms > 0) {
        plan_look_again(turn->plan, left_ms);
        return;
    }
    instance_act(turn, (struct action){.kind = ACTION_DELETE,
                                       .purpose = PURPOSE_DELETE,
                                       .object = KIND_INSTANCE,
                                       .namespace = meta->namespace,
                                       .name = meta->name,
                                       .uid = meta->uid,
                                       .resource_version = meta->resource_version,
                                       .reason = "its lifetime has ended"});
}
