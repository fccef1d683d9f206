/* SPDX-License-Identifier: Apache-2.0 */
/* It listens to the changes of all objects, whatever their kind, keeps those that concern the
   graph, and learns of each some milliseconds late. An owner's end that passes before the graph has
   its dependent is not missed: the dependent is looked at because it is new. */
#include "sim/garbage.h"

#include "base/memory.h"
#include "sim/garbage_state.h"

static const char ACTOR[] = "system:serviceaccount:kube-system:generic-garbage-collector";

enum {
    LAG_MS_LEAST = 1,
    LAG_MS_MOST = 5,
    WORKER_COUNT = 20,
    BACKOFF_MS_MIN = 5,
    BACKOFF_MS_MAX = 1000 * 1000,
};

struct garbage_notice {
    struct garbage_notice *next;
    struct record *record;
    bool is_gone;
    int64_t due_ms;
};

static void mark(void *self, const char *uid)
{
    struct garbage *garbage = self;
    workers_add(garbage->workers, uid);
}

static void deliver(void *self);

static void await_first(struct garbage *garbage)
{
    if (garbage->first_notice != NULL && garbage->delivery == NULL) {
        int64_t wait_ms = garbage->first_notice->due_ms - world_now(garbage->world).mono_ms;
        garbage->delivery =
            world_after(garbage->world, wait_ms > 0 ? wait_ms : 0, deliver, garbage);
    }
}

static void deliver(void *self)
{
    struct garbage *garbage = self;
    garbage->delivery = NULL;
    struct garbage_notice *notice = garbage->first_notice;
    garbage->first_notice = notice->next;
    const struct garbage_marks marks = {mark, garbage};
    if (notice->is_gone) {
        garbage_graph_drop(&garbage->graph, notice->record, marks);
    } else {
        garbage_graph_put(&garbage->graph, notice->record, marks);
    }
    record_release(notice->record);
    memory_free(notice);
    await_first(garbage);
}

static void note_change(void *self, const struct change *change)
{
    struct garbage *garbage = self;
    bool is_concerned =
        garbage_graph_concerns(&garbage->graph, change->record) ||
        (change->before != NULL && garbage_graph_concerns(&garbage->graph, change->before));
    if (!is_concerned) {
        return;
    }
    struct garbage_notice *notice = memory_new(1, sizeof(*notice));
    *notice = (struct garbage_notice){
        .record = record_keep(change->record),
        .is_gone = change->type == CHANGE_DELETED,
        .due_ms =
            change->at_ms + world_between(garbage->world, "garbage lag", LAG_MS_LEAST, LAG_MS_MOST),
    };
    if (garbage->first_notice == NULL) {
        garbage->first_notice = notice;
    } else {
        int64_t before_ms = garbage->last_notice->due_ms;
        notice->due_ms = notice->due_ms > before_ms ? notice->due_ms : before_ms;
        garbage->last_notice->next = notice;
    }
    garbage->last_notice = notice;
    await_first(garbage);
}

static void put_all(struct garbage *garbage, const struct resource *resource)
{
    const struct garbage_marks marks = {mark, garbage};
    const struct record *at = NULL;
    while ((at = objects_next(apiserver_objects(garbage->server), resource, NULL, at)) != NULL) {
        garbage_graph_put(&garbage->graph, at, marks);
    }
}

struct garbage *garbage_new(struct apiserver *server, const struct pace *pace)
{
    struct garbage *garbage = memory_new(1, sizeof(*garbage));
    *garbage = (struct garbage){.server = server, .world = apiserver_world(server)};
    const struct caller_options client = {.actor = ACTOR,
                                          .requests_a_second = pace->binder_requests_a_second,
                                          .burst = pace->binder_burst,
                                          .latency = &pace->api_latency};
    garbage->caller = caller_new(server, &client);
    const struct workers_options options = {
        .count = WORKER_COUNT, .backoff_ms_min = BACKOFF_MS_MIN, .backoff_ms_max = BACKOFF_MS_MAX};
    garbage->workers = workers_new(garbage->world, &options, garbage_look_at, garbage);
    garbage_graph_init(&garbage->graph);
    const struct resource *resource = NULL;
    while ((resource = apiserver_next_resource(server, resource)) != NULL) {
        put_all(garbage, resource);
    }
    garbage->listener = objects_listen(apiserver_objects(server), note_change, garbage);
    return garbage;
}

void garbage_free(struct garbage *garbage)
{
    if (garbage == NULL) {
        return;
    }
    objects_unlisten(apiserver_objects(garbage->server), garbage->listener);
    world_cancel(garbage->world, garbage->delivery);
    while (garbage->first_notice != NULL) {
        struct garbage_notice *notice = garbage->first_notice;
        garbage->first_notice = notice->next;
        record_release(notice->record);
        memory_free(notice);
    }
    garbage_drop_looks(garbage);
    workers_free(garbage->workers);
    caller_free(garbage->caller);
    garbage_graph_release(&garbage->graph);
    memory_free(garbage);
}
