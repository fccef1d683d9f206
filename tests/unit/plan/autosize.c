/* SPDX-License-Identifier: Apache-2.0 */
/* Judged on eight weeks: four that are recorded, and the four after them. */
#include "plan/autosize.h"

#include "support/weeks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SEEDS = 20, RECORDED_WEEKS = 4, HITS_WANTED = 9900 };
#define FROM_MS (WEEKS_START_MS + RECORDED_WEEKS * WEEKS_WEEK_MS)
#define TO_MS (FROM_MS + RECORDED_WEEKS * WEEKS_WEEK_MS)

static const struct autosize_wish WISH = {
    .mode = AUTOSIZE_APPLY, .target = 99, .min = 1, .max = 40};

struct fixture {
    struct arena arena;
    int64_t *times_ms;
    size_t count, recorded_count; /* all, and of those of the first weeks */
    struct arrivals recorded;
};

static void record(struct fixture *fixture, uint64_t seed)
{
    fixture->count = weeks_make(seed, 2 * RECORDED_WEEKS, &fixture->arena, &fixture->times_ms);
    fixture->recorded_count = 0;
    while (fixture->times_ms[fixture->recorded_count] < FROM_MS) {
        fixture->recorded_count++;
    }
    weeks_record(fixture->times_ms, fixture->count, FROM_MS, &fixture->recorded);
}

static int begin(void **state)
{
    static struct fixture fixture;
    arena_init(&fixture.arena, 0);
    record(&fixture, 1);
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *fixture = *state;
    arena_release(&fixture->arena);
    return 0;
}

static const int64_t *later(const struct fixture *fixture, size_t *out_count)
{
    *out_count = fixture->count - fixture->recorded_count;
    return &fixture->times_ms[fixture->recorded_count];
}

static struct replay with_size(struct fixture *fixture, int64_t size)
{
    size_t count;
    const int64_t *times_ms = later(fixture, &count);
    return replay_fixed(times_ms, count, FROM_MS, TO_MS, size, &weeks_lane, &fixture->arena);
}

static int64_t at(const void *self, int64_t wall_ms)
{
    return week_size_at(self, &weeks_lane, wall_ms);
}

static void print_row(const char *name, const struct replay *replay)
{
    print_message("%-22s %3lld.%02lld%% %6lld s %7lld %6lld.%02lld\n", name,
                  (long long)replay_hits(replay) / 100, (long long)replay_hits(replay) % 100,
                  (long long)replay->wait_p95_ms / 1000, (long long)replay->volumes_most,
                  (long long)replay->volumes_mean_hundred / 100,
                  (long long)replay->volumes_mean_hundred % 100);
}

static struct fixed_advice recommended(struct fixture *fixture)
{
    int64_t *times_ms;
    size_t count = arrivals_times(&fixture->recorded, &fixture->arena, &times_ms);
    return autosize_fixed(times_ms, count, WEEKS_START_MS, FROM_MS, &WISH, &weeks_lane,
                          &fixture->arena);
}

static void judge_seed(struct fixture *fixture, uint64_t seed)
{
    record(fixture, seed);
    struct fixed_advice fixed = recommended(fixture);
    struct replay recommends = with_size(fixture, fixed.size);
    struct week_advice *week = arena_new(&fixture->arena, 1, sizeof *week);
    assert_true(
        autosize_week(&fixture->recorded, &WISH, &fixed, &weeks_lane, &fixture->arena, week));
    size_t count;
    const int64_t *times_ms = later(fixture, &count);
    struct weeks_best best = weeks_best(times_ms, count, FROM_MS, TO_MS, &fixture->arena);
    struct replay_size sizes = {at, &week->sizes, ARRIVAL_BUCKET_MS};
    struct replay applies = recommends;
    if (week->reaches) {
        applies = replay_run(times_ms, count, FROM_MS, TO_MS, &sizes, &weeks_lane, &fixture->arena);
    }
    struct replay five = with_size(fixture, 5);
    struct replay ten = with_size(fixture, 10);
    struct replay twenty = with_size(fixture, 20);
    print_message("seed %d: %zu requests, then %zu\n%-22s %7s %8s %7s %9s\n", (int)seed,
                  fixture->recorded_count, count, "", "warm", "p95", "most", "mean");
    print_row("size 5", &five);
    print_row("size 10", &ten);
    print_row("size 20", &twenty);
    print_row("best size in hindsight", &best.replay);
    print_row("Recommend", &recommends);
    print_row("Apply, as expected", &week->replay);
    print_row("Apply", &applies);
    assert_true(replay_hits(&recommends) >= HITS_WANTED);
    assert_true(2 * fixed.size <= 3 * best.size);
    assert_true(replay_hits(&applies) >= HITS_WANTED);
    assert_true(2 * applies.volumes_most <= 3 * best.replay.volumes_most);
    assert_true(2 * applies.volumes_mean_hundred <= 3 * best.replay.volumes_mean_hundred);
}

static void the_next_weeks_find_what_they_need(void **state)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        judge_seed(*state, seed);
    }
}

static void one_week_is_too_few(void **state)
{
    struct fixture *fixture = *state;
    struct week_advice *week = arena_new(&fixture->arena, 1, sizeof *week);
    struct fixed_advice fixed = {.size = 10};
    fixture->recorded.since = fixture->recorded.until - 13 * ARRIVAL_BUCKETS_A_DAY;
    assert_false(
        autosize_week(&fixture->recorded, &WISH, &fixed, &weeks_lane, &fixture->arena, week));
    fixture->recorded.since = fixture->recorded.until - 14 * ARRIVAL_BUCKETS_A_DAY;
    assert_true(
        autosize_week(&fixture->recorded, &WISH, &fixed, &weeks_lane, &fixture->arena, week));
}

static void a_target_out_of_reach_is_told(void **state)
{
    struct fixture *fixture = *state;
    struct autosize_wish small = WISH;
    small.max = 3;
    struct fixed_advice fixed =
        autosize_fixed(fixture->times_ms, fixture->recorded_count, WEEKS_START_MS, FROM_MS, &small,
                       &weeks_lane, &fixture->arena);
    struct week_advice *week = arena_new(&fixture->arena, 1, sizeof *week);
    assert_true(
        autosize_week(&fixture->recorded, &small, &fixed, &weeks_lane, &fixture->arena, week));
    assert_false(week->reaches);
    assert_int_equal(fixed.size, 3);
    assert_false(fixed.reaches);
}

/* Ten at 09:00 on Mondays: the last of them is asked for early enough to be there. */
static void what_a_morning_needs_is_there_when_it_begins(void **state)
{
    (void)state;
    struct week_sizes sizes;
    memset(sizes.slots, 1, sizeof sizes.slots);
    sizes.slots[18] = 10;
    int64_t nine_ms = WEEKS_START_MS + INT64_C(9) * 3600 * 1000;
    int64_t asked_ms = nine_ms;
    while (week_size_at(&sizes, &weeks_lane, asked_ms - 1000) == 10) {
        asked_ms -= 1000;
    }
    assert_true(nine_ms - asked_ms >= weeks_lane.latency_ms);
    assert_int_equal(week_size_at(&sizes, &weeks_lane, nine_ms), 10);
    assert_int_equal(week_size_at(&sizes, &weeks_lane, nine_ms - INT64_C(3600) * 1000), 1);
    int64_t begins_ms = nine_ms;
    while (week_size_at(&sizes, &weeks_lane, begins_ms - 1000) > 1) {
        begins_ms -= 1000;
    }
    assert_true(nine_ms - begins_ms >= weeks_lane.latency_ms + 8 * weeks_lane.gap_ms);
    assert_int_equal(week_size_at(&sizes, &weeks_lane, nine_ms + WEEK_SLOT_MS), 10);
    assert_int_equal(week_size_at(&sizes, &weeks_lane, nine_ms + 2 * WEEK_SLOT_MS), 1);
}

/* Forty take longer than the half hour before. */
static void what_takes_more_than_a_half_hour_begins_in_the_one_before(void **state)
{
    (void)state;
    struct week_sizes sizes;
    memset(sizes.slots, 1, sizeof sizes.slots);
    sizes.slots[18] = 40;
    int64_t nine_ms = WEEKS_START_MS + INT64_C(9) * 3600 * 1000;
    int64_t size = week_size_at(&sizes, &weeks_lane, nine_ms - WEEK_SLOT_MS - 60 * 1000);
    assert_true(size > 1 && size < 40);
}

static void sizes_read_back(void **state)
{
    struct fixture *fixture = *state;
    struct week_sizes sizes, again;
    for (size_t i = 0; i < WEEK_SLOTS; i++) {
        sizes.slots[i] = (unsigned char)(i % 101);
    }
    const char *text = week_sizes_write(&sizes, &fixture->arena);
    assert_int_equal(strlen(text), 448);
    assert_true(week_sizes_read(text, &fixture->arena, &again));
    assert_memory_equal(&sizes, &again, sizeof sizes);
    assert_false(week_sizes_read(NULL, &fixture->arena, &again));
    assert_false(week_sizes_read("AQ==", &fixture->arena, &again));
    assert_false(week_sizes_read("!", &fixture->arena, &again));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_next_weeks_find_what_they_need),
        TEST(one_week_is_too_few),
        TEST(a_target_out_of_reach_is_told),
        TEST(what_a_morning_needs_is_there_when_it_begins),
        TEST(what_takes_more_than_a_half_hour_begins_in_the_one_before),
        TEST(sizes_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
