/* SPDX-License-Identifier: Apache-2.0 */
/* The step is the order kube/lease.h asks for: replies first, requests last. */
#include "support/lease_fixture.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const int64_t WALL_MS = 1787356800000; /* 2026-08-22T00:00:00Z */

int lease_fixture_set_up(void **state)
{
    static struct lease_fixture fixture;
    fixture = (struct lease_fixture){.transport = fake_transport_new(), .mono_ms = 1000};
    fixture.client = client_new(fake_transport_seam(fixture.transport), 1000 * 1000);
    fake_leases_init(&fixture.leases);
    struct lease_options options = {
        .namespace = "system",
        .name = "operator",
        .identity = "us",
        .duration_ms = 15000,
        .renew_ms = 10000,
        .retry_ms = 2000,
        .attempt_ms = 4000,
    };
    struct random random;
    random_init(&random, 1);
    fixture.lease = lease_new(&options, fixture.client, &random);
    *state = &fixture;
    return 0;
}

int lease_fixture_tear_down(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_free(fixture->lease);
    client_free(fixture->client);
    fake_transport_free(fixture->transport);
    fake_leases_release(&fixture->leases);
    return 0;
}

struct now lease_fixture_now(const struct lease_fixture *fixture)
{
    return (struct now){.mono_ms = fixture->mono_ms, .wall_ms = WALL_MS + fixture->mono_ms};
}

bool lease_fixture_held(const struct lease_fixture *fixture)
{
    return lease_held(fixture->lease, lease_fixture_now(fixture));
}

void lease_fixture_step(struct lease_fixture *fixture)
{
    client_step(fixture->client, lease_fixture_now(fixture));
    lease_step(fixture->lease, lease_fixture_now(fixture));
    assert_true(lease_wake_at(fixture->lease) > fixture->mono_ms);
    client_step(fixture->client, lease_fixture_now(fixture));
    assert_true(fake_transport_running(fixture->transport) <= 1);
}

struct fake_call *lease_fixture_running(struct lease_fixture *fixture)
{
    struct fake_call *call = fake_transport_last(fixture->transport);
    assert_int_equal(call->state, FAKE_CALL_RUNNING);
    return call;
}

enum method lease_fixture_method(struct lease_fixture *fixture)
{
    return lease_fixture_running(fixture)->request.method;
}

/* The server answers what runs, and the candidate looks at it. */
void lease_fixture_answer(struct lease_fixture *fixture)
{
    struct fake_call *call = lease_fixture_running(fixture);
    cleanup_text struct text body;
    text_init(&body, 10000);
    int http_status = fake_leases_answer(&fixture->leases, &call->request, &body);
    fake_call_reply(call, http_status, body.bytes);
    lease_fixture_step(fixture);
}

void lease_fixture_fail(struct lease_fixture *fixture, enum error_class class)
{
    fake_call_fail(lease_fixture_running(fixture), class);
    lease_fixture_step(fixture);
}

/* To the moment it wants to be woken at, which must not be later than this. */
void lease_fixture_wake(struct lease_fixture *fixture, int64_t within_ms)
{
    int64_t wake_ms = lease_wake_at(fixture->lease);
    assert_true(wake_ms <= fixture->mono_ms + within_ms);
    fixture->mono_ms = wake_ms;
    lease_fixture_step(fixture);
}

void lease_fixture_take_it(struct lease_fixture *fixture)
{
    lease_fixture_step(fixture);
    lease_fixture_answer(fixture); /* GET: 404 */
    lease_fixture_answer(fixture); /* POST */
    assert_true(lease_fixture_held(fixture));
}
