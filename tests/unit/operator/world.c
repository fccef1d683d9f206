/* SPDX-License-Identifier: Apache-2.0 */
/* Whole lives of claims among the other controllers. support/claim_world.h checks at every turn
   what must hold; here, in addition, how it ends: everything comes to rest, nothing is left over.
 */
#include "api/instance.h"
#include "api/names.h"
#include "base/log.h"
#include "support/claim_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MINUTE_MS = 60 * 1000, CRASH_COUNT_MAX = 200 };

static enum instance_phase phase_of(const struct claim_world *world, const char *name)
{
    cleanup_object struct object *object = claim_world_get(world, KIND_INSTANCE, "dev", name);
    return object == NULL ? PHASE_COUNT : object->instance->phase;
}

/* Nothing is sent for ten minutes. */
static void assert_rests(struct claim_world *world)
{
    (void)fake_api_take_log(world->fixture.api);
    claim_world_pass(world, 10 * (int64_t)MINUTE_MS);
    assert_string_equal(fake_api_take_log(world->fixture.api), "");
}

/* A Pool of one; Alice's life from applied to gone. deaths: the operator is killed after so many
   writes, over and over; 0: never. Returns the writes it took. */
static size_t live(const char *policy, size_t deaths)
{
    struct claim_world world;
    claim_world_init(&world, 1);
    struct fake_api *api = world.fixture.api;
    fake_api_stop_after(api, deaths);
    claim_world_add_instance(&world, "alice", policy);
    for (int i = 0; i < CRASH_COUNT_MAX && phase_of(&world, "alice") != PHASE_READY; i++) {
        claim_world_pass(&world, MINUTE_MS);
        if (fake_api_stopped(api)) {
            operator_fixture_restart(&world.fixture);
            fake_api_stop_after(api, deaths);
        }
    }
    assert_int_equal(phase_of(&world, "alice"), PHASE_READY);
    claim_world_delete_instance(&world, "alice");
    for (int i = 0; i < CRASH_COUNT_MAX && phase_of(&world, "alice") != PHASE_COUNT; i++) {
        claim_world_pass(&world, MINUTE_MS);
        if (fake_api_stopped(api)) {
            operator_fixture_restart(&world.fixture);
            fake_api_stop_after(api, deaths);
        }
    }
    assert_int_equal(phase_of(&world, "alice"), PHASE_COUNT);
    operator_fixture_restart(&world.fixture);
    fake_api_stop_after(api, 0);
    claim_world_pass(&world, 5 * (int64_t)MINUTE_MS);
    bool kept = text_equal(policy, "Retain");
    assert_int_equal(claim_world_count(&world, VOLUME_STATE_WARM), 1);
    assert_int_equal(claim_world_count(&world, VOLUME_STATE_CLAIMED), 0);
    assert_int_equal(claim_world_count(&world, VOLUME_STATE_NONE), kept);
    assert_int_equal(strstr(world.history.bytes, "DESTROYED") == NULL, kept);
    assert_int_equal(api_table_find(world.fixture.table, KIND_CLUSTER, "dev", "alice") != NULL,
                     kept);
    assert_int_equal(
        api_table_find(world.fixture.table, KIND_VOLUME_CLAIM, "dev", "alice-1") != NULL, kept);
    assert_int_equal(
        api_table_find(world.fixture.table, KIND_SECRET, "dev", "alice-adjoint") != NULL, kept);
    assert_rests(&world);
    size_t writes = fake_api_write_count(api);
    claim_world_release(&world);
    return writes;
}

static void a_life_with_policy_delete(void **state)
{
    (void)state;
    assert_in_range(live("Delete", 0), 15, 40);
}

static void a_life_with_policy_retain(void **state)
{
    (void)state;
    assert_in_range(live("Retain", 0), 15, 40);
}

static void killed_after_every_write(void **state)
{
    (void)state;
    for (size_t deaths = 1; deaths <= 12; deaths++) {
        (void)live("Delete", deaths);
        (void)live("Retain", deaths);
    }
}

static void waiters_beyond_the_size_are_served_in_order(void **state)
{
    (void)state;
    struct claim_world world;
    claim_world_init(&world, 0);
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    enum { COUNT = 6 };
    for (size_t i = 0; i < COUNT; i++) {
        claim_world_add_instance(&world, names[i], "Delete");
    }
    for (int minute = 0; minute < 10; minute++) {
        claim_world_pass(&world, MINUTE_MS);
    }
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(phase_of(&world, names[i]), PHASE_READY);
    }
    assert_null(strstr(world.history.bytes, "DESTROYED")); /* no clone was made in vain */
    assert_rests(&world);
    claim_world_release(&world);
}

static void a_restart_wastes_no_clone(void **state)
{
    (void)state;
    struct claim_world world;
    claim_world_init(&world, 0);
    claim_world_add_instance(&world, "a", "Delete");
    claim_world_add_instance(&world, "b", "Delete");
    for (int turn = 0; turn < 40; turn++) {
        (void)claim_world_turn(&world);
        operator_fixture_advance(&world.fixture, world.fixture.now.mono_ms + 500);
        if (turn % 5 == 4) {
            operator_fixture_restart(&world.fixture);
        }
    }
    for (int minute = 0; minute < 5; minute++) {
        claim_world_pass(&world, MINUTE_MS);
    }
    assert_int_equal(phase_of(&world, "a"), PHASE_READY);
    assert_int_equal(phase_of(&world, "b"), PHASE_READY);
    assert_null(strstr(world.history.bytes, "DESTROYED"));
    claim_world_release(&world);
}

static void a_deleted_pool_leaves_claimed_volumes(void **state)
{
    (void)state;
    struct claim_world world;
    claim_world_init(&world, 3);
    claim_world_pass(&world, 5 * (int64_t)MINUTE_MS);
    claim_world_add_instance(&world, "alice", "Delete");
    claim_world_pass(&world, MINUTE_MS);
    assert_int_equal(phase_of(&world, "alice"), PHASE_READY);
    api_table_delete_any(world.fixture.table, KIND_POOL, "pools", "orders");
    claim_world_pass(&world, 5 * (int64_t)MINUTE_MS);
    assert_null(api_table_find(world.fixture.table, KIND_POOL, "pools", "orders"));
    assert_int_equal(claim_world_count(&world, VOLUME_STATE_WARM), 0);
    assert_int_equal(claim_world_count(&world, VOLUME_STATE_CLAIMED), 1);
    assert_int_equal(phase_of(&world, "alice"), PHASE_READY);
    assert_rests(&world);
    claim_world_release(&world);
}

int main(void)
{
    log_configure(LOG_ERROR, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_life_with_policy_delete),
        cmocka_unit_test(a_life_with_policy_retain),
        cmocka_unit_test(killed_after_every_write),
        cmocka_unit_test(waiters_beyond_the_size_are_served_in_order),
        cmocka_unit_test(a_restart_wastes_no_clone),
        cmocka_unit_test(a_deleted_pool_leaves_claimed_volumes),
    };
    return cmocka_run_group_tests_name("world", tests, NULL, NULL);
}
