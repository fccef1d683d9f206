/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct now NOW = {.mono_ms = 5000, .wall_ms = 1787392800000};

struct fixture {
    struct arena arena;
    struct plan plan;
    struct text text;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    arena_init(&fixture.arena, 0);
    plan_init(&fixture.plan, &fixture.arena, NOW);
    text_init(&fixture.text, 10000);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    text_release(&fixture->text);
    arena_release(&fixture->arena);
    return 0;
}

static struct action fill(const char *name)
{
    return (struct action){.kind = ACTION_CREATE,
                           .purpose = PURPOSE_FILL,
                           .object = KIND_VOLUME_CLAIM,
                           .namespace = "pools",
                           .name = name,
                           .body = "{\"a\":1}",
                           .reason = "a clone is missing"};
}

static void an_empty_plan_says_so(void **state)
{
    struct fixture *fixture = *state;
    plan_write_text(&fixture->plan, true, &fixture->text);
    assert_string_equal(fixture->text.bytes, "nothing\n");
    assert_int_equal(fixture->plan.look_again_ms, NOW_NEVER);
}

static void an_action_is_a_line_and_its_body(void **state)
{
    struct fixture *fixture = *state;
    plan_add(&fixture->plan, fill("orders-0"));
    plan_write_text(&fixture->plan, true, &fixture->text);
    assert_string_equal(fixture->text.bytes,
                        "create PersistentVolumeClaim pools/orders-0: a clone is missing\n"
                        "    {\"a\":1}\n");
}

static void bodies_can_be_left_out(void **state)
{
    struct fixture *fixture = *state;
    plan_add(&fixture->plan, fill("orders-0"));
    plan_write_text(&fixture->plan, false, &fixture->text);
    assert_string_equal(fixture->text.bytes,
                        "create PersistentVolumeClaim pools/orders-0: a clone is missing\n");
}

static void a_volume_has_no_namespace_and_a_deletion_its_uid(void **state)
{
    struct fixture *fixture = *state;
    plan_add(&fixture->plan, (struct action){.kind = ACTION_DELETE,
                                             .purpose = PURPOSE_DELETE,
                                             .object = KIND_VOLUME,
                                             .name = "pvc-0",
                                             .uid = "u-1",
                                             .reason = "because"});
    plan_write_text(&fixture->plan, true, &fixture->text);
    assert_string_equal(fixture->text.bytes, "delete PersistentVolume pvc-0 uid u-1: because\n");
    assert_string_equal(fixture->plan.actions[0].namespace, "");
}

static void what_does_not_fit_is_for_the_next_plan(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < LIMIT_ACTIONS_PER_PLAN; i++) {
        plan_add(&fixture->plan, fill("orders-0"));
    }
    assert_int_equal(fixture->plan.look_again_ms, NOW_NEVER);
    plan_add(&fixture->plan, fill("orders-1"));
    assert_int_equal(fixture->plan.action_count, LIMIT_ACTIONS_PER_PLAN);
    assert_int_equal(fixture->plan.look_again_ms, NOW.mono_ms);
}

static void the_earliest_look_counts(void **state)
{
    struct fixture *fixture = *state;
    plan_look_again(&fixture->plan, 700);
    plan_look_again(&fixture->plan, 300);
    plan_look_again(&fixture->plan, 900);
    assert_int_equal(fixture->plan.look_again_ms, NOW.mono_ms + 300);
}

static void every_kind_and_purpose_has_a_name(void **state)
{
    (void)state;
    for (int kind = 0; kind < ACTION_KIND_COUNT; kind++) {
        assert_non_null(action_kind_name((enum action_kind)kind));
    }
    for (int purpose = 0; purpose < PURPOSE_COUNT; purpose++) {
        const char *name = purpose_name((enum purpose)purpose);
        assert_non_null(name);
        for (int other = 0; other < purpose; other++) {
            assert_string_not_equal(name, purpose_name((enum purpose)other));
        }
    }
}

#define WITH_PLAN(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PLAN(an_empty_plan_says_so),
        WITH_PLAN(an_action_is_a_line_and_its_body),
        WITH_PLAN(bodies_can_be_left_out),
        WITH_PLAN(a_volume_has_no_namespace_and_a_deletion_its_uid),
        WITH_PLAN(what_does_not_fit_is_for_the_next_plan),
        WITH_PLAN(the_earliest_look_counts),
        cmocka_unit_test(every_kind_and_purpose_has_a_name),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
