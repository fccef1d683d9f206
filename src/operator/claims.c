/* SPDX-License-Identifier: Apache-2.0 */
/* Told from changes and not from what the planner intends: a status that was not written did not
   happen, and one that was written twice is one change.

   A Pool is counted from the moment it is seen: a counter that begins with its first event begins
   at 1, and Prometheus sees no increase in that. */
#include "operator/claims.h"

#include "api/instance.h"
#include "api/pool.h"
#include "base/memory.h"
#include "base/text.h"
#include "operator/key.h"

#include <assert.h>

void claims_init(struct claims *claims)
{
    map_init(&claims->by_pool);
    map_init(&claims->waited);
}

static void free_entry(struct pool_claims *entry)
{
    if (entry != NULL) {
        memory_free(entry->key);
        memory_free(entry->namespace);
        memory_free(entry->pool);
        memory_free(entry);
    }
}

void claims_release(struct claims *claims)
{
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&claims->by_pool, &at, &entry)) {
        free_entry(entry.value);
    }
    at = 0;
    while (map_next(&claims->waited, &at, &entry)) {
        memory_free(entry.value);
    }
    map_release(&claims->by_pool);
    map_release(&claims->waited);
}

static struct pool_claims *find_entry(const struct claims *claims, const char *namespace,
                                      const char *pool)
{
    char key[KEY_BYTES];
    key_write(KIND_POOL, namespace, pool, key);
    return map_get(&claims->by_pool, key);
}

static void add_entry(struct claims *claims, const struct object_meta *pool)
{
    if (find_entry(claims, pool->namespace, pool->name) != NULL) {
        return;
    }
    char key[KEY_BYTES];
    key_write(KIND_POOL, pool->namespace, pool->name, key);
    struct pool_claims *entry = memory_new(1, sizeof(*entry));
    entry->key = memory_copy_text(key);
    entry->namespace = memory_copy_text(pool->namespace);
    entry->pool = memory_copy_text(pool->name);
    (void)map_put(&claims->by_pool, entry->key, entry);
}

static void remove_entry(struct claims *claims, const struct object_meta *pool)
{
    char key[KEY_BYTES];
    key_write(KIND_POOL, pool->namespace, pool->name, key);
    free_entry(map_remove(&claims->by_pool, key));
}

static void note_waiting(struct claims *claims, const char *uid)
{
    if (map_get(&claims->waited, uid) == NULL) {
        char *copy = memory_copy_text(uid);
        (void)map_put(&claims->waited, copy, copy);
    }
}

static void add_phases(struct pool_claims *entry, const struct object *instance)
{
    const int64_t *steps = instance->instance->steps;
    int64_t created_ms = instance->meta.created_ms;
    int64_t chosen_ms = steps[STEP_CHOSEN];
    int64_t bound_ms = steps[STEP_BOUND];
    int64_t ready_ms = steps[STEP_READY];
    int64_t eta_ms = instance->instance->first_eta_ms;
    histogram_add(&entry->phases[CLAIM_PHASE_ALL], ready_ms - created_ms);
    if (chosen_ms != 0 && eta_ms != 0) {
        histogram_add(&entry->eta_errors,
                      eta_ms > chosen_ms ? eta_ms - chosen_ms : chosen_ms - eta_ms);
    }
    if (chosen_ms != 0 && bound_ms != 0) { /* lost with a status that a person cleared */
        histogram_add(&entry->phases[CLAIM_PHASE_QUEUE], chosen_ms - created_ms);
        histogram_add(&entry->phases[CLAIM_PHASE_BIND], bound_ms - chosen_ms);
        histogram_add(&entry->phases[CLAIM_PHASE_START], ready_ms - bound_ms);
    }
}

static bool is_mismatch(const struct object *instance)
{
    const struct condition *ready =
        conditions_find(&instance->instance->conditions, CONDITION_READY);
    return ready != NULL && text_equal(ready->reason, "SystemIDMismatch");
}

static void count_end(struct claims *claims, const struct object *before,
                      const struct object *after)
{
    const struct instance *was = before->instance;
    const struct instance *is = after->instance;
    enum claim_path path =
        map_get(&claims->waited, after->meta.uid) != NULL ? CLAIM_PATH_QUEUED : CLAIM_PATH_WARM;
    struct pool_claims *entry = find_entry(claims, is->pool_namespace, is->pool);
    if (entry == NULL) {
        return; /* its Pool is gone */
    }
    if (was->steps[STEP_READY] == 0 && is->steps[STEP_READY] != 0) {
        entry->ready[path]++;
        add_phases(entry, after);
    } else if (was->phase != PHASE_FAILED && is->phase == PHASE_FAILED &&
               is->steps[STEP_READY] == 0) {
        entry->failed[path]++;
    }
    if (is_mismatch(after) && !is_mismatch(before)) {
        entry->identity_mismatches++;
    }
}

static void note_moment(struct claims *claims, const struct instance *instance, int64_t wall_ms)
{
    struct pool_claims *entry = find_entry(claims, instance->pool_namespace, instance->pool);
    if (entry != NULL) {
        entry->moments_ms[entry->moment_count++ % CLAIM_MOMENTS] = wall_ms;
    }
}

static void note_reset(struct claims *claims, const struct instance *before,
                       const struct instance *after)
{
    if (before->reset.asked_ms == 0 && after->reset.asked_ms != 0) {
        note_moment(claims, after, after->reset.asked_ms);
    }
}

const struct pool_claims *claims_of(const struct claims *claims, const char *pool_namespace,
                                    const char *pool)
{
    return claims == NULL ? NULL : find_entry(claims, pool_namespace, pool);
}

void claims_changed(struct claims *claims, const struct object *before, const struct object *after,
                    bool counts)
{
    const struct object *object = after != NULL ? after : before;
    assert(object != NULL);
    if (object->kind == KIND_POOL && after != NULL) {
        add_entry(claims, &object->meta);
    } else if (object->kind == KIND_POOL) {
        remove_entry(claims, &object->meta);
    }
    if (object->kind != KIND_INSTANCE) {
        return;
    }
    if (after == NULL) {
        note_moment(claims, object->instance, object->meta.created_ms);
    } else if (before != NULL) {
        note_reset(claims, before->instance, after->instance);
    }
    if (counts && before != NULL && after != NULL) {
        count_end(claims, before, after);
    }
    if (after != NULL && after->instance->queue_position > 0) {
        note_waiting(claims, after->meta.uid);
    } else if (after == NULL || after->instance->steps[STEP_READY] != 0) {
        memory_free(map_remove(&claims->waited, object->meta.uid));
    }
}
