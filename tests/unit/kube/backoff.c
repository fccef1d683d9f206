/* SPDX-License-Identifier: Apache-2.0 */
#include "kube/backoff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_within(int64_t value, int64_t lowest, int64_t highest)
{
    assert_true(value >= lowest);
    assert_true(value <= highest);
}

static void doubles_up_to_its_maximum_and_never_over_it(void **state)
{
    (void)state;
    struct random random;
    random_init(&random, 1);
    for (int round = 0; round < 200; round++) {
        assert_within(backoff_ms(1, 100, 1000, 0, &random), 50, 100);
        assert_within(backoff_ms(2, 100, 1000, 0, &random), 100, 200);
        assert_within(backoff_ms(3, 100, 1000, 0, &random), 200, 400);
        assert_within(backoff_ms(5, 100, 1000, 0, &random), 500, 1000);
        assert_within(backoff_ms(INT32_MAX, 100, 1000, 0, &random), 500, 1000);
        assert_within(backoff_ms(INT32_MAX, 1, INT64_MAX / 2, 0, &random), INT64_MAX / 4,
                      INT64_MAX / 2);
    }
}

static void is_never_nothing(void **state)
{
    (void)state;
    struct random random;
    random_init(&random, 1);
    for (int round = 0; round < 100; round++) {
        assert_within(backoff_ms(1, 1, 1, 0, &random), 1, 1);
    }
}

/* B16 */
static void two_replicas_do_not_stay_in_step(void **state)
{
    (void)state;
    struct random one, other;
    random_init(&one, 1);
    random_init(&other, 2);
    int64_t one_ms = 0, other_ms = 0;
    int same_count = 0;
    for (int failures = 1; failures <= 20; failures++) {
        one_ms += backoff_ms(failures, 500, 30000, 0, &one);
        other_ms += backoff_ms(failures, 500, 30000, 0, &other);
        same_count += one_ms == other_ms;
    }
    assert_true(same_count <= 1);
}

/* B15 */
static void what_a_server_asks_for_is_waited_for_and_spread(void **state)
{
    (void)state;
    struct random random;
    random_init(&random, 1);
    bool spread = false;
    for (int round = 0; round < 100; round++) {
        int64_t delay_ms = backoff_ms(1, 100, 1000, 8000, &random);
        assert_within(delay_ms, 8000, 10000);
        spread = spread || delay_ms != 8000;
    }
    assert_true(spread);
    assert_within(backoff_ms(4, 1000, 60000, 10, &random), 4000, 8000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_up_to_its_maximum_and_never_over_it),
        cmocka_unit_test(is_never_nothing),
        cmocka_unit_test(two_replicas_do_not_stay_in_step),
        cmocka_unit_test(what_a_server_asks_for_is_waited_for_and_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
