/* SPDX-License-Identifier: Apache-2.0 */
/* One candidate, step by step: how it takes the lease and keeps it. Giving it back:
   lease_release.c; several against each other: lease_election.c. */
#include "kube/lease.h"

#include "base/text.h"
#include "support/lease_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { HOUR_MS = 3600 * 1000 };

/* B27 */
static void a_lease_that_is_missing_is_created_and_held(void **state)
{
    struct lease_fixture *fixture = *state;
    assert_string_equal(lease_holder(fixture->lease), "");
    lease_fixture_step(fixture);
    assert_int_equal(lease_fixture_method(fixture), METHOD_GET);
    assert_int_equal(lease_fixture_running(fixture)->request.deadline_ms, 4000);
    lease_fixture_answer(fixture);
    assert_int_equal(lease_fixture_method(fixture), METHOD_POST);
    assert_false(lease_fixture_held(fixture));
    lease_fixture_answer(fixture);
    assert_true(lease_fixture_held(fixture));
    assert_string_equal(lease_holder(fixture->lease), "us");
    assert_string_equal(fake_leases_spec(&fixture->leases, "renewTime"),
                        "2026-08-22T00:00:01.000000Z");
    assert_string_equal(fake_leases_spec(&fixture->leases, "acquireTime"),
                        "2026-08-22T00:00:01.000000Z");
    assert_string_equal(fake_leases_spec(&fixture->leases, "leaseDurationSeconds"), "15");
    assert_string_equal(fake_leases_spec(&fixture->leases, "leaseTransitions"), "0");
    assert_int_equal(lease_error(fixture->lease)->class, ERROR_NONE);
}

static void what_is_held_is_renewed_by_one_write_each_time(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_take_it(fixture);
    for (int i = 0; i < 20; i++) {
        int64_t before_ms = fixture->mono_ms;
        lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
        assert_true(fixture->mono_ms >= before_ms + LEASE_RETRY_MS_MIN);
        assert_int_equal(lease_fixture_method(fixture), METHOD_PUT);
        lease_fixture_answer(fixture);
        assert_true(lease_fixture_held(fixture));
    }
    assert_int_equal(fixture->leases.write_count, 21);
    assert_string_equal(fake_leases_spec(&fixture->leases, "acquireTime"),
                        "2026-08-22T00:00:01.000000Z");
    assert_string_equal(fake_leases_spec(&fixture->leases, "leaseTransitions"), "0");
}

/* B28 */
static void
it_is_not_held_any_more_when_the_time_since_the_last_confirmed_write_began_is_out(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_step(fixture);
    lease_fixture_answer(fixture);
    int64_t began_ms = fixture->mono_ms;
    fixture->mono_ms += 3000;
    lease_fixture_answer(fixture); /* the POST took three seconds */
    fixture->mono_ms = began_ms + 9999;
    assert_true(lease_fixture_held(fixture));
    fixture->mono_ms = began_ms + 10000;
    assert_false(lease_fixture_held(fixture));
}

static void it_wants_to_be_woken_when_its_time_is_out(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_take_it(fixture);
    int64_t began_ms = fixture->mono_ms;
    lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
    assert_int_equal(lease_fixture_method(fixture), METHOD_PUT); /* and no reply comes */
    assert_int_equal(lease_wake_at(fixture->lease), began_ms + 10000);
}

/* B26 */
static void anothers_lease_runs_out_by_our_clock_whatever_its_times_say(void **state)
{
    struct lease_fixture *fixture = *state;
    static const char *const renew_times[] = {"2026-08-21T23:00:00.000000Z",
                                              "2026-08-22T01:00:00.000000Z", "garbage"};
    for (size_t i = 0; i < 3; i++) {
        cleanup_text struct text spec;
        text_init(&spec, 1000);
        text_print(&spec,
                   "{'holderIdentity':'other','leaseDurationSeconds':15,'leaseTransitions':4,"
                   "'renewTime':'%s'}",
                   renew_times[i]);
        fake_leases_write(&fixture->leases, spec.bytes);
        lease_fixture_step(fixture);
        int64_t seen_ms = fixture->mono_ms;
        while (lease_fixture_method(fixture) == METHOD_GET) {
            assert_true(fixture->mono_ms <= seen_ms + 15000);
            lease_fixture_answer(fixture);
            if (fake_transport_running(fixture->transport) == 0) {
                lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
            }
        }
        assert_int_equal(lease_fixture_method(fixture), METHOD_PUT);
        assert_true(fixture->mono_ms >= seen_ms + 15000);
        lease_fixture_fail(fixture, ERROR_UNAVAILABLE);
        lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
        lease_fixture_answer(fixture);
        lease_fixture_fail(fixture, ERROR_UNAVAILABLE);
        fixture->mono_ms += HOUR_MS;
    }
}

static void a_lease_that_changes_is_waited_for_again(void **state)
{
    struct lease_fixture *fixture = *state;
    const char *other = "{'holderIdentity':'other','leaseDurationSeconds':15}";
    fake_leases_write(&fixture->leases, other);
    lease_fixture_step(fixture);
    for (int i = 0; i < 50; i++) {
        lease_fixture_answer(fixture);
        assert_string_equal(lease_holder(fixture->lease), "other");
        fake_leases_write(&fixture->leases, other); /* renewed */
        lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
        assert_int_equal(lease_fixture_method(fixture), METHOD_GET);
    }
    assert_false(lease_fixture_held(fixture));
}

static int64_t wait_for_take_over(struct lease_fixture *fixture, const char *spec)
{
    fake_leases_write(&fixture->leases, spec);
    lease_fixture_step(fixture);
    int64_t seen_ms = fixture->mono_ms;
    while (lease_fixture_method(fixture) == METHOD_GET) {
        lease_fixture_answer(fixture);
        if (fake_transport_running(fixture->transport) == 0) {
            lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
        }
    }
    return fixture->mono_ms - seen_ms;
}

/* B28 */
static void the_duration_is_the_holders_own(void **state)
{
    struct lease_fixture *fixture = *state;
    int64_t waited_ms = wait_for_take_over(
        fixture, "{'holderIdentity':'o','leaseDurationSeconds':60,'leaseTransitions':4}");
    assert_true(waited_ms >= 60000 && waited_ms <= 60000 + LEASE_RETRY_MS_MAX);
    lease_fixture_answer(fixture);
    assert_true(lease_fixture_held(fixture));
    assert_string_equal(fake_leases_spec(&fixture->leases, "leaseTransitions"), "5");
    assert_string_equal(fake_leases_spec(&fixture->leases, "leaseDurationSeconds"), "15");
}

static void a_lease_without_a_duration_has_ours(void **state)
{
    struct lease_fixture *fixture = *state;
    int64_t waited_ms =
        wait_for_take_over(fixture, "{'holderIdentity':'o','leaseDurationSeconds':-7}");
    assert_true(waited_ms >= 15000 && waited_ms <= 15000 + LEASE_RETRY_MS_MAX);
}

static void a_duration_out_of_all_bounds_ends_within_the_hour(void **state)
{
    struct lease_fixture *fixture = *state;
    int64_t waited_ms = wait_for_take_over(
        fixture, "{'holderIdentity':'o','leaseDurationSeconds':'9223372036854775807'}");
    assert_true(waited_ms >= HOUR_MS && waited_ms <= HOUR_MS + LEASE_RETRY_MS_MAX);
}

static void a_lease_that_nobody_holds_is_taken_at_once(void **state)
{
    struct lease_fixture *fixture = *state;
    assert_int_equal(wait_for_take_over(fixture, "{'holderIdentity':'','leaseTransitions':1}"), 0);
    lease_fixture_answer(fixture);
    assert_true(lease_fixture_held(fixture));
    assert_string_equal(fake_leases_spec(&fixture->leases, "leaseTransitions"), "2");
}

static void our_own_identity_is_renewed_at_once(void **state)
{
    struct lease_fixture *fixture = *state;
    const char *spec = "{'holderIdentity':'us','leaseDurationSeconds':15,'leaseTransitions':1,"
                       "'acquireTime':'2026-01-01T00:00:00.000000Z'}";
    assert_int_equal(wait_for_take_over(fixture, spec), 0);
    assert_false(lease_fixture_held(fixture));
    lease_fixture_answer(fixture);
    assert_true(lease_fixture_held(fixture));
    assert_string_equal(fake_leases_spec(&fixture->leases, "leaseTransitions"), "1");
    assert_string_equal(fake_leases_spec(&fixture->leases, "acquireTime"),
                        "2026-01-01T00:00:00.000000Z");
}

static void after_a_write_without_a_reply_it_reads_first(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_take_it(fixture);
    int64_t began_ms = fixture->mono_ms;
    lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
    assert_int_equal(lease_fixture_method(fixture), METHOD_PUT);
    fixture->mono_ms += 4000;
    lease_fixture_fail(fixture, ERROR_UNKNOWN);
    assert_int_equal(lease_error(fixture->lease)->class, ERROR_UNKNOWN);
    lease_fixture_wake(fixture, 1); /* the attempt took longer than the pause between two */
    assert_int_equal(lease_fixture_method(fixture), METHOD_GET);
    lease_fixture_answer(fixture);
    assert_int_equal(lease_fixture_method(fixture), METHOD_PUT);
    /* A read confirms nothing. */
    fixture->mono_ms = began_ms + 10000;
    assert_false(lease_fixture_held(fixture));
    lease_fixture_answer(fixture);
    assert_true(lease_fixture_held(fixture));
    assert_int_equal(lease_error(fixture->lease)->class, ERROR_NONE);
}

static void a_reply_that_cannot_be_read_confirms_nothing(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_step(fixture);
    lease_fixture_answer(fixture);
    fake_call_reply(lease_fixture_running(fixture), 201, "{'metadata':7}");
    lease_fixture_step(fixture);
    assert_false(lease_fixture_held(fixture));
    assert_int_equal(lease_error(fixture->lease)->class, ERROR_INVALID);
    lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
    assert_int_equal(lease_fixture_method(fixture), METHOD_GET);
}

static void a_conflict_is_looked_at_at_once_and_another_holder_believed(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_take_it(fixture);
    lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
    fake_leases_write(&fixture->leases, "{'holderIdentity':'other','leaseDurationSeconds':15}");
    lease_fixture_answer(fixture);
    assert_int_equal(lease_fixture_method(fixture), METHOD_GET);
    lease_fixture_answer(fixture);
    assert_false(lease_fixture_held(fixture));
    assert_string_equal(lease_holder(fixture->lease), "other");
}

static void a_lease_that_somebody_deleted_is_not_held_until_made_again(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_take_it(fixture);
    fake_leases_delete(&fixture->leases);
    lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
    lease_fixture_answer(fixture);
    assert_false(lease_fixture_held(fixture));
    assert_int_equal(lease_fixture_method(fixture), METHOD_POST);
    lease_fixture_answer(fixture);
    assert_true(lease_fixture_held(fixture));
}

static void what_is_refused_is_not_asked_for_in_a_tight_loop(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_step(fixture);
    for (int i = 0; i < 10; i++) {
        int64_t before_ms = fixture->mono_ms;
        fake_call_reply(lease_fixture_running(fixture), 403, NULL);
        lease_fixture_step(fixture);
        lease_fixture_wake(fixture, LEASE_RETRY_MS_MAX);
        assert_true(fixture->mono_ms >= before_ms + LEASE_RETRY_MS_MIN);
    }
    assert_int_equal(lease_error(fixture->lease)->class, ERROR_FORBIDDEN);
    /* Nor a namespace that is missing, for which a creation's 404 stands. */
    fake_call_reply(lease_fixture_running(fixture), 404, NULL);
    lease_fixture_step(fixture);
    assert_int_equal(lease_fixture_method(fixture), METHOD_POST);
    fake_call_reply(lease_fixture_running(fixture), 404, NULL);
    lease_fixture_step(fixture);
    assert_int_equal(fake_transport_running(fixture->transport), 0);
}

/* B15 */
static void a_servers_retry_after_is_honoured(void **state)
{
    struct lease_fixture *fixture = *state;
    lease_fixture_step(fixture);
    struct fake_call *call = lease_fixture_running(fixture);
    fake_call_head(call, 429, 7000);
    fake_call_end(call);
    lease_fixture_step(fixture);
    assert_int_equal(lease_wake_at(fixture->lease), fixture->mono_ms + 7000);
}

#define WITH_LEASE(test)                                                                           \
    cmocka_unit_test_setup_teardown(test, lease_fixture_set_up, lease_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_LEASE(a_lease_that_is_missing_is_created_and_held),
        WITH_LEASE(what_is_held_is_renewed_by_one_write_each_time),
        WITH_LEASE(
            it_is_not_held_any_more_when_the_time_since_the_last_confirmed_write_began_is_out),
        WITH_LEASE(it_wants_to_be_woken_when_its_time_is_out),
        WITH_LEASE(anothers_lease_runs_out_by_our_clock_whatever_its_times_say),
        WITH_LEASE(a_lease_that_changes_is_waited_for_again),
        WITH_LEASE(the_duration_is_the_holders_own),
        WITH_LEASE(a_lease_without_a_duration_has_ours),
        WITH_LEASE(a_duration_out_of_all_bounds_ends_within_the_hour),
        WITH_LEASE(a_lease_that_nobody_holds_is_taken_at_once),
        WITH_LEASE(our_own_identity_is_renewed_at_once),
        WITH_LEASE(after_a_write_without_a_reply_it_reads_first),
        WITH_LEASE(a_reply_that_cannot_be_read_confirms_nothing),
        WITH_LEASE(a_conflict_is_looked_at_at_once_and_another_holder_believed),
        WITH_LEASE(a_lease_that_somebody_deleted_is_not_held_until_made_again),
        WITH_LEASE(what_is_refused_is_not_asked_for_in_a_tight_loop),
        WITH_LEASE(a_servers_retry_after_is_honoured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
