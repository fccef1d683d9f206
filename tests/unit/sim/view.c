/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/view.h"

#include "base/text.h"
#include "sim/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct resource *const PVC = &resource_persistent_volume_claims;
static const struct resource *const PV = &resource_persistent_volumes;

struct fixture {
    struct world *world;
    struct apiserver *server;
    struct objects *objects;
    struct view *view;
    struct text text; /* what changed was told: "name:before>after@ms " */
};

static int64_t number_of(const struct record *record)
{
    return record == NULL ? 0 : value_int64(record->value, -1, "number", NULL);
}

static void note(void *self, const struct record *before, const struct record *after)
{
    struct fixture *fixture = self;
    const struct record *either = after == NULL ? before : after;
    text_print(&fixture->text, "%s:%d>%d@%d ", either->name, (int)number_of(before),
               (int)number_of(after), (int)world_now(fixture->world).mono_ms);
    assert_ptr_equal(view_get(fixture->view, either->resource, either->namespace, either->name),
                     after);
}

static void make_view(struct fixture *fixture)
{
    static const struct resource *const RESOURCES[] = {&resource_persistent_volumes,
                                                       &resource_persistent_volume_claims, NULL};
    fixture->view = view_new(fixture->server, "test", RESOURCES, note, fixture);
}

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){.world = world_new(1, 0)};
    fixture.server = apiserver_new(fixture.world);
    fixture.objects = apiserver_objects(fixture.server);
    text_init(&fixture.text, 64 * 1024);
    *state = &fixture;
    return 0;
}

static int set_up_view(void **state)
{
    (void)set_up(state);
    struct fixture *fixture = *state;
    make_view(fixture);
    view_set_lag(fixture->view, PV, 10, 10);
    view_set_lag(fixture->view, PVC, 10, 10);
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    view_free(fixture->view);
    apiserver_free(fixture->server);
    world_free(fixture->world);
    text_release(&fixture->text);
    return 0;
}

static const struct record *put(struct fixture *fixture, const struct resource *resource,
                                const char *name, int number)
{
    cJSON *value = cJSON_CreateObject();
    value_set_text(value_make(value, "metadata", NULL), "name", name);
    value_set_text(value_make(value, "metadata", NULL), "namespace",
                   resource->is_namespaced ? "dev" : NULL);
    value_set_int64(value, "number", number);
    return objects_put(fixture->objects, resource, value);
}

static void run_until(struct fixture *fixture, int64_t until_ms)
{
    while (world_run_next(fixture->world, until_ms)) {
    }
}

static int64_t shown(const struct fixture *fixture, const char *name)
{
    return number_of(view_get(fixture->view, PV, NULL, name));
}

/* ---- deliveries ---- */

static void what_is_there_already_is_shown_at_once_and_told_of_later(void **state)
{
    struct fixture *fixture = *state;
    (void)put(fixture, PV, "b", 1);
    (void)put(fixture, PV, "a", 2);
    (void)put(fixture, PVC, "c", 3);
    make_view(fixture);
    assert_int_equal(shown(fixture, "a"), 2);
    assert_int_equal(shown(fixture, "b"), 1);
    assert_non_null(view_get(fixture->view, PVC, "dev", "c"));
    assert_string_equal(fixture->text.bytes, "");
    run_until(fixture, 0);
    const char *told_of_a = strstr(fixture->text.bytes, "a:0>2@0 ");
    assert_non_null(told_of_a);
    assert_non_null(strstr(told_of_a, "b:0>1@0 "));
    assert_non_null(strstr(fixture->text.bytes, "c:0>3@0 "));
}

static void a_change_is_shown_after_its_lag(void **state)
{
    struct fixture *fixture = *state;
    run_until(fixture, 100);
    (void)put(fixture, PV, "a", 1);
    run_until(fixture, 109);
    assert_null(view_get(fixture->view, PV, NULL, "a"));
    run_until(fixture, 110);
    assert_int_equal(shown(fixture, "a"), 1);
    (void)put(fixture, PV, "a", 2);
    objects_remove(fixture->objects, PV, NULL, "a");
    assert_int_equal(shown(fixture, "a"), 1);
    run_until(fixture, 200);
    assert_null(view_get(fixture->view, PV, NULL, "a"));
    assert_string_equal(fixture->text.bytes, "a:0>1@110 a:1>2@120 a:2>0@120 ");
}

static void the_lag_is_drawn_within_its_bounds(void **state)
{
    struct fixture *fixture = *state;
    view_set_lag(fixture->view, PV, 2, 4);
    bool seen[8] = {false};
    for (int i = 0; i < 100; i++) {
        int64_t from_ms = world_now(fixture->world).mono_ms;
        (void)put(fixture, PV, "a", i);
        assert_true(world_run_next(fixture->world, NOW_NEVER));
        int64_t lag_ms = world_now(fixture->world).mono_ms - from_ms;
        assert_in_range(lag_ms, 2, 4);
        seen[lag_ms] = true;
    }
    assert_true(seen[2] && seen[3] && seen[4]);
}

static void deliveries_of_a_resource_never_overtake_each_other(void **state)
{
    struct fixture *fixture = *state;
    view_set_lag(fixture->view, PV, 0, 500);
    struct text expected cleanup_text;
    text_init(&expected, 64 * 1024);
    for (int i = 1; i <= 200; i++) {
        (void)put(fixture, PV, "a", i);
        run_until(fixture, i);
    }
    while (world_run_next(fixture->world, NOW_NEVER)) {
    }
    const char *at = fixture->text.bytes;
    for (int i = 1; i <= 200; i++) {
        text_clear(&expected);
        text_print(&expected, "a:%d>%d@", i - 1, i);
        at = strstr(at, expected.bytes);
        assert_non_null(at);
    }
}

static void a_shorter_lag_does_not_overtake_either(void **state)
{
    struct fixture *fixture = *state;
    view_set_lag(fixture->view, PV, 100, 100);
    (void)put(fixture, PV, "a", 1);
    view_set_lag(fixture->view, PV, 0, 0);
    (void)put(fixture, PV, "a", 2);
    run_until(fixture, 1000);
    assert_string_equal(fixture->text.bytes, "a:0>1@100 a:1>2@100 ");
}

static void resources_are_late_each_by_itself(void **state)
{
    struct fixture *fixture = *state;
    view_set_lag(fixture->view, PV, 100, 100);
    (void)put(fixture, PV, "a", 1);
    (void)put(fixture, PVC, "b", 2);
    run_until(fixture, 1000);
    assert_string_equal(fixture->text.bytes, "b:0>2@10 a:0>1@100 ");
}

static void other_resources_do_not_concern_a_view(void **state)
{
    struct fixture *fixture = *state;
    int64_t next_ms = world_next_at(fixture->world);
    (void)put(fixture, &resource_nodes, "a", 1);
    assert_int_equal(world_next_at(fixture->world), next_ms);
    run_until(fixture, 100);
    assert_string_equal(fixture->text.bytes, "");
}

static void a_stalled_resource_shows_all_of_it_in_the_end(void **state)
{
    struct fixture *fixture = *state;
    (void)put(fixture, PV, "a", 1);
    view_stall(fixture->view, PV, 300);
    (void)put(fixture, PV, "a", 2);
    (void)put(fixture, PVC, "b", 3);
    run_until(fixture, 295);
    (void)put(fixture, PV, "a", 4);
    run_until(fixture, 1000);
    assert_string_equal(fixture->text.bytes, "b:0>3@10 a:0>1@300 a:1>2@300 a:2>4@305 ");
}

static void a_stall_can_be_ended_early(void **state)
{
    struct fixture *fixture = *state;
    view_stall(fixture->view, PV, 300);
    (void)put(fixture, PV, "a", 1);
    run_until(fixture, 50);
    view_stall(fixture->view, PV, 0);
    run_until(fixture, 1000);
    assert_string_equal(fixture->text.bytes, "a:0>1@50 ");
}

static void lists_show_what_gets_show(void **state)
{
    struct fixture *fixture = *state;
    (void)put(fixture, PV, "b", 1);
    (void)put(fixture, PV, "a", 1);
    run_until(fixture, 10);
    (void)put(fixture, PV, "c", 1);
    const struct record *at = view_next(fixture->view, PV, NULL, NULL);
    assert_string_equal(at->name, "a");
    at = view_next(fixture->view, PV, NULL, at);
    assert_string_equal(at->name, "b");
    assert_null(view_next(fixture->view, PV, NULL, at));
}

static void write_once(void *self, const struct record *before, const struct record *after)
{
    struct fixture *fixture = self;
    note(fixture, before, after);
    if (number_of(after) == 1) {
        (void)put(fixture, PV, "a", 2);
    }
}

static void who_is_told_may_write(void **state)
{
    struct fixture *fixture = *state;
    static const struct resource *const RESOURCES[] = {&resource_persistent_volumes, NULL};
    fixture->view = view_new(fixture->server, "test", RESOURCES, write_once, fixture);
    view_set_lag(fixture->view, PV, 10, 10);
    (void)put(fixture, PV, "a", 1);
    run_until(fixture, 100);
    assert_string_equal(fixture->text.bytes, "a:0>1@10 a:1>2@20 ");
}

static void a_view_that_is_freed_is_told_of_nothing_more(void **state)
{
    struct fixture *fixture = *state;
    (void)put(fixture, PV, "a", 1);
    view_free(fixture->view);
    fixture->view = NULL;
    (void)put(fixture, PV, "a", 2);
    run_until(fixture, 100);
    assert_string_equal(fixture->text.bytes, "");
}

/* ---- assumed versions ---- */

static void an_assumed_version_is_shown_until_its_delivery(void **state)
{
    struct fixture *fixture = *state;
    (void)put(fixture, PV, "a", 1);
    (void)put(fixture, PV, "a", 2);
    view_assume(fixture->view, put(fixture, PV, "a", 3));
    assert_int_equal(shown(fixture, "a"), 3);
    run_until(fixture, 9);
    (void)put(fixture, PV, "a", 4);
    run_until(fixture, 10);
    assert_int_equal(shown(fixture, "a"), 3);
    assert_string_equal(fixture->text.bytes, "a:3>3@10 ");
    run_until(fixture, 100);
    assert_string_equal(fixture->text.bytes, "a:3>3@10 a:3>4@19 ");
}

static void an_assumed_version_that_is_old_changes_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct record *first = record_keep(put(fixture, PV, "a", 1));
    (void)put(fixture, PV, "a", 2);
    run_until(fixture, 10);
    view_assume(fixture->view, first);
    assert_int_equal(shown(fixture, "a"), 2);
    objects_remove(fixture->objects, PV, NULL, "a");
    run_until(fixture, 20);
    view_assume(fixture->view, first);
    assert_null(view_get(fixture->view, PV, NULL, "a"));
    record_release(first);
}

static void a_deletion_ends_an_assumed_version(void **state)
{
    struct fixture *fixture = *state;
    view_assume(fixture->view, put(fixture, PV, "a", 1));
    objects_remove(fixture->objects, PV, NULL, "a");
    run_until(fixture, 100);
    assert_null(view_get(fixture->view, PV, NULL, "a"));
}

static void an_object_made_again_outlives_the_deletion_before_it(void **state)
{
    struct fixture *fixture = *state;
    (void)put(fixture, PV, "a", 1);
    run_until(fixture, 10);
    objects_remove(fixture->objects, PV, NULL, "a");
    run_until(fixture, 15);
    view_assume(fixture->view, put(fixture, PV, "a", 2));
    run_until(fixture, 20);
    assert_int_equal(shown(fixture, "a"), 2);
    run_until(fixture, 100);
    assert_int_equal(shown(fixture, "a"), 2);
}

/* ---- seeds ---- */

static uint64_t hash_of_lags(uint64_t seed, const char *view_name)
{
    struct world *world = world_new(seed, 0);
    struct apiserver *server = apiserver_new(world);
    static const struct resource *const RESOURCES[] = {&resource_persistent_volumes, NULL};
    struct view *view = view_new(server, view_name, RESOURCES, NULL, NULL);
    view_set_lag(view, PV, 0, 1000);
    struct fixture fixture = {.world = world, .objects = apiserver_objects(server)};
    for (int i = 0; i < 10; i++) {
        (void)put(&fixture, PV, "a", i);
        (void)world_run_next(world, NOW_NEVER);
        world_trace(world, "%d", i);
    }
    uint64_t hash = world_trace_hash(world);
    view_free(view);
    apiserver_free(server);
    world_free(world);
    return hash;
}

static void a_views_lags_follow_from_the_seed_and_its_name(void **state)
{
    (void)state;
    assert_int_equal(hash_of_lags(1, "binder"), hash_of_lags(1, "binder"));
    assert_int_not_equal(hash_of_lags(1, "binder"), hash_of_lags(2, "binder"));
    assert_int_not_equal(hash_of_lags(1, "binder"), hash_of_lags(1, "garbage"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_view, tear_down)
#define TEST_BEFORE_VIEW(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST_BEFORE_VIEW(what_is_there_already_is_shown_at_once_and_told_of_later),
        TEST(a_change_is_shown_after_its_lag),
        TEST(the_lag_is_drawn_within_its_bounds),
        TEST(deliveries_of_a_resource_never_overtake_each_other),
        TEST(a_shorter_lag_does_not_overtake_either),
        TEST(resources_are_late_each_by_itself),
        TEST(other_resources_do_not_concern_a_view),
        TEST(a_stalled_resource_shows_all_of_it_in_the_end),
        TEST(a_stall_can_be_ended_early),
        TEST(lists_show_what_gets_show),
        TEST_BEFORE_VIEW(who_is_told_may_write),
        TEST(a_view_that_is_freed_is_told_of_nothing_more),
        TEST(an_assumed_version_is_shown_until_its_delivery),
        TEST(an_assumed_version_that_is_old_changes_nothing),
        TEST(a_deletion_ends_an_assumed_version),
        TEST(an_object_made_again_outlives_the_deletion_before_it),
        cmocka_unit_test(a_views_lags_follow_from_the_seed_and_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
