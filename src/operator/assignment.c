/* SPDX-License-Identifier: Apache-2.0 */
/* A full pass over Instances and volumes at each revision that needs it: with a thousand of each
   that is some hundred microseconds, and nothing can be forgotten. */
#include "operator/assignment.h"

#include "api/instance.h"
#include "api/names.h"
#include "api/volume.h"
#include "base/memory.h"
#include "operator/observe.h"
#include "plan/queue.h"

#include <stdlib.h>
#include <string.h>

void assignment_init(struct assignment *assignment)
{
    arena_init(&assignment->arena, 0);
    map_init(&assignment->by_instance);
    map_init(&assignment->chosen);
    map_init(&assignment->owned);
    assignment->place_count = 0;
    assignment->places = NULL;
}

void assignment_release(struct assignment *assignment)
{
    map_release(&assignment->by_instance);
    map_release(&assignment->chosen);
    map_release(&assignment->owned);
    arena_release(&assignment->arena);
    assignment->place_count = 0;
    assignment->places = NULL;
}

struct pass {
    struct assignment *assignment;
    const struct view *view;
    size_t waiter_count, volume_count;
    struct waiter *waiters;
    const struct object **volumes;
};

static void choose(struct assignment *assignment, const char *volume)
{
    char *name = arena_copy(&assignment->arena, volume);
    (void)map_put(&assignment->chosen, name, name);
}

static const struct object *find_owned(const struct assignment *assignment,
                                       const struct store *store, const char *uid)
{
    const char *name = map_get(&assignment->owned, uid);
    return name == NULL ? NULL : store_get(store, KIND_VOLUME, NULL, name);
}

static void index_owned(struct assignment *assignment, const struct store *store)
{
    const struct object *object;
    size_t at = 0;
    while ((object = store_next(store, KIND_VOLUME, &at)) != NULL) {
        const char *uid = object_label(object, LABEL_INSTANCE_UID);
        const struct object *elder = uid == NULL ? NULL : find_owned(assignment, store, uid);
        if (uid == NULL || object->volume->state == VOLUME_STATE_DISPOSING ||
            (elder != NULL && object_compare_age(elder, object) < 0)) {
            continue; /* of two, the elder: the order of the store means nothing */
        }
        (void)map_put(&assignment->owned, arena_copy(&assignment->arena, uid),
                      arena_copy(&assignment->arena, object->meta.name));
    }
}

/* What is taken, and who has nothing yet. */
static void read_instances(struct pass *pass)
{
    const struct store *store = pass->view->store;
    struct arena *arena = &pass->assignment->arena;
    const struct object *object;
    size_t at = 0;
    pass->waiters = arena_new(arena, store_count(store, KIND_INSTANCE) + 1, sizeof(struct waiter));
    while ((object = store_next(store, KIND_INSTANCE, &at)) != NULL) {
        char text[KEY_BYTES];
        key_write(KIND_INSTANCE, object->meta.namespace, object->meta.name, text);
        const struct memo *memo = memos_find(pass->view->memos, text);
        bool assumed = memo != NULL && memo->assumed_volume != NULL;
        if (assumed) {
            choose(pass->assignment, memo->assumed_volume);
        }
        if (object->instance->volume != NULL) {
            choose(pass->assignment, object->instance->volume);
        }
        if (assumed || object->instance->volume != NULL || object->meta.deleting_ms != 0) {
            continue;
        }
        struct key key;
        struct instance_observation seen;
        if (!key_read(text, &key) || !observe_instance(pass->view, &key, arena, &seen) ||
            seen.volume != NULL) {
            continue;
        }
        /* One that waits keeps its turn while a write of its status is on the wire; the pre-flight
           of one that never waited is not known before its batch is through. */
        bool waits = instance_waits(&seen, arena);
        bool processing = memo != NULL && memo->processing;
        bool eligible = (waits || !processing) && instance_eligible(&seen, arena);
        pass->waiters[pass->waiter_count++] = (struct waiter){
            .instance = object,
            .eligible = eligible,
            .waits = waits || eligible,
            .undecided = !waits && !eligible && (processing || instance_undecided(&seen, arena))};
    }
}

static void read_volumes(struct pass *pass)
{
    const struct store *store = pass->view->store;
    const struct object *object;
    size_t at = 0;
    pass->volumes =
        arena_new(&pass->assignment->arena, store_count(store, KIND_VOLUME) + 1, sizeof(void *));
    while ((object = store_next(store, KIND_VOLUME, &at)) != NULL) {
        char text[KEY_BYTES];
        key_write(KIND_VOLUME, NULL, object->meta.name, text);
        const struct memo *memo = memos_find(pass->view->memos, text);
        bool busy = memo != NULL && memo->processing;
        if (volume_claimable(object) && !busy &&
            map_get(&pass->assignment->chosen, object->meta.name) == NULL) {
            pass->volumes[pass->volume_count++] = object;
        }
    }
}

static int compare_pools(const void *one, const void *other)
{
    const struct waiter *left = one;
    const struct waiter *right = other;
    const struct instance *a = left->instance->instance;
    const struct instance *b = right->instance->instance;
    int order = strcmp(a->pool_namespace, b->pool_namespace);
    return order != 0 ? order : strcmp(a->pool, b->pool);
}

static void place(struct pass *pass, const struct waiter *waiter)
{
    struct assignment *assignment = pass->assignment;
    struct arena *arena = &assignment->arena;
    const struct object *instance = waiter->instance;
    struct assignment_place *place = &assignment->places[assignment->place_count++];
    char text[KEY_BYTES];
    key_write(KIND_INSTANCE, instance->meta.namespace, instance->meta.name, text);
    *place = (struct assignment_place){
        .instance_namespace = arena_copy(arena, instance->meta.namespace),
        .instance_name = arena_copy(arena, instance->meta.name),
        .pool_namespace = arena_copy(arena, instance->instance->pool_namespace),
        .pool_name = arena_copy(arena, instance->instance->pool),
        .volume = waiter->volume == NULL ? NULL : arena_copy(arena, waiter->volume->meta.name),
        .position = waiter->position,
        .eligible = waiter->eligible,
        .waits = waiter->waits,
        .undecided = waiter->undecided,
    };
    (void)map_put(&assignment->by_instance, arena_copy(arena, text), place);
}

/* One pool's waiters, which are waiters[0..count). */
static void assign_pool(struct pass *pass, struct waiter *waiters, size_t count)
{
    const struct instance *first = waiters->instance->instance;
    const struct object *pool =
        store_get(pass->view->store, KIND_POOL, first->pool_namespace, first->pool);
    const struct object **volumes =
        arena_new(&pass->assignment->arena, pass->volume_count + 1, sizeof(void *));
    size_t volume_count = 0;
    for (size_t i = 0; pool != NULL && i < pass->volume_count; i++) {
        if (text_equal(object_label(pass->volumes[i], LABEL_POOL_UID), pool->meta.uid)) {
            volumes[volume_count++] = pass->volumes[i];
        }
    }
    queue_assign(waiters, count, volumes, volume_count);
    for (size_t i = 0; i < count; i++) {
        place(pass, &waiters[i]);
    }
}

void assignment_compute(struct assignment *assignment, const struct store *store,
                        const struct memos *memos, struct now now)
{
    assignment_release(assignment);
    assignment_init(assignment);
    struct view view = {.store = store, .memos = memos, .assignment = assignment, .now = now};
    struct pass pass = {.assignment = assignment, .view = &view};
    index_owned(assignment, store);
    read_instances(&pass);
    if (pass.waiter_count == 0) {
        return;
    }
    read_volumes(&pass);
    assignment->places =
        arena_new(&assignment->arena, pass.waiter_count, sizeof *assignment->places);
    qsort(pass.waiters, pass.waiter_count, sizeof *pass.waiters, compare_pools);
    for (size_t begin = 0, end = 0; begin < pass.waiter_count; begin = end) {
        while (end < pass.waiter_count &&
               compare_pools(&pass.waiters[begin], &pass.waiters[end]) == 0) {
            end++;
        }
        assign_pool(&pass, &pass.waiters[begin], end - begin);
    }
}

const struct assignment_place *assignment_find(const struct assignment *assignment,
                                               const char *instance_key)
{
    return assignment == NULL ? NULL : map_get(&assignment->by_instance, instance_key);
}

static bool is_of(const struct assignment_place *place, const char *pool_namespace,
                  const char *pool_name)
{
    return text_equal(place->pool_name, pool_name) &&
           text_equal(place->pool_namespace, pool_namespace);
}

int64_t assignment_waiting(const struct assignment *assignment, const char *pool_namespace,
                           const char *pool_name)
{
    int64_t waiting = 0;
    for (size_t i = 0; assignment != NULL && i < assignment->place_count; i++) {
        const struct assignment_place *place = &assignment->places[i];
        waiting += place->waits && place->volume == NULL && is_of(place, pool_namespace, pool_name);
    }
    return waiting;
}

int64_t assignment_undecided(const struct assignment *assignment, const char *pool_namespace,
                             const char *pool_name)
{
    int64_t undecided = 0;
    for (size_t i = 0; assignment != NULL && i < assignment->place_count; i++) {
        const struct assignment_place *place = &assignment->places[i];
        undecided += place->undecided && is_of(place, pool_namespace, pool_name);
    }
    return undecided;
}
