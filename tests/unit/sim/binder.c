/* SPDX-License-Identifier: Apache-2.0 */
/* What the binder does in time: its races, its resync, its client's rate. The rules themselves are
   in binder_table.c. */
#include "sim/binder.h"

#include "base/text.h"
#include "support/storage_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PVC (&resource_persistent_volume_claims)
#define PV (&resource_persistent_volumes)

static void start(struct storage_world *storage)
{
    storage->binder = binder_new(storage->server, &storage->pace, &storage->misfortune);
}

static void restart(struct storage_world *storage)
{
    binder_free(storage->binder);
    start(storage);
}

/* Of the class "clones", Delete; spec: more of it. */
static void make_volume(struct storage_world *storage, const char *name, const char *spec)
{
    char shape[1024];
    (void)snprintf(shape, sizeof(shape),
                   "{'metadata':{'name':'$1'},'spec':{'accessModes':['ReadWriteOncePod'],"
                   "'storageClassName':'clones','capacity':{'storage':'1Gi'},"
                   "'persistentVolumeReclaimPolicy':'Delete','csi':{'driver':'$2',"
                   "'volumeHandle':'fsvol-$1'}%s}}",
                   spec);
    record_release(storage_world_make(storage, PV, draft(shape, name, FSX_DRIVER_NAME, NULL)));
}

static void point(struct storage_world *storage, const char *volume, const struct record *claim)
{
    storage_world_change(storage, PV, volume,
                         draft("{'spec':{'claimRef':{'namespace':'dev','name':'$1','uid':'$2',"
                               "'resourceVersion':null}}}",
                               claim->name, claim->uid, NULL));
}

static bool is_bound(struct storage_world *storage, const char *claim)
{
    return text_equal(storage_world_phase(storage, PVC, claim), "Bound");
}

static void make_inert_class(struct storage_world *storage)
{
    record_release(storage_world_make(
        storage, &resource_storage_classes,
        draft("{'metadata':{'name':'inert'},'provisioner':'kubernetes.io/no-provisioner',"
              "'volumeBindingMode':'WaitForFirstConsumer'}",
              NULL)));
}

static struct record *make_inert_claim(struct storage_world *storage, const char *name)
{
    return storage_world_make(
        storage, PVC,
        draft("{'metadata':{'name':'$1'},'spec':{'accessModes':['ReadWriteOncePod'],"
              "'storageClassName':'inert','resources':{'requests':{'storage':'1Gi'}}}}",
              name, NULL));
}

/* Warm clones: volumes hold-<n>, each Bound to a claim of that name. */
static void make_warm(struct storage_world *storage, int count)
{
    for (int i = 0; i < count; i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "hold-%d", i);
        make_volume(storage, name, "");
        record_release(storage_world_make_claim(storage, name, ""));
        storage_world_run(storage, 20 * SECOND_MS);
        assert_true(is_bound(storage, name));
    }
}

/* The swap: a claim without volumeName, then the volume re-pointed to it by uid. How long until the
   last of so many at once is Bound. */
static int64_t swap(struct storage_world *storage, int count)
{
    make_inert_class(storage);
    make_warm(storage, count);
    storage_world_run(storage, MINUTE_MS);
    int64_t begun_ms = world_now(storage->world).mono_ms;
    for (int i = 0; i < count; i++) {
        char dev[32], hold[32];
        (void)snprintf(dev, sizeof(dev), "dev-%d", i);
        struct record *claim = make_inert_claim(storage, dev);
        const struct record *warm = NULL;
        (void)snprintf(hold, sizeof(hold), "hold-%d", i);
        warm = storage_world_get(storage, PVC, hold);
        point(storage, value_text(warm->value, "spec", "volumeName", NULL), claim);
        record_release(claim);
    }
    for (int i = 0; i < count;) {
        char dev[32];
        (void)snprintf(dev, sizeof(dev), "dev-%d", i);
        if (is_bound(storage, dev)) {
            i++;
        } else {
            assert_true(world_run_next(storage->world, begun_ms + MINUTE_MS));
        }
    }
    return world_now(storage->world).mono_ms - begun_ms;
}

static void one_swap_is_bound_at_once(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    int64_t took_ms = swap(storage, 1);
    assert_true(took_ms < 100);
}

static void a_swapped_volume_is_never_released(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    (void)swap(storage, 1);
    storage_world_run(storage, MINUTE_MS);
    assert_string_equal(storage_world_phase(storage, PV, "hold-0"), "Bound");
    assert_string_equal(storage_world_phase(storage, PVC, "hold-0"), "Lost");
    storage_world_delete(storage, PVC, "hold-0");
    storage_world_run(storage, MINUTE_MS);
    assert_string_equal(storage_world_phase(storage, PV, "hold-0"), "Bound");
}

/* Measured with kube-controller-manager 1.36.3: the last of 10 after 0.12 s, of 50 after 3.9 s. */
static void ten_swaps_fit_into_the_burst(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    assert_in_range(swap(storage, 10), 60, 240);
}

static void fifty_swaps_wait_for_the_rate(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    assert_in_range(swap(storage, 50), 1950, 7800);
}

/* A claim with volumeName, and then a volume that names it without a uid: no event makes the
   binder look at the claim. */
static void what_no_event_tells_waits_for_the_resync(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    record_release(storage_world_make_claim(storage, "c", ",'volumeName':'v'"));
    storage_world_run(storage, 2 * SECOND_MS);
    make_volume(storage, "v", ",'claimRef':{'namespace':'dev','name':'c'}");
    storage_world_run(storage, 11 * SECOND_MS);
    assert_string_equal(storage_world_phase(storage, PVC, "c"), "Pending");
    storage_world_run(storage, 3 * SECOND_MS);
    assert_true(is_bound(storage, "c"));
}

static void a_poke_spares_the_resync(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    record_release(storage_world_make_claim(storage, "c", ",'volumeName':'v'"));
    storage_world_run(storage, 2 * SECOND_MS);
    make_volume(storage, "v", ",'claimRef':{'namespace':'dev','name':'c'}");
    storage_world_run(storage, SECOND_MS);
    storage_world_change(storage, PVC, "c",
                         draft("{'metadata':{'annotations':{'poke':'1'}}}", NULL));
    storage_world_run(storage, SECOND_MS);
    assert_true(is_bound(storage, "c"));
}

static void a_lost_event_waits_for_the_resync(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    storage->misfortune.binder_event_lost = 1000;
    make_volume(storage, "v", "");
    record_release(storage_world_make_claim(storage, "c", ""));
    storage_world_run(storage, 14 * SECOND_MS);
    assert_string_equal(storage_world_phase(storage, PVC, "c"), "Pending");
    storage_world_run(storage, 17 * SECOND_MS); /* one for the volume, one for the claim */
    assert_true(is_bound(storage, "c"));
}

/* Claims with volumeName, made as the binder has just seen their volumes: while the worker for
   volumes writes Available, the one for claims writes the claimRef. How many were not Bound a
   second later. */
static int count_stalled(struct storage_world *storage, bool before_1_36)
{
    storage->misfortune.binder_before_1_36 = before_1_36;
    start(storage);
    view_set_lag(binder_view(storage->binder), NULL, 1, 1);
    int stalled = 0;
    for (int i = 0; i < 30; i++) {
        char name[32], more[64];
        (void)snprintf(name, sizeof(name), "%s-%d", before_1_36 ? "old" : "new", i);
        (void)snprintf(more, sizeof(more), ",'volumeName':'%s'", name);
        make_volume(storage, name, "");
        storage_world_run(storage, 1);
        record_release(storage_world_make_claim(storage, name, more));
        storage_world_run(storage, SECOND_MS);
        stalled += is_bound(storage, name) ? 0 : 1;
        storage_world_run(storage, MINUTE_MS);
        assert_true(is_bound(storage, name));
    }
    return stalled;
}

static void before_1_36_a_conflict_waits_for_the_resync(void **state)
{
    assert_true(count_stalled(*state, true) > 0);
}

static void since_1_36_a_conflict_comes_back_at_once(void **state)
{
    assert_int_equal(count_stalled(*state, false), 0);
}

/* The refill's claims steal whatever is Available, and the volume that is made for the thief is
   then given up. */
static void a_stripped_volume_is_stolen(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    make_warm(storage, 1);
    record_release(storage_world_make_claim(storage, "refill", ""));
    storage_world_run(storage, SECOND_MS);
    assert_string_equal(storage_world_phase(storage, PVC, "refill"), "Pending");
    storage_world_delete(storage, PVC, "hold-0");
    storage_world_change(storage, PVC, "hold-0", draft("{'metadata':{'finalizers':null}}", NULL));
    storage_world_run(storage, SECOND_MS);
    assert_string_equal(storage_world_phase(storage, PV, "hold-0"), "Released");
    storage_world_change(storage, PV, "hold-0", draft("{'spec':{'claimRef':null}}", NULL));
    storage_world_run(storage, 16 * SECOND_MS);
    assert_true(is_bound(storage, "refill"));
    assert_has(storage_world_get(storage, PV, "hold-0"), "{'spec':{'claimRef':{'name':'refill'}}}");
}

static void a_stripped_volume_goes_back_to_its_holding_claim(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    make_warm(storage, 1);
    storage_world_change(storage, PV, "hold-0", draft("{'spec':{'claimRef':null}}", NULL));
    storage_world_run(storage, 16 * SECOND_MS);
    assert_true(is_bound(storage, "hold-0"));
    assert_has(storage_world_get(storage, PV, "hold-0"), "{'spec':{'claimRef':{'name':'hold-0'}}}");
}

/* Its stores and its informer are late, so the server is asked before a volume is given up. */
static void a_claim_that_no_cache_shows_does_not_release_its_volume(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    view_stall(binder_view(storage->binder), PVC, world_now(storage->world).mono_ms + MINUTE_MS);
    struct record *claim = storage_world_make_claim(storage, "c", "");
    char more[256];
    (void)snprintf(more, sizeof(more), ",'claimRef':{'namespace':'dev','name':'c','uid':'%s'}",
                   claim->uid);
    make_volume(storage, "v", more);
    record_release(claim);
    for (int i = 0; i < 40; i++) {
        storage_world_run(storage, SECOND_MS);
        assert_string_not_equal(storage_world_phase(storage, PV, "v"), "Released");
    }
    storage_world_run(storage, MINUTE_MS);
    assert_true(is_bound(storage, "c"));
}

/* A claim sync sees volumes only as the volume worker or its own writes have left them. */
static void a_late_view_of_volumes_binds_late(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    view_stall(binder_view(storage->binder), PV,
               world_now(storage->world).mono_ms + 30 * SECOND_MS);
    make_volume(storage, "v", "");
    record_release(storage_world_make_claim(storage, "c", ""));
    storage_world_run(storage, 29 * SECOND_MS);
    assert_string_equal(storage_world_phase(storage, PVC, "c"), "Pending");
    storage_world_run(storage, 20 * SECOND_MS);
    assert_true(is_bound(storage, "c"));
}

static void a_new_process_finishes_what_the_old_one_began(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    for (int at_ms = 0; at_ms < 30; at_ms++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "c-%d", at_ms);
        make_volume(storage, name, "");
        record_release(storage_world_make_claim(storage, name, ""));
        storage_world_run(storage, at_ms);
        restart(storage);
        storage_world_run(storage, 20 * SECOND_MS);
        assert_true(is_bound(storage, name));
    }
}

static void the_smallest_volume_is_taken(void **state)
{
    struct storage_world *storage = *state;
    make_volume(storage, "a", ",'volumeMode':'Filesystem'");
    storage_world_change(storage, PV, "a", draft("{'spec':{'capacity':{'storage':'3Gi'}}}", NULL));
    make_volume(storage, "b", "");
    start(storage);
    storage_world_run(storage, SECOND_MS);
    record_release(storage_world_make_claim(storage, "c", ""));
    storage_world_run(storage, SECOND_MS);
    assert_has(storage_world_get(storage, PVC, "c"), "{'spec':{'volumeName':'b'}}");
}

static void a_claim_with_a_selector_takes_what_it_selects(void **state)
{
    struct storage_world *storage = *state;
    make_volume(storage, "a", "");
    make_volume(storage, "b", "");
    storage_world_change(storage, PV, "b", draft("{'metadata':{'labels':{'x':'1'}}}", NULL));
    start(storage);
    storage_world_run(storage, SECOND_MS);
    record_release(storage_world_make_claim(
        storage, "c",
        ",'selector':{'matchLabels':{'x':'1'},'matchExpressions':[{'key':'x','operator':'In',"
        "'values':['1','2']},{'key':'y','operator':'DoesNotExist'}]}"));
    storage_world_run(storage, SECOND_MS);
    assert_has(storage_world_get(storage, PVC, "c"), "{'spec':{'volumeName':'b'}}");
}

#define STORAGE_TEST(test)                                                                         \
    cmocka_unit_test_setup_teardown(test, storage_world_set_up, storage_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORAGE_TEST(one_swap_is_bound_at_once),
        STORAGE_TEST(a_swapped_volume_is_never_released),
        STORAGE_TEST(ten_swaps_fit_into_the_burst),
        STORAGE_TEST(fifty_swaps_wait_for_the_rate),
        STORAGE_TEST(what_no_event_tells_waits_for_the_resync),
        STORAGE_TEST(a_poke_spares_the_resync),
        STORAGE_TEST(a_lost_event_waits_for_the_resync),
        STORAGE_TEST(before_1_36_a_conflict_waits_for_the_resync),
        STORAGE_TEST(since_1_36_a_conflict_comes_back_at_once),
        STORAGE_TEST(a_stripped_volume_is_stolen),
        STORAGE_TEST(a_stripped_volume_goes_back_to_its_holding_claim),
        STORAGE_TEST(a_claim_that_no_cache_shows_does_not_release_its_volume),
        STORAGE_TEST(a_late_view_of_volumes_binds_late),
        STORAGE_TEST(a_new_process_finishes_what_the_old_one_began),
        STORAGE_TEST(the_smallest_volume_is_taken),
        STORAGE_TEST(a_claim_with_a_selector_takes_what_it_selects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
