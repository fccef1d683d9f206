/* SPDX-License-Identifier: Apache-2.0 */
/* What a server can do wrong, and that nothing it does is answered by a tight loop. */
#include "kube/informer.h"

#include "support/informer_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MINUTE_MS = 60 * 1000 };

static void send(struct informer_fixture *fixture, const char *events)
{
    fake_call_json(informer_fixture_call(fixture), events);
}

static void assert_lists_everything_after_a_pause(struct informer_fixture *fixture)
{
    int64_t before_ms = fixture->mono_ms;
    informer_fixture_step_when_due(fixture);
    assert_true(fixture->mono_ms >= before_ms + 50);
    assert_string_equal(informer_fixture_call(fixture)->request.path, "/api/v1/namespaces?limit=2");
}

/* B8 */
static void gone_as_a_status_lists_again_after_a_pause(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", "");
    fake_call_end(informer_fixture_call(fixture));
    informer_fixture_step(fixture, MINUTE_MS);
    fake_call_reply(informer_fixture_call(fixture), 410, GONE_STATUS);
    informer_fixture_step(fixture, MINUTE_MS + 1);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_GONE);
    assert_string_equal(informer_error(fixture->informer)->message, "too old");
    assert_lists_everything_after_a_pause(fixture);
}

/* B8 */
static void gone_as_an_event_lists_again_after_a_pause(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", "");
    send(fixture, EVENT("ERROR", GONE_STATUS));
    struct fake_call *watch = informer_fixture_call(fixture);
    assert_true(informer_due(fixture->informer));
    informer_fixture_step(fixture, MINUTE_MS);
    assert_int_equal(watch->state, FAKE_CALL_CANCELLED);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_GONE);
    assert_lists_everything_after_a_pause(fixture);
}

/* B8 */
static void a_server_whose_watches_are_all_gone_is_not_listed_in_a_tight_loop(void **state)
{
    struct informer_fixture *fixture = *state;
    int list_count = 0;
    while (fixture->mono_ms < 10 * MINUTE_MS) {
        informer_fixture_step_when_due(fixture);
        list_count++;
        informer_fixture_list(fixture, "10", NULL, "");
        fake_call_head(informer_fixture_call(fixture), 200, 0);
        send(fixture, EVENT("ERROR", GONE_STATUS));
        informer_fixture_step(fixture, fixture->mono_ms + 1);
    }
    assert_true(list_count >= 10 * MINUTE_MS / 10000);
    assert_true(list_count <= 10 * MINUTE_MS / 5000 + 10);
}

/* B9 */
static void another_error_event_backs_off_and_does_not_move_the_version(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", "");
    send(fixture, EVENT("ADDED", NAMESPACE("a", "12"))
                      EVENT("ERROR", "{'kind':'Status','code':500,'message':'etcd is away',"
                                     "'metadata':{'resourceVersion':'99'}}")
                          EVENT("ADDED", NAMESPACE("b", "13")));
    informer_fixture_step(fixture, 10);
    informer_fixture_assert_heard(fixture, "+a ");
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_UNAVAILABLE);
    assert_string_equal(informer_error(fixture->informer)->message, "etcd is away");
    informer_fixture_step_when_due(fixture);
    assert_true(fixture->mono_ms >= 10 + 50);
    informer_fixture_assert_path_has(fixture, "watch=1");
    informer_fixture_assert_path_has(fixture, "&resourceVersion=12");
}

/* B9, B15 */
static void an_error_event_that_names_a_time_is_waited_for(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", "");
    send(fixture, EVENT("ERROR", "{'kind':'Status','code':429,'message':'too many',"
                                 "'details':{'retryAfterSeconds':30}}"));
    informer_fixture_step(fixture, 10);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_THROTTLED);
    assert_true(informer_wake_at(fixture->informer) >= 10 + 30000);
    informer_fixture_step_when_due(fixture);
    informer_fixture_assert_path_has(fixture, "watch=1");
}

static void watches_that_fail_again_and_again_end_in_a_list(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", "");
    int watch_count = 1;
    while (informer_fixture_call(fixture)->request.watch) {
        fake_call_fail(informer_fixture_call(fixture), ERROR_UNAVAILABLE);
        informer_fixture_step(fixture, fixture->mono_ms + 1);
        informer_fixture_step_when_due(fixture);
        watch_count++;
        assert_true(watch_count < 10);
    }
    assert_string_equal(informer_fixture_call(fixture)->request.path, "/api/v1/namespaces?limit=2");
}

static void watches_that_end_at_once_are_not_asked_for_in_a_tight_loop(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", "");
    size_t before_count = fake_transport_count(fixture->transport);
    for (int i = 0; i < 4; i++) {
        int64_t started_ms = fixture->mono_ms;
        fake_call_end(informer_fixture_call(fixture));
        informer_fixture_step(fixture, started_ms + 1);
        informer_fixture_step_when_due(fixture);
        assert_true(fixture->mono_ms >= started_ms + 50);
        fake_call_head(informer_fixture_call(fixture), 200, 0);
    }
    assert_int_equal(fake_transport_count(fixture->transport), before_count + 4);
}

/* B15 */
static void a_throttled_list_waits_as_long_as_it_is_told(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_step(fixture, 1);
    fake_call_head(informer_fixture_call(fixture), 429, 20 * 1000);
    fake_call_end(informer_fixture_call(fixture));
    informer_fixture_step(fixture, 100);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_THROTTLED);
    assert_true(informer_wake_at(fixture->informer) >= 100 + 20 * 1000);
}

/* B18 */
static void a_kind_that_is_refused_or_missing_is_asked_for_at_the_slowest(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_step(fixture, 1);
    fake_call_reply(informer_fixture_call(fixture), 404, "404 page not found");
    informer_fixture_step(fixture, 2);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_NOT_FOUND);
    assert_true(informer_wake_at(fixture->informer) >= 2 + 5000);
    informer_fixture_step_when_due(fixture);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_NOT_FOUND);
    fake_call_reply(informer_fixture_call(fixture), 403,
                    "{'kind':'Status','reason':'Forbidden','message':'no'}");
    informer_fixture_step(fixture, fixture->mono_ms);
    assert_true(informer_wake_at(fixture->informer) >= fixture->mono_ms + 5000);
    assert_string_equal(informer_error(fixture->informer)->message, "no");
    informer_fixture_step_when_due(fixture);
    informer_fixture_list(fixture, "10", NULL, "");
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_NONE);
}

/* B16 */
static void two_replicas_do_not_come_back_in_step(void **state)
{
    struct informer_fixture *fixture = *state;
    int64_t back_ms[2];
    for (uint64_t seed = 0; seed < 2; seed++) {
        informer_fixture_use(fixture, KIND_NAMESPACE, seed + 1);
        informer_fixture_step(fixture, 1);
        for (int i = 0; i < 5; i++) {
            fake_call_reply(informer_fixture_call(fixture), 503, NULL);
            informer_fixture_step(fixture, fixture->mono_ms);
            informer_fixture_step_when_due(fixture);
        }
        back_ms[seed] = fixture->mono_ms;
        fixture->mono_ms = 0;
    }
    assert_true(back_ms[0] != back_ms[1]);
    assert_true(back_ms[0] > 50 + 100 + 200 + 400 + 800);
}

static void a_stream_that_cannot_be_read_lists_again_after_a_pause(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", "");
    send(fixture, EVENT("ADDED", NAMESPACE("a", "12")) "<html>502</html>");
    informer_fixture_step(fixture, 10);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_INVALID);
    assert_lists_everything_after_a_pause(fixture);
}

#define WITH_INFORMER(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, informer_fixture_set_up, informer_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_INFORMER(gone_as_a_status_lists_again_after_a_pause),
        WITH_INFORMER(gone_as_an_event_lists_again_after_a_pause),
        WITH_INFORMER(a_server_whose_watches_are_all_gone_is_not_listed_in_a_tight_loop),
        WITH_INFORMER(another_error_event_backs_off_and_does_not_move_the_version),
        WITH_INFORMER(an_error_event_that_names_a_time_is_waited_for),
        WITH_INFORMER(watches_that_fail_again_and_again_end_in_a_list),
        WITH_INFORMER(watches_that_end_at_once_are_not_asked_for_in_a_tight_loop),
        WITH_INFORMER(a_throttled_list_waits_as_long_as_it_is_told),
        WITH_INFORMER(a_kind_that_is_refused_or_missing_is_asked_for_at_the_slowest),
        WITH_INFORMER(two_replicas_do_not_come_back_in_step),
        WITH_INFORMER(a_stream_that_cannot_be_read_lists_again_after_a_pause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
