/* SPDX-License-Identifier: Apache-2.0 */
#include "support/operator_fixture.h"

#include "base/log.h"
#include "base/memory.h"
#include "support/operator_objects.h"
#include "support/test_entropy.h"
#include "support/test_zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TURN_COUNT_MAX = 400 };

static struct operator* make_operator(struct fake_api *api)
{
    struct operator_options options = {
        /* Seldom renewed: hours pass in many a test. */
        .lease = {.namespace = "system",
                  .name = "operator",
                  .identity = "us",
                  .duration_ms = 60000,
                  .renew_ms = 40000,
                  .retry_ms = 15000,
                  .attempt_ms = 4000},
        .informer = informer_options_default,
        .seed = 7,
        .entropy = test_entropy(),
        .zones = test_zones(),
    };
    return operator_new(&options, fake_api_seam(api));
}

void operator_fixture_init(struct operator_fixture *fixture, int64_t wall_ms)
{
    fixture->api = fake_api_new();
    fixture->table = fake_api_table(fixture->api);
    fixture->now = (struct now){.mono_ms = 1000, .wall_ms = wall_ms};
    api_table_set_time(fixture->table, wall_ms);
    fixture->op = make_operator(fixture->api);
}

void operator_fixture_release(struct operator_fixture *fixture)
{
    operator_free(fixture->op);
    fake_api_free(fixture->api);
}

int operator_fixture_set_up(void **state)
{
    static struct operator_fixture fixture;
    log_configure(LOG_ERROR, NULL, NULL);
    operator_fixture_init(&fixture, OBJECTS_WALL_MS);
    *state = &fixture;
    return 0;
}

int operator_fixture_tear_down(void **state)
{
    operator_fixture_release(*state);
    return 0;
}

void operator_fixture_restart(struct operator_fixture *fixture)
{
    operator_free(fixture->op);
    fixture->op = make_operator(fixture->api);
}

void operator_fixture_put(struct operator_fixture *fixture, const char *json)
{
    cleanup_memory char *text = memory_copy_text(json);
    for (char *at = strchr(text, '\''); at != NULL; at = strchr(at, '\'')) {
        *at = '"';
    }
    api_table_put(fixture->table, text);
}

void operator_fixture_put_all(struct operator_fixture *fixture, const char *const *objects)
{
    for (; *objects != NULL; objects++) {
        operator_fixture_put(fixture, *objects);
    }
}

bool operator_fixture_has(const struct operator_fixture *fixture, enum object_kind kind,
                          const char *namespace, const char *name, const char *part)
{
    const char *json = api_table_find(fixture->table, kind, namespace, name);
    return json != NULL && strstr(json, part) != NULL;
}

bool operator_fixture_turn(struct operator_fixture *fixture)
{
    operator_step(fixture->op, fixture->now);
    assert_true(operator_wake_at(fixture->op) > fixture->now.mono_ms);
    return fake_api_deliver(fixture->api);
}

void operator_fixture_settle(struct operator_fixture *fixture)
{
    for (int turn = 0; operator_fixture_turn(fixture); turn++) {
        if (turn == TURN_COUNT_MAX) {
            fail_msg("it does not come to rest: %s", fake_api_take_log(fixture->api));
        }
    }
}

void operator_fixture_advance(struct operator_fixture *fixture, int64_t mono_ms)
{
    fixture->now.wall_ms += mono_ms - fixture->now.mono_ms;
    fixture->now.mono_ms = mono_ms;
    api_table_set_time(fixture->table, fixture->now.wall_ms);
}

void operator_fixture_pass(struct operator_fixture *fixture, int64_t ms)
{
    int64_t end_ms = fixture->now.mono_ms + ms;
    operator_fixture_settle(fixture);
    while (operator_wake_at(fixture->op) <= end_ms) {
        operator_fixture_advance(fixture, operator_wake_at(fixture->op));
        operator_fixture_settle(fixture);
    }
    operator_fixture_advance(fixture, end_ms);
    operator_fixture_settle(fixture);
}

void operator_fixture_lead(struct operator_fixture *fixture)
{
    enum { PATIENCE_MS = 40000, STEP_MS = 500 };
    for (int64_t waited_ms = 0; waited_ms < PATIENCE_MS; waited_ms += STEP_MS) {
        operator_fixture_pass(fixture, STEP_MS);
        struct operator_facts facts = operator_facts(fixture->op, fixture->now);
        if (facts.leading && facts.synced) {
            return;
        }
    }
    fail_msg("it does not get to lead");
}
