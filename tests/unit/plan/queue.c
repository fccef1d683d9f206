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
    const struct object *free[2];
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
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < COUNT; i++) {
        object_free(fixture->instances[i]);
    }
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
    queue_assign(fixture->waiters, COUNT, fixture->free, 2);
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
    queue_assign(fixture->waiters, COUNT, fixture->free, 2);
    assert_null(waiter_of(fixture, 0)->volume);
    assert_int_equal(waiter_of(fixture, 0)->position, 1);
    assert_ptr_equal(waiter_of(fixture, 1)->volume, fixture->volumes[0]);
    assert_ptr_equal(waiter_of(fixture, 2)->volume, fixture->volumes[1]);
    assert_int_equal(waiter_of(fixture, 3)->position, 2);
}

static void without_volumes_all_wait(void **state)
{
    struct fixture *fixture = *state;
    queue_assign(fixture->waiters, COUNT, NULL, 0);
    for (size_t age = 0; age < COUNT; age++) {
        assert_null(waiter_of(fixture, age)->volume);
        assert_int_equal(waiter_of(fixture, age)->position, age + 1);
    }
}

static void without_waiters_nothing_happens(void **state)
{
    struct fixture *fixture = *state;
    queue_assign(NULL, 0, fixture->free, 2);
    assert_ptr_equal(fixture->free[0], fixture->volumes[1]);
}

#define WITH_OBJECTS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OBJECTS(the_oldest_get_the_oldest),
        WITH_OBJECTS(one_that_may_not_keeps_its_place_and_holds_nothing),
        WITH_OBJECTS(without_volumes_all_wait),
        WITH_OBJECTS(without_waiters_nothing_happens),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
