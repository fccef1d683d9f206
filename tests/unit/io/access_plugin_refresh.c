/* SPDX-License-Identifier: Apache-2.0 */
/* When an exec plugin runs again: before its credential expires, after a 401, after a failure, and
   when not. */
#include "io/access_plugin.h"

#include "support/test_authority.h"
#include "support/test_plugin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void open_with(struct test_access *test, const char *token, int64_t life_ms)
{
    test_plugin_write(test, "", "interactiveMode: Never");
    test_plugin_answer_token(test, token, life_ms);
    test_plugin_open(test);
    assert_string_equal(test->set.token, token);
}

static bool ran_twice(struct test_access *test)
{
    test_access_ready(test);
    assert_string_equal(test->set.token, "first");
    assert_int_equal(test->set.generation, 2);
    return test_plugin_run_count(test) == 2;
}

static bool has_second(struct test_access *test)
{
    test_access_ready(test);
    return strcmp(test->set.token, "second") == 0;
}

static void is_refreshed_in_the_background(struct test_access *test, int64_t life_ms,
                                           int64_t before_ms, int64_t earliest_ms)
{
    test->options.exec_refresh_before_ms = before_ms;
    int64_t start_ms = loop_now(test->loop).mono_ms;
    open_with(test, "first", life_ms);
    test_plugin_set_held(test, true);
    test_plugin_answer_token(test, "second", 0);
    test_access_run(test, ran_twice);
    assert_true(loop_now(test->loop).mono_ms - start_ms >= earliest_ms);

    for (int i = 0; i < 5; i++) {
        test_access_ready(test);
        assert_string_equal(test->set.token, "first");
    }
    int told = test->changed_count;
    test_plugin_set_held(test, false);
    test_access_run(test, has_second);
    assert_int_equal(test->set.generation, 3);
    assert_int_equal(test->changed_count, told); /* nobody was waiting */
    assert_int_equal(test_plugin_run_count(test), 2);
}

static void is_refreshed_as_long_before_expiry_as_it_is_told(void **state)
{
    is_refreshed_in_the_background(*state, 3000, 1000, 1900);
}

static void is_refreshed_at_half_its_life_if_that_is_short(void **state)
{
    is_refreshed_in_the_background(*state, 2000, 0, 900);
}

static bool has_expired(struct test_access *test)
{
    enum credentials_state state = test_access_get(test);
    assert_int_not_equal(state, CREDENTIALS_FAILED);
    return state == CREDENTIALS_PENDING;
}

static void is_not_handed_out_once_expired(void **state)
{
    struct test_access *test = *state;
    int64_t start_ms = loop_now(test->loop).mono_ms;
    open_with(test, "first", 1000);
    test_plugin_set_held(test, true);
    test_plugin_answer_token(test, "second", 0);
    test_access_run(test, has_expired);
    assert_true(loop_now(test->loop).mono_ms - start_ms >= 1000);
    test_plugin_set_held(test, false);
    test_access_await(test);
    test_access_ready(test);
    assert_string_equal(test->set.token, "second");
    assert_int_equal(test_plugin_run_count(test), 2);
}

static void runs_again_after_a_401(void **state)
{
    struct test_access *test = *state;
    open_with(test, "first", 3600 * 1000);
    test_plugin_answer_token(test, "second", 3600 * 1000);
    test->credentials.invalidate(test->credentials.self, 1); /* not the current one */
    test_access_ready(test);
    assert_string_equal(test->set.token, "first");

    test->credentials.invalidate(test->credentials.self, 2);
    test->credentials.invalidate(test->credentials.self, 2);
    test_access_await(test);
    test_access_ready(test);
    assert_string_equal(test->set.token, "second");
    assert_int_equal(test->set.generation, 3);
    assert_int_equal(test_plugin_run_count(test), 2);
}

static void does_not_loop_when_every_credential_is_refused(void **state)
{
    struct test_access *test = *state;
    open_with(test, "first", 0);
    test->credentials.invalidate(test->credentials.self, 2);
    test_access_await(test);
    test_access_ready(test);
    assert_int_equal(test->set.generation, 2); /* the same token again */

    test->credentials.invalidate(test->credentials.self, 2);
    assert_int_equal(test_access_get(test), CREDENTIALS_FAILED);
    assert_int_equal(test->error.class, ERROR_UNAUTHORIZED);
    assert_string_equal(test->error.message,
                        arena_print(&test->folder.arena,
                                    "the server refused what the exec plugin %s/bin/login gave; it "
                                    "runs again in 1 s",
                                    test->folder.path));
    for (int i = 0; i < 20; i++) {
        assert_int_equal(test_access_get(test), CREDENTIALS_FAILED);
    }
    assert_int_equal(test_plugin_run_count(test), 2);
}

static bool is_pending(struct test_access *test)
{
    enum credentials_state state = test_access_get(test);
    assert_int_not_equal(state, CREDENTIALS_READY);
    return state == CREDENTIALS_PENDING;
}

static void tries_again_some_time_after_a_failure(void **state)
{
    struct test_access *test = *state;
    test_plugin_write(test, "", "interactiveMode: Never");
    test_plugin_answer(test, "");
    test_plugin_set_failing(test, true);
    test_access_open(test);
    test_access_await(test);
    int64_t failed_ms = loop_now(test->loop).mono_ms;
    assert_int_equal(test_access_get(test), CREDENTIALS_FAILED);
    test_plugin_set_failing(test, false);
    test_plugin_answer_token(test, "sesame", 0);
    test_access_run(test, is_pending);
    assert_true(loop_now(test->loop).mono_ms - failed_ms >= 900);
    test_access_await(test);
    test_access_ready(test);
    assert_string_equal(test->set.token, "sesame");
}

static bool was_warned(struct test_access *test)
{
    test_access_ready(test);
    return test_access_log_count(test, "the exec plugin failed; its last credential") == 1;
}

static void warns_once_when_a_refresh_fails(void **state)
{
    struct test_access *test = *state;
    open_with(test, "first", 3000);
    test_plugin_set_failing(test, true);
    test_access_run(test, was_warned);
    for (int i = 0; i < 20; i++) {
        test_access_ready(test);
    }
    assert_string_equal(test->set.token, "first");
    assert_int_equal(test_plugin_run_count(test), 2);
    assert_int_equal(test_access_log_count(test, "ended with status 3"), 1);
    assert_int_equal(test_access_log_count(test, "first"), 0);
}

static void keeps_its_credential_when_another_part_of_the_config_changes(void **state)
{
    struct test_access *test = *state;
    open_with(test, "first", 0);
    test_plugin_answer_token(test, "second", 0);
    test_plugin_write(test, "tls-server-name: kube", "interactiveMode: Never");
    test_access_ready(test);
    assert_string_equal(test->set.tls_server_name, "kube");
    assert_string_equal(test->set.token, "first");
    assert_int_equal(test->set.generation, 3);
    assert_int_equal(test_plugin_run_count(test), 1);

    test_plugin_write(test, "", "interactiveMode: Never, args: [other]");
    test_access_await(test);
    test_access_ready(test);
    assert_string_equal(test->set.token, "second");
}

static void leaves_the_config_alone_while_somebody_waits(void **state)
{
    struct test_access *test = *state;
    test_plugin_write(test, "", "interactiveMode: Never");
    test_plugin_answer_token(test, "from-plugin", 0);
    test_plugin_set_held(test, true);
    test_access_open(test);
    assert_int_equal(test_access_get(test), CREDENTIALS_PENDING);
    test_access_write_config(test, "", "token: from-config");
    assert_int_equal(test_access_get(test), CREDENTIALS_PENDING);
    test_plugin_set_held(test, false);
    test_access_await(test);
    test_access_ready(test);
    assert_string_equal(test->set.token, "from-config");
}

#define access_test(function)                                                                      \
    cmocka_unit_test_setup_teardown(function, test_access_setup, test_access_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        access_test(is_refreshed_as_long_before_expiry_as_it_is_told),
        access_test(is_refreshed_at_half_its_life_if_that_is_short),
        access_test(is_not_handed_out_once_expired),
        access_test(runs_again_after_a_401),
        access_test(does_not_loop_when_every_credential_is_refused),
        access_test(tries_again_some_time_after_a_failure),
        access_test(warns_once_when_a_refresh_fails),
        access_test(keeps_its_credential_when_another_part_of_the_config_changes),
        access_test(leaves_the_config_alone_while_somebody_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
