/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of fills that fail. A PVC whose clone does not come is never deleted here: that
   could leave a volume on FSx that no PV names (the driver keeps one that FAILED). So it is put
   aside, and another is made in its place; but only twice, because where all fail more of them
   would only be more to clear up. The provisioner backs off by itself. Why it fails is said in the
   PVC's events alone, so those are asked for, one PVC's every some minutes while something is late.
 */
#include "plan/pool_turn.h"

#include "plan/clones.h"
#include "plan/trouble.h"

#include <inttypes.h>
#include <string.h>

enum { MINUTE_MS = 60 * 1000 };

/* A clone alone takes two minutes, and waits for those before it. */
#define LATE_MS (INT64_C(3) * MINUTE_MS)
#define ASK_EVERY_MS (INT64_C(3) * MINUTE_MS)

bool pool_put_aside(struct pool_turn *turn, const struct object *holding)
{
    if (turn->aside_count == POOL_ASIDE_MAX) {
        turn->stuck_in_place++;
        return false;
    }
    turn->aside[turn->aside_count++] = holding;
    return true;
}

bool pool_is_aside(const struct pool_turn *turn, const struct object *holding)
{
    for (int64_t i = 0; i < turn->aside_count; i++) {
        if (turn->aside[i] == holding) {
            return true;
        }
    }
    return false;
}

bool pool_look_at_fill(struct pool_turn *turn, const struct object *holding)
{
    int64_t timeout_ms = turn->seen->pool->pool->fill_timeout_ms;
    int64_t age_ms = turn->plan->now.wall_ms - holding->meta.created_ms;
    int64_t late_ms = timeout_ms < LATE_MS ? timeout_ms : LATE_MS;
    if (age_ms < late_ms) {
        plan_look_again(turn->plan, late_ms - age_ms);
        return true;
    }
    turn->late = turn->late == NULL ? holding : turn->late;
    if (age_ms < timeout_ms) {
        plan_look_again(turn->plan, timeout_ms - age_ms);
        return true;
    }
    turn->stuck = turn->stuck == NULL || turn->deleting ? holding : turn->stuck;
    if (turn->deleting || !pool_put_aside(turn, holding)) {
        return true;
    }
    turn->next.counts.broken++;
    return false;
}

/* What was said of the late one; NULL: nothing that is known. */
static const char *complaint(const struct pool_turn *turn, const struct object *holding)
{
    const struct fill_report *report = &turn->seen->fill_report;
    return text_equal(report->claim_uid, holding->meta.uid) ? report->complaint : NULL;
}

void pool_ask_why(struct pool_turn *turn)
{
    const struct object *holding = turn->late;
    if (holding == NULL || turn->deleting) {
        return;
    }
    const struct fill_report *report = &turn->seen->fill_report;
    int64_t since_ms = turn->plan->now.mono_ms - report->read_ms;
    if (text_equal(report->claim_uid, holding->meta.uid) && since_ms < ASK_EVERY_MS) {
        plan_look_again(turn->plan, ASK_EVERY_MS - since_ms);
        return;
    }
    pool_act(turn, (struct action){.kind = ACTION_EVENTS,
                                   .purpose = PURPOSE_EXPLAIN,
                                   .object = KIND_EVENT,
                                   .namespace = holding->meta.namespace,
                                   .name = holding->meta.name,
                                   .uid = holding->meta.uid,
                                   .reason = "its clone takes long"});
}

/* As the AWS SDK and FSx say it. */
static bool is_throttling(const char *said)
{
    return said != NULL &&
           (strstr(said, "hrottl") != NULL || strstr(said, "Rate exceeded") != NULL);
}

static const char *describe(const struct pool_turn *turn, const struct object *holding)
{
    return arena_print(turn->plan->arena, "`kubectl describe pvc -n %s %s` shows",
                       holding->meta.namespace, holding->meta.name);
}

static struct pool_remark remark_stuck(const struct pool_turn *turn)
{
    const struct object *stuck = turn->stuck;
    const char *said = complaint(turn, stuck);
    const struct pool_counts *counts = &turn->next.counts;
    bool stopped = turn->stuck_in_place > 0 && counts->filling <= turn->stuck_in_place &&
                   counts->warm + counts->filling >= turn->wanted;
    int64_t minutes = turn->seen->pool->pool->fill_timeout_ms / MINUTE_MS;
    struct arena *arena = turn->plan->arena;
    return (struct pool_remark){
        stopped ? "RefillStopped" : "FillStuck",
        arena_print(arena,
                    "PVC %s waits for its clone for more than %" PRId64
                    " minutes%s: %s%s. When FSx "
                    "has no volume pvc-%s any more, delete the PVC",
                    stuck->meta.name, minutes,
                    stopped ? ", as others do, and nothing takes their place" : " and is put aside",
                    said == NULL ? describe(turn, stuck) : said,
                    said == NULL ? " what the CSI driver says" : "", stuck->meta.uid)};
}

static struct pool_remark remark_late(const struct pool_turn *turn)
{
    const struct object *late = turn->late;
    const char *said = complaint(turn, late);
    if (said == NULL) {
        return (struct pool_remark){NULL, NULL};
    }
    return (struct pool_remark){is_throttling(said) ? "RefillThrottled" : "FillFailing",
                                arena_print(turn->plan->arena,
                                            "PVC %s has no clone yet, and is tried again: %s",
                                            late->meta.name, said)};
}

static struct pool_remark remark_volumes(const struct pool_turn *turn)
{
    struct arena *arena = turn->plan->arena;
    if (turn->misbound != NULL) {
        return (struct pool_remark){
            "ForeignVolume",
            arena_print(arena,
                        "PVC %s was bound to volume %s, which was there before and is no clone of "
                        "the golden: both are left alone. Find out whose volume that is, set "
                        "its policy to Retain, then delete the PVC",
                        turn->misbound->meta.name, turn->misbound->volume_claim->volume)};
    }
    if (turn->shared != NULL) {
        return (struct pool_remark){
            "StorageShared",
            arena_print(
                arena,
                "PersistentVolumes %s and %s are one storage, %s: neither is handed out or "
                "destroyed. Set the policy of the one that is wrong to Retain and delete it",
                turn->shared->meta.name, clone_twin(turn->seen, turn->shared),
                turn->shared->volume->handle)};
    }
    if (turn->hanging != NULL) {
        return (struct pool_remark){
            "DeletionStuck",
            arena_print(arena,
                        "PVC %s is being deleted and does not go: %s the pod that uses it, or the "
                        "finalizer that holds it. Another takes its place",
                        turn->hanging->meta.name, describe(turn, turn->hanging))};
    }
    return (struct pool_remark){NULL, NULL};
}

struct pool_remark pool_refill_remark(const struct pool_turn *turn)
{
    const struct trouble *trouble = &turn->seen->trouble;
    if (trouble->class != ERROR_NONE && trouble->purpose != PURPOSE_STATUS &&
        trouble_is_lasting(trouble)) {
        return (struct pool_remark){trouble_reason(trouble),
                                    arena_print(turn->plan->arena, "%s failed: %s",
                                                purpose_name(trouble->purpose), trouble->message)};
    }
    if (turn->late != NULL && is_throttling(complaint(turn, turn->late))) {
        return remark_late(turn);
    }
    if (turn->stuck != NULL) {
        return remark_stuck(turn);
    }
    struct pool_remark remark = remark_volumes(turn);
    return remark.reason != NULL || turn->late == NULL ? remark : remark_late(turn);
}
