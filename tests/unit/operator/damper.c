/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/damper.h"

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { FREE_WRITES = 3, BACKOFF_MS_MIN = 100, BACKOFF_MS_MAX = 30000 };

struct fixture {
    struct memos memos;
    struct memo *memo;
    struct arena arena;
    struct random random;
    struct object pool;
    struct now now;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){
        .pool = {.kind = KIND_POOL,
                 .meta = {.name = "orders", .resource_version = "1", .generation = 1}},
        .now = {.mono_ms = 1000, .wall_ms = 1000}};
    memos_init(&fixture.memos);
    fixture.memo = memos_get(&fixture.memos, "pool/pools/orders");
    arena_init(&fixture.arena, 0);
    random_init(&fixture.random, 7);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    arena_release(&fixture->arena);
    memos_release(&fixture->memos);
    return 0;
}

/* A plan that tells a status and decides something. */
static size_t plan_of(struct fixture *fixture, struct plan *plan, bool *out_held)
{
    plan_init(plan, &fixture->arena, fixture->now);
    plan_add(plan, (struct action){.kind = ACTION_STATUS_PATCH,
                                   .purpose = PURPOSE_STATUS,
                                   .name = "orders",
                                   .reason = "news"});
    plan_add(plan, (struct action){.kind = ACTION_CREATE,
                                   .purpose = PURPOSE_FILL,
                                   .name = "orders-0",
                                   .reason = "missing"});
    *out_held = damper_apply(fixture->memo, &fixture->pool, plan, &fixture->random);
    return plan->action_count;
}

static void write_own(struct fixture *fixture, const char *version)
{
    fixture->pool.meta.resource_version = version;
    damper_note_write(fixture->memo, &fixture->pool);
}

/* What is held back is only what is told, and the key is planned again when it is over. */
static int64_t wait_of(struct fixture *fixture)
{
    struct plan plan;
    bool held = false;
    if (plan_of(fixture, &plan, &held) == 2) {
        assert_false(held);
        return 0;
    }
    assert_true(held);
    assert_int_equal(plan.action_count, 1);
    assert_int_equal(plan.actions[0].purpose, PURPOSE_FILL);
    return plan.look_again_ms - fixture->now.mono_ms;
}

static void who_is_written_over_waits_longer_each_time(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < FREE_WRITES; i++) {
        write_own(fixture, "2");
        fixture->pool.meta.resource_version = "3";
        assert_int_equal(wait_of(fixture), 0);
    }
    for (int64_t delay_ms = BACKOFF_MS_MIN; delay_ms < BACKOFF_MS_MAX; delay_ms *= 2) {
        write_own(fixture, "4");
        fixture->pool.meta.resource_version = "5";
        int64_t wait_ms = wait_of(fixture);
        assert_in_range(wait_ms, delay_ms / 2, delay_ms + delay_ms / 2);
        fixture->now.mono_ms += wait_ms - 1;
        assert_int_equal(wait_of(fixture), 1);
        fixture->now.mono_ms++;
        assert_int_equal(wait_of(fixture), 0);
    }
}

static void who_writes_alone_does_not_wait(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 2 * FREE_WRITES; i++) {
        write_own(fixture, "2");
        assert_int_equal(wait_of(fixture), 0);
    }
    /* A new spec is no write over a status. */
    for (int i = 0; i < 2 * FREE_WRITES; i++) {
        write_own(fixture, "3");
        fixture->pool.meta.resource_version = "4";
        fixture->pool.meta.generation++;
        assert_int_equal(wait_of(fixture), 0);
    }
}

static void a_write_that_stands_ends_it(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < FREE_WRITES; i++) {
        write_own(fixture, "2");
        fixture->pool.meta.resource_version = "3";
        assert_int_equal(wait_of(fixture), 0);
    }
    write_own(fixture, "4");
    assert_int_equal(wait_of(fixture), 0);
    fixture->pool.meta.resource_version = "5";
    assert_int_equal(wait_of(fixture), 0);
}

static void what_is_not_known_is_not_held(void **state)
{
    struct fixture *fixture = *state;
    struct plan plan;
    plan_init(&plan, &fixture->arena, fixture->now);
    plan_add(&plan, (struct action){.kind = ACTION_STATUS_PATCH,
                                    .purpose = PURPOSE_STATUS,
                                    .name = "orders",
                                    .reason = "news"});
    assert_false(damper_apply(NULL, &fixture->pool, &plan, &fixture->random));
    assert_false(damper_apply(fixture->memo, NULL, &plan, &fixture->random));
    assert_false(damper_apply(fixture->memo, &fixture->pool, &plan, &fixture->random));
    assert_int_equal(plan.action_count, 1);
}

#define DAMPER_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAMPER_TEST(who_is_written_over_waits_longer_each_time),
        DAMPER_TEST(who_writes_alone_does_not_wait),
        DAMPER_TEST(a_write_that_stands_ends_it),
        DAMPER_TEST(what_is_not_known_is_not_held),
    };
    return cmocka_run_group_tests_name("damper", tests, NULL, NULL);
}
