/* SPDX-License-Identifier: Apache-2.0 */
/* Controller and sidecar are two processes elsewhere. Here they share a client and a view, but not
   their queues: the one has VolumeSnapshots, the other contents, and they meet in the objects. */
#include "sim/snapshotter.h"

#include "base/memory.h"
#include "sim/snapshotter_state.h"
#include "sim/value.h"

#include <stdarg.h>
#include <stdio.h>

static const char ACTOR[] = "system:serviceaccount:kube-system:snapshot-controller";

enum {
    WORKER_COUNT = 10,
    REQUESTS_A_SECOND = 5,
    BURST = 10,
    BACKOFF_MS_MIN = 1000,
    BACKOFF_MS_MAX = 5 * 60 * 1000,
};

static const struct resource *const RESOURCES[] = {
    &resource_volume_snapshots,        &resource_volume_snapshot_contents,
    &resource_volume_snapshot_classes, &resource_persistent_volume_claims,
    &resource_persistent_volumes,      NULL,
};

/* ---- looks ---- */

struct snapshotter_look *snapshotter_begin(struct snapshotter *snapshotter, struct workers *workers,
                                           const char *key, const struct record *record)
{
    struct snapshotter_look *look = memory_new(1, sizeof(*look));
    *look = (struct snapshotter_look){.snapshotter = snapshotter,
                                      .workers = workers,
                                      .key = key,
                                      .record = record_keep(record),
                                      .next = snapshotter->first_look};
    if (look->next != NULL) {
        look->next->previous = look;
    }
    snapshotter->first_look = look;
    return look;
}

void snapshotter_look_free(struct snapshotter_look *look)
{
    if (look->previous == NULL) {
        look->snapshotter->first_look = look->next;
    } else {
        look->previous->next = look->next;
    }
    if (look->next != NULL) {
        look->next->previous = look->previous;
    }
    if (look->rpc != NULL) {
        csi_call_leave(look->rpc);
    }
    record_release(look->record);
    memory_free(look);
}

void snapshotter_end(struct snapshotter_look *look, bool is_ok)
{
    if (is_ok) {
        workers_done(look->workers, look->key);
    } else {
        workers_failed(look->workers, look->key);
    }
    snapshotter_look_free(look);
}

void snapshotter_fail(struct snapshotter_look *look, const char *reason, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    recorder_warn(look->snapshotter->recorder, look->record, reason, "%s", message);
    snapshotter_end(look, false);
}

static void is_written(void *self, const struct outcome *outcome)
{
    struct snapshotter_look *look = self;
    if (outcome_ok(outcome) && !outcome->is_gone) {
        view_assume(look->snapshotter->view, outcome->record);
    }
    snapshotter_end(look, outcome_ok(outcome) || outcome->http_status == 404);
}

void snapshotter_write(struct snapshotter_look *look, const struct record *record,
                       const char *subresource, cJSON *value)
{
    caller_update(look->snapshotter->caller, record, subresource, value,
                  (struct answer){is_written, look});
}

void snapshotter_create(struct snapshotter_look *look, const struct resource *resource,
                        cJSON *value)
{
    caller_create(look->snapshotter->caller, resource, NULL, value,
                  (struct answer){is_written, look});
}

void snapshotter_delete(struct snapshotter_look *look, const struct record *record)
{
    caller_delete(look->snapshotter->caller, record->resource, record->namespace, record->name,
                  NULL, NULL, (struct answer){is_written, look});
}

cJSON *snapshotter_with_finalizer(const struct record *record, const char *finalizer, bool has)
{
    if (value_has_finalizer(record->value, finalizer) == has) {
        return NULL;
    }
    cJSON *value = cJSON_Duplicate(record->value, 1);
    cJSON *metadata = value_make(value, "metadata", NULL);
    if (!has) {
        (void)value_list_remove(value_at(metadata, "finalizers", NULL), finalizer);
        return value;
    }
    if (value_at(metadata, "finalizers", NULL) == NULL) {
        value_set(metadata, "finalizers", cJSON_CreateArray());
    }
    value_list_add(value_at(metadata, "finalizers", NULL), finalizer);
    return value;
}

/* ---- events ---- */

static void add_snapshot(struct snapshotter *snapshotter, const char *namespace, const char *name)
{
    if (namespace == NULL || name == NULL) {
        return;
    }
    char key[SNAPSHOTTER_KEY_BYTES];
    (void)snprintf(key, sizeof(key), "%s/%s", namespace, name);
    workers_add(snapshotter->snapshots, key);
}

static void has_changed(void *self, const struct record *before, const struct record *after)
{
    struct snapshotter *snapshotter = self;
    const struct record *record = after != NULL ? after : before;
    if (record->resource == &resource_volume_snapshots) {
        add_snapshot(snapshotter, record->namespace, record->name);
    } else if (record->resource == &resource_volume_snapshot_contents) {
        const cJSON *reference = value_at(record->value, "spec", "volumeSnapshotRef", NULL);
        add_snapshot(snapshotter, value_text(reference, "namespace", NULL),
                     value_text(reference, "name", NULL));
        if (after != NULL && !workers_has_failed(snapshotter->contents, record->name)) {
            workers_add(snapshotter->contents, record->name);
        }
    }
}

struct snapshotter *snapshotter_new(struct apiserver *server, struct fsx_driver *driver,
                                    const struct pace *pace)
{
    struct snapshotter *snapshotter = memory_new(1, sizeof(*snapshotter));
    struct world *world = apiserver_world(server);
    *snapshotter = (struct snapshotter){.world = world, .driver = driver};
    const struct caller_options client = {.actor = ACTOR,
                                          .requests_a_second = REQUESTS_A_SECOND,
                                          .burst = BURST,
                                          .latency = &pace->api_latency};
    snapshotter->caller = caller_new(server, &client);
    snapshotter->recorder = recorder_new(server, snapshotter->caller, "snapshot-controller");
    const struct workers_options options = {
        .count = WORKER_COUNT, .backoff_ms_min = BACKOFF_MS_MIN, .backoff_ms_max = BACKOFF_MS_MAX};
    snapshotter->snapshots =
        workers_new(world, &options, snapshotter_look_at_snapshot, snapshotter);
    snapshotter->contents = workers_new(world, &options, snapshotter_look_at_content, snapshotter);
    snapshotter->view = view_new(server, "snapshotter", RESOURCES, has_changed, snapshotter);
    return snapshotter;
}

void snapshotter_free(struct snapshotter *snapshotter)
{
    if (snapshotter == NULL) {
        return;
    }
    view_free(snapshotter->view);
    workers_free(snapshotter->snapshots);
    workers_free(snapshotter->contents);
    while (snapshotter->first_look != NULL) {
        snapshotter_look_free(snapshotter->first_look);
    }
    recorder_free(snapshotter->recorder);
    caller_free(snapshotter->caller);
    memory_free(snapshotter);
}

struct view *snapshotter_view(struct snapshotter *snapshotter)
{
    return snapshotter->view;
}
