/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/fsx.h"

#include "support/storage_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static enum fsx_code create_below(struct storage_world *storage, const char *parent,
                                  const char *name, const char *origin, const char **out_handle)
{
    const struct fsx_create create = {
        .name = name, .token = name, .parent = parent, .origin = origin, .parameters = "{}"};
    return fsx_create_volume(storage->fsx, &create, out_handle);
}

static enum fsx_code create_as(struct storage_world *storage, const char *name, const char *origin,
                               bool is_full_copy, const char **out_handle)
{
    const struct fsx_create create = {.name = name,
                                      .token = name,
                                      .parent = fsx_root_volume(storage->fsx),
                                      .origin = origin,
                                      .parameters = "{}",
                                      .is_full_copy = is_full_copy};
    return fsx_create_volume(storage->fsx, &create, out_handle);
}

static const char *create(struct storage_world *storage, const char *name, const char *origin)
{
    const char *handle = NULL;
    assert_int_equal(create_as(storage, name, origin, false, &handle), FSX_OK);
    return handle;
}

static enum fsx_lifecycle lifecycle_of(struct storage_world *storage, const char *handle)
{
    enum fsx_lifecycle lifecycle = FSX_PENDING;
    assert_int_equal(fsx_describe_volume(storage->fsx, handle, &lifecycle), FSX_OK);
    return lifecycle;
}

static void creates_are_served_one_after_another(void **state)
{
    struct storage_world *storage = *state;
    storage->pace.fsx_latency_beyond = (struct span){MINUTE_MS, MINUTE_MS};
    const char *handles[3];
    for (int i = 0; i < 3; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "v%d", i);
        handles[i] = create(storage, name, NULL);
    }
    storage_world_run(storage, 2 * MINUTE_MS - 1);
    assert_int_equal(lifecycle_of(storage, handles[0]), FSX_CREATING);
    for (int i = 0; i < 3; i++) {
        storage_world_run(storage, i == 0 ? 1 : MINUTE_MS);
        assert_int_equal(lifecycle_of(storage, handles[i]), FSX_AVAILABLE);
        if (i < 2) {
            assert_int_equal(lifecycle_of(storage, handles[i + 1]), FSX_CREATING);
        }
    }
}

static void an_idle_file_system_serves_at_once(void **state)
{
    struct storage_world *storage = *state;
    (void)create(storage, "a", NULL);
    storage_world_run(storage, 10 * MINUTE_MS);
    const char *handle = create(storage, "b", NULL);
    storage_world_run(storage, MINUTE_MS);
    assert_int_equal(lifecycle_of(storage, handle), FSX_AVAILABLE);
}

static void a_token_gives_the_same_volume(void **state)
{
    struct storage_world *storage = *state;
    const char *first = create(storage, "a", NULL);
    assert_ptr_equal(create(storage, "a", NULL), first);
    assert_int_equal(fsx_counts(storage->fsx).creates, 2);
    assert_int_equal(fsx_counts(storage->fsx).created, 1);
    const struct fsx_create other = {.name = "a",
                                     .token = "a",
                                     .parent = fsx_root_volume(storage->fsx),
                                     .parameters = "{\"RecordSizeKiB\":\"8\"}"};
    const char *handle = NULL;
    assert_int_equal(fsx_create_volume(storage->fsx, &other, &handle), FSX_INCOMPATIBLE);
    assert_null(handle);
}

static void a_clone_has_the_data_of_its_snapshot(void **state)
{
    struct storage_world *storage = *state;
    const char *golden = fsx_put_volume(storage->fsx, "golden", "7000000000000000001");
    const char *snapshot = fsx_put_snapshot(storage->fsx, golden);
    assert_true(fsx_initdb(storage->fsx, golden, "7000000000000000002"));
    const char *clone = create(storage, "a", snapshot);
    storage_world_run(storage, MINUTE_MS);
    assert_string_equal(fsx_system_id(storage->fsx, clone), "7000000000000000001");
    assert_string_equal(fsx_system_id(storage->fsx, golden), "7000000000000000002");
    assert_string_equal(fsx_system_id(storage->fsx, create(storage, "b", NULL)), "");
}

static void a_file_system_has_so_many_volumes(void **state)
{
    struct storage_world *storage = *state;
    storage->pace.volumes_max = 3; /* the root is one */
    const char *first = create(storage, "a", NULL);
    (void)create(storage, "b", NULL);
    const char *handle = NULL;
    assert_int_equal(create_as(storage, "c", NULL, false, &handle), FSX_LIMIT);
    assert_int_equal(fsx_delete_volume(storage->fsx, first, false), FSX_OK);
    assert_int_equal(create_as(storage, "c", NULL, false, &handle), FSX_LIMIT);
    storage_world_run(storage, MINUTE_MS);
    assert_int_equal(create_as(storage, "c", NULL, false, &handle), FSX_OK);
}

static void a_deleted_volume_is_gone_a_while_later(void **state)
{
    struct storage_world *storage = *state;
    const char *handle = fsx_put_volume(storage->fsx, "a", "");
    assert_int_equal(fsx_delete_volume(storage->fsx, handle, false), FSX_OK);
    assert_int_equal(lifecycle_of(storage, handle), FSX_DELETING);
    assert_int_equal(fsx_delete_volume(storage->fsx, handle, false), FSX_OK);
    assert_false(fsx_mount(storage->fsx, handle));
    char kept[64];
    (void)snprintf(kept, sizeof(kept), "%s", handle);
    storage_world_run(storage, MINUTE_MS);
    assert_int_equal(fsx_delete_volume(storage->fsx, kept, false), FSX_NOT_FOUND);
    assert_int_equal(fsx_counts(storage->fsx).deleted, 1);
}

static void clones_hold_their_snapshot_and_it_holds_its_volume(void **state)
{
    struct storage_world *storage = *state;
    const char *golden = fsx_put_volume(storage->fsx, "golden", "1");
    const char *snapshot = fsx_put_snapshot(storage->fsx, golden);
    const char *clone = create(storage, "a", snapshot);
    const char *copy = NULL;
    assert_int_equal(fsx_delete_snapshot(storage->fsx, snapshot), FSX_BAD_REQUEST);
    assert_int_equal(fsx_delete_volume(storage->fsx, golden, false), FSX_BAD_REQUEST);
    assert_int_equal(fsx_delete_volume(storage->fsx, clone, false), FSX_OK);
    assert_int_equal(fsx_delete_snapshot(storage->fsx, snapshot), FSX_BAD_REQUEST);
    assert_int_equal(create_as(storage, "b", snapshot, true, &copy), FSX_OK);
    storage_world_run(storage, 3 * MINUTE_MS);
    assert_int_equal(fsx_delete_snapshot(storage->fsx, snapshot), FSX_OK);
    assert_int_equal(lifecycle_of(storage, copy), FSX_AVAILABLE);
    assert_int_equal(fsx_delete_volume(storage->fsx, golden, false), FSX_OK);
}

static void options_on_deletion_take_every_clone_along(void **state)
{
    struct storage_world *storage = *state;
    const char *golden = fsx_put_volume(storage->fsx, "golden", "1");
    const char *clone = create(storage, "clone", fsx_put_snapshot(storage->fsx, golden));
    storage_world_run(storage, MINUTE_MS);
    const char *of_clone = create(storage, "of-clone", fsx_put_snapshot(storage->fsx, clone));
    const char *other = create(storage, "other", NULL);
    assert_true(fsx_mount(storage->fsx, clone));
    storage_world_run(storage, 2 * MINUTE_MS);
    assert_int_equal(fsx_delete_volume(storage->fsx, golden, true), FSX_OK);
    assert_int_equal(lifecycle_of(storage, clone), FSX_DELETING);
    assert_int_equal(lifecycle_of(storage, of_clone), FSX_DELETING);
    assert_int_equal(lifecycle_of(storage, other), FSX_AVAILABLE);
}

static void what_it_refuses(void **state)
{
    struct storage_world *storage = *state;
    const char *handle = NULL;
    const struct fsx_create orphan = {
        .name = "a", .token = "a", .parent = "fsvol-none", .parameters = "{}"};
    assert_int_equal(fsx_create_volume(storage->fsx, &orphan, &handle), FSX_BAD_REQUEST);
    assert_int_equal(create_as(storage, "a", "fsvolsnap-none", false, &handle), FSX_NOT_FOUND);
    assert_int_equal(fsx_delete_volume(storage->fsx, fsx_root_volume(storage->fsx), true),
                     FSX_BAD_REQUEST);
    assert_int_equal(fsx_delete_snapshot(storage->fsx, "fsvolsnap-none"), FSX_NOT_FOUND);
    assert_null(handle);
    assert_int_equal(fsx_counts(storage->fsx).created, 0);
}

static void misfortune_throttles_and_fails(void **state)
{
    struct storage_world *storage = *state;
    const char *handle = create(storage, "a", NULL);
    enum fsx_lifecycle lifecycle;
    storage->misfortune.create_throttled = 1000;
    storage->misfortune.describe_throttled = 1000;
    storage->misfortune.delete_fails = 1000;
    const char *other = NULL;
    assert_int_equal(create_as(storage, "b", NULL, false, &other), FSX_THROTTLED);
    assert_int_equal(fsx_describe_volume(storage->fsx, handle, &lifecycle), FSX_THROTTLED);
    assert_int_equal(fsx_delete_volume(storage->fsx, handle, false), FSX_INTERNAL_ERROR);

    storage->misfortune = (struct misfortune){.create_fails = 1000, .create_slow = 1000};
    handle = create(storage, "c", NULL);
    storage_world_run(storage, 11 * MINUTE_MS);
    assert_int_equal(lifecycle_of(storage, handle), FSX_FAILED);
    assert_int_equal(fsx_counts(storage->fsx).failed, 1);
    assert_ptr_equal(create(storage, "c", NULL), handle); /* for ever: the token is known */
}

static void note_seen(void *self, const struct fsx_volume_seen *volume)
{
    struct fsx_volume_seen *seen = self;
    assert_string_equal(seen->name == NULL ? "" : seen->name, "");
    *seen = *volume;
}

static void what_happened_in_a_volume_is_told(void **state)
{
    struct storage_world *storage = *state;
    const char *handle = fsx_put_volume(storage->fsx, "a", "1");
    struct fsx_volume_seen seen = {0};
    fsx_volumes(storage->fsx, note_seen, &seen);
    assert_false(seen.was_mounted || seen.was_initdb || seen.is_deleting);
    assert_string_equal(seen.system_id, "1");
    assert_string_equal(seen.origin, "");

    assert_true(fsx_mount(storage->fsx, handle) && fsx_mount(storage->fsx, handle));
    assert_true(fsx_initdb(storage->fsx, handle, "2"));
    fsx_unmount(storage->fsx, handle);
    seen = (struct fsx_volume_seen){0};
    fsx_volumes(storage->fsx, note_seen, &seen);
    assert_true(seen.was_mounted && seen.was_initdb);
    assert_int_equal(seen.mounted_by, 1);
    assert_string_equal(seen.system_id, "2");

    assert_int_equal(fsx_delete_volume(storage->fsx, handle, false), FSX_OK);
    storage_world_run(storage, MINUTE_MS);
    assert_null(fsx_system_id(storage->fsx, "fsvol-gone"));
    fsx_unmount(storage->fsx, "fsvol-gone");
    seen = (struct fsx_volume_seen){0};
    fsx_volumes(storage->fsx, note_seen, &seen);
    assert_null(seen.handle);
}

static void file_systems_serve_side_by_side(void **state)
{
    struct storage_world *storage = *state;
    struct fsx *fsx = storage->fsx;
    const char *golden = fsx_put_snapshot(fsx, fsx_put_volume(fsx, "golden", "1"));
    const char *root = fsx_root_volume_of(fsx, 1);
    const char *handles[2] = {create(storage, "a", golden), NULL};
    assert_int_equal(create_below(storage, root, "b", golden, &handles[1]), FSX_BAD_REQUEST);
    assert_int_equal(create_below(storage, root, "c", NULL, &handles[1]), FSX_OK);
    assert_string_not_equal(fsx_dns_name(fsx, handles[0]), fsx_dns_name(fsx, handles[1]));
    storage_world_run(storage, 129 * SECOND_MS);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(lifecycle_of(storage, handles[i]), FSX_AVAILABLE);
        assert_int_equal(fsx_counts_of(fsx, i).created, 1);
        assert_int_equal(fsx_counts_of(fsx, i).available, 1);
        assert_true(fsx_counts(fsx).busy_until_ms >= fsx_counts_of(fsx, i).busy_until_ms);
    }
    storage->pace.volumes_max = 3; /* the first has its root, the golden and a */
    assert_int_equal(create_as(storage, "d", NULL, false, &handles[0]), FSX_LIMIT);
    assert_int_equal(create_below(storage, root, "e", NULL, &handles[1]), FSX_OK);
}

static void a_snapshot_takes_a_moment(void **state)
{
    struct storage_world *storage = *state;
    const char *volume = fsx_put_volume(storage->fsx, "a", "1");
    const char *handle = NULL, *again = NULL;
    enum fsx_lifecycle lifecycle;
    int64_t created_ms = 0;
    assert_int_equal(fsx_create_snapshot(storage->fsx, "s", "s", volume, &handle), FSX_OK);
    assert_int_equal(fsx_create_snapshot(storage->fsx, "s", "s", volume, &again), FSX_OK);
    assert_ptr_equal(handle, again);
    assert_int_equal(fsx_describe_snapshot(storage->fsx, handle, &lifecycle, &created_ms), FSX_OK);
    assert_int_equal(lifecycle, FSX_PENDING);
    assert_int_equal(created_ms, world_now(storage->world).wall_ms);
    storage_world_run(storage, 2 * SECOND_MS);
    assert_int_equal(fsx_describe_snapshot(storage->fsx, handle, &lifecycle, &created_ms), FSX_OK);
    assert_int_equal(lifecycle, FSX_AVAILABLE);
    assert_int_equal(fsx_create_snapshot(storage->fsx, "t", "t", "fsvol-none", &again),
                     FSX_NOT_FOUND);
}

#define STORAGE_TEST(test)                                                                         \
    cmocka_unit_test_setup_teardown(test, storage_world_set_up, storage_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORAGE_TEST(creates_are_served_one_after_another),
        STORAGE_TEST(an_idle_file_system_serves_at_once),
        STORAGE_TEST(a_token_gives_the_same_volume),
        STORAGE_TEST(a_clone_has_the_data_of_its_snapshot),
        STORAGE_TEST(a_file_system_has_so_many_volumes),
        STORAGE_TEST(a_deleted_volume_is_gone_a_while_later),
        STORAGE_TEST(clones_hold_their_snapshot_and_it_holds_its_volume),
        STORAGE_TEST(options_on_deletion_take_every_clone_along),
        STORAGE_TEST(what_it_refuses),
        STORAGE_TEST(misfortune_throttles_and_fails),
        STORAGE_TEST(what_happened_in_a_volume_is_told),
        STORAGE_TEST(file_systems_serve_side_by_side),
        STORAGE_TEST(a_snapshot_takes_a_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
