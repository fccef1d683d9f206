/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/queue.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 4 };

struct fixture {
    struct object *instances[COUNT]; /* [0] is the oldest; [1] and [2] are of one second */
    struct object *volumes[2];       /* [0] is the older */
    struct waiter waiters[COUNT];
    struct object *current; /* as [0], and takes no stale one */
    const struct object *free[2], *stale[2];
    struct queue queue;
};

static struct object *instance(const char *created, const char *uid)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    return object_from(KIND_INSTANCE, arena_print(&arena,
                                                  "{'metadata':{'name':'i','uid':'%s',"
                                                  "'creationTimestamp':'2026-08-22T10:00:0%sZ'}}",
                                                  uid, created));
}

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture.instances[0] = instance("0", "z");
    fixture.instances[1] = instance("1", "a");
    fixture.instances[2] = instance("1", "b");
    fixture.instances[3] = instance("2", "c");
    fixture.volumes[0] = object_from(KIND_VOLUME, "{'metadata':{'name':'v0','uid':'v0',"
                                                  "'creationTimestamp':'2026-08-22T09:00:00Z'}}");
    fixture.volumes[1] = object_from(KIND_VOLUME, "{'metadata':{'name':'v1','uid':'v1',"
                                                  "'creationTimestamp':'2026-08-22T09:00:01Z'}}");
    /* in another order than by age */
    static const size_t order[COUNT] = {2, 0, 3, 1};
    for (size_t i = 0; i < COUNT; i++) {
        fixture.waiters[i] =
            (struct waiter){.instance = fixture.instances[order[i]], .eligible = true};
    }
    fixture.free[0] = fixture.volumes[1];
    fixture.free[1] = fixture.volumes[0];
    fixture.current = object_from(KIND_INSTANCE, "{'metadata':{'name':'i','uid':'z',"
                                                 "'creationTimestamp':'2026-08-22T10:00:00Z'},"
                                                 "'spec':{'golden':'Current'}}");
    fixture.queue = (struct queue){.waiters = fixture.waiters,
                                   .waiter_count = COUNT,
                                   .volumes = fixture.free,
                                   .volume_count = 2};
    *state = &fixture;
    return 0;
}

static void assign(struct fixture *fixture, int64_t allowance)
{
    queue_sort(&fixture->queue);
    queue_assign(&fixture->queue, 1, allowance);
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < COUNT; i++) {
        object_free(fixture->instances[i]);
    }
    object_free(fixture->current);
    object_free(fixture->volumes[0]);
    object_free(fixture->volumes[1]);
    return 0;
}

static const struct waiter *waiter_of(const struct fixture *fixture, size_t age)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (fixture->waiters[i].instance == fixture->instances[age]) {
            return &fixture->waiters[i];
        }
    }
    fail();
    return NULL;
}

static void the_oldest_get_the_oldest(void **state)
{
    struct fixture *fixture = *state;
    assign(fixture, INT64_MAX);
    assert_ptr_equal(waiter_of(fixture, 0)->volume, fixture->volumes[0]);
    assert_ptr_equal(waiter_of(fixture, 1)->volume, fixture->volumes[1]);
    assert_int_equal(waiter_of(fixture, 0)->position, 0);
    assert_null(waiter_of(fixture, 2)->volume);
    assert_int_equal(waiter_of(fixture, 2)->position, 1);
    assert_int_equal(waiter_of(fixture, 3)->position, 2);
}

static void one_that_may_not_keeps_its_place_and_holds_nothing(void **state)
{
    struct fixture *fixture = *state;
    fixture->waiters[1].eligible = false; /* the oldest */
    assign(fixture, INT64_MAX);
    assert_null(waiter_of(fixture, 0)->volume);
    assert_int_equal(waiter_of(fixture, 0)->position, 1);
    assert_ptr_equal(waiter_of(fixture, 1)->volume, fixture->volumes[0]);
    assert_ptr_equal(waiter_of(fixture, 2)->volume, fixture->volumes[1]);
    assert_int_equal(waiter_of(fixture, 3)->position, 2);
}

static void without_volumes_all_wait(void **state)
{
    struct fixture *fixture = *state;
    fixture->queue.volume_count = 0;
    assign(fixture, INT64_MAX);
    for (size_t age = 0; age < COUNT; age++) {
        assert_null(waiter_of(fixture, age)->volume);
        assert_int_equal(waiter_of(fixture, age)->position, age + 1);
    }
}

static void without_waiters_nothing_happens(void **state)
{
    struct fixture *fixture = *state;
    fixture->queue.waiter_count = 0;
    assign(fixture, INT64_MAX);
    assert_int_equal(fixture->queue.next_volume, 0);
}

static void no_more_are_served_than_may_run(void **state)
{
    struct fixture *fixture = *state;
    assign(fixture, 1);
    assert_ptr_equal(waiter_of(fixture, 0)->volume, fixture->volumes[0]);
    assert_null(waiter_of(fixture, 1)->volume);
    assert_int_equal(waiter_of(fixture, 1)->position, 1);
}

static void who_gets_another_clone_takes_nobodys_place(void **state)
{
    struct fixture *fixture = *state;
    fixture->waiters[1].replaces = true; /* the oldest */
    assign(fixture, 1);
    assert_ptr_equal(waiter_of(fixture, 0)->volume, fixture->volumes[0]);
    assert_ptr_equal(waiter_of(fixture, 1)->volume, fixture->volumes[1]);
}

static void a_place_is_from_when_it_was_asked_for(void **state)
{
    struct fixture *fixture = *state;
    fixture->waiters[1].since_ms = 1; /* the oldest, after the others */
    assign(fixture, INT64_MAX);
    assert_ptr_equal(waiter_of(fixture, 1)->volume, fixture->volumes[0]);
    assert_ptr_equal(waiter_of(fixture, 2)->volume, fixture->volumes[1]);
    assert_int_equal(waiter_of(fixture, 3)->position, 1);
    assert_int_equal(waiter_of(fixture, 0)->position, 2);
}

/* [0] and [1] are of one namespace, [2] and [3] of others. */
static void set_namespaces(struct fixture *fixture)
{
    static const char *const names[COUNT] = {"team-a", "team-a", "team-b", "team-c"};
    for (size_t age = 0; age < COUNT; age++) {
        fixture->instances[age]->meta.namespace = names[age];
    }
    for (size_t i = 0; i < COUNT; i++) {
        fixture->waiters[i].waits = true;
    }
    fixture->queue.fair_share = true;
}

static void each_namespace_is_served_before_one_is_served_twice(void **state)
{
    struct fixture *fixture = *state;
    set_namespaces(fixture);
    assign(fixture, INT64_MAX);
    assert_ptr_equal(waiter_of(fixture, 0)->volume, fixture->volumes[0]);
    assert_ptr_equal(waiter_of(fixture, 2)->volume, fixture->volumes[1]);
    assert_int_equal(waiter_of(fixture, 3)->position, 1);
    assert_int_equal(waiter_of(fixture, 1)->position, 2);
}

static void what_a_namespace_has_counts(void **state)
{
    struct fixture *fixture = *state;
    set_namespaces(fixture);
    for (size_t i = 0; i < COUNT; i++) {
        bool has_two = fixture->waiters[i].instance->meta.namespace[5] == 'a';
        fixture->waiters[i].held = has_two ? 2 : 0;
    }
    assign(fixture, INT64_MAX);
    assert_ptr_equal(waiter_of(fixture, 2)->volume, fixture->volumes[0]);
    assert_ptr_equal(waiter_of(fixture, 3)->volume, fixture->volumes[1]);
    assert_int_equal(waiter_of(fixture, 0)->position, 1);
}

static void who_may_not_have_one_takes_no_share(void **state)
{
    struct fixture *fixture = *state;
    set_namespaces(fixture);
    fixture->waiters[1].eligible = fixture->waiters[1].waits = false; /* the oldest */
    assign(fixture, INT64_MAX);
    assert_ptr_equal(waiter_of(fixture, 1)->volume, fixture->volumes[0]);
    assert_ptr_equal(waiter_of(fixture, 2)->volume, fixture->volumes[1]);
}

static void without_fair_share_age_alone_counts(void **state)
{
    struct fixture *fixture = *state;
    set_namespaces(fixture);
    fixture->queue.fair_share = false;
    assign(fixture, INT64_MAX);
    assert_ptr_equal(waiter_of(fixture, 1)->volume, fixture->volumes[1]);
}

/* Two Pools of a lane: [1] of the other one is older than [2] and [3]. */
static void across_queues_the_oldest_is_served(void **state)
{
    struct fixture *fixture = *state;
    const struct object *other_volume = fixture->volumes[0];
    struct waiter other = {.instance = fixture->instances[1], .eligible = true};
    struct waiter two[2] = {{.instance = fixture->instances[2], .eligible = true},
                            {.instance = fixture->instances[0], .eligible = true}};
    struct queue queues[2] = {
        {.waiters = two, .waiter_count = 2, .volumes = fixture->free, .volume_count = 2},
        {.waiters = &other, .waiter_count = 1, .volumes = &other_volume, .volume_count = 1}};
    queue_sort(&queues[0]);
    queue_sort(&queues[1]);
    queue_assign(queues, 2, 2);
    assert_ptr_equal(two[0].instance, fixture->instances[0]);
    assert_non_null(two[0].volume);
    assert_non_null(other.volume);
    assert_null(two[1].volume);
    assert_int_equal(two[1].position, 1);
}

/* What a namespace has of one Pool is nothing to who waits for another. */
static void across_queues_no_share_counts(void **state)
{
    struct fixture *fixture = *state;
    struct waiter one = {.instance = fixture->instances[0], .eligible = true, .share = 2};
    struct waiter other = {.instance = fixture->instances[1], .eligible = true};
    struct queue queues[2] = {
        {.waiters = &other, .waiter_count = 1, .volumes = fixture->free, .volume_count = 2},
        {.waiters = &one, .waiter_count = 1, .volumes = &fixture->free[1], .volume_count = 1}};
    queue_assign(queues, 2, 1);
    assert_non_null(one.volume);
    assert_null(other.volume);
}

static void each_queue_counts_its_own_places(void **state)
{
    struct fixture *fixture = *state;
    struct waiter one = {.instance = fixture->instances[0]};
    struct waiter other = {.instance = fixture->instances[1]};
    struct queue queues[2] = {{.waiters = &one, .waiter_count = 1},
                              {.waiters = &other, .waiter_count = 1}};
    queue_assign(queues, 2, 1);
    assert_int_equal(one.position, 1);
    assert_int_equal(other.position, 1);
}

/* volumes[0] is stale, volumes[1] fresh. */
static void make_one_stale(struct fixture *fixture)
{
    fixture->stale[0] = fixture->volumes[0];
    fixture->queue.stale = fixture->stale;
    fixture->queue.volume_count = fixture->queue.stale_count = 1;
}

static void fresh_ones_go_first(void **state)
{
    struct fixture *fixture = *state;
    make_one_stale(fixture);
    assign(fixture, INT64_MAX);
    assert_ptr_equal(waiter_of(fixture, 0)->volume, fixture->volumes[1]);
    assert_ptr_equal(waiter_of(fixture, 1)->volume, fixture->volumes[0]);
    assert_int_equal(waiter_of(fixture, 2)->position, 1);
}

static void stale_ones_go_first_where_they_are_used_up(void **state)
{
    struct fixture *fixture = *state;
    make_one_stale(fixture);
    fixture->queue.stale_first = true;
    assign(fixture, INT64_MAX);
    assert_ptr_equal(waiter_of(fixture, 0)->volume, fixture->volumes[0]);
    assert_ptr_equal(waiter_of(fixture, 1)->volume, fixture->volumes[1]);
}

static void who_wants_the_current_golden_gets_a_fresh_one(void **state)
{
    struct fixture *fixture = *state;
    make_one_stale(fixture);
    fixture->queue.stale_first = true;
    fixture->waiters[1].instance = fixture->current;
    fixture->waiters[1].current_only = true;
    assign(fixture, INT64_MAX);
    assert_ptr_equal(fixture->waiters[0].instance, fixture->current);
    assert_ptr_equal(fixture->waiters[0].volume, fixture->volumes[1]);
    assert_ptr_equal(waiter_of(fixture, 1)->volume, fixture->volumes[0]);
}

static void who_wants_the_current_golden_waits_beside_stale_ones(void **state)
{
    struct fixture *fixture = *state;
    make_one_stale(fixture);
    fixture->queue.volume_count = 0;
    fixture->waiters[1].instance = fixture->current;
    fixture->waiters[1].current_only = true;
    assign(fixture, 1);
    assert_null(fixture->waiters[0].volume);
    assert_int_equal(fixture->waiters[0].position, 1);
    assert_ptr_equal(waiter_of(fixture, 1)->volume, fixture->volumes[0]);
}

#define WITH_OBJECTS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OBJECTS(the_oldest_get_the_oldest),
        WITH_OBJECTS(one_that_may_not_keeps_its_place_and_holds_nothing),
        WITH_OBJECTS(without_volumes_all_wait),
        WITH_OBJECTS(fresh_ones_go_first),
        WITH_OBJECTS(stale_ones_go_first_where_they_are_used_up),
        WITH_OBJECTS(who_wants_the_current_golden_gets_a_fresh_one),
        WITH_OBJECTS(who_wants_the_current_golden_waits_beside_stale_ones),
        WITH_OBJECTS(without_waiters_nothing_happens),
        WITH_OBJECTS(no_more_are_served_than_may_run),
        WITH_OBJECTS(who_gets_another_clone_takes_nobodys_place),
        WITH_OBJECTS(a_place_is_from_when_it_was_asked_for),
        WITH_OBJECTS(each_namespace_is_served_before_one_is_served_twice),
        WITH_OBJECTS(what_a_namespace_has_counts),
        WITH_OBJECTS(who_may_not_have_one_takes_no_share),
        WITH_OBJECTS(without_fair_share_age_alone_counts),
        WITH_OBJECTS(across_queues_the_oldest_is_served),
        WITH_OBJECTS(across_queues_no_share_counts),
        WITH_OBJECTS(each_queue_counts_its_own_places),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
