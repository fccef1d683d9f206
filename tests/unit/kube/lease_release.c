/* SPDX-License-Identifier: Apache-2.0 */
/* How a lease is given back at a clean stop. */
#include "base/text.h"
#include "support/lease_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* B29 */
static void given_back_it_has_no_holder_and_the_shortest_duration(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_take_it(fixture);
    fixture->mono_ms += 500;
    lease_release(fixture->lease, lease_fixture_now(fixture));
    assert_false(lease_fixture_held(fixture));
    assert_false(lease_released(fixture->lease));
    assert_true(lease_wake_at(fixture->lease) <= fixture->mono_ms);
    lease_fixture_step(fixture);
    assert_int_equal(lease_fixture_method(fixture), METHOD_PUT);
    lease_fixture_answer(fixture);
    assert_true(lease_released(fixture->lease));
    assert_string_equal(fake_leases_spec(&fixture->leases, "holderIdentity"), "");
    assert_string_equal(fake_leases_spec(&fixture->leases, "leaseDurationSeconds"), "1");
    assert_string_equal(fake_leases_spec(&fixture->leases, "renewTime"),
                        "2026-08-22T00:00:01.500000Z");
    assert_int_equal(lease_wake_at(fixture->lease), NOW_NEVER);
}

static void what_was_never_held_is_given_back_without_a_request(void **state)
{
    struct lease_fixture *fixture = *state;
    fake_leases_write(&fixture->leases, "{'holderIdentity':'other','leaseDurationSeconds':15}");
    lease_fixture_step(fixture);
    lease_fixture_answer(fixture);
    size_t call_count = fake_transport_count(fixture->transport);
    lease_release(fixture->lease, lease_fixture_now(fixture));
    lease_fixture_step(fixture);
    assert_true(lease_released(fixture->lease));
    assert_int_equal(fake_transport_count(fixture->transport), call_count);
}

static void a_renewal_under_way_is_waited_for_before_it_is_given_back(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_take_it(fixture);
    lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
    lease_release(fixture->lease, lease_fixture_now(fixture));
    lease_fixture_step(fixture);
    assert_false(lease_released(fixture->lease));
    lease_fixture_answer(fixture);
    assert_false(lease_fixture_held(fixture));
    assert_int_equal(lease_fixture_method(fixture), METHOD_PUT);
    lease_fixture_answer(fixture);
    assert_true(lease_released(fixture->lease));
    assert_string_equal(fake_leases_spec(&fixture->leases, "holderIdentity"), "");
}

static void a_giving_back_whose_reply_is_lost_is_read_after(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_take_it(fixture);
    lease_release(fixture->lease, lease_fixture_now(fixture));
    lease_fixture_step(fixture);
    cleanup_text struct text lost;
    text_init(&lost, 10000);
    fake_leases_answer(&fixture->leases, &lease_fixture_running(fixture)->request, &lost);
    lease_fixture_fail(fixture, ERROR_UNKNOWN);
    lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
    assert_int_equal(lease_fixture_method(fixture), METHOD_GET);
    lease_fixture_answer(fixture);
    assert_true(lease_released(fixture->lease));
}

static void giving_back_ends_when_the_lease_has_run_out_anyway(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_take_it(fixture);
    lease_release(fixture->lease, lease_fixture_now(fixture));
    lease_fixture_step(fixture);
    assert_int_equal(lease_wake_at(fixture->lease), fixture->mono_ms + 15000);
    fixture->mono_ms += 15000;
    lease_fixture_step(fixture);
    assert_true(lease_released(fixture->lease));
}

#define WITH_LEASE(test)                                                                           \
    cmocka_unit_test_setup_teardown(test, lease_fixture_set_up, lease_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_LEASE(given_back_it_has_no_holder_and_the_shortest_duration),
        WITH_LEASE(what_was_never_held_is_given_back_without_a_request),
        WITH_LEASE(a_renewal_under_way_is_waited_for_before_it_is_given_back),
        WITH_LEASE(a_giving_back_whose_reply_is_lost_is_read_after),
        WITH_LEASE(giving_back_ends_when_the_lease_has_run_out_anyway),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
