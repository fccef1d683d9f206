/* SPDX-License-Identifier: Apache-2.0 */
/* The operator's own informers, so that what is kept and what is dropped is the same. Only their
   lists are let through to the API server; each wants to watch as soon as it has listed. PVs are
   kept by what the Pools are, so they come after the Pools. The first failure ends it: a person can
   try again, and does not want to wait for a back-off. */
#include "cli/cluster_view.h"

#include "base/limits.h"
#include "operator/observe.h"

/* ---- a transport on which watches never begin ---- */

static struct call *start(void *self, const struct request *request, struct sink sink)
{
    struct cluster_view *view = self;
    const struct transport *transport = &view->cli->session.transport;
    return request->watch ? (struct call *)&view->no_watch
                          : transport->start(transport->self, request, sink);
}

static void cancel(void *self, struct call *call)
{
    struct cluster_view *view = self;
    const struct transport *transport = &view->cli->session.transport;
    if (call != (struct call *)&view->no_watch) {
        transport->cancel(transport->self, call);
    }
}

/* ---- reading ---- */

static bool keeps(void *self, const struct object *object)
{
    const struct cluster_view *view = self;
    return observe_keeps(view->store, object);
}

void cluster_view_init(struct cluster_view *view, struct cli *cli)
{
    *view = (struct cluster_view){.cli = cli};
    view->store = store_new(LIMIT_OBJECTS_PER_KIND, (struct store_listener){.changed = NULL});
    struct transport lists_only = {.start = start, .cancel = cancel, .self = view};
    struct random random;
    random_init(&random, 1);
    for (size_t kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        view->informers[kind] = informer_new((enum object_kind)kind, &informer_options_default,
                                             lists_only, view->store, keeps, view, &random);
    }
}

void cluster_view_release(struct cluster_view *view)
{
    for (size_t kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        informer_free(view->informers[kind]);
    }
    store_free(view->store);
}

static bool may_start(const struct cluster_view *view, size_t kind)
{
    return kind != KIND_VOLUME || informer_synced(view->informers[KIND_POOL]);
}

/* Runs one until it has what it wants or must wait; true: its list is in. */
static bool step_informer(struct informer *informer, struct now now)
{
    while (!informer_synced(informer)) {
        informer_step(informer, now);
        if (!informer_due(informer) && informer_wake_at(informer) > now.mono_ms) {
            break;
        }
    }
    return informer_synced(informer);
}

/* It backs off, and not because it was asked to come again. */
static bool is_failure(const struct informer *informer, struct now now)
{
    int64_t wake_at_ms = informer_wake_at(informer);
    enum error_class class = informer_error(informer)->class;
    return !informer_synced(informer) && wake_at_ms != NOW_NEVER && wake_at_ms > now.mono_ms &&
           class != ERROR_THROTTLED && class != ERROR_GONE;
}

static int64_t step(void *self, struct now now)
{
    struct cluster_view *view = self;
    view->cli->now = now;
    bool all_synced = true;
    int64_t wake_at_ms = NOW_NEVER;
    for (size_t kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        struct informer *informer = view->informers[kind];
        if (!may_start(view, kind)) {
            all_synced = false;
            continue;
        }
        all_synced = step_informer(informer, now) && all_synced;
        if (is_failure(informer, now)) {
            view->error = *informer_error(informer);
            view->failed_kind = (enum object_kind)kind;
            return SESSION_DONE;
        }
        if (!informer_synced(informer) && informer_wake_at(informer) < wake_at_ms) {
            wake_at_ms = informer_wake_at(informer);
        }
    }
    return all_synced ? SESSION_DONE : wake_at_ms;
}

bool cluster_view_read(struct cluster_view *view)
{
    struct session *session = &view->cli->session;
    session->run(session->self, step, view);
    for (size_t kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        if (informer_undecodable(view->informers[kind]) > 0) {
            cli_say(view->cli, "A %s cannot be read and is left out: %s",
                    kind_of((enum object_kind)kind)->kind,
                    informer_error(view->informers[kind])->message);
        }
    }
    return view->error.class == ERROR_NONE;
}
