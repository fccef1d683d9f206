/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the clones that nobody has are given up: those that are stale, as the rotation says, and
   those that are too many. */
#include "plan/pool_turn.h"

#include "plan/clones.h"

bool pool_clone_is_stale(const struct pool_turn *turn, const struct object *volume)
{
    return clone_is_stale(volume, turn->seen->pool, &turn->golden, turn->plan->now.wall_ms);
}

static bool is_free(const struct pool_turn *turn, const struct object *volume)
{
    return volume_claimable(volume) && !clone_is_chosen(turn->seen, volume) &&
           clone_twin(turn->seen, volume) == NULL;
}

static int64_t filling_fresh(const struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    int64_t count = 0;
    for (size_t i = 0; i < seen->holding_count; i++) {
        const struct object *volume = seen->holding_volumes[i];
        bool filling = volume == NULL || volume->volume->state == VOLUME_STATE_NONE;
        count += filling && seen->holdings[i]->meta.deleting_ms == 0 &&
                 !clone_is_of_another_golden(seen->holdings[i], &turn->golden);
    }
    return count;
}

/* The stale ones that no claim has chosen. When the next one turns stale by its age, the Pool is
   planned again; of a golden that cannot be used none does, however old it is. */
static int64_t count_stale(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    int64_t age_max_ms = seen->pool->pool->rotation.age_max_ms;
    int64_t stale = 0;
    for (size_t i = 0; i < seen->volume_count; i++) {
        const struct object *volume = seen->volumes[i];
        if (!is_free(turn, volume)) {
            continue;
        }
        int64_t left_ms = volume->meta.created_ms + age_max_ms - turn->plan->now.wall_ms;
        if (pool_clone_is_stale(turn, volume)) {
            stale++;
        } else if (age_max_ms != 0 && left_ms > 0) {
            plan_look_again(turn->plan, left_ms);
        }
    }
    return stale;
}

/* What a claim has chosen is as good as gone: it is not one too many, nor does it make another one
   so. Nor does one that is being made, before it has come. */
static int64_t excess(const struct pool_turn *turn, const struct rotation_counts *counts)
{
    int64_t over = counts->free - counts->wanted - counts->undecided;
    int64_t spare = counts->free - turn->rotation.floor;
    return over < spare ? over : spare;
}

static void retire_free(struct pool_turn *turn, const struct object *volume, const char *reason)
{
    struct pool_counts *counts = &turn->next.counts;
    counts->warm -= counts->warm > 0;
    counts->stale -= counts->stale > 0 && pool_clone_is_stale(turn, volume);
    pool_retire(turn, volume, turn->deleting ? "the Pool is deleted" : reason);
}

/* The oldest stale ones first; then the youngest, so that what is handed out next stays what it
   was. */
static void retire_clones(struct pool_turn *turn, int64_t stale, int64_t others)
{
    const struct pool_observation *seen = turn->seen;
    for (size_t i = 0; i < seen->volume_count && stale > 0; i++) {
        if (is_free(turn, seen->volumes[i]) && pool_clone_is_stale(turn, seen->volumes[i])) {
            retire_free(turn, seen->volumes[i], "it is stale");
            stale--;
        }
    }
    for (size_t i = seen->volume_count; i-- > 0 && others > 0;) {
        if (is_free(turn, seen->volumes[i]) && !pool_clone_is_stale(turn, seen->volumes[i])) {
            retire_free(turn, seen->volumes[i], "more clones than spec.size");
            others--;
        }
    }
}

/* Of those who wait some take no stale one, or no one gets one; and who takes none takes none of a
   golden that is not known. */
static int64_t count_untaken(const struct pool_turn *turn, int64_t stale)
{
    const struct pool_observation *seen = turn->seen;
    bool picky = seen->waiting_current_count > 0;
    if (!turn->golden.ready) {
        return picky ? clones_claimable(seen, false) : 0;
    }
    return picky || seen->pool->pool->rotation.strategy == ROTATION_RECREATE ? stale : 0;
}

void pool_rotate(struct pool_turn *turn)
{
    const struct pool_observation *seen = turn->seen;
    int64_t warm = turn->next.counts.warm - clones_claimable(seen, true);
    struct rotation_counts counts = {
        .wanted = turn->wanted,
        .free = warm < 0 ? 0 : warm,
        .stale = count_stale(turn),
        .filling = turn->next.counts.filling,
        .filling_fresh = filling_fresh(turn),
        .in_flight_max = seen->lane == NULL ? 0 : seen->lane->measured.width,
        .undecided = seen->undecided_count,
        .waiting_current = seen->waiting_current_count,
    };
    if (turn->deleting) {
        retire_clones(turn, INT64_MAX, INT64_MAX);
        return;
    }
    turn->untaken_count = count_untaken(turn, counts.stale);
    turn->rotation = rotation_decide(&seen->pool->pool->rotation, &counts);
    int64_t over = excess(turn, &counts);
    int64_t stale = turn->rotation.retire > over ? turn->rotation.retire : over;
    stale = stale < counts.stale ? stale : counts.stale;
    retire_clones(turn, stale, over - stale);
}
