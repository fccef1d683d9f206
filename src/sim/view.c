/* SPDX-License-Identifier: Apache-2.0 */
/* Each resource has a queue of its own, as each informer has a watch of its own: what was drawn
   for a change is its earliest time, and it waits behind the one before it. Only the head of a
   queue has an event of the world, so that nothing can overtake it, and stalling it stalls all.

   An assumed version is simply shown, and deliveries of older ones pass by unseen: so do
   client-go's assume caches. One that is assumed after its own delivery, or its object's deletion,
   was already delivered changes nothing. */
#include "sim/view.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/shelf.h"

#include <assert.h>

enum { LAG_LEAST_MS = 1, LAG_MOST_MS = 5, QUEUE_CAPACITY = 16, STREAM_BYTES_MAX = 256 };

struct delivery {
    int64_t due_ms;
    struct record *record;
    bool is_deletion;
    bool is_first; /* shown since the beginning; now it is told of */
};

struct feed {
    struct view *view;
    const struct resource *resource;
    struct random *random;
    int64_t lag_least_ms, lag_most_ms;
    int64_t stalled_until_ms;
    uint64_t delivered; /* revision of the last delivered change */
    struct shelf shown;
    struct delivery *queue; /* a ring: the head is at queue_head, the capacity a power of two */
    size_t queue_head, queue_count, queue_capacity;
    struct world_event *event; /* of the head; NULL: the queue is empty */
};

struct view {
    struct world *world;
    struct objects *objects;
    struct objects_listener *listener;
    void (*changed)(void *self, const struct record *before, const struct record *after);
    void *self;
    struct feed *feeds;
    size_t feed_count;
};

/* ---- the queue ---- */

static struct delivery *queue_at(const struct feed *feed, size_t index)
{
    return &feed->queue[(feed->queue_head + index) & (feed->queue_capacity - 1)];
}

static void queue_grow(struct feed *feed)
{
    struct feed grown = *feed;
    grown.queue_capacity = feed->queue_capacity == 0 ? QUEUE_CAPACITY : feed->queue_capacity * 2;
    grown.queue = memory_new(grown.queue_capacity, sizeof(*grown.queue));
    grown.queue_head = 0;
    for (size_t i = 0; i < feed->queue_count; i++) {
        *queue_at(&grown, i) = *queue_at(feed, i);
    }
    memory_free(feed->queue);
    *feed = grown;
}

static void queue_add(struct feed *feed, const struct delivery *delivery)
{
    if (feed->queue_count == feed->queue_capacity) {
        queue_grow(feed);
    }
    *queue_at(feed, feed->queue_count++) = *delivery;
}

static struct delivery queue_take(struct feed *feed)
{
    struct delivery head = *queue_at(feed, 0);
    feed->queue_head = (feed->queue_head + 1) & (feed->queue_capacity - 1);
    feed->queue_count--;
    return head;
}

static void deliver(void *self);

/* Sets the event of the head; there must be none. */
static void await_head(struct feed *feed)
{
    assert(feed->event == NULL);
    if (feed->queue_count == 0) {
        return;
    }
    struct world *world = feed->view->world;
    int64_t at_ms = queue_at(feed, 0)->due_ms;
    at_ms = at_ms < feed->stalled_until_ms ? feed->stalled_until_ms : at_ms;
    int64_t now_ms = world_now(world).mono_ms;
    feed->event = world_after(world, at_ms < now_ms ? 0 : at_ms - now_ms, deliver, feed);
}

/* ---- delivering ---- */

/* The version that was shown and is no longer (the caller's; NULL: none); false: the delivery is
   older than what is shown. */
static bool show(struct feed *feed, const struct delivery *delivery, struct record **out_before)
{
    const struct record *record = delivery->record;
    const struct record *shown = shelf_get(&feed->shown, record->namespace, record->name);
    if (shown != NULL && shown->revision > record->revision) {
        return false;
    }
    *out_before = delivery->is_deletion ? shelf_take(&feed->shown, record->namespace, record->name)
                                        : shelf_put(&feed->shown, record);
    return true;
}

/* changed is called last, when all is in place: it may write, read and assume. */
static void deliver(void *self)
{
    struct feed *feed = self;
    feed->event = NULL;
    struct delivery head = queue_take(feed);
    if (head.record->revision > feed->delivered) {
        feed->delivered = head.record->revision;
    }
    struct record *before = NULL;
    bool is_news = show(feed, &head, &before);
    await_head(feed);

    struct view *view = feed->view;
    if (is_news && view->changed != NULL) {
        view->changed(view->self, head.is_first ? NULL : before,
                      head.is_deletion ? NULL : head.record);
    }
    record_release(before);
    record_release(head.record);
}

static struct feed *find_feed(const struct view *view, const struct resource *resource)
{
    for (size_t i = 0; i < view->feed_count; i++) {
        if (view->feeds[i].resource == resource) {
            return &view->feeds[i];
        }
    }
    return NULL;
}

static void note_change(void *self, const struct change *change)
{
    struct view *view = self;
    struct feed *feed = find_feed(view, change->record->resource);
    if (feed == NULL) {
        return;
    }
    uint64_t width_ms = (uint64_t)(feed->lag_most_ms - feed->lag_least_ms);
    int64_t lag_ms = feed->lag_least_ms + (int64_t)random_below(feed->random, width_ms + 1);
    queue_add(feed, &(struct delivery){
                        .due_ms = change->at_ms + lag_ms,
                        .record = record_keep(change->record),
                        .is_deletion = change->type == CHANGE_DELETED,
                    });
    if (feed->event == NULL) {
        await_head(feed);
    }
}

/* ---- its life ---- */

static void feed_init(struct feed *feed, struct view *view, const char *name,
                      const struct resource *resource)
{
    struct text stream cleanup_text;
    text_init(&stream, STREAM_BYTES_MAX);
    text_print(&stream, "view %s %s", name, resource->plural);
    assert(!stream.overflowed);
    *feed = (struct feed){
        .view = view,
        .resource = resource,
        .random = world_random(view->world, stream.bytes),
        .lag_least_ms = LAG_LEAST_MS,
        .lag_most_ms = LAG_MOST_MS,
        .delivered = objects_revision(view->objects),
    };
    shelf_init(&feed->shown);
    int64_t now_ms = world_now(view->world).mono_ms;
    const struct record *at = NULL;
    while ((at = objects_next(view->objects, resource, NULL, at)) != NULL) {
        (void)shelf_put(&feed->shown, at);
        queue_add(feed, &(struct delivery){
                            .due_ms = now_ms,
                            .record = record_keep(at),
                            .is_first = true,
                        });
    }
    await_head(feed);
}

struct view *
view_new(struct apiserver *server, const char *name, const struct resource *const *resources,
         void (*changed)(void *self, const struct record *before, const struct record *after),
         void *self)
{
    struct view *view = memory_new(1, sizeof(*view));
    view->world = apiserver_world(server);
    view->objects = apiserver_objects(server);
    view->changed = changed;
    view->self = self;
    while (resources[view->feed_count] != NULL) {
        view->feed_count++;
    }
    view->feeds = memory_new(view->feed_count, sizeof(*view->feeds));
    for (size_t i = 0; i < view->feed_count; i++) {
        feed_init(&view->feeds[i], view, name, resources[i]);
    }
    view->listener = objects_listen(view->objects, note_change, view);
    return view;
}

static void feed_release(struct feed *feed)
{
    world_cancel(feed->view->world, feed->event);
    for (size_t i = 0; i < feed->queue_count; i++) {
        record_release(queue_at(feed, i)->record);
    }
    memory_free(feed->queue);
    shelf_release(&feed->shown);
}

void view_free(struct view *view)
{
    if (view == NULL) {
        return;
    }
    objects_unlisten(view->objects, view->listener);
    for (size_t i = 0; i < view->feed_count; i++) {
        feed_release(&view->feeds[i]);
    }
    memory_free(view->feeds);
    memory_free(view);
}

/* ---- its verbs ---- */

static struct feed *feed_of(const struct view *view, const struct resource *resource)
{
    struct feed *feed = find_feed(view, resource);
    assert(feed != NULL);
    return feed;
}

void view_set_lag(struct view *view, const struct resource *resource, int64_t least_ms,
                  int64_t most_ms)
{
    assert(least_ms >= 0 && least_ms <= most_ms);
    assert(resource == NULL || find_feed(view, resource) != NULL);
    for (size_t i = 0; i < view->feed_count; i++) {
        struct feed *feed = &view->feeds[i];
        if (resource == NULL || feed->resource == resource) {
            feed->lag_least_ms = least_ms;
            feed->lag_most_ms = most_ms;
        }
    }
}

void view_stall(struct view *view, const struct resource *resource, int64_t until_ms)
{
    struct feed *feed = feed_of(view, resource);
    feed->stalled_until_ms = until_ms;
    world_cancel(view->world, feed->event);
    feed->event = NULL;
    await_head(feed);
}

void view_assume(struct view *view, const struct record *record)
{
    struct feed *feed = feed_of(view, record->resource);
    const struct record *shown = shelf_get(&feed->shown, record->namespace, record->name);
    if (record->revision > feed->delivered &&
        (shown == NULL || shown->revision < record->revision)) {
        record_release(shelf_put(&feed->shown, record));
    }
}

const struct record *view_get(const struct view *view, const struct resource *resource,
                              const char *namespace, const char *name)
{
    return shelf_get(&feed_of(view, resource)->shown, namespace, name);
}

const struct record *view_next(const struct view *view, const struct resource *resource,
                               const char *namespace, const struct record *after)
{
    return shelf_next(&feed_of(view, resource)->shown, namespace, after);
}
