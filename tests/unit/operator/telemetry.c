/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/telemetry.h"

#include "base/json.h"
#include "base/limits.h"
#include "support/operator_fixture.h"
#include "support/operator_objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TEN_MINUTES_MS = 10 * 60 * 1000 };

static int set_up(void **state)
{
    static struct operator_fixture fixture;
    operator_fixture_init(&fixture, OBJECTS_WALL_MS);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    operator_fixture_release(*state);
    return 0;
}

static void put_all(struct operator_fixture *fixture)
{
    const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV};
    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
        operator_fixture_put(fixture, objects[i]);
    }
}

static bool metrics_say(const struct operator_fixture *fixture, const char *line)
{
    cleanup_text struct text out;
    text_init(&out, LIMIT_BODY_BYTES);
    operator_write_metrics(fixture->op, fixture->now, &out);
    return strstr(out.bytes, line) != NULL;
}

static void a_pool_and_its_clones_are_seen(void **state)
{
    struct operator_fixture *fixture = *state;
    assert_true(metrics_say(fixture, "\nadjoint_leader 0\n"));
    assert_true(metrics_say(fixture, "\nadjoint_synced 0\n"));
    put_all(fixture);
    operator_fixture_lead(fixture);
    operator_fixture_settle(fixture);
    assert_true(metrics_say(fixture, "\nadjoint_leader 1\n"));
    assert_true(metrics_say(fixture, "\nadjoint_synced 1\n"));
    assert_true(metrics_say(
        fixture, "\nadjoint_pool_clones{namespace=\"pools\",pool=\"orders\",state=\"warm\"} 1\n"));
    assert_true(
        metrics_say(fixture, "\nadjoint_pool_size{namespace=\"pools\",pool=\"orders\"} 1\n"));
    assert_true(metrics_say(
        fixture, "\nadjoint_pool_condition{namespace=\"pools\",pool=\"orders\",condition=\"Ready\","
                 "reason=\"Warm\"} 1\n"));
    assert_true(metrics_say(fixture, "\nadjoint_watch_objects{kind=\"Pool\"} 1\n"));
    assert_true(metrics_say(fixture, "\nadjoint_api_requests_total{method=\"GET\",code=\"404\"}"));
}

static void a_pool_takes_its_series_along(void **state)
{
    struct operator_fixture *fixture = *state;
    operator_fixture_put(fixture, POOL("pools", "0"));
    operator_fixture_lead(fixture);
    operator_fixture_settle(fixture);
    assert_true(metrics_say(fixture, "pool=\"orders\""));
    api_table_delete_any(fixture->table, KIND_POOL, "pools", "orders");
    operator_fixture_settle(fixture);
    assert_false(metrics_say(fixture, "pool=\"orders\""));
}

static void who_waits_is_seen(void **state)
{
    struct operator_fixture *fixture = *state;
    const char *const objects[] = {GOLDEN, POOL("pools", "0"), DEV, ALICE};
    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
        operator_fixture_put(fixture, objects[i]);
    }
    operator_fixture_lead(fixture);
    operator_fixture_settle(fixture);
    assert_true(metrics_say(
        fixture, "\nadjoint_instances{namespace=\"pools\",pool=\"orders\",phase=\"Waiting\"} 1\n"));
    assert_true(
        metrics_say(fixture, "\nadjoint_pool_waiters{namespace=\"pools\",pool=\"orders\"} 1\n"));
}

/* Metrics may be asked for between a watch's bytes and the step. */
static void a_lane_is_seen_when_what_it_was_read_from_has_just_gone(void **state)
{
    struct operator_fixture *fixture = *state;
    put_all(fixture);
    operator_fixture_lead(fixture);
    operator_fixture_settle(fixture);
    assert_true(metrics_say(fixture, "\nadjoint_lane_volumes{lane=\"zfs.example\"} 1\n"));
    operator_fixture_put(fixture, "{'kind':'StorageClass','metadata':{'name':'clone'}}");
    assert_true(operator_fixture_turn(fixture));
    assert_true(metrics_say(fixture, "\nadjoint_lane_volumes{lane=\"zfs.example\"} 1\n"));
}

static void ready_is_who_has_listed_everything(void **state)
{
    struct operator_fixture *fixture = *state;
    cleanup_text struct text out;
    text_init(&out, LIMIT_BODY_BYTES);
    assert_false(operator_write_readiness(fixture->op, &out));
    assert_non_null(strstr(out.bytes, "Pool is not listed yet\n"));
    operator_fixture_lead(fixture);
    text_clear(&out);
    assert_true(operator_write_readiness(fixture->op, &out));
    assert_string_equal(out.bytes, "ok\n");
}

static void a_watch_that_hangs_while_all_seems_well_is_not_healthy(void **state)
{
    struct operator_fixture *fixture = *state;
    cleanup_text struct text out;
    text_init(&out, LIMIT_BODY_BYTES);
    operator_fixture_lead(fixture);
    assert_true(operator_write_health(fixture->op, fixture->now, &out));
    assert_non_null(strstr(out.bytes, "ok Pool: last contact "));
    struct now later = {.mono_ms = fixture->now.mono_ms + TEN_MINUTES_MS,
                        .wall_ms = fixture->now.wall_ms + TEN_MINUTES_MS};
    text_clear(&out);
    assert_false(operator_write_health(fixture->op, later, &out)); /* no step for ten minutes */
    assert_non_null(strstr(out.bytes, "STUCK Pool: last contact 60"));
}

static void its_state_is_one_json_object(void **state)
{
    struct operator_fixture *fixture = *state;
    const char *const alice = ALICE;
    put_all(fixture);
    operator_fixture_put(fixture, alice);
    operator_fixture_lead(fixture);
    (void)operator_fixture_turn(fixture);
    cleanup_text struct text out;
    struct json_document *document cleanup_json = NULL;
    struct error error;
    text_init(&out, LIMIT_BODY_BYTES);
    operator_write_state(fixture->op, fixture->now, &out);
    assert_true(json_parse(out.bytes, out.length_bytes, &document, &error));
    assert_non_null(json_member(json_root(document), "leading"));
    assert_non_null(strstr(out.bytes, "\"key\":\"instance/dev/alice\""));
}

#define WITH_OPERATOR(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OPERATOR(a_pool_and_its_clones_are_seen),
        WITH_OPERATOR(a_pool_takes_its_series_along),
        WITH_OPERATOR(who_waits_is_seen),
        WITH_OPERATOR(a_lane_is_seen_when_what_it_was_read_from_has_just_gone),
        WITH_OPERATOR(ready_is_who_has_listed_everything),
        WITH_OPERATOR(a_watch_that_hangs_while_all_seems_well_is_not_healthy),
        WITH_OPERATOR(its_state_is_one_json_object),
    };
    return cmocka_run_group_tests_name("telemetry", tests, NULL, NULL);
}
