/* SPDX-License-Identifier: Apache-2.0 */
/* A full pass over Instances and volumes at each revision that needs it: with a thousand of each
   that is some hundred microseconds, and nothing can be forgotten. */
#include "operator/assignment.h"

#include "api/instance.h"
#include "api/names.h"
#include "api/volume.h"
#include "base/memory.h"
#include "operator/assignment_index.h"
#include "operator/lanes.h"
#include "operator/observe.h"
#include "plan/rotation.h"

#include <string.h>

static void release_maps(struct assignment *assignment)
{
    map_release(&assignment->by_instance);
    map_release(&assignment->chosen);
    map_release(&assignment->given);
    map_release(&assignment->owned);
    map_release(&assignment->reserved);
    map_release(&assignment->holders);
    map_release(&assignment->twins);
    map_release(&assignment->seats);
    assignment->place_count = assignment->lane_count = 0;
    assignment->places = NULL;
    assignment->lanes = NULL;
}

void assignment_init(struct assignment *assignment)
{
    *assignment = (struct assignment){.place_count = 0};
    arena_init(&assignment->arena, 0);
    arena_init(&assignment->scratch, 0);
}

void assignment_release(struct assignment *assignment)
{
    release_maps(assignment);
    arena_release(&assignment->scratch);
    arena_release(&assignment->arena);
}

/* An Instance that waits, and the queue it is in. */
struct candidate {
    struct waiter waiter;
    const struct lane_seat *seat;
};

struct pass {
    struct assignment *assignment;
    const struct view *view;
    struct map held; /* "QUEUE/NAMESPACE" to an int64_t *: clones that it has */
    size_t candidate_count, volume_count, queue_count;
    struct candidate *candidates;
    const struct object **volumes;
    struct queue *queues; /* a Pool's each, in the order of the lanes and of their Pools */
};

static void choose(struct assignment *assignment, const char *volume)
{
    (void)map_put(&assignment->chosen, volume, assignment);
}

static int64_t *held_by(struct pass *pass, const struct lane_seat *seat, const char *namespace)
{
    struct arena *arena = &pass->assignment->scratch;
    const char *key = arena_print(arena, "%zu/%s", seat->queue, namespace);
    int64_t *held = map_get(&pass->held, key);
    if (held == NULL) {
        held = arena_new(arena, 1, sizeof *held);
        (void)map_put(&pass->held, key, held);
    }
    return held;
}

/* A reset may ask for the golden of today, whatever the Instance began with. */
static bool wants_current(const struct instance *instance, bool resets)
{
    return instance->current_only || (resets && instance->reset_current);
}

static void add_candidate(struct pass *pass, const struct object *object, const struct memo *memo,
                          const struct lane_seat *seat)
{
    struct arena *arena = &pass->assignment->scratch;
    struct instance_observation seen;
    const struct reset_progress *reset = &object->instance->reset;
    struct key key;
    char text[KEY_BYTES];
    key_write(KIND_INSTANCE, object->meta.namespace, object->meta.name, text);
    if (!key_read(text, &key) || !observe_instance(pass->view, &key, arena, &seen) ||
        (seen.volume != NULL && !instance_waits(&seen, arena))) {
        return;
    }
    /* One that waits keeps its turn while a write of its status is on the wire; the pre-flight
       of one that never waited is not known before its batch is through. */
    bool waits = instance_waits(&seen, arena);
    bool processing = memo != NULL && memo->processing;
    bool eligible = (waits || !processing) && instance_eligible(&seen, arena);
    pass->candidates[pass->candidate_count++] = (struct candidate){
        .waiter = {.instance = object,
                   .since_ms = reset->asked_ms != 0 ? reset->asked_ms : object->meta.created_ms,
                   .current_only = wants_current(object->instance, seen.volume != NULL),
                   .replaces = seen.volume != NULL,
                   .eligible = eligible,
                   .waits =
                       (waits || eligible) && (seen.volume != NULL || instance_would_wait(&seen)),
                   .undecided =
                       !waits && !eligible && (processing || instance_undecided(&seen, arena))},
        .seat = seat};
}

/* What is taken, and who has nothing yet. */
static void read_instances(struct pass *pass)
{
    const struct store *store = pass->view->store;
    struct arena *arena = &pass->assignment->scratch;
    const struct object *object;
    size_t at = 0;
    pass->candidates =
        arena_new(arena, store_count(store, KIND_INSTANCE) + 1, sizeof *pass->candidates);
    while ((object = store_next(store, KIND_INSTANCE, &at)) != NULL) {
        const struct instance *instance = object->instance;
        char text[KEY_BYTES];
        key_write(KIND_INSTANCE, object->meta.namespace, object->meta.name, text);
        const struct memo *memo = memos_find(pass->view->memos, text);
        const char *assumed = memo == NULL ? NULL : memo->assumed_volume;
        struct lane_seat *seat =
            assignment_seat(pass->assignment, instance->pool_namespace, instance->pool);
        if (assumed != NULL) {
            choose(pass->assignment, assumed);
        }
        if (instance->volume != NULL) {
            choose(pass->assignment, instance->volume);
        }
        if (instance->reset.volume != NULL) {
            choose(pass->assignment, instance->reset.volume);
        }
        bool resets = instance->reset_count > instance->reset.count && assumed == NULL;
        bool has_volume = assumed != NULL || instance->volume != NULL;
        bool deleting = object->meta.deleting_ms != 0;
        if (seat != NULL && has_volume) {
            seat->lane->running_count++;
            *held_by(pass, seat, object->meta.namespace) += !deleting;
        }
        if (seat != NULL && !deleting && (!has_volume || resets)) {
            add_candidate(pass, object, memo, seat);
        }
    }
}

static void read_volumes(struct pass *pass)
{
    const struct store *store = pass->view->store;
    const struct object *object;
    size_t at = 0;
    pass->volumes =
        arena_new(&pass->assignment->scratch, store_count(store, KIND_VOLUME) + 1, sizeof(void *));
    while ((object = store_next(store, KIND_VOLUME, &at)) != NULL) {
        char text[KEY_BYTES];
        key_write(KIND_VOLUME, NULL, object->meta.name, text);
        const struct memo *memo = memos_find(pass->view->memos, text);
        bool busy = memo != NULL && memo->processing;
        if (volume_claimable(object) && !busy &&
            map_get(&pass->assignment->chosen, object->meta.name) == NULL &&
            map_get(&pass->assignment->twins, object->meta.name) == NULL) {
            pass->volumes[pass->volume_count++] = object;
        }
    }
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
        .current_only = waiter->current_only,
        .undecided = waiter->undecided,
    };
    (void)map_put(&assignment->by_instance, arena_copy(arena, text), place);
    if (place->volume != NULL) {
        (void)map_put(&assignment->given, place->volume, place);
    }
}

/* The Pool's claimable volumes; no stale one where they are to be recreated. */
static void offer_volumes(struct pass *pass, const struct object *pool, struct queue *queue)
{
    struct arena *arena = &pass->assignment->scratch;
    bool recreates = pool->pool->rotation.strategy == ROTATION_RECREATE;
    struct golden_observation seen;
    observe_golden(pass->view, pool, &seen);
    struct golden golden = golden_judge(pool, &seen, arena);
    queue->stale_first = pool->pool->rotation.strategy == ROTATION_ON_CLAIM;
    queue->volumes = arena_new(arena, pass->volume_count + 1, sizeof(void *));
    queue->stale = arena_new(arena, pass->volume_count + 1, sizeof(void *));
    for (size_t i = 0; i < pass->volume_count; i++) {
        const struct object *volume = pass->volumes[i];
        if (!text_equal(object_label(volume, LABEL_POOL_UID), pool->meta.uid)) {
            continue;
        }
        if (golden.ready && !clone_is_stale(volume, pool, &golden, pass->view->now.wall_ms)) {
            queue->volumes[queue->volume_count++] = volume;
        } else if (!golden.ready || !recreates) {
            queue->stale[queue->stale_count++] = volume;
        }
    }
}

static void make_queue(struct pass *pass, const struct object *pool, size_t candidate_count)
{
    struct queue *queue = &pass->queues[pass->queue_count++];
    queue->fair_share = pool->pool->fair_share;
    queue->waiters =
        arena_new(&pass->assignment->scratch, candidate_count + 1, sizeof(struct waiter));
    if (candidate_count > 0) {
        offer_volumes(pass, pool, queue);
    }
}

/* The queues of all Pools, sorted; each has room for all that is there. */
static void make_queues(struct pass *pass)
{
    struct assignment *assignment = pass->assignment;
    struct arena *arena = &assignment->scratch;
    pass->queues = arena_new(arena, assignment->seats.count + 1, sizeof *pass->queues);
    size_t *counts = arena_new(arena, assignment->seats.count + 1, sizeof *counts);
    for (size_t i = 0; i < pass->candidate_count; i++) {
        counts[pass->candidates[i].seat->queue]++;
    }
    for (size_t i = 0; i < assignment->lane_count; i++) {
        const struct lane *lane = &assignment->lanes[i];
        for (size_t j = 0; j < lane->pool_count; j++) {
            make_queue(pass, lane->pools[j].pool, counts[pass->queue_count]);
        }
    }
    for (size_t i = 0; i < pass->candidate_count; i++) {
        struct candidate *candidate = &pass->candidates[i];
        struct queue *queue = &pass->queues[candidate->seat->queue];
        candidate->waiter.held =
            *held_by(pass, candidate->seat, candidate->waiter.instance->meta.namespace);
        queue->waiters[queue->waiter_count++] = candidate->waiter;
    }
}

static void place_all(struct pass *pass, const struct queue *queue, struct lane *lane)
{
    for (size_t i = 0; i < queue->waiter_count; i++) {
        const struct waiter *waiter = &queue->waiters[i];
        place(pass, waiter);
        lane->running_count += waiter->volume != NULL && !waiter->replaces;
    }
}

static void assign(struct pass *pass)
{
    struct assignment *assignment = pass->assignment;
    assignment->places =
        arena_new(&assignment->arena, pass->candidate_count + 1, sizeof *assignment->places);
    size_t first = 0;
    for (size_t i = 0; i < assignment->lane_count; i++) {
        struct lane *lane = &assignment->lanes[i];
        struct queue *queues = &pass->queues[first];
        for (size_t j = 0; j < lane->pool_count; j++) {
            queue_sort(&queues[j]);
        }
        queue_assign(queues, lane->pool_count, lane->caps.running_max - lane->running_count);
        for (size_t j = 0; j < lane->pool_count; j++) {
            place_all(pass, &queues[j], lane);
        }
        first += lane->pool_count;
    }
}

static void tell_etas(struct pass *pass)
{
    size_t next = 0;
    for (size_t i = 0; i < pass->queue_count; i++) {
        for (size_t j = 0; j < pass->queues[i].waiter_count; j++) {
            pass->assignment->places[next++].eta_ms = pass->queues[i].waiters[j].eta_ms;
        }
    }
}

void assignment_compute(struct assignment *assignment, const struct store *store,
                        const struct memos *memos, struct zones *zones, struct now now)
{
    release_maps(assignment); /* a released map is an empty one */
    arena_clear(&assignment->arena);
    struct view view = {
        .store = store, .memos = memos, .assignment = assignment, .zones = zones, .now = now};
    struct pass pass = {.assignment = assignment, .view = &view};
    map_init(&pass.held);
    assignment_index(assignment, store);
    lanes_find(assignment, &view);
    read_instances(&pass);
    read_volumes(&pass);
    make_queues(&pass);
    assign(&pass);
    lanes_plan(assignment, &view, pass.queues);
    tell_etas(&pass);
    map_release(&pass.held);
    arena_clear(&assignment->scratch);
}

struct lane_seat *assignment_seat(const struct assignment *assignment, const char *pool_namespace,
                                  const char *pool_name)
{
    char key[KEY_BYTES];
    key_write(KIND_POOL, pool_namespace, pool_name, key);
    return assignment == NULL ? NULL : map_get(&assignment->seats, key);
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

int64_t assignment_waiting_current(const struct assignment *assignment, const char *pool_namespace,
                                   const char *pool_name)
{
    int64_t waiting = 0;
    for (size_t i = 0; assignment != NULL && i < assignment->place_count; i++) {
        const struct assignment_place *place = &assignment->places[i];
        waiting += place->current_only && place->waits && place->volume == NULL &&
                   is_of(place, pool_namespace, pool_name);
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
