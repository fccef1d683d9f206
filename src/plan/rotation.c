/* SPDX-License-Identifier: Apache-2.0 */
/* A file system makes one clone a minute however many are asked for, so a stale clone goes only
   when its place can be filled at once: more of them gone would serve nobody. */
#include "plan/rotation.h"

#include "api/names.h"
#include "base/extremes.h"

static bool says_another(const struct object *clone, const char *annotation, const char *value)
{
    const char *said = object_annotation(clone, annotation);
    return said != NULL && !text_equal(said, value);
}

bool clone_is_of_another_golden(const struct object *clone, const struct golden *golden)
{
    return golden->ready &&
           (!text_equal(object_annotation(clone, ANNOTATION_GOLDEN_UID), golden->uid) ||
            says_another(clone, ANNOTATION_DATABASE, golden->database) ||
            says_another(clone, ANNOTATION_OWNER, golden->owner));
}

bool clone_is_stale(const struct object *clone, const struct object *pool,
                    const struct golden *golden, int64_t wall_ms)
{
    int64_t age_max_ms = pool->pool->rotation.age_max_ms;
    bool old = golden->ready && age_max_ms != 0 && wall_ms - clone->meta.created_ms >= age_max_ms;
    return old || clone_is_of_another_golden(clone, golden);
}

static struct rotation decide_rolling(const struct rotation_wish *wish,
                                      const struct rotation_counts *counts)
{
    int64_t wanted = counts->wanted;
    int64_t keep = wish->warm_min < 0 ? wanted : smaller(wish->warm_min, wanted);
    if (wish->surge_max == 0) {
        keep = smaller(keep, larger(wanted - 1, 0)); /* or nothing could ever go */
    }
    struct rotation rotation = {
        .surge = smaller(wish->surge_max, counts->stale),
        .floor = larger(keep, smaller(counts->undecided, wanted)),
    };
    int64_t spare = counts->free - rotation.floor;
    int64_t refillable = counts->free + counts->in_flight_max - wanted;
    rotation.retire = larger(0, smaller(counts->stale, smaller(spare, refillable)));
    return rotation;
}

/* Nothing goes but for who waits and takes no stale one, and only what the surge cannot make up. */
static struct rotation decide_on_claim(const struct rotation_wish *wish,
                                       const struct rotation_counts *counts)
{
    if (counts->waiting_current == 0) {
        return (struct rotation){.retire = 0};
    }
    int64_t waiting = smaller(counts->waiting_current, counts->in_flight_max);
    int64_t room = counts->wanted - counts->free - counts->filling;
    int64_t beyond = larger(0, -room); /* surging already */
    int64_t lacking = larger(0, waiting - counts->filling_fresh - larger(0, room));
    struct rotation rotation = {.surge = smaller(wish->surge_max, beyond + lacking)};
    rotation.retire = smaller(counts->stale, larger(0, beyond + lacking - rotation.surge));
    return rotation;
}

struct rotation rotation_decide(const struct rotation_wish *wish,
                                const struct rotation_counts *counts)
{
    if (counts->stale == 0) {
        return (struct rotation){.retire = 0};
    }
    switch (wish->strategy) {
    case ROTATION_ROLLING:
        return decide_rolling(wish, counts);
    case ROTATION_ON_CLAIM:
        return decide_on_claim(wish, counts);
    case ROTATION_RECREATE:
        return (struct rotation){.retire = counts->stale};
    }
    return (struct rotation){.retire = 0};
}
