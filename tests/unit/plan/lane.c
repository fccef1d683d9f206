/* SPDX-License-Identifier: Apache-2.0 */
/* Times are seconds after BEGIN, of an FSx that takes 120 s for a create, one each 60. */
#include "plan/lane.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define BEGIN INT64_C(1787392800000)
#define TEN "'size':10"

enum { POOL_COUNT = 2, WAITER_COUNT = 6 };

static int64_t at(int64_t seconds)
{
    return BEGIN + seconds * 1000;
}

struct fixture {
    struct arena arena;
    struct object *pools[POOL_COUNT];
    struct object *instances[WAITER_COUNT]; /* of one second each */
    struct lane_pool members[POOL_COUNT];
    struct waiter waiters[POOL_COUNT][WAITER_COUNT];
    struct lane lane;
};

/* lane: more fields, with a comma before them. */
static void make_pool(struct fixture *fixture, size_t index, const char *spec, const char *lane)
{
    object_free(fixture->pools[index]);
    fixture->pools[index] = object_from(
        KIND_POOL, arena_print(&fixture->arena,
                               "{'metadata':{'name':'p%zu','namespace':'pools','uid':'p%zu',"
                               "'creationTimestamp':'2026-08-22T09:00:0%zuZ'},'spec':{%s},"
                               "'status':{'lane':{'name':'fs-1'%s}}}",
                               index, index, index, spec, lane));
    fixture->members[index] = (struct lane_pool){
        fixture->pools[index], .stock = {fixture->pools[index]->pool->size, .fills = true}};
}

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){.lane = {.measured = {.name = "fs-1"}}};
    arena_init(&fixture.arena, 0);
    make_pool(&fixture, 0, TEN, "");
    make_pool(&fixture, 1, TEN, "");
    for (size_t i = 0; i < WAITER_COUNT; i++) {
        fixture.instances[i] = object_from(
            KIND_INSTANCE, arena_print(&fixture.arena,
                                       "{'metadata':{'name':'i%zu','namespace':'dev','uid':'i%zu',"
                                       "'creationTimestamp':'2026-08-22T10:00:0%zuZ'}}",
                                       i, i, i));
    }
    fixture.lane.pools = fixture.members;
    fixture.lane.pool_count = POOL_COUNT;
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < POOL_COUNT; i++) {
        object_free(fixture->pools[i]);
    }
    for (size_t i = 0; i < WAITER_COUNT; i++) {
        object_free(fixture->instances[i]);
    }
    arena_release(&fixture->arena);
    return 0;
}

static void measure(struct fixture *fixture, const struct lane_create *creates, size_t count)
{
    fixture->lane.caps = lane_caps(fixture->members, POOL_COUNT);
    lane_measure(&fixture->lane, creates, count);
}

/* ---- what is measured ---- */

static void creates_that_waited_give_the_gap_and_one_that_did_not_the_latency(void **state)
{
    struct fixture *fixture = *state;
    const struct lane_create creates[] = {
        {at(0), at(130)}, {at(0), at(190)}, {at(0), at(250)}, {at(131), at(311)}};
    measure(fixture, creates, 4);
    assert_int_equal(fixture->lane.measured.latency_ms, 128125);
    assert_int_equal(fixture->lane.measured.gap_ms, 60142);
    assert_int_equal(fixture->lane.measured.gap_count, 7);
    assert_int_equal(fixture->lane.measured.completed_ms, at(311));
    assert_int_equal(fixture->lane.measured.width, 3);
}

static void one_that_knows_of_the_latest_create_is_gone_on_from(void **state)
{
    struct fixture *fixture = *state;
    make_pool(fixture, 0, TEN,
              ",'width':2,'gapMilliseconds':50000,'gapCount':4,'latencyMilliseconds':90000,"
              "'completedAt':'2026-08-22T10:02:00Z'");
    make_pool(fixture, 1, TEN,
              ",'width':4,'gapMilliseconds':1000,'gapCount':4,'latencyMilliseconds':1000,"
              "'completedAt':'2026-08-22T10:01:00Z'");
    const struct lane_create creates[] = {{at(-600), at(60)}, {at(0), at(180)}};
    measure(fixture, creates, 2);
    assert_int_equal(fixture->lane.measured.gap_ms, 52000);
    assert_int_equal(fixture->lane.measured.gap_count, 5);
    assert_int_equal(fixture->lane.measured.completed_ms, at(180));
    assert_int_equal(fixture->lane.measured.width, 2);
}

static void it_widens_up_to_what_its_pools_allow(void **state)
{
    struct fixture *fixture = *state;
    make_pool(fixture, 1, TEN ",'refill':{'maxInFlight':6}", "");
    struct lane_create creates[12];
    for (int i = 0; i < 12; i++) {
        creates[i] = (struct lane_create){at(0), at(120 + 10 * (int64_t)i)};
    }
    measure(fixture, creates, 12);
    assert_int_equal(fixture->lane.measured.gap_ms, 10000);
    assert_int_equal(fixture->lane.measured.width, 4);
    make_pool(fixture, 0, TEN ",'refill':{'maxInFlight':1}", "");
    measure(fixture, creates, 12);
    assert_int_equal(fixture->lane.measured.width, 1);
}

static void a_create_that_was_held_up_narrows_it(void **state)
{
    struct fixture *fixture = *state;
    const struct lane_create creates[] = {
        {at(0), at(120)}, {at(0), at(180)}, {at(0), at(240)}, {at(121), at(700)}};
    measure(fixture, creates, 3);
    assert_int_equal(fixture->lane.measured.width, 3);
    measure(fixture, creates, 4);
    assert_int_equal(fixture->lane.measured.width, 2);
    assert_int_equal(fixture->lane.measured.latency_ms, 125625);
}

/* ---- what may start ---- */

static void grant(struct fixture *fixture, int64_t wall_ms)
{
    measure(fixture, NULL, 0);
    fixture->members[0].granted = fixture->members[1].granted = 0;
    lane_grant(&fixture->lane, wall_ms);
}

static void assert_granted(const struct fixture *fixture, int64_t first, int64_t second)
{
    assert_int_equal(fixture->members[0].granted, first);
    assert_int_equal(fixture->members[1].granted, second);
}

static void set_flights(struct fixture *fixture, size_t index, const int64_t *flights, size_t count)
{
    fixture->members[index].stock.flights = flights;
    fixture->members[index].stock.flight_count = count;
}

static void add_waiter(struct fixture *fixture, size_t pool, size_t instance)
{
    struct lane_pool *member = &fixture->members[pool];
    member->waiters = fixture->waiters[pool];
    fixture->waiters[pool][member->waiter_count++] =
        (struct waiter){.instance = fixture->instances[instance], .waits = true};
}

static void pools_share_the_width(void **state)
{
    struct fixture *fixture = *state;
    const int64_t flights[] = {at(0)};
    fixture->members[0].stock.startable = 10;
    fixture->members[1].stock.startable = 10;
    set_flights(fixture, 1, flights, 1);
    grant(fixture, at(1));
    assert_granted(fixture, 2, 0);
}

static void who_would_run_dry_first_is_filled_first(void **state)
{
    struct fixture *fixture = *state;
    make_pool(fixture, 1, "'size':4", "");
    fixture->members[0].stock = (struct pool_stock){10, 4, .startable = 6, .fills = true};
    fixture->members[1].stock = (struct pool_stock){4, 2, .startable = 2, .fills = true};
    grant(fixture, at(0)); /* 4/10, 2/4: then 5/10, 2/4, and 5/10, 3/4 */
    assert_granted(fixture, 2, 1);
}

static void the_oldest_waiter_goes_before_any_refill(void **state)
{
    struct fixture *fixture = *state;
    fixture->members[0].stock.startable = 10;
    fixture->members[1].stock = (struct pool_stock){10, 1, .startable = 9, .fills = true};
    add_waiter(fixture, 1, 1); /* the clone that is there is for it */
    add_waiter(fixture, 1, 2);
    add_waiter(fixture, 0, 3);
    add_waiter(fixture, 1, 4);
    grant(fixture, at(0));
    assert_granted(fixture, 1, 2);
}

static void a_clone_on_its_way_is_for_who_waits(void **state)
{
    struct fixture *fixture = *state;
    const int64_t flights[] = {at(0), at(0)};
    fixture->members[0].stock.startable = 10;
    fixture->members[1].stock.startable = 10;
    set_flights(fixture, 0, flights, 2);
    add_waiter(fixture, 0, 0);
    add_waiter(fixture, 0, 1);
    add_waiter(fixture, 1, 2);
    grant(fixture, at(1));
    assert_granted(fixture, 0, 1);
}

/* One place is left of ninety. */
static void of_two_pools_the_older_waiter_decides(void **state)
{
    struct fixture *fixture = *state;
    fixture->lane.volume_count = 89;
    fixture->members[0].stock.startable = 10;
    fixture->members[1].stock.startable = 10;
    add_waiter(fixture, 0, 3);
    add_waiter(fixture, 1, 1);
    grant(fixture, at(0));
    assert_granted(fixture, 0, 1);
    fixture->members[0].waiter_count = fixture->members[1].waiter_count = 0;
    add_waiter(fixture, 0, 1);
    add_waiter(fixture, 1, 3);
    grant(fixture, at(0));
    assert_granted(fixture, 1, 0);
}

static void no_volume_is_made_beyond_the_cap(void **state)
{
    struct fixture *fixture = *state;
    make_pool(fixture, 0, TEN ",'maxVolumes':12", "");
    fixture->members[0].stock.startable = 10;
    fixture->lane.volume_count = 11;
    grant(fixture, at(0));
    assert_true(fixture->lane.caps.differ);
    assert_granted(fixture, 1, 0);
    assert_false(fixture->lane.is_full);
    fixture->lane.volume_count = 12;
    grant(fixture, at(0));
    assert_granted(fixture, 0, 0);
    assert_true(fixture->lane.is_full);
}

static void creates_that_are_late_do_not_stop_it_at_once(void **state)
{
    struct fixture *fixture = *state;
    const int64_t flights[] = {at(0), at(0), at(1), at(2)};
    fixture->members[0].stock.startable = 10;
    fixture->members[1].stock.startable = 10;
    set_flights(fixture, 0, flights, 3);
    grant(fixture, at(359));
    assert_granted(fixture, 0, 0);
    assert_int_equal(fixture->lane.look_again_ms, 1000);
    grant(fixture, at(370));
    assert_granted(fixture, 0, 1);
    set_flights(fixture, 0, flights, 4);
    grant(fixture, at(1000));
    assert_granted(fixture, 0, 0);
    grant(fixture, at(1203));
    assert_granted(fixture, 0, 3);
}

/* ---- when it comes ---- */

static void forecast(struct fixture *fixture, int64_t wall_ms)
{
    grant(fixture, wall_ms);
    lane_forecast(&fixture->lane, wall_ms, &fixture->arena);
}

static int64_t eta_of(const struct fixture *fixture, size_t pool, size_t at_place)
{
    int64_t eta_ms = fixture->waiters[pool][at_place].eta_ms;
    return eta_ms == 0 ? 0 : (eta_ms - BEGIN) / 1000;
}

/* Two are in flight, one of the other Pool, which nobody waits for. */
static void turns_come_a_gap_apart(void **state)
{
    struct fixture *fixture = *state;
    const int64_t own[] = {at(10)};
    const int64_t others[] = {at(0)};
    fixture->members[0].stock.startable = 9;
    set_flights(fixture, 0, own, 1);
    set_flights(fixture, 1, others, 1);
    for (size_t i = 0; i < 4; i++) {
        add_waiter(fixture, 0, i);
    }
    forecast(fixture, at(100));
    assert_int_equal(eta_of(fixture, 0, 0), 187);
    assert_int_equal(eta_of(fixture, 0, 1), 247);
    assert_int_equal(eta_of(fixture, 0, 2), 307);
    assert_int_equal(eta_of(fixture, 0, 3), 367);
}

/* A create that begins when another one ends takes its latency. */
static void an_idle_lane_takes_the_latency(void **state)
{
    struct fixture *fixture = *state;
    make_pool(fixture, 0, TEN ",'refill':{'maxInFlight':1}", "");
    fixture->members[0].stock.startable = 9;
    add_waiter(fixture, 0, 0);
    add_waiter(fixture, 0, 1);
    forecast(fixture, at(0));
    assert_int_equal(eta_of(fixture, 0, 0), 127);
    assert_int_equal(eta_of(fixture, 0, 1), 255);
}

static void one_that_is_overdue_is_put_off_ever_more(void **state)
{
    struct fixture *fixture = *state;
    const int64_t flights[] = {at(0)};
    set_flights(fixture, 0, flights, 1);
    add_waiter(fixture, 0, 0);
    forecast(fixture, at(121));
    assert_int_equal(eta_of(fixture, 0, 0), 136);
    forecast(fixture, at(200));
    assert_int_equal(eta_of(fixture, 0, 0), 272);
    fixture->waiters[0][0].eta_ms = 0;
    forecast(fixture, at(361));
    assert_int_equal(eta_of(fixture, 0, 0), 0);
}

static void nothing_is_told_that_depends_on_somebody(void **state)
{
    struct fixture *fixture = *state;
    fixture->members[0].stock.startable = 9;
    fixture->members[1].stock.fills = false;
    fixture->lane.volume_count = 89;
    add_waiter(fixture, 0, 0);
    add_waiter(fixture, 1, 1);
    add_waiter(fixture, 0, 2);
    forecast(fixture, at(0));
    assert_int_equal(eta_of(fixture, 0, 0), 127);
    assert_int_equal(eta_of(fixture, 1, 0), 0);
    assert_int_equal(eta_of(fixture, 0, 1), 0);
}

/* The create of 0 s has not come, but one that was started after it has. */
static void one_that_was_overtaken_is_not_expected(void **state)
{
    struct fixture *fixture = *state;
    make_pool(fixture, 1, TEN,
              ",'completedAt':'2026-08-22T10:03:00Z','startedAt':'2026-08-22T10:01:00Z'");
    const int64_t flights[] = {at(0)};
    set_flights(fixture, 0, flights, 1);
    add_waiter(fixture, 0, 0);
    forecast(fixture, at(209));
    assert_int_equal(fixture->lane.look_again_ms, 1000);
    assert_int_not_equal(eta_of(fixture, 0, 0), 0);
    fixture->waiters[0][0].eta_ms = 0;
    forecast(fixture, at(210));
    assert_int_equal(eta_of(fixture, 0, 0), 0);
}

#define WITH_LANE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_LANE(creates_that_waited_give_the_gap_and_one_that_did_not_the_latency),
        WITH_LANE(one_that_knows_of_the_latest_create_is_gone_on_from),
        WITH_LANE(it_widens_up_to_what_its_pools_allow),
        WITH_LANE(a_create_that_was_held_up_narrows_it),
        WITH_LANE(pools_share_the_width),
        WITH_LANE(who_would_run_dry_first_is_filled_first),
        WITH_LANE(the_oldest_waiter_goes_before_any_refill),
        WITH_LANE(a_clone_on_its_way_is_for_who_waits),
        WITH_LANE(of_two_pools_the_older_waiter_decides),
        WITH_LANE(no_volume_is_made_beyond_the_cap),
        WITH_LANE(creates_that_are_late_do_not_stop_it_at_once),
        WITH_LANE(turns_come_a_gap_apart),
        WITH_LANE(an_idle_lane_takes_the_latency),
        WITH_LANE(one_that_is_overdue_is_put_off_ever_more),
        WITH_LANE(nothing_is_told_that_depends_on_somebody),
        WITH_LANE(one_that_was_overtaken_is_not_expected),
    };
    return cmocka_run_group_tests_name("lane", tests, NULL, NULL);
}
