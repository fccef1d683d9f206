/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/front_state.h"

#include "support/simulated_front.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
    static struct simulated_front front;
    simulated_front_init(&front, 1);
    *state = &front;
    return 0;
}

static int tear_down(void **state)
{
    simulated_front_release(*state);
    return 0;
}

/* A thousand seconds of the world in each. */
static int set_up_fast(void **state)
{
    static struct simulated_front front;
    simulated_front_init(&front, 1000);
    *state = &front;
    return 0;
}

static bool has_begun(void *self)
{
    return ((const struct test_call *)self)->head_count > 0;
}

static bool has_ended(void *self)
{
    return ((const struct test_call *)self)->end_count > 0;
}

/* A watch, and what is waited for in it. */
struct expectation {
    struct test_call *call;
    const char *part;
};

static bool has_part(void *self)
{
    const struct expectation *expectation = self;
    return strstr(expectation->call->body.bytes, expectation->part) != NULL;
}

static void await_part(struct simulated_front *fixture, struct test_call *call, const char *part)
{
    struct expectation expectation = {call, part};
    simulated_front_run(fixture, has_part, &expectation);
}

static void begin_watch(struct simulated_front *fixture, struct test_call *call, const char *path)
{
    struct request request = test_watch(path);
    test_call_start(call, &fixture->client, &request);
    simulated_front_run(fixture, has_begun, call);
    assert_int_equal(call->http_status, 200);
}

static bool nobody_watches(void *self)
{
    return ((const struct front *)self)->watches == NULL;
}

static void a_watch_brings_what_changes(void **state)
{
    struct simulated_front *fixture = *state;
    struct test_call call;
    front_create(fixture, "before");
    begin_watch(fixture, &call, FRONT_MAPS "?watch=true&resourceVersion=0");
    await_part(fixture, &call, "\"name\":\"before\"");
    front_create(fixture, "after");
    await_part(fixture, &call, "\"name\":\"after\"");
    assert_int_equal(call.end_count, 0);
    fixture->client.transport.cancel(fixture->client.transport.self, call.call);
    test_call_release(&call);
}

static void many_watches_are_fed_at_once(void **state)
{
    enum { COUNT = 30 };
    struct simulated_front *fixture = *state;
    struct test_call calls[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        begin_watch(fixture, &calls[i], FRONT_MAPS "?watch=true");
    }
    front_create(fixture, "for-all");
    for (size_t i = 0; i < COUNT; i++) {
        await_part(fixture, &calls[i], "\"name\":\"for-all\"");
        fixture->client.transport.cancel(fixture->client.transport.self, calls[i].call);
        test_call_release(&calls[i]);
    }
}

static void a_watch_that_is_refused_is_answered(void **state)
{
    struct simulated_front *fixture = *state;
    struct request request = test_watch(FRONT_MAPS "?watch=true&resourceVersion=nonsense");
    assert_front_answers(fixture, &request, 400, "\"kind\":\"Status\"");
}

static void a_client_that_left_is_noticed_while_nothing_happens(void **state)
{
    struct simulated_front *fixture = *state;
    struct test_call call;
    begin_watch(fixture, &call, FRONT_MAPS "?watch=true");
    assert_non_null(fixture->front->watches);
    fixture->client.transport.cancel(fixture->client.transport.self, call.call);
    test_call_release(&call);
    simulated_front_run(fixture, nobody_watches, fixture->front);
}

/* At a thousand times its speed, 1 s asked for is 1000 s of the world. */
static void a_watch_lasts_as_long_as_asked_in_real_time(void **state)
{
    struct simulated_front *fixture = *state;
    struct test_call call;
    struct request request = test_watch(FRONT_MAPS "?timeoutSeconds=1&watch=true");
    int64_t before_ms = world_now(fixture->world).mono_ms;
    test_call_start(&call, &fixture->client, &request);
    simulated_front_run(fixture, has_ended, &call);
    assert_int_equal(call.error.class, ERROR_NONE);
    assert_true(world_now(fixture->world).mono_ms - before_ms >= 1000 * 1000);
    test_call_release(&call);
}

static void an_open_watch_ends_with_the_front(void **state)
{
    struct simulated_front *fixture = *state;
    struct test_call call;
    begin_watch(fixture, &call, FRONT_MAPS "?watch=true");
    front_free(fixture->front);
    fixture->front = NULL;
    test_client_run(&fixture->client, has_ended, &call);
    assert_int_not_equal(call.error.class, ERROR_NONE);
    test_call_release(&call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_watch_brings_what_changes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_watches_are_fed_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_watch_that_is_refused_is_answered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_client_that_left_is_noticed_while_nothing_happens, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_watch_lasts_as_long_as_asked_in_real_time, set_up_fast,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_open_watch_ends_with_the_front, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
