/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/memo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { GENERATION = 3 };

static const struct now NOW = {.mono_ms = 100000, .wall_ms = 0};

struct fixture {
    struct memos memos;
    struct memo *memo;
    struct random random;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    memos_init(&fixture.memos);
    fixture.memo = memos_get(&fixture.memos, "instance/dev/alice");
    fixture.memo->generation = GENERATION;
    random_init(&fixture.random, 1);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    memos_release(&fixture->memos);
    return 0;
}

static void fail_with(struct fixture *fixture, enum error_class class, int64_t retry_after_ms)
{
    struct error error;
    (void)error_set(&error, class, "no");
    error.retry_after_ms = retry_after_ms;
    memo_fail(fixture->memo, &error, PURPOSE_FILL, GENERATION, NOW, &fixture->random);
}

static int64_t held_ms(const struct fixture *fixture)
{
    return fixture->memo->held_until_ms == 0 ? 0 : fixture->memo->held_until_ms - NOW.mono_ms;
}

static void each_class_has_its_back_off(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        enum error_class class;
        int64_t first_ms; /* without jitter; 0: at once */
    } rows[] = {
        {ERROR_CONFLICT, 0},      {ERROR_TEST_FAILED, 0},    {ERROR_UNKNOWN, 0},
        {ERROR_EXISTS, 500},      {ERROR_INVALID, 5000},     {ERROR_LIMIT, 5000},
        {ERROR_FORBIDDEN, 5000},  {ERROR_NOT_FOUND, 1000},   {ERROR_GONE, 1000},
        {ERROR_SYSTEM, 200},      {ERROR_UNAUTHORIZED, 200}, {ERROR_THROTTLED, 200},
        {ERROR_UNAVAILABLE, 200}, {ERROR_TIMEOUT, 200},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        memo_succeed(fixture->memo);
        fail_with(fixture, rows[i].class, 0);
        assert_int_equal(fixture->memo->trouble_class, rows[i].class);
        assert_in_range(held_ms(fixture), rows[i].first_ms / 2, rows[i].first_ms * 3 / 2);
        assert_int_equal(memo_held(fixture->memo, NOW), rows[i].first_ms > 0);
    }
}

static void a_lost_race_is_free_three_times(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 3; i++) {
        fail_with(fixture, ERROR_TEST_FAILED, 0);
        assert_false(memo_held(fixture->memo, NOW));
    }
    fail_with(fixture, ERROR_TEST_FAILED, 0);
    assert_true(memo_held(fixture->memo, NOW));
}

static void it_grows_up_to_a_maximum(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 40; i++) {
        fail_with(fixture, ERROR_UNAVAILABLE, 0);
    }
    assert_in_range(held_ms(fixture), 15000, 45000);
}

static void the_server_may_ask_for_more(void **state)
{
    struct fixture *fixture = *state;
    fail_with(fixture, ERROR_THROTTLED, 60000);
    assert_int_equal(held_ms(fixture), 60000);
    fail_with(fixture, ERROR_THROTTLED, 1000); /* never shorter than what was said before */
    assert_int_equal(held_ms(fixture), 60000);
}

static void success_forgets_it(void **state)
{
    struct fixture *fixture = *state;
    fail_with(fixture, ERROR_FORBIDDEN, 0);
    memo_succeed(fixture->memo);
    assert_int_equal(fixture->memo->trouble_class, ERROR_NONE);
    assert_int_equal(fixture->memo->failures, 0);
    assert_false(memo_held(fixture->memo, NOW));
}

static void when_it_is_over_a_failed_preflight_is_run_again(void **state)
{
    struct fixture *fixture = *state;
    fail_with(fixture, ERROR_FORBIDDEN, 0);
    memo_set_preflight(fixture->memo, PREFLIGHT_FAILED, ERROR_FORBIDDEN, KIND_SECRET, "a-app",
                       "no");
    assert_string_equal(fixture->memo->preflight.name, "a-app");
    memo_wake(fixture->memo, GENERATION, NOW);
    assert_int_equal(fixture->memo->preflight.state, PREFLIGHT_FAILED);
    struct now later = {.mono_ms = fixture->memo->held_until_ms};
    memo_wake(fixture->memo, GENERATION, later);
    assert_int_equal(fixture->memo->preflight.state, PREFLIGHT_NONE);
    assert_false(memo_held(fixture->memo, NOW));
    assert_int_equal(fixture->memo->trouble_class, ERROR_FORBIDDEN); /* still what was last said */
    assert_int_equal(fixture->memo->failures, 1);
}

static void a_passed_preflight_outlives_a_back_off(void **state)
{
    struct fixture *fixture = *state;
    fail_with(fixture, ERROR_UNAVAILABLE, 0);
    memo_set_preflight(fixture->memo, PREFLIGHT_PASSED, ERROR_NONE, KIND_INSTANCE, NULL, NULL);
    struct now later = {.mono_ms = fixture->memo->held_until_ms};
    memo_wake(fixture->memo, GENERATION, later);
    assert_int_equal(fixture->memo->preflight.state, PREFLIGHT_PASSED);
}

static void a_new_generation_is_tried_at_once(void **state)
{
    struct fixture *fixture = *state;
    fail_with(fixture, ERROR_INVALID, 0);
    memo_set_preflight(fixture->memo, PREFLIGHT_PASSED, ERROR_NONE, KIND_INSTANCE, NULL, NULL);
    memo_wake(fixture->memo, GENERATION + 1, NOW);
    assert_false(memo_held(fixture->memo, NOW));
    assert_int_equal(fixture->memo->failures, 0);
    assert_int_equal(fixture->memo->preflight.state, PREFLIGHT_NONE);
}

static void a_memo_is_found_by_its_key_until_it_is_forgotten(void **state)
{
    struct fixture *fixture = *state;
    assert_ptr_equal(memos_get(&fixture->memos, "instance/dev/alice"), fixture->memo);
    assert_ptr_equal(memos_find(&fixture->memos, "instance/dev/alice"), fixture->memo);
    assert_null(memos_find(&fixture->memos, "instance/dev/bob"));
    assert_null(memos_find(NULL, "instance/dev/alice"));
    memos_forget(&fixture->memos, "instance/dev/alice");
    memos_forget(&fixture->memos, "instance/dev/alice");
    assert_null(memos_find(&fixture->memos, "instance/dev/alice"));
}

static void what_is_known_of_an_object_is_not_known_of_the_next_of_its_name(void **state)
{
    struct fixture *fixture = *state;
    memo_set_preflight(fixture->memo, PREFLIGHT_PASSED, ERROR_NONE, KIND_INSTANCE, NULL, NULL);
    memos_forget(&fixture->memos, "instance/dev/alice");
    assert_null(memos_find(&fixture->memos, "instance/dev/alice"));
}

static void what_is_on_the_wire_ends_before_it_is_forgotten(void **state)
{
    struct fixture *fixture = *state;
    memos_batch_ended(&fixture->memos, fixture->memo);
    assert_ptr_equal(memos_find(&fixture->memos, "instance/dev/alice"), fixture->memo);
    fixture->memo->processing = true;
    memos_forget(&fixture->memos, "instance/dev/alice");
    assert_ptr_equal(memos_find(&fixture->memos, "instance/dev/alice"), fixture->memo);
    memo_set_preflight(fixture->memo, PREFLIGHT_PASSED, ERROR_NONE, KIND_INSTANCE, NULL, NULL);
    memos_batch_ended(&fixture->memos, fixture->memo);
    assert_null(memos_find(&fixture->memos, "instance/dev/alice"));
}

#define WITH_MEMO(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MEMO(each_class_has_its_back_off),
        WITH_MEMO(a_lost_race_is_free_three_times),
        WITH_MEMO(it_grows_up_to_a_maximum),
        WITH_MEMO(the_server_may_ask_for_more),
        WITH_MEMO(success_forgets_it),
        WITH_MEMO(when_it_is_over_a_failed_preflight_is_run_again),
        WITH_MEMO(a_passed_preflight_outlives_a_back_off),
        WITH_MEMO(a_new_generation_is_tried_at_once),
        WITH_MEMO(a_memo_is_found_by_its_key_until_it_is_forgotten),
        WITH_MEMO(what_is_known_of_an_object_is_not_known_of_the_next_of_its_name),
        WITH_MEMO(what_is_on_the_wire_ends_before_it_is_forgotten),
    };
    return cmocka_run_group_tests_name("memo", tests, NULL, NULL);
}
