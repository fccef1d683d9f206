/* SPDX-License-Identifier: Apache-2.0 */
/* Which change wakes which key. Called from sinks, so it only marks. Waking one key too many costs
   a plan of nothing; one too few is a claim that hangs, so in doubt it wakes. */
#include "operator/state.h"

#include "api/cluster.h"
#include "api/instance.h"
#include "api/names.h"
#include "api/pool.h"
#include "api/volume.h"
#include "base/text.h"

void routes_mark(struct operator* op, enum object_kind kind, const char *namespace,
                 const char *name)
{
    if (name == NULL || (kind != KIND_VOLUME && namespace == NULL)) {
        return;
    }
    if (!op->synced || !op->leading) {
        return; /* all are marked when a term begins */
    }
    char key[KEY_BYTES];
    key_write(kind, namespace, name, key);
    queue_add(op->queue, key);
}

static void mark_each(struct operator* op, enum object_kind kind,
                      bool (*matches)(const struct object *object, const struct object *cause),
                      const struct object *cause)
{
    const struct object *object;
    size_t at = 0;
    while ((object = store_next(op->store, kind, &at)) != NULL) {
        if (matches(object, cause)) {
            routes_mark(op, kind, object->meta.namespace, object->meta.name);
        }
    }
}

static bool any(const struct object *object, const struct object *cause)
{
    (void)cause;
    return object->kind != KIND_VOLUME || object->volume->state != VOLUME_STATE_NONE;
}

static bool carries_pool(const struct object *volume, const struct object *pool)
{
    return text_equal(object_label(volume, LABEL_POOL_UID), pool->meta.uid);
}

static bool carries_instance(const struct object *object, const struct object *instance)
{
    return text_equal(object_label(object, LABEL_INSTANCE_UID), instance->meta.uid);
}

static bool is_data(const struct object *object, const struct object *cause)
{
    (void)cause;
    return text_equal(object_label(object, LABEL_ROLE), ROLE_DATA);
}

/* A holding PVC is its Pool's work, unless that is gone. */
static bool has_no_pool(const struct operator* op, const struct object *claim)
{
    const char *uid = object_label(claim, LABEL_POOL_UID);
    return uid != NULL && store_get_uid(op->store, KIND_POOL, uid) == NULL;
}

static bool is_in(const struct object *instance, const struct object *kube_namespace)
{
    return text_equal(instance->meta.namespace, kube_namespace->meta.name);
}

static bool runs_statements(const struct object *pool, const struct object *config_map)
{
    return text_equal(pool->meta.namespace, config_map->meta.namespace) &&
           text_equal(pool->pool->sanitize.config_map, config_map->meta.name);
}

/* A Pool of that namespace. */
static bool has_pool_beside(const struct object *instance, const struct object *config_map)
{
    return text_equal(instance->instance->pool_namespace, config_map->meta.namespace);
}

static bool has_chosen(const struct object *instance, const struct object *volume)
{
    return text_equal(instance->instance->volume, volume->meta.name) ||
           text_equal(instance->instance->reset.volume, volume->meta.name);
}

static bool is_status_only(const struct object *before, const struct object *after)
{
    return before != NULL && after != NULL && before->meta.generation == after->meta.generation &&
           before->meta.deleting_ms == after->meta.deleting_ms;
}

static void route_pool(struct operator* op, const struct object *pool, bool status_only, bool gone)
{
    if (gone) {
        mark_each(op, KIND_VOLUME_CLAIM, carries_pool, pool);
    }
    routes_mark(op, KIND_POOL, pool->meta.namespace, pool->meta.name);
    if (!status_only) {
        mark_each(op, KIND_INSTANCE, instance_is_of, pool);
        mark_each(op, KIND_VOLUME, carries_pool, pool);
    }
}

static void route_instance(struct operator* op, const struct object *instance, bool gone)
{
    const struct instance *fields = instance->instance;
    routes_mark(op, KIND_INSTANCE, instance->meta.namespace, instance->meta.name);
    routes_mark(op, KIND_POOL, fields->pool_namespace, fields->pool);
    if (gone) {
        mark_each(op, KIND_VOLUME, carries_instance, instance);
        mark_each(op, KIND_VOLUME_CLAIM, carries_instance, instance);
        mark_each(op, KIND_CLUSTER, carries_instance, instance);
    }
}

static void route_holding(struct operator* op, const struct object *claim)
{
    if (text_equal(object_label(claim, LABEL_ROLE), ROLE_HOLDING)) {
        routes_mark(op, KIND_POOL, claim->meta.namespace, object_label(claim, LABEL_POOL));
    }
    if (has_no_pool(op, claim)) {
        routes_mark(op, KIND_VOLUME_CLAIM, claim->meta.namespace, claim->meta.name);
    }
}

static void route_volume(struct operator* op, const struct object *volume)
{
    const struct volume *fields = volume->volume;
    if (fields->state != VOLUME_STATE_NONE) {
        routes_mark(op, KIND_VOLUME, NULL, volume->meta.name);
    }
    routes_mark(op, KIND_POOL, object_label(volume, LABEL_POOL_NAMESPACE),
                object_label(volume, LABEL_POOL));
    routes_mark(op, KIND_INSTANCE, object_label(volume, LABEL_INSTANCE_NAMESPACE),
                object_label(volume, LABEL_INSTANCE));
    mark_each(op, KIND_INSTANCE, has_chosen, volume);
    if (object_label(volume, LABEL_INSTANCE_UID) != NULL) { /* it was swept with the volume */
        routes_mark(op, KIND_VOLUME_CLAIM, fields->claim_namespace, fields->claim_name);
        routes_mark(op, KIND_CLUSTER, object_label(volume, LABEL_INSTANCE_NAMESPACE),
                    object_label(volume, LABEL_INSTANCE));
    }
    const struct object *claim =
        fields->claim_name == NULL
            ? NULL
            : store_get(op->store, KIND_VOLUME_CLAIM, fields->claim_namespace, fields->claim_name);
    if (claim != NULL) {
        route_holding(op, claim);
    }
}

static void route_claim(struct operator* op, const struct object *claim)
{
    route_holding(op, claim);
    routes_mark(op, KIND_INSTANCE, claim->meta.namespace, object_label(claim, LABEL_INSTANCE));
    if (is_data(claim, NULL)) {
        routes_mark(op, KIND_VOLUME_CLAIM, claim->meta.namespace, claim->meta.name);
    }
    const struct object *volume = NULL;
    if (claim->volume_claim->volume != NULL) {
        routes_mark(op, KIND_VOLUME, NULL, claim->volume_claim->volume);
        volume = store_get(op->store, KIND_VOLUME, NULL, claim->volume_claim->volume);
    }
    if (volume != NULL) { /* its Pool may have waited for this claim to be Bound */
        routes_mark(op, KIND_POOL, object_label(volume, LABEL_POOL_NAMESPACE),
                    object_label(volume, LABEL_POOL));
    }
}

static void route_cluster(struct operator* op, const struct object *cluster)
{
    routes_mark(op, KIND_INSTANCE, cluster->meta.namespace, cluster->meta.name);
    routes_mark(op, KIND_CLUSTER, cluster->meta.namespace, cluster->meta.name);
    const struct object *volume;
    size_t at = 0;
    const char *uid = object_label(cluster, LABEL_INSTANCE_UID);
    while (uid != NULL && (volume = store_next(op->store, KIND_VOLUME, &at)) != NULL) {
        if (text_equal(object_label(volume, LABEL_INSTANCE_UID), uid)) {
            routes_mark(op, KIND_VOLUME, NULL, volume->meta.name);
        }
    }
}

/* The other PVs of its storage, which it comes to or leaves. */
static void route_twins(struct operator* op, const struct object *volume)
{
    const struct object *other;
    size_t at = 0;
    while (volume->volume->handle != NULL &&
           (other = store_next(op->store, KIND_VOLUME, &at)) != NULL) {
        if (other != volume && text_equal(other->volume->handle, volume->volume->handle)) {
            route_volume(op, other);
        }
    }
}

static void route_volume_change(struct operator* op, const struct object *before,
                                const struct object *after)
{
    const struct object *volume = after != NULL ? after : before;
    if (before != NULL && after != NULL) {
        route_volume(op, before); /* labels that went away */
    } else {
        route_twins(op, volume);
    }
    route_volume(op, volume);
}

/* Not at its next turn: one who does not lead has none until he does. */
static void forget(struct operator* op, const struct object *before, const struct object *after)
{
    if (before != NULL && (after == NULL || !text_equal(before->meta.uid, after->meta.uid))) {
        char key[KEY_BYTES];
        key_write(before->kind, before->meta.namespace, before->meta.name, key);
        memos_forget(&op->memos, key);
    }
}

/* What each change does, whoever leads. */
static void note_change(struct operator* op, const struct object *before,
                        const struct object *after)
{
    op->assignment_fresh = false;
    forget(op, before, after);
    claims_changed(&op->claims, before, after, op->leading);
    if (op->leading) {
        events_changed(&op->events, before, after);
    }
    if (before == NULL && after != NULL && after->kind == KIND_POOL) {
        op->volumes_stale = true;
    }
}

void routes_changed(void *self, const struct object *before, const struct object *after)
{
    struct operator* op = self;
    const struct object *object = after != NULL ? after : before;
    note_change(op, before, after);
    if (!op->synced || !op->leading) {
        return; /* all are marked when a term begins; each of a list would look for all others */
    }
    switch (object->kind) {
    case KIND_POOL:
        route_pool(op, object, is_status_only(before, after), after == NULL);
        break;
    case KIND_INSTANCE:
        route_instance(op, object, after == NULL);
        break;
    case KIND_VOLUME:
        route_volume_change(op, before, after);
        break;
    case KIND_VOLUME_CLAIM:
        if (before != NULL && after != NULL) {
            route_claim(op, before);
        }
        route_claim(op, object);
        break;
    case KIND_SNAPSHOT:
    case KIND_SNAPSHOT_CONTENT:
    case KIND_STORAGE_CLASS:
        mark_each(op, KIND_POOL, any, NULL);
        break;
    case KIND_NAMESPACE:
        mark_each(op, KIND_INSTANCE, is_in, object);
        break;
    case KIND_CLUSTER:
        route_cluster(op, object);
        break;
    case KIND_JOB:
        routes_mark(op, KIND_INSTANCE, object->meta.namespace, object->job->cluster);
        break;
    case KIND_POD:
    case KIND_NETWORK_POLICY:
        routes_mark(op, KIND_INSTANCE, object->meta.namespace,
                    object_label(object, LABEL_INSTANCE));
        break;
    case KIND_CONFIG_MAP:
        mark_each(op, KIND_POOL, runs_statements, object);
        mark_each(op, KIND_INSTANCE, has_pool_beside, object);
        break;
    case KIND_ENDPOINT_SLICE:
        mark_each(op, KIND_INSTANCE, any, NULL);
        break;
    case KIND_QUOTA: /* looked at when a pre-flight is planned */
    case KIND_SERVICE:
    case KIND_SECRET:
    case KIND_SERVICE_ACCOUNT:
    case KIND_EVENT:
    case KIND_COUNT:
        break;
    }
}

void routes_mark_instances(struct operator* op, const struct object *pool)
{
    mark_each(op, KIND_INSTANCE, instance_is_of, pool);
}

void routes_mark_all(struct operator* op)
{
    mark_each(op, KIND_POOL, any, NULL);
    mark_each(op, KIND_INSTANCE, any, NULL);
    mark_each(op, KIND_VOLUME, any, NULL);
    mark_each(op, KIND_VOLUME_CLAIM, any, NULL);
    mark_each(op, KIND_CLUSTER, is_data, NULL);
}
