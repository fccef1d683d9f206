/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MINUTE INT64_C(60000)
#define END (1000 * MINUTE)

static const struct replay_lane LANE = {MINUTE, 2 * MINUTE};

static struct replay run(const int64_t *times_ms, size_t count, int64_t size)
{
    struct arena arena cleanup_arena;
    arena_init(&arena, 0);
    return replay_fixed(times_ms, count, 0, END, size, &LANE, &arena);
}

static void who_finds_one_does_not_wait(void **state)
{
    (void)state;
    static const int64_t times_ms[] = {0, 0, 0};
    struct replay replay = run(times_ms, 3, 3);
    assert_int_equal(replay.warm, 3);
    assert_int_equal(replay.wait_p95_ms, 0);
    assert_int_equal(replay.volumes_most, 3);
    assert_int_equal(replay.volumes_mean_hundred, 300);
    assert_int_equal(replay_hits(&replay), 10000);
}

/* Clones come after two minutes, then each minute: the third gets the first of them. */
static void who_finds_none_takes_the_next(void **state)
{
    (void)state;
    static const int64_t times_ms[] = {0, 0, 0, 0};
    struct replay replay = run(times_ms, 4, 2);
    assert_int_equal(replay.warm, 2);
    assert_int_equal(replay_hits(&replay), 5000);
    assert_int_equal(replay.wait_p95_ms, 3 * MINUTE);
}

static void a_pool_of_none_makes_one_for_each(void **state)
{
    (void)state;
    static const int64_t times_ms[] = {0, 100 * MINUTE};
    struct replay replay = run(times_ms, 2, 0);
    assert_int_equal(replay.warm, 0);
    assert_int_equal(replay.wait_p95_ms, 2 * MINUTE);
    assert_int_equal(replay.volumes_most, 1);
}

static void what_was_taken_comes_back(void **state)
{
    (void)state;
    static const int64_t times_ms[] = {0, 119000, 120000};
    assert_int_equal(run(times_ms, 2, 1).warm, 1);
    static const int64_t later_ms[] = {0, 120000};
    assert_int_equal(run(later_ms, 2, 1).warm, 2);
    assert_int_equal(run(times_ms, 3, 2).warm, 3);
}

static int64_t two_in_the_second_half(const void *self, int64_t wall_ms)
{
    (void)self;
    return wall_ms < END / 2 ? 0 : 2;
}

static void the_size_may_change(void **state)
{
    (void)state;
    struct arena arena cleanup_arena;
    arena_init(&arena, 0);
    static const int64_t times_ms[] = {MINUTE, 510 * MINUTE, 510 * MINUTE};
    struct replay_size size = {two_in_the_second_half, NULL, 5 * MINUTE};
    struct replay replay = replay_run(times_ms, 3, 0, END, &size, &LANE, &arena);
    assert_int_equal(replay.warm, 2);
    assert_in_range(replay.volumes_mean_hundred, 99, 101);
}

static void nobody_asked(void **state)
{
    (void)state;
    struct replay replay = run(NULL, 0, 4);
    assert_int_equal(replay_hits(&replay), 10000);
    assert_int_equal(replay.volumes_mean_hundred, 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_finds_one_does_not_wait),
        cmocka_unit_test(who_finds_none_takes_the_next),
        cmocka_unit_test(a_pool_of_none_makes_one_for_each),
        cmocka_unit_test(what_was_taken_comes_back),
        cmocka_unit_test(the_size_may_change),
        cmocka_unit_test(nobody_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
