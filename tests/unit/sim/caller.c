/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/caller.h"

#include "sim/draft.h"
#include "sim/recorder.h"
#include "support/simulated_api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const struct span LATENCY = {10, 10};

struct counted {
    struct simulated_api *api;
    int count, ok_count;
    int64_t last_ms;
    bool was_there; /* seen by a look */
};

static void count(void *self, const struct outcome *outcome)
{
    struct counted *counted = self;
    counted->count++;
    counted->ok_count += outcome_ok(outcome) ? 1 : 0;
    counted->last_ms = world_now(counted->api->world).mono_ms;
}

static void run(struct simulated_api *api, int64_t until_ms)
{
    while (world_run_next(api->world, until_ms)) {
    }
}

static struct caller *make(struct simulated_api *api, int64_t a_second, int64_t burst)
{
    const struct caller_options options = {
        .actor = "controller", .requests_a_second = a_second, .burst = burst, .latency = &LATENCY};
    return caller_new(api->server, &options);
}

static void create(struct caller *caller, struct counted *counted, const char *name)
{
    caller_create(caller, &resource_config_maps, "dev",
                  draft("{'metadata':{'name':'$1'}}", name, NULL), (struct answer){count, counted});
}

static bool exists(struct simulated_api *api, const char *name)
{
    return objects_get(apiserver_objects(api->server), &resource_config_maps, "dev", name) != NULL;
}

static void a_request_takes_effect_at_the_server_and_is_answered_later(void **state)
{
    struct simulated_api *api = *state;
    struct counted counted = {.api = api};
    struct caller *caller = make(api, 0, 0);
    create(caller, &counted, "a");
    run(api, 9);
    assert_false(exists(api, "a"));
    run(api, 10);
    assert_true(exists(api, "a"));
    assert_int_equal(counted.count, 0);
    run(api, 20);
    assert_int_equal(counted.ok_count, 1);
    create(caller, &counted, "a");
    run(api, 100);
    assert_int_equal(counted.count, 2);
    assert_int_equal(counted.ok_count, 1);
    caller_free(caller);
}

/* 50 of 20 a second with a burst of 30: the last waits for a second. */
static void beyond_the_burst_requests_wait_for_the_rate(void **state)
{
    struct simulated_api *api = *state;
    struct counted counted = {.api = api};
    struct caller *caller = make(api, 20, 30);
    for (int i = 0; i < 50; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "m-%d", i);
        create(caller, &counted, name);
    }
    run(api, 20);
    assert_int_equal(counted.count, 30);
    run(api, 5000);
    assert_int_equal(counted.count, 50);
    assert_int_equal(counted.last_ms, 1020);
    create(caller, &counted, "later"); /* four seconds have filled it again */
    run(api, 5020);
    assert_int_equal(counted.last_ms, 5020);
    caller_free(caller);
}

static void what_has_arrived_is_applied_though_the_caller_dies(void **state)
{
    struct simulated_api *api = *state;
    struct counted counted = {.api = api};
    struct caller *caller = make(api, 0, 0);
    create(caller, &counted, "a");
    run(api, 10);
    create(caller, &counted, "b");
    run(api, 15);
    caller_free(caller);
    run(api, 100);
    assert_true(exists(api, "a"));
    assert_false(exists(api, "b"));
    assert_int_equal(counted.count, 0);
}

static void see(void *self)
{
    struct counted *counted = self;
    counted->was_there = exists(counted->api, "a");
}

static void a_look_sees_what_is_there_when_it_arrives(void **state)
{
    struct simulated_api *api = *state;
    struct counted counted = {.api = api};
    struct caller *caller = make(api, 0, 0);
    caller_look(caller, see, (struct answer){count, &counted});
    assert_created(api_post(api, &resource_config_maps, "dev", "{'metadata':{'name':'a'}}"));
    run(api, 20);
    assert_true(counted.was_there);
    assert_int_equal(counted.ok_count, 1);
    caller_free(caller);
}

static int count_events(struct simulated_api *api)
{
    int found = 0;
    const struct record *at = NULL;
    while ((at = objects_next(apiserver_objects(api->server), &resource_events, "dev", at)) !=
           NULL) {
        assert_has(at, "{'involvedObject':{'kind':'ConfigMap','name':'a','namespace':'dev'},"
                       "'type':'Warning','reason':'Bad','source':{'component':'part'}}");
        found++;
    }
    return found;
}

static void an_event_is_told_once(void **state)
{
    struct simulated_api *api = *state;
    struct caller *caller = make(api, 0, 0);
    struct recorder *recorder = recorder_new(api->server, caller, "part");
    struct outcome made = api_post(api, &resource_config_maps, "dev", "{'metadata':{'name':'a'}}");
    recorder_warn(recorder, made.record, "Bad", "it is %s", "so");
    recorder_warn(recorder, made.record, "Bad", "it is %s", "so");
    run(api, 100);
    assert_int_equal(count_events(api), 1);
    recorder_warn(recorder, made.record, "Bad", "it is %s", "otherwise");
    run(api, 200);
    assert_int_equal(count_events(api), 2);
    outcome_release(&made);
    recorder_free(recorder);
    caller_free(caller);
}

#define API_TEST(test)                                                                             \
    cmocka_unit_test_setup_teardown(test, simulated_api_set_up, simulated_api_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        API_TEST(a_request_takes_effect_at_the_server_and_is_answered_later),
        API_TEST(beyond_the_burst_requests_wait_for_the_rate),
        API_TEST(what_has_arrived_is_applied_though_the_caller_dies),
        API_TEST(a_look_sees_what_is_there_when_it_arrives),
        API_TEST(an_event_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
