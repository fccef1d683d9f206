/* SPDX-License-Identifier: Apache-2.0 */
/* Seeds are fixed, so that what holds once holds always. */
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The published first outputs of xoshiro256** from the state 1, 2, 3, 4. */
static void next_follows_the_published_sequence(void **state)
{
    (void)state;
    struct random random = {.state = {1, 2, 3, 4}};
    static const uint64_t published[] = {11520, 0, 1509978240, 1215971899390074240};
    for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
        assert_true(random_next(&random) == published[i]);
    }
}

/* The published first outputs of splitmix64 from 1234567. */
static void init_follows_the_published_sequence(void **state)
{
    (void)state;
    static const uint64_t published[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431)};
    struct random random;
    random_init(&random, 1234567);
    assert_memory_equal(random.state, published, sizeof(published));
}

static void a_seed_of_zero_is_a_seed(void **state)
{
    (void)state;
    struct random zero;
    struct random one;
    random_init(&zero, 0);
    random_init(&one, 1);
    assert_true(random_next(&zero) != 0 || random_next(&zero) != 0);
    assert_true(random_next(&zero) != random_next(&one));
}

static void below_stays_below_and_reaches_all(void **state)
{
    (void)state;
    struct random random;
    random_init(&random, 1);
    for (uint64_t bound = 1; bound <= 20; bound++) {
        bool seen[20] = {false};
        for (int i = 0; i < 2000; i++) {
            uint64_t number = random_below(&random, bound);
            assert_true(number < bound);
            seen[number] = true;
        }
        for (uint64_t number = 0; number < bound; number++) {
            assert_true(seen[number]);
        }
    }
}

/* With a plain modulo a third of this bound would come up twice as often as the rest. */
static void below_is_even_for_large_bounds(void **state)
{
    (void)state;
    enum { DRAWS = 30000 };
    const uint64_t bound = UINT64_MAX / 4 * 3;
    struct random random;
    random_init(&random, 7);
    int in_first_third = 0;
    for (int i = 0; i < DRAWS; i++) {
        uint64_t number = random_below(&random, bound);
        assert_true(number < bound);
        in_first_third += number < bound / 3 ? 1 : 0;
    }
    assert_in_range(in_first_third, DRAWS / 3 - DRAWS / 50, DRAWS / 3 + DRAWS / 50);
}

static void below_takes_the_largest_bound(void **state)
{
    (void)state;
    struct random random = {.state = {1, 2, 3, 4}};
    assert_true(random_below(&random, UINT64_MAX) == 11520);
}

static void jitter_of_nothing_is_nothing(void **state)
{
    (void)state;
    struct random random;
    random_init(&random, 1);
    for (int i = 0; i < 100; i++) {
        assert_true(random_jitter(&random, 0, 100) == 0);
        assert_true(random_jitter(&random, 1000, 0) == 1000);
        assert_true(random_jitter(&random, 4, 20) == 4);
    }
}

static void assert_jitter(int64_t value, int percent, int64_t lowest, int64_t highest)
{
    struct random random;
    random_init(&random, 3);
    int64_t middle = lowest + (highest - lowest) / 2;
    int below_middle = 0;
    for (int i = 0; i < 1000; i++) {
        int64_t number = random_jitter(&random, value, percent);
        assert_true(number >= lowest && number <= highest);
        below_middle += number < middle ? 1 : 0;
    }
    assert_in_range(below_middle, 350, 650);
}

static void jitter_keeps_its_bounds_and_both_sides(void **state)
{
    (void)state;
    assert_jitter(1000, 20, 800, 1200);
    assert_jitter(1000, 100, 0, 2000);
    assert_jitter(999, 10, 900, 1098);
    assert_jitter(INT64_C(1000000000000000), 20, INT64_C(800000000000000),
                  INT64_C(1200000000000000));
    assert_jitter(INT64_MAX, 50, INT64_MAX - INT64_MAX / 2, INT64_MAX);
    assert_jitter(INT64_MAX, 100, 0, INT64_MAX);
}

static void jitter_reaches_its_ends(void **state)
{
    (void)state;
    struct random random;
    random_init(&random, 5);
    bool seen[5] = {false};
    for (int i = 0; i < 1000; i++) {
        seen[random_jitter(&random, 10, 20) - 8] = true;
    }
    for (size_t i = 0; i < 5; i++) {
        assert_true(seen[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(next_follows_the_published_sequence),
        cmocka_unit_test(init_follows_the_published_sequence),
        cmocka_unit_test(a_seed_of_zero_is_a_seed),
        cmocka_unit_test(below_stays_below_and_reaches_all),
        cmocka_unit_test(below_is_even_for_large_bounds),
        cmocka_unit_test(below_takes_the_largest_bound),
        cmocka_unit_test(jitter_of_nothing_is_nothing),
        cmocka_unit_test(jitter_keeps_its_bounds_and_both_sides),
        cmocka_unit_test(jitter_reaches_its_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
