/* SPDX-License-Identifier: Apache-2.0 */
/* Several candidates; in every tick of each test at most one holds the lease. */
#include "support/lease_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SECOND_MS = 1000, HOUR_MS = 3600 * 1000 };

/* B28 */
static void a_stall_of_ten_seconds_takes_it_from_nobody(void **state)
{
    (void)state;
    static struct lease_world world;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        lease_world_init(&world, seed, 2, 10000);
        struct lease_candidate *first = lease_world_run_until_held(&world, 5 * SECOND_MS);
        lease_world_run_for(&world, 20 * SECOND_MS + lease_world_below(&world, 5000));
        world.stalled_until_ms = world.now_ms + 10 * SECOND_MS;
        lease_world_run_for(&world, 10 * SECOND_MS);
        assert_ptr_equal(lease_world_run_until_held(&world, SECOND_MS), first);
        lease_world_run_for(&world, 30 * SECOND_MS);
        assert_ptr_equal(lease_world_holder(&world), first);
        assert_string_equal(fake_leases_spec(&world.leases, "leaseTransitions"), "0");
        lease_world_release(&world);
    }
}

/* B28 */
static void with_more_room_a_stall_of_ten_seconds_is_not_even_noticed(void **state)
{
    (void)state;
    static struct lease_world world;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        lease_world_init(&world, seed, 2, 13000);
        struct lease_candidate *first = lease_world_run_until_held(&world, 5 * SECOND_MS);
        lease_world_run_for(&world, 20 * SECOND_MS + lease_world_below(&world, 5000));
        world.stalled_until_ms = world.now_ms + 10 * SECOND_MS;
        for (int64_t ms = 0; ms < 20 * SECOND_MS; ms += LEASE_TICK_MS) {
            lease_world_run_for(&world, LEASE_TICK_MS);
            assert_ptr_equal(lease_world_holder(&world), first);
        }
        lease_world_release(&world);
    }
}

/* B28 */
static void a_stall_of_forty_seconds_ends_it_before_another_may_begin(void **state)
{
    (void)state;
    static struct lease_world world;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        lease_world_init(&world, seed, 2, 10000);
        (void)lease_world_run_until_held(&world, 5 * SECOND_MS);
        lease_world_run_for(&world, 20 * SECOND_MS + lease_world_below(&world, 5000));
        world.stalled_until_ms = world.now_ms + 40 * SECOND_MS;
        lease_world_run_for(&world, 10 * SECOND_MS);
        assert_null(lease_world_holder(&world));
        lease_world_run_for(&world, 30 * SECOND_MS - LEASE_TICK_MS);
        assert_null(lease_world_holder(&world));
        (void)lease_world_run_until_held(&world, 20 * SECOND_MS);
        lease_world_release(&world);
    }
}

/* B28: a frozen process knows nothing; when it goes on it must know before it writes. */
static void who_was_frozen_does_not_hold_it_when_it_goes_on(void **state)
{
    (void)state;
    static struct lease_world world;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        lease_world_init(&world, seed, 2, 10000);
        struct lease_candidate *first = lease_world_run_until_held(&world, 5 * SECOND_MS);
        lease_world_run_for(&world, 10 * SECOND_MS);
        first->frozen_until_ms = world.now_ms + 40 * SECOND_MS;
        lease_world_run_for(&world, 35 * SECOND_MS);
        struct lease_candidate *second = lease_world_holder(&world);
        assert_non_null(second);
        assert_ptr_not_equal(second, first);
        lease_world_run_for(&world, 20 * SECOND_MS);
        assert_ptr_equal(lease_world_holder(&world), second);
        lease_world_release(&world);
    }
}

/* B29 */
static void given_back_it_is_anothers_within_a_second(void **state)
{
    (void)state;
    static struct lease_world world;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        lease_world_init(&world, seed, 2, 10000);
        world.delay_ms_max = 5;
        struct lease_candidate *first = lease_world_run_until_held(&world, 5 * SECOND_MS);
        lease_world_run_for(&world, 10 * SECOND_MS + lease_world_below(&world, 5000));
        lease_release(first->lease, lease_world_now(&world, first));
        assert_null(lease_world_holder(&world));
        int64_t released_ms = world.now_ms;
        struct lease_candidate *second = lease_world_run_until_held(&world, SECOND_MS);
        assert_ptr_not_equal(second, first);
        assert_true(lease_released(first->lease));
        assert_true(world.now_ms > released_ms);
        lease_world_run_for(&world, 30 * SECOND_MS);
        assert_ptr_equal(lease_world_holder(&world), second);
        lease_world_release(&world);
    }
}

static void draw_faults(struct lease_world *world)
{
    struct lease_candidate *candidate =
        &world->candidates[lease_world_below(world, (int64_t)world->candidate_count)];
    if (lease_world_chance(world, 20)) {
        world->lost_percent = (int)lease_world_below(world, 40);
        world->delay_ms_max = (int)lease_world_below(world, 6000);
    }
    if (lease_world_chance(world, 10)) {
        world->stalled_until_ms = world->now_ms + lease_world_below(world, 30 * SECOND_MS);
    }
    if (lease_world_chance(world, 10)) {
        candidate->frozen_until_ms = world->now_ms + lease_world_below(world, 40 * SECOND_MS);
    }
    if (lease_world_chance(world, 5)) {
        candidate->wall_offset_ms = HOUR_MS + lease_world_below(world, 2 * HOUR_MS);
    }
    if (lease_world_chance(world, 10)) {
        lease_release(candidate->lease, lease_world_now(world, candidate));
    }
    if (lease_released(candidate->lease) || lease_world_chance(world, 5)) {
        lease_world_end(world, candidate);
        lease_world_bear(world, candidate);
    }
}

/* B26, B28 */
static void whatever_happens_no_two_hold_it_and_afterwards_one_does(void **state)
{
    (void)state;
    static struct lease_world world;
    int held_ticks = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        lease_world_init(&world, seed, LEASE_CANDIDATE_COUNT_MAX, 10000);
        for (int64_t ms = 0; ms < 30 * 60 * SECOND_MS; ms += 100) {
            draw_faults(&world);
            lease_world_run_for(&world, 100);
            held_ticks += lease_world_holder(&world) != NULL;
        }
        world.lost_percent = 0;
        world.delay_ms_max = 20;
        for (size_t i = 0; i < LEASE_CANDIDATE_COUNT_MAX; i++) {
            if (lease_released(world.candidates[i].lease)) {
                lease_world_end(&world, &world.candidates[i]);
                lease_world_bear(&world, &world.candidates[i]);
            }
        }
        (void)lease_world_run_until_held(&world, 90 * SECOND_MS);
        lease_world_release(&world);
    }
    assert_true(held_ticks > 20 * 30 * 60 * 10 / 4); /* it was worth watching */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stall_of_ten_seconds_takes_it_from_nobody),
        cmocka_unit_test(with_more_room_a_stall_of_ten_seconds_is_not_even_noticed),
        cmocka_unit_test(a_stall_of_forty_seconds_ends_it_before_another_may_begin),
        cmocka_unit_test(who_was_frozen_does_not_hold_it_when_it_goes_on),
        cmocka_unit_test(given_back_it_is_anothers_within_a_second),
        cmocka_unit_test(whatever_happens_no_two_hold_it_and_afterwards_one_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
