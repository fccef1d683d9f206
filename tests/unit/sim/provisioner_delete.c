/* SPDX-License-Identifier: Apache-2.0 */
/* What the provisioner deletes, and its finalizer. */
#include "sim/provisioner.h"

#include "support/storage_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PV (&resource_persistent_volumes)
#define FINALIZER "external-provisioner.volume.kubernetes.io/finalizer"
#define SYSTEM_ID "7000000000000000001"

static void start(struct storage_world *storage)
{
    storage->provisioner =
        provisioner_new(storage->server, storage->driver, &storage->pace, PROVISIONER_5);
}

static void restart(struct storage_world *storage)
{
    provisioner_free(storage->provisioner);
    start(storage);
}

static const char *make_volume(struct storage_world *storage, const char *policy, const char *phase)
{
    const char *handle = fsx_put_volume(storage->fsx, "v", SYSTEM_ID);
    record_release(storage_world_make(
        storage, PV,
        draft("{'metadata':{'name':'v','annotations':{'pv.kubernetes.io/provisioned-by':'$1'}},"
              "'spec':{'accessModes':['ReadWriteOncePod'],'capacity':{'storage':'1Gi'},"
              "'storageClassName':'clones','persistentVolumeReclaimPolicy':'$2',"
              "'csi':{'driver':'$1','volumeHandle':'$3'}},'status':{'phase':'$4'}}",
              FSX_DRIVER_NAME, policy, handle, phase, NULL)));
    return handle;
}

static void only_released_and_delete_is_deleted(void **state)
{
    static const struct {
        const char *policy, *phase;
        bool is_deleted;
    } ROWS[] = {
        {"Delete", "Released", true}, {"Delete", "Available", false}, {"Delete", "Bound", false},
        {"Delete", "Failed", false},  {"Retain", "Released", false},  {"Retain", "Bound", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        void *own = NULL;
        storage_world_set_up(&own);
        struct storage_world *storage = own;
        (void)make_volume(storage, ROWS[i].policy, ROWS[i].phase);
        storage->protection = protection_new(storage->server, &storage->pace);
        start(storage);
        storage_world_run(storage, MINUTE_MS);
        assert_int_equal(fsx_counts(storage->fsx).deleted, ROWS[i].is_deleted);
        assert_int_equal(storage_world_get(storage, PV, "v") == NULL, ROWS[i].is_deleted);
        storage_world_tear_down(&own);
    }
}

static void set_policy(struct storage_world *storage, const char *policy)
{
    storage_world_change(storage, PV, "v",
                         draft("{'spec':{'persistentVolumeReclaimPolicy':'$1'}}", policy, NULL));
}

static void set_phase(struct storage_world *storage, const char *phase)
{
    storage->api->options.subresource = "status";
    storage_world_change(storage, PV, "v", draft("{'status':{'phase':'$1'}}", phase, NULL));
    storage->api->options.subresource = NULL;
}

static bool has_finalizer(struct storage_world *storage)
{
    return value_has_finalizer(storage_world_get(storage, PV, "v")->value, FINALIZER);
}

static void the_finalizer_follows_the_policy(void **state)
{
    struct storage_world *storage = *state;
    (void)make_volume(storage, "Delete", "Bound");
    start(storage);
    storage_world_run(storage, SECOND_MS);
    assert_true(has_finalizer(storage));
    set_policy(storage, "Retain");
    storage_world_run(storage, SECOND_MS);
    assert_false(has_finalizer(storage));
    set_phase(storage, "Available");
    set_policy(storage, "Delete"); /* put on only while Bound */
    storage_world_run(storage, SECOND_MS);
    assert_false(has_finalizer(storage));
    set_phase(storage, "Bound");
    storage_world_run(storage, SECOND_MS);
    assert_true(has_finalizer(storage));
}

/* What it decides by is the version its cache has, not the server's. */
static void a_stale_cache_destroys_what_was_saved_since(void **state)
{
    struct storage_world *storage = *state;
    (void)make_volume(storage, "Delete", "Bound");
    start(storage);
    storage_world_run(storage, SECOND_MS);
    view_set_lag(provisioner_view(storage->provisioner), PV, 100, 100);
    set_phase(storage, "Released");
    storage_world_run(storage, 50);
    set_policy(storage, "Retain");
    storage_world_run(storage, MINUTE_MS);
    assert_int_equal(fsx_counts(storage->fsx).deleted, 1);
}

static void retain_before_release_is_safe_however_stale_the_cache(void **state)
{
    struct storage_world *storage = *state;
    (void)make_volume(storage, "Delete", "Bound");
    start(storage);
    storage_world_run(storage, SECOND_MS);
    view_set_lag(provisioner_view(storage->provisioner), PV, 100, 100);
    set_policy(storage, "Retain");
    set_phase(storage, "Released");
    storage_world_run(storage, MINUTE_MS);
    assert_int_equal(fsx_counts(storage->fsx).deletes, 0);
}

static void a_vanished_volume_stays_released(void **state)
{
    struct storage_world *storage = *state;
    const char *handle = make_volume(storage, "Delete", "Bound");
    storage->protection = protection_new(storage->server, &storage->pace);
    start(storage);
    assert_int_equal(fsx_delete_volume(storage->fsx, handle, false), FSX_OK);
    storage_world_run(storage, MINUTE_MS);
    set_phase(storage, "Released");
    storage_world_run(storage, 20 * MINUTE_MS);
    assert_string_equal(storage_world_phase(storage, PV, "v"), "Released");
    /* The way out: Retain, then delete the object. */
    set_policy(storage, "Retain");
    storage_world_run(storage, 5 * MINUTE_MS);
    storage_world_delete(storage, PV, "v");
    storage_world_run(storage, SECOND_MS);
    assert_null(storage_world_get(storage, PV, "v"));
}

static void version_3_4_has_no_finalizer_and_deletes_its_own_only(void **state)
{
    struct storage_world *storage = *state;
    (void)make_volume(storage, "Delete", "Bound");
    storage->provisioner =
        provisioner_new(storage->server, storage->driver, &storage->pace, PROVISIONER_3_4);
    storage_world_run(storage, SECOND_MS);
    assert_false(has_finalizer(storage));
    storage_world_change(storage, PV, "v", draft("{'metadata':{'annotations':null}}", NULL));
    set_phase(storage, "Released");
    storage_world_run(storage, MINUTE_MS);
    assert_int_equal(fsx_counts(storage->fsx).deletes, 0);
    restart(storage); /* as version 5 */
    storage_world_run(storage, MINUTE_MS);
    assert_int_equal(fsx_counts(storage->fsx).deletes, 1);
}

#define STORAGE_TEST(test)                                                                         \
    cmocka_unit_test_setup_teardown(test, storage_world_set_up, storage_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_released_and_delete_is_deleted),
        STORAGE_TEST(the_finalizer_follows_the_policy),
        STORAGE_TEST(a_stale_cache_destroys_what_was_saved_since),
        STORAGE_TEST(retain_before_release_is_safe_however_stale_the_cache),
        STORAGE_TEST(a_vanished_volume_stays_released),
        STORAGE_TEST(version_3_4_has_no_finalizer_and_deletes_its_own_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
