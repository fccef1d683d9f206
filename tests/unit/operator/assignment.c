/* SPDX-License-Identifier: Apache-2.0 */
/* The queues of all pools at one revision; who gets which clone within one is plan/queue's. */
#include "operator/assignment.h"

#include "base/memory.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct now NOW = {.mono_ms = 1000, .wall_ms = 1787392800000};

struct fixture {
    struct store *store;
    struct memos memos;
    struct assignment assignment;
    struct arena arena;
};

static void put(struct fixture *fixture, enum object_kind kind, const char *json)
{
    (void)store_put_take(fixture->store, object_from(kind, json), STORE_WATCH);
}

static void put_pool(struct fixture *fixture, const char *name)
{
    put(fixture, KIND_POOL,
        arena_print(&fixture->arena,
                    "{'metadata':{'name':'%s','namespace':'pools','uid':'u-%s'},"
                    "'spec':{'allowedNamespaces':{'from':'All'}}}",
                    name, name));
}

/* Created at 10:00:second. */
static void put_instance(struct fixture *fixture, const char *name, const char *pool, int second,
                         const char *status)
{
    put(fixture, KIND_INSTANCE,
        arena_print(&fixture->arena,
                    "{'metadata':{'name':'%s','namespace':'dev','uid':'u-%s','finalizers':["
                    "'adjoint.dev/volumes'],'creationTimestamp':'2026-08-22T10:00:%02dZ'},"
                    "'spec':{'pool':{'name':'%s','namespace':'pools'}},'status':%s}",
                    name, name, second, pool, status));
    struct memo *memo =
        memos_get(&fixture->memos, arena_print(&fixture->arena, "instance/dev/%s", name));
    memo_set_preflight(memo, PREFLIGHT_PASSED, ERROR_NONE, KIND_INSTANCE, NULL, NULL);
}

static void put_warm(struct fixture *fixture, const char *name, const char *pool, int second)
{
    put(fixture, KIND_VOLUME,
        arena_print(&fixture->arena,
                    "{'metadata':{'name':'%s','uid':'u-%s','creationTimestamp':"
                    "'2026-08-22T09:00:%02dZ','labels':{'adjoint.dev/state':'warm',"
                    "'adjoint.dev/pool-namespace':'pools','adjoint.dev/pool-uid':'u-%s'},"
                    "'annotations':{'adjoint.dev/system-id':'74'}},'spec':{'claimRef':{"
                    "'namespace':'pools','name':'h','uid':'h-%s'}},'status':{'phase':'Bound'}}",
                    name, name, second, pool, name));
}

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture.store = store_new(100, (struct store_listener){NULL, NULL});
    memos_init(&fixture.memos);
    assignment_init(&fixture.assignment);
    arena_init(&fixture.arena, 0);
    put(&fixture, KIND_NAMESPACE, "{'metadata':{'name':'dev'}}");
    put_pool(&fixture, "orders");
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    assignment_release(&fixture->assignment);
    memos_release(&fixture->memos);
    store_free(fixture->store);
    arena_release(&fixture->arena);
    return 0;
}

static const struct assignment_place *place_of(struct fixture *fixture, const char *name)
{
    return assignment_find(&fixture->assignment,
                           arena_print(&fixture->arena, "instance/dev/%s", name));
}

/* volume NULL: waits at the position. */
static void assert_place(struct fixture *fixture, const char *name, const char *volume,
                         int64_t position)
{
    const struct assignment_place *place = place_of(fixture, name);
    assert_non_null(place);
    if (volume == NULL) {
        assert_null(place->volume);
    } else {
        assert_non_null(place->volume);
        assert_string_equal(place->volume, volume);
    }
    assert_int_equal(place->position, position);
}

static struct memo *memo_of(struct fixture *fixture, const char *key)
{
    return memos_get(&fixture->memos, key);
}

static void compute(struct fixture *fixture)
{
    assignment_compute(&fixture->assignment, fixture->store, &fixture->memos, NULL, NOW);
}

static void each_pool_has_its_own_queue(void **state)
{
    struct fixture *fixture = *state;
    put_pool(fixture, "stock");
    put_instance(fixture, "a", "orders", 3, "{}");
    put_instance(fixture, "b", "stock", 2, "{}");
    put_instance(fixture, "c", "orders", 1, "{}");
    put_instance(fixture, "d", "stock", 4, "{}");
    put_warm(fixture, "o1", "orders", 1);
    put_warm(fixture, "s1", "stock", 0);
    compute(fixture);
    assert_place(fixture, "c", "o1", 0);
    assert_place(fixture, "a", NULL, 1);
    assert_place(fixture, "b", "s1", 0);
    assert_place(fixture, "d", NULL, 1);
    assert_int_equal(assignment_waiting(&fixture->assignment, "pools", "orders"), 1);
    assert_int_equal(assignment_waiting(&fixture->assignment, "pools", "stock"), 1);
    assert_int_equal(assignment_waiting(&fixture->assignment, "elsewhere", "stock"), 0);
}

static void what_is_chosen_or_assumed_is_taken(void **state)
{
    struct fixture *fixture = *state;
    put_instance(fixture, "a", "orders", 1, "{'phase':'Claiming','volume':{'name':'v1'}}");
    put_instance(fixture, "b", "orders", 2, "{}");
    put_instance(fixture, "c", "orders", 3, "{}");
    put_warm(fixture, "v1", "orders", 1);
    put_warm(fixture, "v2", "orders", 2);
    put_warm(fixture, "v3", "orders", 3);
    struct memo *memo = memo_of(fixture, "instance/dev/b");
    memo->processing = true;
    memo->assumed_volume = memory_copy_text("v2");
    compute(fixture);
    assert_null(place_of(fixture, "a"));
    assert_null(place_of(fixture, "b"));
    assert_place(fixture, "c", "v3", 0);
}

static void a_volume_whose_own_write_is_on_the_wire_is_left_alone(void **state)
{
    struct fixture *fixture = *state;
    put_instance(fixture, "a", "orders", 1, "{}");
    put_warm(fixture, "v1", "orders", 1);
    memo_of(fixture, "volume//v1")->processing = true;
    compute(fixture);
    assert_place(fixture, "a", NULL, 1);
}

static void a_busy_waiter_keeps_its_turn(void **state)
{
    struct fixture *fixture = *state;
    put_instance(fixture, "a", "orders", 1, "{'phase':'Waiting'}");
    put_instance(fixture, "b", "orders", 2, "{'phase':'Waiting'}");
    put_warm(fixture, "v1", "orders", 1);
    memo_of(fixture, "instance/dev/a")->processing = true;
    compute(fixture);
    assert_place(fixture, "a", "v1", 0);
    assert_place(fixture, "b", NULL, 1);
}

static void a_first_preflight_on_the_wire_holds_nothing(void **state)
{
    struct fixture *fixture = *state;
    put_instance(fixture, "a", "orders", 1, "{}");
    put_instance(fixture, "b", "orders", 2, "{}");
    put_warm(fixture, "v1", "orders", 1);
    memo_of(fixture, "instance/dev/a")->processing = true;
    compute(fixture);
    assert_place(fixture, "a", NULL, 1);
    assert_place(fixture, "b", "v1", 0);
    assert_int_equal(assignment_waiting(&fixture->assignment, "pools", "orders"), 0);
}

static void who_backs_off_is_passed_over_but_counted(void **state)
{
    struct fixture *fixture = *state;
    put_instance(fixture, "a", "orders", 1, "{'phase':'Waiting'}");
    memo_of(fixture, "instance/dev/a")->held_until_ms = NOW.mono_ms + 1;
    put_warm(fixture, "v1", "orders", 1);
    compute(fixture);
    assert_place(fixture, "a", NULL, 1);
    assert_int_equal(assignment_waiting(&fixture->assignment, "pools", "orders"), 1);
}

static void after_a_restart_waiters_are_counted_by_their_status(void **state)
{
    struct fixture *fixture = *state;
    put_instance(fixture, "a", "orders", 1, "{'phase':'Waiting'}");
    put_instance(fixture, "b", "orders", 2, "{'phase':'Pending'}");
    memos_forget(&fixture->memos, "instance/dev/a");
    memos_forget(&fixture->memos, "instance/dev/b");
    compute(fixture);
    assert_int_equal(assignment_waiting(&fixture->assignment, "pools", "orders"), 1);
}

static void a_volume_that_carries_its_uid_ends_the_waiting(void **state)
{
    struct fixture *fixture = *state;
    put_instance(fixture, "a", "orders", 1, "{}");
    put(fixture, KIND_VOLUME,
        "{'metadata':{'name':'mine','labels':{'adjoint.dev/state':'claimed',"
        "'adjoint.dev/instance-uid':'u-a'}}}");
    put_warm(fixture, "v1", "orders", 1);
    compute(fixture);
    assert_null(place_of(fixture, "a"));
}

/* It is warm until the write on its PV that reserves it. */
static void a_clone_that_a_reset_has_chosen_is_taken(void **state)
{
    struct fixture *fixture = *state;
    put_instance(fixture, "a", "orders", 1,
                 "{'phase':'Ready','volume':{'name':'old'},'reset':{'volume':'v1'}}");
    put_instance(fixture, "b", "orders", 2, "{}");
    put_warm(fixture, "v1", "orders", 1);
    compute(fixture);
    assert_place(fixture, "b", NULL, 1);
}

/* ---- lanes ---- */

static void put_pool_of(struct fixture *fixture, const char *name, const char *spec)
{
    put(fixture, KIND_POOL,
        arena_print(&fixture->arena,
                    "{'metadata':{'name':'%s','namespace':'pools','uid':'u-%s'},'spec':{"
                    "'storage':{'storageClassName':'clone'}%s}}",
                    name, name, spec));
}

static const struct lane *lane_of(struct fixture *fixture, const char *pool)
{
    const struct lane_seat *seat = assignment_seat(&fixture->assignment, "pools", pool);
    assert_non_null(seat);
    return seat->lane;
}

static void a_lane_is_as_it_is_named_else_its_file_system(void **state)
{
    struct fixture *fixture = *state;
    put_pool_of(fixture, "stock", "");
    put_pool_of(fixture, "named", ",'lane':'slow'");
    put(fixture, KIND_VOLUME,
        "{'metadata':{'name':'v1','uid':'u-v1'},'spec':{'storageClassName':'clone','csi':{"
        "'driver':'zfs.example','volumeHandle':'fsvol-1','volumeAttributes':{"
        "'DNSName':'fs-1.example'}}}}");
    compute(fixture);
    assert_string_equal(lane_of(fixture, "stock")->measured.name, "fs-1.example");
    assert_string_equal(lane_of(fixture, "named")->measured.name, "slow");
}

static void what_is_being_made_counts_as_a_volume_of_its_lane(void **state)
{
    struct fixture *fixture = *state;
    put_warm(fixture, "v1", "orders", 1);
    compute(fixture);
    assert_int_equal(lane_of(fixture, "orders")->volume_count, 1);
    put(fixture, KIND_VOLUME_CLAIM,
        "{'metadata':{'name':'orders-1','namespace':'pools','uid':'u-orders-1',"
        "'creationTimestamp':'2026-08-22T10:00:00Z','labels':{'adjoint.dev/role':'holding',"
        "'adjoint.dev/pool':'orders','adjoint.dev/pool-uid':'u-orders'}},"
        "'status':{'phase':'Pending'}}");
    compute(fixture);
    assert_int_equal(lane_of(fixture, "orders")->volume_count, 2);
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_STORE(each_pool_has_its_own_queue),
        WITH_STORE(what_is_chosen_or_assumed_is_taken),
        WITH_STORE(a_volume_whose_own_write_is_on_the_wire_is_left_alone),
        WITH_STORE(a_busy_waiter_keeps_its_turn),
        WITH_STORE(a_first_preflight_on_the_wire_holds_nothing),
        WITH_STORE(who_backs_off_is_passed_over_but_counted),
        WITH_STORE(after_a_restart_waiters_are_counted_by_their_status),
        WITH_STORE(a_volume_that_carries_its_uid_ends_the_waiting),
        WITH_STORE(a_clone_that_a_reset_has_chosen_is_taken),
        WITH_STORE(a_lane_is_as_it_is_named_else_its_file_system),
        WITH_STORE(what_is_being_made_counts_as_a_volume_of_its_lane),
    };
    return cmocka_run_group_tests_name("assignment", tests, NULL, NULL);
}
