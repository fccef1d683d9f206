/* SPDX-License-Identifier: Apache-2.0 */
/* What a half hour needs is what a bucket that leaks backwards holds: the requests in it, and what
   those after it need beyond what the lane makes meanwhile. Its mean over the weeks gets as many
   of its own roots on top as the target takes. */
#include "plan/autosize.h"

#include "base/base64.h"
#include "base/extremes.h"

#include <string.h>

enum {
    SLOT_BUCKETS = (int)(WEEK_SLOT_MS / ARRIVAL_BUCKET_MS),
    WEEK_BUCKETS = 7 * ARRIVAL_BUCKETS_A_DAY,
    WEEKS_MAX = ARRIVAL_BUCKETS / WEEK_BUCKETS,
    WEEKS_MIN = 2,
    EPOCH_SLOTS = 3 * 48, /* 1970 began on a Thursday */
    THOUSAND = 1000,
    ROOT_PARTS = 2, /* of a root, steps of what is put on top */
    ROOTS_MAX = 12,
    LEAD_SLOTS_MAX = 96,
    LEAD_PARTS = 4, /* one part more time than the lane takes */
    PERCENT = 100,
    SAFE_PARTS = 4, /* of the misses that are allowed */
    TEXT_BYTES_MAX = 1024,
};

static size_t slot_of(int64_t wall_ms)
{
    return (size_t)((wall_ms / WEEK_SLOT_MS + EPOCH_SLOTS) % WEEK_SLOTS);
}

/* ---- sizes of a week ---- */

int64_t week_size_at(const struct week_sizes *sizes, const struct replay_lane *lane,
                     int64_t wall_ms)
{
    int64_t step_ms = lane->gap_ms + lane->gap_ms / LEAD_PARTS;
    int64_t size = larger(sizes->slots[slot_of(wall_ms)],
                          sizes->slots[slot_of(larger(wall_ms - WEEK_SLOT_MS, 0))]);
    int64_t begins_ms = wall_ms - wall_ms % WEEK_SLOT_MS + WEEK_SLOT_MS;
    for (int i = 0; i < LEAD_SLOTS_MAX; i++, begins_ms += WEEK_SLOT_MS) {
        int64_t left_ms = begins_ms - wall_ms - lane->latency_ms;
        int64_t later = left_ms <= 0 ? 0 : left_ms / step_ms;
        size = larger(size, sizes->slots[slot_of(begins_ms)] - later);
        if (later > UINT8_MAX) {
            break;
        }
    }
    return size;
}

const char *week_sizes_write(const struct week_sizes *sizes, struct arena *arena)
{
    struct text text cleanup_text;
    text_init(&text, TEXT_BYTES_MAX);
    base64_append(&text, (const char *)sizes->slots, sizeof sizes->slots);
    return arena_copy(arena, text.bytes);
}

bool week_sizes_read(const char *text, struct arena *arena, struct week_sizes *out)
{
    struct error error;
    char *bytes;
    size_t byte_count;
    if (text == NULL || !base64_decode(text, arena, &bytes, &byte_count, &error) ||
        byte_count != sizeof out->slots) {
        return false;
    }
    (void)memcpy(out->slots, bytes, sizeof out->slots);
    return true;
}

/* ---- one size ---- */

static bool reaches(const struct replay *replay, const struct autosize_wish *wish)
{
    return replay->warm * PERCENT >= wish->target * replay->requests;
}

/* With a quarter of the misses that the target allows: the weeks to come are not those that were.
 */
static bool is_safe(const struct replay *replay, const struct autosize_wish *wish)
{
    int64_t missed = replay->requests - replay->warm;
    return SAFE_PARTS * missed * PERCENT <= (PERCENT - wish->target) * replay->requests;
}

struct fixed_advice autosize_fixed(const int64_t *times_ms, size_t count, int64_t from_ms,
                                   int64_t to_ms, const struct autosize_wish *wish,
                                   const struct replay_lane *lane, struct arena *arena)
{
    int64_t least = wish->min;
    int64_t most = wish->max;
    while (least < most) {
        int64_t middle = least + (most - least) / 2;
        struct replay replay = replay_fixed(times_ms, count, from_ms, to_ms, middle, lane, arena);
        if (is_safe(&replay, wish)) {
            most = middle;
        } else {
            least = middle + 1;
        }
    }
    struct fixed_advice advice = {.size = least};
    advice.replay = replay_fixed(times_ms, count, from_ms, to_ms, least, lane, arena);
    advice.reaches = reaches(&advice.replay, wish);
    return advice;
}

/* ---- a size for each half hour ---- */

struct weeks {
    const struct arrivals *arrivals;
    const struct autosize_wish *wish;
    const struct replay_lane *lane;
    int64_t most;         /* clones in a half hour */
    int64_t count, first; /* weeks; the bucket that the first of them begins with */
    /* A thousand times what each half hour of each week needed. */
    int64_t needs[WEEKS_MAX][WEEK_SLOTS];
};

static void find_needs(struct weeks *weeks)
{
    int64_t made = THOUSAND * ARRIVAL_BUCKET_MS / weeks->lane->gap_ms;
    int64_t need = 0;
    for (int64_t at = weeks->arrivals->until - 1; at >= weeks->first; at--) {
        int64_t here = arrivals_count(weeks->arrivals, at);
        need = larger(here > 0 ? THOUSAND : 0, here * THOUSAND + need - made);
        int64_t week = (at - weeks->first) / WEEK_BUCKETS;
        int64_t *slot = &weeks->needs[week][slot_of(at * ARRIVAL_BUCKET_MS)];
        *slot = larger(*slot, need);
    }
}

static int64_t root(int64_t value)
{
    int64_t found = 0;
    while ((found + 1) * (found + 1) <= value) {
        found++;
    }
    return found;
}

/* A thousand times the mean of the weeks but one. */
static int64_t mean_need(const struct weeks *weeks, int64_t left_out, size_t slot)
{
    int64_t sum = 0;
    int64_t count = 0;
    for (int64_t week = 0; week < weeks->count; week++) {
        if (week != left_out) {
            sum += weeks->needs[week][slot];
            count++;
        }
    }
    return sum / count;
}

/* roots: in halves. People are no clocks: a half hour needs what those beside it do. */
static void make_sizes(const struct weeks *weeks, int64_t left_out, int64_t roots,
                       struct week_sizes *out)
{
    for (size_t slot = 0; slot < WEEK_SLOTS; slot++) {
        int64_t need = mean_need(weeks, left_out, slot);
        need = larger(need, mean_need(weeks, left_out, (slot + 1) % WEEK_SLOTS));
        need = larger(need, mean_need(weeks, left_out, (slot + WEEK_SLOTS - 1) % WEEK_SLOTS));
        need += root(need * THOUSAND) * roots / ROOT_PARTS;
        int64_t size = (need + THOUSAND - 1) / THOUSAND;
        out->slots[slot] = (unsigned char)larger(smaller(size, weeks->most), weeks->wish->min);
    }
}

struct made_sizes {
    struct week_sizes sizes;
    const struct replay_lane *lane;
};

static int64_t size_at(const void *self, int64_t wall_ms)
{
    const struct made_sizes *made = self;
    return week_size_at(&made->sizes, made->lane, wall_ms);
}

/* Each week with what the others say of it. */
static struct replay judge(const struct weeks *weeks, int64_t roots, const int64_t *times_ms,
                           size_t count, struct arena *arena)
{
    struct replay sum = {.requests = 0};
    size_t next = 0;
    for (int64_t week = 0; week < weeks->count; week++) {
        struct made_sizes made = {.lane = weeks->lane};
        struct replay_size size = {size_at, &made, ARRIVAL_BUCKET_MS};
        int64_t from_ms = (weeks->first + week * WEEK_BUCKETS) * ARRIVAL_BUCKET_MS;
        int64_t to_ms = from_ms + WEEK_BUCKETS * ARRIVAL_BUCKET_MS;
        size_t first = next;
        while (next < count && times_ms[next] < to_ms) {
            next++;
        }
        make_sizes(weeks, week, roots, &made.sizes);
        struct replay replay =
            replay_run(&times_ms[first], next - first, from_ms, to_ms, &size, weeks->lane, arena);
        sum.requests += replay.requests;
        sum.warm += replay.warm;
        sum.wait_p95_ms = larger(sum.wait_p95_ms, replay.wait_p95_ms);
        sum.volumes_most = larger(sum.volumes_most, replay.volumes_most);
        sum.volumes_mean_hundred += replay.volumes_mean_hundred / weeks->count;
    }
    return sum;
}

bool autosize_week(const struct arrivals *arrivals, const struct autosize_wish *wish,
                   const struct fixed_advice *fixed, const struct replay_lane *lane,
                   struct arena *arena, struct week_advice *out)
{
    int64_t count = (arrivals->until - arrivals_first(arrivals)) / WEEK_BUCKETS;
    if (count < WEEKS_MIN) {
        return false;
    }
    struct weeks *weeks = arena_new(arena, 1, sizeof *weeks);
    weeks->arrivals = arrivals;
    weeks->wish = wish;
    weeks->lane = lane;
    weeks->most = fixed->size;
    weeks->count = count;
    weeks->first = arrivals->until - count * WEEK_BUCKETS;
    find_needs(weeks);
    int64_t *times_ms;
    size_t all = arrivals_times(arrivals, arena, &times_ms);
    while (all > 0 && times_ms[0] < weeks->first * ARRIVAL_BUCKET_MS) {
        times_ms++;
        all--;
    }
    int64_t roots = 0;
    do {
        out->replay = judge(weeks, roots, times_ms, all, arena);
    } while (!is_safe(&out->replay, wish) && ++roots <= ROOTS_MAX);
    make_sizes(weeks, -1, roots, &out->sizes);
    out->reaches = reaches(&out->replay, wish);
    return true;
}
