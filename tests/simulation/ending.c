/* SPDX-License-Identifier: Apache-2.0 */
/* The first thing that is lacking is enough: it is what a person would look at. */
#include "simulation/ending.h"

#include "sim/value.h"
#include "simulation/life.h"
#include "simulation/others.h"
#include "simulation/people.h"
#include "simulation/scene.h"
#include "simulation/sight.h"

#include <stdarg.h>
#include <stdio.h>

enum { NAME_BYTES = 300 };

struct look {
    const struct trial *trial;
    const struct objects *objects;
    struct text *out;
    bool bare;
};

static bool lacks(const struct look *look, const char *format, ...) PRINTF_LIKE(2, 3);

/* The first thing is enough. */
static bool lacks(const struct look *look, const char *format, ...)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    va_list arguments;
    va_start(arguments, format);
    if (look->out->length_bytes == 0) {
        text_append(look->out, arena_print_list(&arena, format, arguments));
    }
    va_end(arguments);
    return false;
}

static const struct record *find(const struct look *look, const struct resource *resource,
                                 const char *namespace, const char *name)
{
    return name == NULL ? NULL : objects_get(look->objects, resource, namespace, name);
}

/* ---- Instances ---- */

/* Asked to hibernate: nothing runs, and all is kept. */
static bool instance_sleeps(const struct look *look, const struct instance_sight *instance)
{
    const struct record *cluster_record =
        find(look, &resource_clusters, instance->namespace, instance->name);
    const struct record *volume_record =
        find(look, &resource_persistent_volumes, NULL, instance->volume);
    const struct record *pod =
        objects_next(look->objects, &resource_pods, instance->namespace, NULL);
    while (pod != NULL && !text_equal(value_label(pod->value, "cnpg.io/cluster"), instance->name)) {
        pod = objects_next(look->objects, &resource_pods, instance->namespace, pod);
    }
    if (cluster_record == NULL || volume_record == NULL || pod != NULL || !instance->sleeps ||
        !cluster_sight(cluster_record->value).is_to_sleep) {
        return lacks(look, "Instance %s does not hibernate (%s)", instance->name,
                     instance->ready_reason == NULL ? "-" : instance->ready_reason);
    }
    struct volume_sight volume = volume_sight(volume_record->value);
    return (text_equal(volume.state, "claimed") && text_equal(volume.phase, "Bound") &&
            text_equal(volume.instance_uid, instance->uid)) ||
           lacks(look, "Instance %s hibernates without its volume", instance->name);
}

/* The short ones of deed.c. */
static bool is_to_end(const struct instance_sight *instance)
{
    return text_equal(instance->lifetime, SCENE_SHORT_LIFE) && !instance->is_protected;
}

static bool instance_is_proven(const struct look *look, const struct instance_sight *instance)
{
    char claim_name[NAME_BYTES];
    (void)snprintf(claim_name, sizeof(claim_name), "%s-1", instance->name);
    const struct record *claim_record =
        find(look, &resource_persistent_volume_claims, instance->namespace, claim_name);
    const struct record *cluster_record =
        find(look, &resource_clusters, instance->namespace, instance->name);
    const struct record *volume_record =
        find(look, &resource_persistent_volumes, NULL, instance->volume);
    if (!instance->is_ready || claim_record == NULL || cluster_record == NULL ||
        volume_record == NULL) {
        return lacks(look, "Instance %s is %s (%s; Eligible: %s), PVC %s, Cluster %s, PV %s",
                     instance->name, instance->phase == NULL ? "new" : instance->phase,
                     instance->ready_reason == NULL ? "-" : instance->ready_reason,
                     instance->eligible_reason == NULL ? "-" : instance->eligible_reason,
                     claim_record == NULL ? "absent" : "there",
                     cluster_record == NULL ? "absent" : "there",
                     volume_record == NULL ? "absent" : "there");
    }
    struct claim_sight claim = claim_sight(claim_record->value);
    struct cluster_sight cluster = cluster_sight(cluster_record->value);
    struct volume_sight volume = volume_sight(volume_record->value);
    bool bound = claim.is_bound && !claim.is_deleting && !cluster.is_deleting &&
                 text_equal(claim.volume, volume.name) && text_equal(volume.phase, "Bound") &&
                 text_equal(volume.claim_uid, claim.uid);
    bool ours = text_equal(volume.instance_uid, instance->uid) &&
                text_equal(volume.state, "claimed") && text_equal(volume.policy, "Retain") &&
                text_equal(claim.instance_uid, instance->uid) &&
                text_equal(cluster.instance_uid, instance->uid);
    bool golden = cluster.is_ready && text_equal(cluster.system_id, SCENE_SYSTEM_ID);
    return (bound && ours && golden) ||
           lacks(look, "Instance %s is Ready, but%s%s%s", instance->name,
                 bound ? "" : " its PVC is not on its volume", ours ? "" : " not all is its own",
                 golden ? "" : " its Cluster is not ready with the golden's data");
}

static bool instances_are_right(const struct look *look)
{
    const struct resource *instances = people_kind(look->trial, "instances");
    const struct record *record = NULL;
    while ((record = objects_next(look->objects, instances, NULL, record)) != NULL) {
        struct instance_sight instance = instance_sight(record->value);
        if (look->bare || instance.is_deleting) {
            return lacks(look, "Instance %s is still there (%s)", instance.name,
                         instance.ready_reason == NULL ? "-" : instance.ready_reason);
        }
        if (is_to_end(&instance)) {
            return lacks(look, "Instance %s lives longer than its lifetime", instance.name);
        }
        if (instance.reset_count > instance.resets_done || instance.promised != NULL) {
            return lacks(look, "Instance %s is not reset yet", instance.name);
        }
        if (!(instance.is_to_sleep ? instance_sleeps(look, &instance)
                                   : instance_is_proven(look, &instance))) {
            return false;
        }
    }
    return true;
}

/* ---- Pools ---- */

static bool claim_holds_warm(const struct look *look, const struct claim_sight *claim)
{
    const struct record *record = find(look, &resource_persistent_volumes, NULL, claim->volume);
    if (record == NULL || claim->is_deleting || !claim->is_bound) {
        return false;
    }
    struct volume_sight volume = volume_sight(record->value);
    return text_equal(volume.state, "warm") && text_equal(volume.phase, "Bound") &&
           text_equal(volume.claim_uid, claim->uid) && volume.instance_uid == NULL &&
           !volume.is_deleting && text_equal(volume.pool_uid, claim->pool_uid);
}

/* OnClaim keeps them until somebody takes them. */
static bool is_stale(const struct look *look, const struct record *pool,
                     const struct claim_sight *claim)
{
    const struct record *volume = find(look, &resource_persistent_volumes, NULL, claim->volume);
    return !value_equal_text(pool->value, "OnClaim", "spec", "rotation", "strategy", NULL) &&
           !text_equal(value_annotation(volume->value, "adjoint.dev/golden-uid"),
                       judge_golden_uid(look->trial->judge, pool->value));
}

static bool pool_is_right(const struct look *look, const struct record *pool)
{
    const struct record *record = NULL;
    int64_t warm = 0;
    int64_t own = value_int64(pool->value, 1, "spec", "size", NULL);
    int64_t size = value_int64(pool->value, own, "status", "sizing", "size", NULL);
    if (look->bare || value_is_deleting(pool->value)) {
        return lacks(look, "the Pool is still there");
    }
    while ((record = objects_next(look->objects, &resource_persistent_volume_claims, SCENE_POOLS,
                                  record)) != NULL) {
        struct claim_sight claim = claim_sight(record->value);
        if (!text_equal(claim.pool_uid, pool->uid)) {
            continue;
        }
        if (!claim_holds_warm(look, &claim)) {
            return lacks(look, "holding PVC %s is not one of a warm clone", claim.name);
        }
        if (is_stale(look, pool, &claim)) {
            return lacks(look, "holding PVC %s is one of a stale clone", claim.name);
        }
        warm++;
    }
    return warm == size || lacks(look, "the Pool has %d warm clones of %d", (int)warm, (int)size);
}

static bool pools_are_right(const struct look *look)
{
    const struct resource *pools = people_kind(look->trial, "pools");
    const struct record *record = NULL;
    while ((record = objects_next(look->objects, pools, NULL, record)) != NULL) {
        if (!pool_is_right(look, record)) {
            return false;
        }
    }
    return true;
}

/* ---- what is there besides ---- */

static const struct record *owner_of(const struct look *look, const char *uid)
{
    const struct resource *instances = people_kind(look->trial, "instances");
    const struct record *record = NULL;
    while (uid != NULL && (record = objects_next(look->objects, instances, NULL, record)) != NULL) {
        if (text_equal(record->uid, uid)) {
            return record;
        }
    }
    return NULL;
}

static bool claims_are_known(const struct look *look)
{
    const struct record *record = NULL;
    while ((record = objects_next(look->objects, &resource_persistent_volume_claims, NULL,
                                  record)) != NULL) {
        struct claim_sight claim = claim_sight(record->value);
        bool holds = text_equal(claim.namespace, SCENE_POOLS) && claim.pool_uid != NULL;
        bool owned = owner_of(look, claim.instance_uid) != NULL;
        /* What Retain leaves is its user's, and a thief's PVC the thief's. */
        bool others = text_equal(claim.namespace, SCENE_DEV) && claim.role == NULL;
        if (others_have(claim.namespace, claim.name)) {
            continue;
        }
        if (look->bare || !(holds || owned || others)) {
            return lacks(look, "PVC %s/%s is left over", claim.namespace, claim.name);
        }
    }
    return true;
}

static bool clusters_are_known(const struct look *look)
{
    const struct record *record = NULL;
    while ((record = objects_next(look->objects, &resource_clusters, NULL, record)) != NULL) {
        struct cluster_sight cluster = cluster_sight(record->value);
        bool known = !cluster.is_ours || owner_of(look, cluster.instance_uid) != NULL;
        if (others_have(cluster.namespace, cluster.name)) {
            continue;
        }
        if (look->bare || !known) {
            return lacks(look, "Cluster %s is left over", cluster.name);
        }
    }
    return true;
}

static bool volume_is_known(const struct look *look, const struct volume_sight *volume)
{
    const struct judge *judge = look->trial->judge;
    bool warm = text_equal(volume->state, "warm") && text_equal(volume->phase, "Bound") &&
                text_equal(volume->claim_namespace, SCENE_POOLS);
    bool let_go = !volume->is_ours && (judge_was_let_go(judge, volume->handle) ||
                                       judge_was_edited(judge, volume->handle, EDIT_STATE));
    bool owned =
        owner_of(look, volume->instance_uid) != NULL && !text_equal(volume->state, "reserved");
    return warm || let_go || owned || text_equal(volume->claim_name, SCENE_THIEF);
}

static bool volumes_are_known(const struct look *look)
{
    const struct record *record = NULL;
    while ((record = objects_next(look->objects, &resource_persistent_volumes, NULL, record)) !=
           NULL) {
        struct volume_sight volume = volume_sight(record->value);
        if (volume.handle == NULL || judge_was_there_before(look->trial->judge, volume.handle)) {
            continue;
        }
        if (look->bare || !volume_is_known(look, &volume)) {
            return lacks(look, "PV %s is left over (%s, %s, %s)", volume.name,
                         volume.state == NULL ? "unlabelled" : volume.state, volume.phase,
                         volume.policy);
        }
    }
    return true;
}

static void look_at_storage(void *self, const struct fsx_volume_seen *volume)
{
    const struct look *look = self;
    const struct record *record = NULL;
    const struct judge *judge = look->trial->judge;
    /* A failed one pins the PVC it was made for, and is left by the driver when that goes. */
    if (judge_was_there_before(judge, volume->handle) || volume->is_failed ||
        judge_was_edited(judge, volume->handle, EDIT_DATA) ||
        judge_was_diverted(judge, volume->name)) {
        return;
    }
    while ((record = objects_next(look->objects, &resource_persistent_volumes, NULL, record)) !=
           NULL) {
        if (text_equal(volume_sight(record->value).handle, volume->handle)) {
            return;
        }
    }
    (void)lacks(look, "FSx has %s (%s), and there is no PV of it%s", volume->handle, volume->name,
                volume->is_deleting ? "; it is being deleted" : "");
}

static bool storage_is_known(struct look *look)
{
    simulation_fsx_volumes(look->trial->simulation, look_at_storage, look);
    return look->out->length_bytes == 0;
}

static bool nothing_is_leaked(const struct look *look)
{
    for (size_t i = 0; i < look->trial->life_count; i++) {
        size_t count = life_leaked_volumes(look->trial->lives[i]);
        if (count > 0) {
            return lacks(look, "%zu volumes are leaked, as the operator counts them", count);
        }
    }
    return true;
}

static bool is_right(struct look *look)
{
    text_clear(look->out);
    return pools_are_right(look) && instances_are_right(look) && claims_are_known(look) &&
           clusters_are_known(look) && volumes_are_known(look) && storage_is_known(look) &&
           nothing_is_leaked(look);
}

bool ending_holds(const struct trial *trial, struct text *out)
{
    struct look look = {.trial = trial, .objects = apiserver_objects(trial->server), .out = out};
    return is_right(&look);
}

bool ending_is_bare(const struct trial *trial, struct text *out)
{
    struct look look = {
        .trial = trial, .objects = apiserver_objects(trial->server), .out = out, .bare = true};
    return is_right(&look);
}
