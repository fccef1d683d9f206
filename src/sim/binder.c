/* SPDX-License-Identifier: Apache-2.0 */
/* Events and the resync only put keys into the queues. What the workers then see is their informer
   (the view) for the object itself, and the store for its counterpart. */
#include "sim/binder.h"

#include "base/memory.h"
#include "sim/binder_state.h"
#include "sim/chance.h"

#include <stdio.h>

static const char ACTOR[] = "system:serviceaccount:kube-system:persistent-volume-binder";

/* Of client-go's default controller rate limiter. */
enum { BACKOFF_MS_MIN = 5, BACKOFF_MS_MAX = 1000 * 1000 };

static const struct resource *const RESOURCES[] = {&resource_persistent_volume_claims,
                                                   &resource_persistent_volumes,
                                                   &resource_storage_classes, NULL};

void binder_claim_key(const char *namespace, const char *name, char out_key[BINDER_KEY_BYTES])
{
    (void)snprintf(out_key, BINDER_KEY_BYTES, "%s/%s", namespace, name);
}

static void queue(struct binder *binder, const struct record *record)
{
    if (record->resource == &resource_persistent_volumes) {
        workers_add(binder->volume_workers, record->name);
    } else if (record->resource == &resource_persistent_volume_claims) {
        char key[BINDER_KEY_BYTES];
        binder_claim_key(record->namespace, record->name, key);
        workers_add(binder->claim_workers, key);
    }
}

static void has_changed(void *self, const struct record *before, const struct record *after)
{
    struct binder *binder = self;
    /* The resync looks at what is there: a deletion that is missed would be missed for ever. */
    if (after == NULL ||
        !chance_strikes(binder->world, "binder events", binder->misfortune->binder_event_lost)) {
        queue(binder, after != NULL ? after : before);
    }
}

static void queue_all(struct binder *binder, const struct resource *resource)
{
    const struct record *at = NULL;
    while ((at = view_next(binder->view, resource, NULL, at)) != NULL) {
        queue(binder, at);
    }
}

static void resync(void *self)
{
    struct binder *binder = self;
    queue_all(binder, &resource_persistent_volume_claims);
    queue_all(binder, &resource_persistent_volumes);
    binder->resync = world_after(binder->world, binder->pace->binder_resync_ms, resync, binder);
}

static void fill_store(struct binder *binder)
{
    const struct record *at = NULL;
    while ((at = view_next(binder->view, &resource_persistent_volumes, NULL, at)) != NULL) {
        (void)binder_store_put_volume(&binder->store, at);
    }
    while ((at = view_next(binder->view, &resource_persistent_volume_claims, NULL, at)) != NULL) {
        (void)binder_store_put_claim(&binder->store, at);
    }
}

struct binder *binder_new(struct apiserver *server, const struct pace *pace,
                          const struct misfortune *misfortune)
{
    struct binder *binder = memory_new(1, sizeof(*binder));
    struct world *world = apiserver_world(server);
    *binder = (struct binder){.world = world, .pace = pace, .misfortune = misfortune};
    const struct caller_options client = {
        .actor = ACTOR,
        .requests_a_second = pace->binder_requests_a_second,
        .burst = pace->binder_burst,
        .latency = &pace->api_latency,
    };
    binder->caller = caller_new(server, &client);
    binder->recorder = recorder_new(server, binder->caller, "persistentvolume-controller");
    const struct workers_options one = {
        .count = 1, .backoff_ms_min = BACKOFF_MS_MIN, .backoff_ms_max = BACKOFF_MS_MAX};
    binder->claim_workers = workers_new(world, &one, binder_look_at_claim, binder);
    binder->volume_workers = workers_new(world, &one, binder_look_at_volume, binder);
    binder_store_init(&binder->store);
    binder->view = view_new(server, "binder", RESOURCES, has_changed, binder);
    fill_store(binder);
    binder->resync = world_after(world, pace->binder_resync_ms, resync, binder);
    return binder;
}

void binder_free(struct binder *binder)
{
    if (binder == NULL) {
        return;
    }
    world_cancel(binder->world, binder->resync);
    view_free(binder->view);
    workers_free(binder->claim_workers);
    workers_free(binder->volume_workers);
    recorder_free(binder->recorder);
    caller_free(binder->caller);
    record_release(binder->claim_sync.claim);
    record_release(binder->claim_sync.volume);
    record_release(binder->volume_sync.volume);
    binder_store_release(&binder->store);
    memory_free(binder);
}

struct view *binder_view(struct binder *binder)
{
    return binder->view;
}
