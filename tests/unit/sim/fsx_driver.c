/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/fsx_driver.h"

#include "base/text.h"
#include "support/storage_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const int64_t GIB = 1024 * 1024 * 1024;

/* How a call ended, and when. */
struct ended {
    struct world *world;
    bool is_over;
    enum csi_code code;
    char message[256], handle[64], path[128];
    int64_t at_ms;
};

static void note_end(void *self, const struct csi_reply *reply)
{
    struct ended *ended = self;
    assert_false(ended->is_over);
    ended->is_over = true;
    ended->code = reply->code;
    ended->at_ms = world_now(ended->world).mono_ms;
    (void)snprintf(ended->message, sizeof(ended->message), "%s", reply->message);
    (void)snprintf(ended->handle, sizeof(ended->handle), "%s", reply->handle);
    (void)snprintf(ended->path, sizeof(ended->path), "%s",
                   reply->volume_path == NULL ? "" : reply->volume_path);
}

/* What a test asks for beside the usual. */
struct asked {
    const char *parameters; /* members; NULL: those of a plain volume */
    const char *modes;      /* NULL: RWO */
    const char *snapshot;
    int64_t capacity_bytes; /* 0: 1 GiB */
};

static struct csi_call *ask(struct storage_world *storage, const char *name, struct asked asked,
                            struct ended *ended)
{
    *ended = (struct ended){.world = storage->world};
    char shape[512];
    (void)snprintf(shape, sizeof(shape), "{%s}",
                   asked.parameters != NULL
                       ? asked.parameters
                       : "'ResourceType':'volume','ParentVolumeId':'\\\"$1\\\"'");
    cJSON *parameters = draft(shape, fsx_root_volume(storage->fsx), NULL);
    cJSON *modes = draft(asked.modes != NULL ? asked.modes : "['ReadWriteOnce']", NULL);
    const struct csi_create_volume create = {
        .name = name,
        .capacity_bytes = asked.capacity_bytes == 0 ? GIB : asked.capacity_bytes,
        .parameters = parameters,
        .access_modes = modes,
        .snapshot = asked.snapshot,
    };
    struct csi_call *call =
        fsx_driver_create_volume(storage->driver, &create, (struct csi_answer){note_end, ended});
    assert_false(ended->is_over);
    cJSON_Delete(parameters);
    cJSON_Delete(modes);
    return call;
}

static void set_create_ms(struct storage_world *storage, int64_t create_ms)
{
    storage->pace.fsx_service = (struct span){create_ms, create_ms};
}

/* Measured: however fast FSx is, 15.x s; and three with 12 s and 6 s in between: 15.5, 30.5, 30.5.
 */
static void readiness_is_seen_each_15_s(void **state)
{
    static const struct {
        int64_t create_ms;
        int looks;
    } ROWS[] = {{1000, 1}, {14 * SECOND_MS, 1}, {16 * SECOND_MS, 2}, {100 * SECOND_MS, 7}};
    struct storage_world *storage = *state;
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        char name[16];
        struct ended ended;
        (void)snprintf(name, sizeof(name), "pvc-%zu", i);
        set_create_ms(storage, ROWS[i].create_ms);
        int64_t begun_ms = world_now(storage->world).mono_ms;
        (void)ask(storage, name, (struct asked){0}, &ended);
        storage_world_run(storage, 3 * MINUTE_MS);
        assert_true(ended.is_over);
        assert_int_equal(ended.code, CSI_OK);
        assert_in_range(ended.at_ms - begun_ms, ROWS[i].looks * 15 * SECOND_MS,
                        ROWS[i].looks * 15 * SECOND_MS + 500);
    }
}

static void the_reply_says_where_to_mount(void **state)
{
    struct storage_world *storage = *state;
    struct ended ended;
    (void)ask(storage, "pvc-a", (struct asked){0}, &ended);
    storage_world_run(storage, 2 * MINUTE_MS);
    assert_string_equal(ended.path, "fsx/pvc-a");
    assert_true(text_starts_with(ended.handle, "fsvol-"));
}

#define VOLUME_OF "'ResourceType':'volume','ParentVolumeId':'\\\"$1\\\"'"

static void what_it_refuses(void **state)
{
    static const struct {
        struct asked asked;
        enum csi_code code;
        const char *message;
    } ROWS[] = {
        {{.capacity_bytes = 2 * INT64_C(1073741824)},
         CSI_INVALID_ARGUMENT,
         "resourceType Volume expects storage capacity to be 1Gi"},
        {{.capacity_bytes = INT64_C(1073741823)},
         CSI_INVALID_ARGUMENT,
         "resourceType Volume expects storage capacity to be 1Gi"},
        {{.modes = "['ReadOnlyMany']"}, CSI_INVALID_ARGUMENT, "Volume capabilities not supported"},
        {{.parameters = "'ParentVolumeId':'\\\"$1\\\"'"},
         CSI_INVALID_ARGUMENT,
         "resourceType must be volume, is not set"},
        {{.parameters = VOLUME_OF ",'Name':'\\\"x\\\"'"},
         CSI_INVALID_ARGUMENT,
         "the driver provides this parameter: Name"},
        {{.parameters = VOLUME_OF ",'OriginSnapshot':'{\\\"SnapshotARN\\\": \\\"arn\\\"}'"},
         CSI_INVALID_ARGUMENT,
         "the driver provides this parameter: SnapshotARN"},
        {{.parameters = VOLUME_OF ",'Sync':'disabled'"}, CSI_INTERNAL, "unknown parameter: Sync"},
        {{.parameters = "'ResourceType':'volume','ParentVolumeId':'$1'"},
         CSI_INTERNAL,
         "no JSON string: ParentVolumeId"},
        {{.parameters = "'ResourceType':'volume'"}, CSI_INTERNAL, "no JSON string: ParentVolumeId"},
        {{.parameters = "'ResourceType':'volume','ParentVolumeId':'\\\"fsvol-none\\\"'"},
         CSI_INTERNAL,
         "Could not create volume \"pvc-a\": BadRequest"},
        {{.parameters = VOLUME_OF ",'OriginSnapshot':'{\\\"CopyStrategy\\\": \\\"CLONE\\\"}'"},
         CSI_INTERNAL,
         "Could not create volume \"pvc-a\": BadRequest"},
        {{.snapshot = "fsvolsnap-none"},
         CSI_INTERNAL,
         "Could not get snapshot with ID \"fsvolsnap-none\": NotFound"},
    };
    struct storage_world *storage = *state;
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        struct ended ended;
        (void)ask(storage, "pvc-a", ROWS[i].asked, &ended);
        storage_world_run(storage, SECOND_MS);
        assert_true(ended.is_over);
        assert_string_equal(ended.message, ROWS[i].message);
        assert_int_equal(ended.code, ROWS[i].code);
    }
    assert_int_equal(fsx_counts(storage->fsx).created, 0);
}

static void floor_of_the_size_is_what_counts(void **state)
{
    struct storage_world *storage = *state;
    struct ended ended;
    (void)ask(storage, "pvc-a", (struct asked){.capacity_bytes = 2 * GIB - 1}, &ended);
    storage_world_run(storage, 2 * MINUTE_MS);
    assert_int_equal(ended.code, CSI_OK);
}

static void a_clone_needs_a_copy_strategy(void **state)
{
    struct storage_world *storage = *state;
    const char *snapshot = storage_world_make_golden(storage, "7000000000000000001");
    struct ended ended;
    (void)ask(storage, "pvc-a", (struct asked){.snapshot = snapshot}, &ended);
    storage_world_run(storage, SECOND_MS);
    assert_string_equal(ended.message, "Could not create volume \"pvc-a\": BadRequest");
    const struct asked clone = {.snapshot = snapshot,
                                .parameters = VOLUME_OF
                                ",'OriginSnapshot':'{\\\"CopyStrategy\\\": \\\"CLONE\\\"}'"};
    (void)ask(storage, "pvc-a", clone, &ended);
    storage_world_run(storage, 2 * MINUTE_MS);
    assert_int_equal(ended.code, CSI_OK);
    assert_string_equal(fsx_system_id(storage->fsx, ended.handle), "7000000000000000001");
}

static void the_same_volume_at_once_is_aborted(void **state)
{
    struct storage_world *storage = *state;
    struct ended first, second, third;
    csi_call_leave(ask(storage, "pvc-a", (struct asked){0}, &first));
    (void)ask(storage, "pvc-a", (struct asked){0}, &second);
    storage_world_run(storage, SECOND_MS);
    assert_int_equal(second.code, CSI_ABORTED);
    assert_string_equal(second.message, "An operation with the given volume pvc-a already exists");
    storage_world_run(storage, 2 * MINUTE_MS);
    assert_false(first.is_over); /* its caller had left */
    (void)ask(storage, "pvc-a", (struct asked){0}, &third);
    storage_world_run(storage, MINUTE_MS);
    assert_int_equal(third.code, CSI_OK);
    assert_int_equal(fsx_counts(storage->fsx).created, 1);
}

static void another_request_with_the_name_is_refused(void **state)
{
    struct storage_world *storage = *state;
    struct ended ended;
    (void)ask(storage, "pvc-a", (struct asked){0}, &ended);
    storage_world_run(storage, 2 * MINUTE_MS);
    (void)ask(storage, "pvc-a", (struct asked){.parameters = VOLUME_OF ",'RecordSizeKiB':'8'"},
              &ended);
    storage_world_run(storage, MINUTE_MS);
    assert_int_equal(ended.code, CSI_ALREADY_EXISTS);
}

static void it_waits_for_15_minutes(void **state)
{
    struct storage_world *storage = *state;
    struct ended ended;
    set_create_ms(storage, 20 * MINUTE_MS);
    (void)ask(storage, "pvc-a", (struct asked){0}, &ended);
    storage_world_run(storage, 15 * MINUTE_MS - SECOND_MS);
    assert_false(ended.is_over);
    storage_world_run(storage, 2 * SECOND_MS);
    assert_int_equal(ended.code, CSI_INTERNAL);
    assert_true(text_starts_with(ended.message, "timed out waiting for volume"));
}

static void a_failed_volume_fails_for_ever(void **state)
{
    struct storage_world *storage = *state;
    struct ended ended;
    storage->misfortune.create_fails = 1000;
    (void)ask(storage, "pvc-a", (struct asked){0}, &ended);
    storage_world_run(storage, 2 * MINUTE_MS);
    assert_int_equal(ended.code, CSI_INTERNAL);
    storage->misfortune.create_fails = 0;
    (void)ask(storage, "pvc-a", (struct asked){0}, &ended);
    storage_world_run(storage, 2 * MINUTE_MS);
    assert_int_equal(ended.code, CSI_INTERNAL);
    assert_true(text_ends_with(ended.message, "FAILED"));
}

/* Measured: the first error after 8 attempts, 81 s. */
static void the_sdk_tries_eight_times(void **state)
{
    struct storage_world *storage = *state;
    struct ended ended;
    storage->misfortune.create_throttled = 1000;
    (void)ask(storage, "pvc-a", (struct asked){0}, &ended);
    storage_world_run(storage, 2 * MINUTE_MS);
    assert_int_equal(ended.code, CSI_INTERNAL);
    assert_string_equal(ended.message, "Could not create volume \"pvc-a\": ThrottlingException");
    assert_int_equal(fsx_counts(storage->fsx).creates, 8);
    assert_in_range(ended.at_ms, 60 * SECOND_MS, 91 * SECOND_MS);
}

static void remove_volume(struct storage_world *storage, const char *handle, struct ended *ended)
{
    *ended = (struct ended){.world = storage->world};
    (void)fsx_driver_delete_volume(storage->driver, handle, (struct csi_answer){note_end, ended});
    storage_world_run(storage, SECOND_MS);
    assert_true(ended->is_over);
}

static void delete_does_not_wait(void **state)
{
    struct storage_world *storage = *state;
    const char *handle = fsx_put_volume(storage->fsx, "a", "");
    struct ended ended;
    remove_volume(storage, handle, &ended);
    assert_int_equal(ended.code, CSI_OK);
    enum fsx_lifecycle lifecycle = FSX_AVAILABLE;
    assert_int_equal(fsx_describe_volume(storage->fsx, handle, &lifecycle), FSX_OK);
    assert_int_equal(lifecycle, FSX_DELETING);
    remove_volume(storage, handle, &ended); /* seen with the real ones: twice in 0.3 s */
    assert_int_equal(ended.code, CSI_OK);
}

static void a_vanished_volume_cannot_be_deleted(void **state)
{
    struct storage_world *storage = *state;
    struct ended ended;
    remove_volume(storage, "fsvol-gone", &ended);
    assert_int_equal(ended.code, CSI_INTERNAL);
    storage->misfortune.delete_of_vanished_fails = false;
    remove_volume(storage, "fsvol-gone", &ended);
    assert_int_equal(ended.code, CSI_OK);
}

static void a_volume_with_clones_cannot_be_deleted_unless_it_was_made_so(void **state)
{
    static const char OPTIONS[] =
        VOLUME_OF ",'OptionsOnDeletion':'[\\\"DELETE_CHILD_VOLUMES_AND_SNAPSHOTS\\\"]'";
    static const struct {
        const char *parameters;
        enum csi_code code;
    } ROWS[] = {{VOLUME_OF, CSI_INTERNAL}, {OPTIONS, CSI_OK}};
    struct storage_world *storage = *state;
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        struct ended ended;
        char name[16];
        (void)snprintf(name, sizeof(name), "pvc-%zu", i);
        (void)ask(storage, name, (struct asked){.parameters = ROWS[i].parameters}, &ended);
        storage_world_run(storage, 2 * MINUTE_MS);
        (void)fsx_put_snapshot(storage->fsx, ended.handle);
        char handle[64];
        (void)snprintf(handle, sizeof(handle), "%s", ended.handle);
        remove_volume(storage, handle, &ended);
        assert_int_equal(ended.code, ROWS[i].code);
    }
}

static void a_snapshot_is_waited_for_and_deleted_without_clones_only(void **state)
{
    struct storage_world *storage = *state;
    const char *volume = fsx_put_volume(storage->fsx, "a", "1");
    struct ended ended = {.world = storage->world};
    (void)fsx_driver_create_snapshot(storage->driver, "snapshot-1", volume,
                                     (struct csi_answer){note_end, &ended});
    storage_world_run(storage, 16 * SECOND_MS);
    assert_int_equal(ended.code, CSI_OK);
    assert_in_range(ended.at_ms, 15 * SECOND_MS, 16 * SECOND_MS);
    char snapshot[64];
    (void)snprintf(snapshot, sizeof(snapshot), "%s", ended.handle);
    const struct asked clone = {.snapshot = snapshot,
                                .parameters = VOLUME_OF
                                ",'OriginSnapshot':'{\\\"CopyStrategy\\\": \\\"CLONE\\\"}'"};
    (void)ask(storage, "pvc-a", clone, &ended);
    storage_world_run(storage, 2 * MINUTE_MS);
    char handle[64];
    (void)snprintf(handle, sizeof(handle), "%s", ended.handle);
    ended = (struct ended){.world = storage->world};
    (void)fsx_driver_delete_snapshot(storage->driver, snapshot,
                                     (struct csi_answer){note_end, &ended});
    storage_world_run(storage, SECOND_MS);
    assert_int_equal(ended.code, CSI_INTERNAL);
    remove_volume(storage, handle, &ended);
    storage_world_run(storage, MINUTE_MS);
    ended = (struct ended){.world = storage->world};
    (void)fsx_driver_delete_snapshot(storage->driver, snapshot,
                                     (struct csi_answer){note_end, &ended});
    storage_world_run(storage, SECOND_MS);
    assert_int_equal(ended.code, CSI_OK);
}

#define STORAGE_TEST(test)                                                                         \
    cmocka_unit_test_setup_teardown(test, storage_world_set_up, storage_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORAGE_TEST(readiness_is_seen_each_15_s),
        STORAGE_TEST(the_reply_says_where_to_mount),
        STORAGE_TEST(what_it_refuses),
        STORAGE_TEST(floor_of_the_size_is_what_counts),
        STORAGE_TEST(a_clone_needs_a_copy_strategy),
        STORAGE_TEST(the_same_volume_at_once_is_aborted),
        STORAGE_TEST(another_request_with_the_name_is_refused),
        STORAGE_TEST(it_waits_for_15_minutes),
        STORAGE_TEST(a_failed_volume_fails_for_ever),
        STORAGE_TEST(the_sdk_tries_eight_times),
        STORAGE_TEST(delete_does_not_wait),
        STORAGE_TEST(a_vanished_volume_cannot_be_deleted),
        STORAGE_TEST(a_volume_with_clones_cannot_be_deleted_unless_it_was_made_so),
        STORAGE_TEST(a_snapshot_is_waited_for_and_deleted_without_clones_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
