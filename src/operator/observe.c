/* SPDX-License-Identifier: Apache-2.0 */
/* Scans instead of indexes wherever a scan is over our own objects only: they are few, and an index
   is one more thing that can be wrong. */
#include "operator/observe.h"

#include "api/cluster.h"
#include "api/names.h"
#include "base/text.h"
#include "operator/claims.h"
#include "operator/relations.h"
#include "plan/arrivals.h"

#include <assert.h>
#include <stdlib.h>

static int compare_objects(const void *one, const void *other)
{
    const struct object *const *left = one;
    const struct object *const *right = other;
    return object_compare_age(*left, *right);
}

/* All of a kind whose label has the value, oldest first. */
static const struct object **labelled(const struct view *view, enum object_kind kind,
                                      const char *label, const char *value, struct arena *arena,
                                      size_t *out_count)
{
    const struct object **found =
        arena_new(arena, store_count(view->store, kind) + 1, sizeof(void *));
    const struct object *object;
    size_t at = 0;
    size_t count = 0;
    while ((object = store_next(view->store, kind, &at)) != NULL) {
        if (text_equal(object_label(object, label), value)) {
            found[count++] = object;
        }
    }
    if (count > 0) {
        qsort(found, count, sizeof(void *), compare_objects);
    }
    *out_count = count;
    return found;
}

static struct trouble trouble_of(const struct memo *memo)
{
    if (memo == NULL) {
        return (struct trouble){.class = ERROR_NONE};
    }
    return (struct trouble){memo->trouble_class, memo->trouble_purpose, memo->trouble_message};
}

const struct memo *memo_of(const struct view *view, const struct key *key)
{
    char text[KEY_BYTES];
    key_write(key->kind, key->namespace, key->name, text);
    return memos_find(view->memos, text);
}

/* Of the warm ones: what is claimed already cannot be chosen any more. */
static void observe_chosen(const struct view *view, struct arena *arena,
                           struct pool_observation *out)
{
    const struct assignment *assignment = view->assignment;
    const char **names = arena_new(arena, out->volume_count + 1, sizeof(void *));
    for (size_t i = 0; assignment != NULL && i < out->volume_count; i++) {
        const struct object *volume = out->volumes[i];
        if (volume->volume->state == VOLUME_STATE_WARM &&
            (map_get(&assignment->chosen, volume->meta.name) != NULL ||
             map_get(&assignment->given, volume->meta.name) != NULL)) {
            names[out->chosen_count++] = volume->meta.name;
        }
    }
    out->chosen = names;
}

/* PVCs of its namespace that are not the Pool's own, whose names it cannot have. */
static void observe_foreign_claims(const struct view *view, struct arena *arena,
                                   const struct memo *memo, struct pool_observation *out)
{
    const struct store *store = view->store;
    size_t taken_count = memo == NULL ? 0 : memo->taken_slot_count;
    const char **names =
        arena_new(arena, store_count(store, KIND_VOLUME_CLAIM) + taken_count + 1, sizeof(char *));
    const struct object *claim;
    size_t at = 0;
    while ((claim = store_next(store, KIND_VOLUME_CLAIM, &at)) != NULL) {
        if (text_equal(claim->meta.namespace, out->pool->meta.namespace) &&
            !text_equal(object_label(claim, LABEL_POOL_UID), out->pool->meta.uid)) {
            names[out->foreign_claim_count++] = claim->meta.name;
        }
    }
    for (size_t i = 0; i < taken_count; i++) {
        names[out->foreign_claim_count++] = memo->taken_slots[i];
    }
    out->foreign_claims = names;
}

/* See struct pool_observation. */
static int64_t youngest_unbound_claim(const struct view *view, struct arena *arena)
{
    const struct object *object;
    size_t at = 0;
    int64_t since_ms = 0;
    while ((object = store_next(view->store, KIND_INSTANCE, &at)) != NULL) {
        const struct instance *instance = object->instance;
        int64_t chosen_ms = instance->steps[STEP_CHOSEN];
        if (instance->volume == NULL || instance->steps[STEP_BOUND] != 0 || chosen_ms <= since_ms ||
            object->meta.deleting_ms != 0) {
            continue;
        }
        const struct object *claim =
            store_get(view->store, KIND_VOLUME_CLAIM, object->meta.namespace,
                      arena_print(arena, "%s-1", object->meta.name));
        if (claim == NULL || claim->volume_claim->phase != CLAIM_BOUND) {
            since_ms = chosen_ms;
        }
    }
    return since_ms;
}

static const char *twin_of(const struct view *view, const struct object *volume)
{
    const struct object *const *twin = view->assignment == NULL || volume == NULL
                                           ? NULL
                                           : map_get(&view->assignment->twins, volume->meta.name);
    return twin == NULL ? NULL : (*twin)->meta.name;
}

static void observe_twins(const struct view *view, struct arena *arena,
                          struct pool_observation *out)
{
    struct volume_twin *twins = arena_new(arena, out->volume_count + 1, sizeof *twins);
    for (size_t i = 0; i < out->volume_count; i++) {
        const char *other = twin_of(view, out->volumes[i]);
        if (other != NULL) {
            twins[out->twin_count++] = (struct volume_twin){out->volumes[i]->meta.name, other};
        }
    }
    out->twins = twins;
}

static const struct object *statements_of(const struct view *view, const struct object *pool)
{
    const char *name = pool == NULL ? NULL : pool->pool->sanitize.config_map;
    return name == NULL ? NULL
                        : store_get(view->store, KIND_CONFIG_MAP, pool->meta.namespace, name);
}

/* One that may not ask asks for nothing. */
static bool was_refused(const struct object *instance)
{
    const struct condition *eligible =
        conditions_find(&instance->instance->conditions, INSTANCE_CONDITION_ELIGIBLE);
    return eligible != NULL && text_equal(eligible->reason, "NamespaceNotAllowed");
}

/* By Instances that are there and those that are gone. Nearly all are counted already: that is
   asked first. */
static void observe_arrivals(const struct view *view, struct arena *arena,
                             struct pool_observation *out)
{
    const struct object_meta *meta = &out->pool->meta;
    const struct pool_claims *claims = claims_of(view->claims, meta->namespace, meta->name);
    size_t gone_count = claims == NULL ? 0 : claims->moment_count;
    if (gone_count > CLAIM_MOMENTS) {
        gone_count = CLAIM_MOMENTS;
    }
    int64_t *times_ms = arena_new(arena, store_count(view->store, KIND_INSTANCE) + gone_count + 1,
                                  sizeof *times_ms);
    int64_t from_ms = arrivals_from_ms(out->pool->pool->arrivals.until_ms, view->now.wall_ms);
    const struct object *instance;
    size_t at = 0;
    while ((instance = store_next(view->store, KIND_INSTANCE, &at)) != NULL) {
        if (instance->meta.created_ms >= from_ms && instance_is_of(instance, out->pool) &&
            !was_refused(instance)) {
            times_ms[out->arrival_count++] = instance->meta.created_ms;
        }
    }
    for (size_t i = 0; i < gone_count; i++) {
        if (claims->moments_ms[i] >= from_ms) {
            times_ms[out->arrival_count++] = claims->moments_ms[i];
        }
    }
    out->arrivals_ms = times_ms;
}

void observe_holdings(const struct view *view, struct arena *arena, struct pool_observation *out)
{
    out->holdings = labelled(view, KIND_VOLUME_CLAIM, LABEL_POOL_UID, out->pool->meta.uid, arena,
                             &out->holding_count);
    const struct object **held = arena_new(arena, out->holding_count + 1, sizeof(void *));
    for (size_t i = 0; i < out->holding_count; i++) {
        const char *volume = out->holdings[i]->volume_claim->volume;
        held[i] = volume == NULL ? NULL : store_get(view->store, KIND_VOLUME, NULL, volume);
    }
    out->holding_volumes = held;
}

bool observe_pool(const struct view *view, const struct key *key, struct arena *arena,
                  struct pool_observation *out)
{
    const struct object *pool = store_get(view->store, KIND_POOL, key->namespace, key->name);
    if (pool == NULL) {
        return false;
    }
    const struct memo *memo = memo_of(view, key);
    *out = (struct pool_observation){
        .pool = pool, .trouble = trouble_of(memo), .held = memo_held(memo, view->now)};
    observe_golden(view, pool, &out->golden);
    out->statements = statements_of(view, pool);
    observe_holdings(view, arena, out);
    out->volumes =
        labelled(view, KIND_VOLUME, LABEL_POOL_UID, pool->meta.uid, arena, &out->volume_count);
    observe_twins(view, arena, out);
    observe_foreign_claims(view, arena, memo, out);
    observe_chosen(view, arena, out);
    observe_arrivals(view, arena, out);
    out->zones = zones_of_pool(view->zones, pool->pool, view->now.mono_ms, arena);
    out->waiting_count = assignment_waiting(view->assignment, key->namespace, key->name);
    out->waiting_current_count =
        assignment_waiting_current(view->assignment, key->namespace, key->name);
    out->undecided_count = assignment_undecided(view->assignment, key->namespace, key->name);
    out->claiming_since_ms = youngest_unbound_claim(view, arena);
    const struct lane_seat *seat = assignment_seat(view->assignment, key->namespace, key->name);
    if (seat != NULL) {
        out->lane = seat->lane;
        out->granted = seat->lane->pools[seat->at].granted;
    }
    if (memo != NULL) {
        out->starting_count = (int64_t)memo->starting_count;
        out->fill_report =
            (struct fill_report){memo->fill_claim_uid, memo->fill_complaint, memo->fill_read_ms};
    }
    return true;
}

static void observe_place(const struct view *view, const struct key *key,
                          struct instance_observation *out)
{
    char text[KEY_BYTES];
    key_write(KIND_INSTANCE, key->namespace, key->name, text);
    const struct assignment_place *place = assignment_find(view->assignment, text);
    if (place == NULL) {
        return;
    }
    out->queue_position = place->position;
    out->queue_eta_ms = place->eta_ms;
    out->is_passed_over = place->eligible && place->volume == NULL;
    const struct lane_seat *seat =
        assignment_seat(view->assignment, place->pool_namespace, place->pool_name);
    out->lane = seat == NULL ? NULL : seat->lane;
    if (place->volume != NULL) {
        out->assigned = store_get(view->store, KIND_VOLUME, NULL, place->volume);
    }
}

/* Fresh ones for each plan: what is not sent is never used. */
static const unsigned char *draw_secret(const struct view *view, struct arena *arena)
{
    unsigned char *bytes = arena_new(arena, SECRET_BYTES, 1);
    if (view->entropy != NULL) {
        view->entropy->fill(view->entropy->self, bytes, SECRET_BYTES);
    }
    return bytes;
}

bool observe_instance(const struct view *view, const struct key *key, struct arena *arena,
                      struct instance_observation *out)
{
    const struct store *store = view->store;
    const struct object *object = store_get(store, KIND_INSTANCE, key->namespace, key->name);
    if (object == NULL) {
        return false;
    }
    const struct memo *memo = memo_of(view, key);
    const struct instance *instance = object->instance;
    *out = (struct instance_observation){
        .instance = object,
        .pool = store_get(store, KIND_POOL, instance->pool_namespace, instance->pool),
        .kube_namespace = store_get(store, KIND_NAMESPACE, NULL, key->namespace),
        .data_claim = store_get(store, KIND_VOLUME_CLAIM, key->namespace,
                                arena_print(arena, "%s-1", key->name)),
        .cluster = store_get(store, KIND_CLUSTER, key->namespace, key->name),
        .volume = relation_volume(view, object),
        .trouble = trouble_of(memo),
        .held = memo_held(memo, view->now),
    };
    out->statements = statements_of(view, out->pool);
    out->network_policy = store_get(store, KIND_NETWORK_POLICY, key->namespace,
                                    network_policy_name(key->name, arena));
    out->api_server = store_get(store, KIND_ENDPOINT_SLICE, "default", "kubernetes");
    out->rival = relation_rival(view, out->data_claim, out->volume);
    out->own = relation_own(view, object, out->volume);
    out->holding = out->volume == NULL ? NULL : relation_holding(view, out->volume);
    out->promised = relation_promised(view, object);
    out->former = relation_former(view, out->volume);
    out->clock_steady_ms = view->clock_steady_ms;
    out->twin = twin_of(view, out->volume);
    out->job_count = relation_count_jobs(view, object);
    for (int errand = 0; errand < ERRAND_COUNT; errand++) {
        out->errands[errand] = store_get(store, KIND_POD, key->namespace,
                                         errand_pod_name(key->name, (enum errand)errand, arena));
    }
    out->secret_bytes = draw_secret(view, arena);
    if (memo != NULL) {
        out->gone_claim_uid = memo->gone_owner_uid;
        out->secret_made = text_equal(memo->secret_of, object->meta.uid) ? memo->secret_name : NULL;
        out->preflight = memo->preflight;
    }
    out->vouch = vouches_of(view->vouches, store, object, out->pool, view->now);
    observe_place(view, key, out);
    return true;
}

/* The object if it carries this Instance's uid. */
static const struct object *of_instance(const struct object *object, const char *uid)
{
    return object != NULL && text_equal(object_label(object, LABEL_INSTANCE_UID), uid) ? object
                                                                                       : NULL;
}

static void observe_claimed(const struct view *view, struct arena *arena,
                            struct volume_observation *out)
{
    const struct object *volume = out->volume;
    const char *uid = object_label(volume, LABEL_INSTANCE_UID);
    const char *namespace = object_label(volume, LABEL_INSTANCE_NAMESPACE);
    const char *name = object_label(volume, LABEL_INSTANCE);
    if (uid == NULL || namespace == NULL || name == NULL) {
        return;
    }
    out->instance = store_get_uid(view->store, KIND_INSTANCE, uid);
    out->data_claim = of_instance(
        store_get(view->store, KIND_VOLUME_CLAIM, namespace, arena_print(arena, "%s-1", name)),
        uid);
    out->cluster = of_instance(store_get(view->store, KIND_CLUSTER, namespace, name), uid);
}

bool observe_volume(const struct view *view, const struct key *key, struct arena *arena,
                    struct volume_observation *out)
{
    const struct object *object = store_get(view->store, KIND_VOLUME, NULL, key->name);
    if (object == NULL) {
        return false;
    }
    const struct memo *memo = memo_of(view, key);
    const char *pool_uid = object_label(object, LABEL_POOL_UID);
    *out = (struct volume_observation){
        .volume = object,
        .pool = pool_uid == NULL ? NULL : store_get_uid(view->store, KIND_POOL, pool_uid),
        .twin = twin_of(view, object),
        .gone_owner_uid = memo == NULL ? NULL : memo->gone_owner_uid,
        .trouble = trouble_of(memo),
        .held = memo_held(memo, view->now),
    };
    out->holding = relation_holding(view, object);
    observe_claimed(view, arena, out);
    return true;
}

bool observe_and_plan(const struct view *view, const struct key *key, struct plan *plan,
                      struct volume_finding *out_finding)
{
    struct pool_observation pool;
    struct instance_observation instance;
    struct volume_observation volume;
    struct remnant_observation remnant;
    *out_finding = (struct volume_finding){.reason = NULL};
    if (key->kind == KIND_POOL && observe_pool(view, key, plan->arena, &pool)) {
        plan_pool(plan, &pool);
    } else if (key->kind == KIND_INSTANCE && observe_instance(view, key, plan->arena, &instance)) {
        plan_instance(plan, &instance);
    } else if (key->kind == KIND_VOLUME && observe_volume(view, key, plan->arena, &volume)) {
        plan_volume(plan, &volume, out_finding);
    } else if ((key->kind == KIND_VOLUME_CLAIM || key->kind == KIND_CLUSTER) &&
               observe_remnant(view, key, &remnant)) {
        plan_remnant(plan, &remnant);
    } else {
        return false;
    }
    return true;
}
