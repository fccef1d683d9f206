/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/claims.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define INSTANCE(status)                                                                           \
    "{'metadata':{'name':'a','namespace':'dev','uid':'u','resourceVersion':'1',"                   \
    "'creationTimestamp':'2026-08-22T10:00:00Z'},"                                                 \
    "'spec':{'pool':{'name':'main','namespace':'pools'}},'status':" status "}"
#define WAITING INSTANCE("{'phase':'Waiting','queue':{'position':2}}")
#define CHOSEN                                                                                     \
    INSTANCE("{'phase':'Starting','volume':{'name':'pv-1'},'timings':{"                            \
             "'chosenAt':'2026-08-22T10:00:30.000Z','boundAt':'2026-08-22T10:00:30.100Z'}}")
#define READY                                                                                      \
    INSTANCE("{'phase':'Ready','volume':{'name':'pv-1'},'timings':{"                               \
             "'chosenAt':'2026-08-22T10:00:30.000Z','boundAt':'2026-08-22T10:00:30.100Z',"         \
             "'readyAt':'2026-08-22T10:00:34.000Z'}}")
#define MISMATCH                                                                                   \
    INSTANCE("{'phase':'Failed','volume':{'name':'pv-1'},'conditions':[{'type':'Ready',"           \
             "'status':'False','reason':'SystemIDMismatch','message':'m',"                         \
             "'lastTransitionTime':'2026-08-22T10:00:34Z'}]}")
#define POOL "{'metadata':{'name':'main','namespace':'pools','uid':'p'}}"

static int tear_down(void **state)
{
    claims_release(*state);
    return 0;
}

/* NULL: was not there, or is gone. */
static void change(struct claims *claims, enum object_kind kind, const char *before,
                   const char *after, bool counts)
{
    struct object *was = before == NULL ? NULL : object_from(kind, before);
    struct object *is = after == NULL ? NULL : object_from(kind, after);
    claims_changed(claims, was, is, counts);
    object_free(was);
    object_free(is);
}

/* The Pool has been seen. */
static int set_up(void **state)
{
    static struct claims claims;
    claims_init(&claims);
    change(&claims, KIND_POOL, NULL, POOL, false);
    *state = &claims;
    return 0;
}

static const struct pool_claims *of_pool(const struct claims *claims)
{
    return map_get(&claims->by_pool, "pool/pools/main");
}

static void one_that_found_a_clone_is_a_warm_one(void **state)
{
    struct claims *claims = *state;
    change(claims, KIND_INSTANCE, NULL, CHOSEN, true);
    change(claims, KIND_INSTANCE, CHOSEN, READY, true);
    change(claims, KIND_INSTANCE, READY, READY, true);
    const struct pool_claims *entry = of_pool(claims);
    assert_string_equal(entry->namespace, "pools");
    assert_int_equal(entry->ready[CLAIM_PATH_WARM], 1);
    assert_int_equal(entry->ready[CLAIM_PATH_QUEUED], 0);
    assert_int_equal(entry->phases[CLAIM_PHASE_QUEUE].sum_ms, 30 * 1000);
    assert_int_equal(entry->phases[CLAIM_PHASE_BIND].sum_ms, 100);
    assert_int_equal(entry->phases[CLAIM_PHASE_START].sum_ms, 3900);
    assert_int_equal(entry->phases[CLAIM_PHASE_ALL].sum_ms, 34 * 1000);
}

static void one_that_waited_is_a_queued_one_also_after_a_restart(void **state)
{
    struct claims *claims = *state;
    change(claims, KIND_INSTANCE, NULL, WAITING, false);
    change(claims, KIND_INSTANCE, WAITING, CHOSEN, true);
    change(claims, KIND_INSTANCE, CHOSEN, READY, true);
    assert_int_equal(of_pool(claims)->ready[CLAIM_PATH_QUEUED], 1);
    assert_int_equal(of_pool(claims)->ready[CLAIM_PATH_WARM], 0);
    assert_int_equal(claims->waited.count, 0);
}

static void one_that_is_not_the_goldens_is_counted(void **state)
{
    struct claims *claims = *state;
    change(claims, KIND_INSTANCE, CHOSEN, MISMATCH, true);
    change(claims, KIND_INSTANCE, MISMATCH, MISMATCH, true);
    assert_int_equal(of_pool(claims)->failed[CLAIM_PATH_WARM], 1);
    assert_int_equal(of_pool(claims)->identity_mismatches, 1);
}

static void a_standby_counts_nothing(void **state)
{
    struct claims *claims = *state;
    change(claims, KIND_INSTANCE, CHOSEN, READY, false);
    assert_int_equal(of_pool(claims)->ready[CLAIM_PATH_WARM], 0);
}

static void what_was_ready_when_we_came_is_no_claim_of_ours(void **state)
{
    struct claims *claims = *state;
    change(claims, KIND_INSTANCE, NULL, READY, true);
    assert_int_equal(of_pool(claims)->ready[CLAIM_PATH_WARM], 0);
}

static void a_pool_that_goes_takes_its_figures_along(void **state)
{
    struct claims *claims = *state;
    change(claims, KIND_INSTANCE, CHOSEN, READY, true);
    change(claims, KIND_POOL, POOL, POOL, true);
    assert_non_null(of_pool(claims));
    change(claims, KIND_POOL, POOL, NULL, true);
    assert_null(of_pool(claims));
    change(claims, KIND_INSTANCE, CHOSEN, READY, true);
    assert_null(of_pool(claims));
}

static void one_that_is_deleted_waits_no_more(void **state)
{
    struct claims *claims = *state;
    change(claims, KIND_INSTANCE, NULL, WAITING, true);
    assert_int_equal(claims->waited.count, 1);
    change(claims, KIND_INSTANCE, WAITING, NULL, true);
    assert_int_equal(claims->waited.count, 0);
    change(claims, KIND_INSTANCE, NULL, WAITING, true); /* left for the release */
}

#define RESETTING INSTANCE("{'phase':'Resetting','reset':{'askedAt':'2026-08-22T11:00:00Z'}}")

/* 2026-08-22T10:00:00Z */
#define CREATED_MS INT64_C(1787392800000)

static void what_nobody_tells_any_more_is_remembered(void **state)
{
    struct claims *claims = *state;
    assert_int_equal(claims_of(claims, "pools", "main")->moment_count, 0);
    change(claims, KIND_INSTANCE, READY, RESETTING, false);
    change(claims, KIND_INSTANCE, RESETTING, RESETTING, false);
    change(claims, KIND_INSTANCE, RESETTING, READY, false);
    change(claims, KIND_INSTANCE, READY, NULL, false);
    const struct pool_claims *entry = claims_of(claims, "pools", "main");
    assert_int_equal(entry->moment_count, 2);
    assert_int_equal(entry->moments_ms[0], CREATED_MS + 3600 * 1000);
    assert_int_equal(entry->moments_ms[1], CREATED_MS);
    for (size_t i = 0; i < CLAIM_MOMENTS; i++) {
        change(claims, KIND_INSTANCE, READY, NULL, false);
    }
    assert_int_equal(claims_of(claims, "pools", "main")->moments_ms[0], CREATED_MS);
}

/* Else its counters would begin at 1, in which Prometheus sees no increase and alerts nobody. */
static void a_pool_is_counted_from_the_moment_it_is_seen(void **state)
{
    struct claims *claims = *state;
    const struct pool_claims *entry = of_pool(claims);
    assert_non_null(entry);
    assert_string_equal(entry->namespace, "pools");
    assert_int_equal(entry->identity_mismatches, 0);
    change(claims, KIND_INSTANCE, CHOSEN, MISMATCH, true);
    change(claims, KIND_POOL, POOL, POOL, false);
    assert_ptr_equal(of_pool(claims), entry);
    assert_int_equal(entry->identity_mismatches, 1);
}

#define WITH_CLAIMS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_CLAIMS(one_that_found_a_clone_is_a_warm_one),
        WITH_CLAIMS(one_that_waited_is_a_queued_one_also_after_a_restart),
        WITH_CLAIMS(one_that_is_not_the_goldens_is_counted),
        WITH_CLAIMS(a_standby_counts_nothing),
        WITH_CLAIMS(what_was_ready_when_we_came_is_no_claim_of_ours),
        WITH_CLAIMS(a_pool_that_goes_takes_its_figures_along),
        WITH_CLAIMS(one_that_is_deleted_waits_no_more),
        WITH_CLAIMS(what_nobody_tells_any_more_is_remembered),
        WITH_CLAIMS(a_pool_is_counted_from_the_moment_it_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
