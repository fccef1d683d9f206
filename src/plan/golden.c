/* SPDX-License-Identifier: Apache-2.0 */
/* A table of checks in the order a person would fix them; the first that fails is the reason. */
#include "plan/golden.h"

#include "api/names.h"
#include "api/quantity.h"
#include "base/text.h"
#include "plan/golden_postgres.h"

#include <assert.h>
#include <string.h>

#define GIBIBYTE_BYTES (INT64_C(1) << 30)

struct check {
    const struct object *pool_object;
    const struct pool *pool;
    const struct golden_observation *seen;
    struct golden *golden;
    struct arena *arena;
};

static bool refuse(struct check *check, const char *reason, const char *message)
{
    check->golden->reason = reason;
    check->golden->message = message;
    return false;
}

static bool refuse_without_snapshot(struct check *check)
{
    const char *namespace = check->pool_object->meta.namespace;
    const char *name = check->pool->golden_snapshot;
    return refuse(check, "SnapshotNotFound",
                  name == NULL
                      ? arena_print(check->arena,
                                    "no VolumeSnapshot in namespace %s that spec.golden.latest "
                                    "selects is readyToUse: make one, or correct its labels",
                                    namespace)
                      : arena_print(check->arena,
                                    "there is no VolumeSnapshot %s in namespace %s: make it, or "
                                    "name another in spec.golden.snapshot",
                                    name, namespace));
}

static bool check_snapshot(struct check *check)
{
    const struct object *object = check->seen->snapshot;
    if (object == NULL) {
        return refuse_without_snapshot(check);
    }
    if (object->meta.deleting_ms != 0) {
        return refuse(
            check, "SnapshotDeleting",
            arena_print(check->arena,
                        "VolumeSnapshot %s is being deleted; clones are kept, no new ones "
                        "are made",
                        object->meta.name));
    }
    const struct snapshot *snapshot = object->snapshot;
    if (!snapshot->ready) {
        return refuse(check, "SnapshotNotReady",
                      arena_print(check->arena, "VolumeSnapshot %s is not readyToUse%s%s",
                                  object->meta.name, snapshot->failure == NULL ? "" : ": ",
                                  snapshot->failure == NULL ? "" : snapshot->failure));
    }
    if (snapshot->more_volumes ||
        (snapshot->pvc_role != NULL && !text_equal(snapshot->pvc_role, CNPG_ROLE_PG_DATA))) {
        return refuse(check, "MoreThanOneVolume",
                      "the golden's Cluster has walStorage or tablespaces: a snapshot of more than "
                      "one volume is not atomic; take it of a Cluster that keeps all in PGDATA");
    }
    return true;
}

static bool check_class(struct check *check)
{
    const struct pool *pool = check->pool;
    if (check->seen->storage_class == NULL) {
        return refuse(check, "StorageClassNotFound",
                      arena_print(check->arena,
                                  "there is no StorageClass %s: make it, or make a "
                                  "Pool with another",
                                  pool->storage_class));
    }
    const struct storage_class *class = check->seen->storage_class->storage_class;
    if (class->options_on_deletion) {
        return refuse(check, "OptionsOnDeletion",
                      arena_print(check->arena,
                                  "StorageClass %s sets OptionsOnDeletion, which deletes clones "
                                  "along with a volume: make a class without it",
                                  pool->storage_class));
    }
    if (class->waits_for_consumer) {
        return refuse(
            check, "WaitForFirstConsumer",
            arena_print(check->arena,
                        "StorageClass %s binds at the first pod, so nothing would ever be "
                        "warm: make a class with volumeBindingMode Immediate",
                        pool->storage_class));
    }
    return true;
}

static bool check_driver(struct check *check)
{
    const struct storage_class *class = check->seen->storage_class->storage_class;
    if (check->seen->content == NULL) {
        return refuse(check, "SnapshotContentNotFound",
                      "the VolumeSnapshot's content is not there (yet)");
    }
    const char *driver = check->seen->content->snapshot_content->driver;
    if (!text_equal(driver, class->provisioner)) {
        return refuse(check, "DriverMismatch",
                      arena_print(check->arena,
                                  "the snapshot is of driver %s, StorageClass %s of %s: a clone "
                                  "needs a class of the snapshot's driver",
                                  driver == NULL ? "(none)" : driver,
                                  check->seen->storage_class->meta.name,
                                  class->provisioner == NULL ? "(none)" : class->provisioner));
    }
    return true;
}

/* Only of FSx for OpenZFS: other drivers have no such rules. */
static bool check_fsx(struct check *check)
{
    const struct storage_class *class = check->seen->storage_class->storage_class;
    if (!text_equal(class->provisioner, DRIVER_FSX_OPENZFS)) {
        return true;
    }
    struct error error;
    int64_t size_bytes = 0;
    if (!quantity_parse(check->pool->storage_size, &size_bytes, &error) ||
        size_bytes != GIBIBYTE_BYTES) {
        return refuse(check, "SizeNot1Gi",
                      arena_print(check->arena,
                                  "spec.storage.size is %s: FSx volumes are requested with exactly "
                                  "1Gi (their real limit is a quota of the class)",
                                  check->pool->storage_size));
    }
    if (!class->origin_snapshot) {
        return refuse(check, "OriginSnapshotMissing",
                      arena_print(check->arena,
                                  "StorageClass %s has no parameter OriginSnapshot, without which "
                                  "FSx refuses to clone: set it to '{\"CopyStrategy\": \"CLONE\"}'",
                                  check->seen->storage_class->meta.name));
    }
    return true;
}

static bool check_identity(struct check *check)
{
    const struct pool *pool = check->pool;
    const struct snapshot *snapshot = check->seen->snapshot->snapshot;
    struct golden *golden = check->golden;
    golden->system_id = pool->system_id != NULL ? pool->system_id : snapshot->system_id;
    golden->database = pool->database != NULL ? pool->database : snapshot->database;
    golden->owner = pool->owner != NULL ? pool->owner : snapshot->owner;
    if (pool->system_id != NULL && snapshot->system_id != NULL &&
        !text_equal(pool->system_id, snapshot->system_id)) {
        return refuse(check, "SystemIDMismatch",
                      arena_print(check->arena,
                                  "spec.golden.systemID is %s, the snapshot says %s: remove the "
                                  "field or name the right snapshot",
                                  pool->system_id, snapshot->system_id));
    }
    if (golden->system_id == NULL) {
        return refuse(check, "SystemIDUnknown",
                      "the snapshot has no annotation " CNPG_ANNOTATION_CONTROLDATA
                      ": set spec.golden.systemID to what pg_controldata calls 'Database system "
                      "identifier'");
    }
    if (golden->database == NULL || golden->owner == NULL) {
        return refuse(check, "DatabaseUnknown",
                      "the snapshot has no annotation " CNPG_ANNOTATION_MANIFEST
                      ": set spec.database and spec.owner to a database of the golden and its "
                      "owner");
    }
    return true;
}

static bool is_candidate(const struct object *pool, const struct object *snapshot)
{
    return snapshot != NULL && snapshot->snapshot->ready && snapshot->meta.deleting_ms == 0 &&
           selector_matches(&pool->pool->golden_latest, snapshot->meta.labels,
                            snapshot->meta.label_count);
}

const struct object *golden_newer(const struct object *pool, const struct object *one,
                                  const struct object *other)
{
    if (!is_candidate(pool, one)) {
        return is_candidate(pool, other) ? other : NULL;
    }
    if (!is_candidate(pool, other)) {
        return one;
    }
    int64_t ahead_ms = one->snapshot->taken_ms - other->snapshot->taken_ms;
    if (ahead_ms != 0) {
        return ahead_ms > 0 ? one : other;
    }
    return strcmp(one->meta.name, other->meta.name) > 0 ? one : other;
}

static bool check_postgres(struct check *check)
{
    struct golden_refusal refusal =
        golden_check_postgres(check->pool, check->seen->snapshot->snapshot, check->arena);
    return refusal.reason == NULL || refuse(check, refusal.reason, refusal.message);
}

struct golden golden_judge(const struct object *pool, const struct golden_observation *seen,
                           struct arena *arena)
{
    static bool (*const checks[])(struct check *) = {
        check_snapshot, check_class, check_driver, check_fsx, check_identity, check_postgres};
    assert(pool->kind == KIND_POOL);
    const struct object *snapshot = seen->snapshot;
    struct golden golden = {.name = snapshot == NULL ? pool->pool->golden_snapshot
                                                     : snapshot->meta.name};
    struct check check = {pool, pool->pool, seen, &golden, arena};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (!checks[i](&check)) {
            return golden;
        }
    }
    golden.ready = true;
    golden.uid = seen->snapshot->meta.uid;
    const char *warnings = golden_warnings(snapshot->snapshot, seen->origin_class, arena);
    bool is_clean = warnings[0] == '\0';
    golden.reason = is_clean ? "GoldenUsable" : "GoldenHasWarnings";
    golden.message =
        arena_print(arena, "VolumeSnapshot %s, system identifier %s, database %s%s%s", golden.name,
                    golden.system_id, golden.database, is_clean ? "" : ".", warnings);
    return golden;
}
