/* SPDX-License-Identifier: Apache-2.0 */
/* The store tells of a change inside the write that made it, when nothing may be said to a client.
   So a watch notes lines in a queue, each with its time, and one event of the world, for the line
   at its head, says all that are due. A line holds its object, hence compaction cannot take away
   what a slow client has yet to hear; only opening reads the history. */
#include "sim/watch.h"

#include "base/memory.h"
#include "sim/failure.h"
#include "sim/listing.h"
#include "sim/route.h"
#include "sim/watch_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    BOOKMARK_PERIOD_MS = 60 * 1000,
    BOOKMARK_BEFORE_END_MS = 2 * 1000,
    TIMEOUT_LEAST_S = 1800, /* --min-request-timeout; up to twice as long */
};

struct watch {
    struct apiserver *server;
    struct world *world;
    struct watch_sink sink;
    struct watch_scope scope;
    uint64_t after; /* changes up to it are known to the client */

    struct watch_line *first, *last; /* not said yet */
    int64_t last_due_ms;
    struct world_event *delivery; /* of the first; NULL: there is none */
    struct objects_listener *listener;
    struct world_event *bookmark, *end; /* NULL: none */
    int64_t end_at_ms;
    bool has_header; /* a table's columns were named */
};

/* ---- the queue ---- */

static void deliver(void *self);

static void schedule(struct watch *watch)
{
    if (watch->first != NULL && watch->delivery == NULL) {
        int64_t delay_ms = watch->first->due_ms - world_now(watch->world).mono_ms;
        watch->delivery = world_after(watch->world, delay_ms < 0 ? 0 : delay_ms, deliver, watch);
    }
}

static struct watch_line *append(struct watch *watch, enum watch_line_kind kind)
{
    int64_t lag_ms = watch->sink.lag_ms == NULL ? 0 : watch->sink.lag_ms(watch->sink.self);
    int64_t due_ms = world_now(watch->world).mono_ms + lag_ms;
    struct watch_line *line = memory_new(1, sizeof(*line));
    line->kind = kind;
    line->due_ms = due_ms < watch->last_due_ms ? watch->last_due_ms : due_ms;
    watch->last_due_ms = line->due_ms;
    *(watch->last == NULL ? &watch->first : &watch->last->next) = line;
    watch->last = line;
    schedule(watch);
    return line;
}

static struct watch_line *take_due(struct watch *watch)
{
    struct watch_line *line = watch->first;
    if (line == NULL || line->due_ms > world_now(watch->world).mono_ms) {
        return NULL;
    }
    watch->first = line->next;
    watch->last = line->next == NULL ? NULL : watch->last;
    return line;
}

/* ---- what happens ---- */

static void note(struct watch *watch, const struct change *change)
{
    struct watch_line line;
    if (change->revision > watch->after && watch_scope_shows(&watch->scope, change, &line)) {
        struct watch_line *added = append(watch, line.kind);
        added->record = record_keep(line.record);
        added->revision = change->revision;
    }
}

static void on_change(void *self, const struct change *change)
{
    struct watch *watch = self;
    if (change->record->resource == watch->scope.resource) {
        note(watch, change);
    }
}

static void cancel(struct watch *watch, struct world_event **event)
{
    if (*event != NULL) {
        world_cancel(watch->world, *event);
        *event = NULL;
    }
}

/* Nothing more is noted. */
static void stop(struct watch *watch)
{
    cancel(watch, &watch->bookmark);
    cancel(watch, &watch->end);
    if (watch->listener != NULL) {
        objects_unlisten(apiserver_objects(watch->server), watch->listener);
        watch->listener = NULL;
    }
}

static void on_end(void *self)
{
    struct watch *watch = self;
    watch->end = NULL;
    stop(watch);
    append(watch, WATCH_LINE_END);
}

static void on_bookmark(void *self);

static void schedule_bookmark(struct watch *watch)
{
    int64_t now_ms = world_now(watch->world).mono_ms;
    int64_t before_end_ms = watch->end_at_ms - BOOKMARK_BEFORE_END_MS;
    int64_t at_ms = now_ms + BOOKMARK_PERIOD_MS;
    if (before_end_ms > now_ms && before_end_ms < at_ms) {
        at_ms = before_end_ms;
    }
    watch->bookmark = world_after(watch->world, at_ms - now_ms, on_bookmark, watch);
}

static void on_bookmark(void *self)
{
    struct watch *watch = self;
    append(watch, WATCH_LINE_BOOKMARK)->revision =
        objects_revision(apiserver_objects(watch->server));
    schedule_bookmark(watch);
}

void watch_fail(struct watch *watch, int http_status, const char *reason, const char *message)
{
    stop(watch);
    cleanup_text struct text status;
    text_init(&status, ROUTE_BODY_BYTES_MAX);
    failure_append(&status, &(struct failure){
                                .http_status = http_status, .reason = reason, .message = message});
    append(watch, WATCH_LINE_ERROR)->status = text_take(&status);
    append(watch, WATCH_LINE_END);
}

/* ---- what is said ---- */

static void say(struct watch *watch, const struct watch_line *line)
{
    switch (line->kind) {
    case WATCH_LINE_OPENED:
        if (watch->sink.opened != NULL) {
            watch->sink.opened(watch->sink.self);
        }
        return;
    case WATCH_LINE_ADDED:
    case WATCH_LINE_MODIFIED:
    case WATCH_LINE_DELETED:
    case WATCH_LINE_STRAYED:
    case WATCH_LINE_BOOKMARK:
    case WATCH_LINE_ERROR:
        watch->scope.rendering.wall_ms = world_now(watch->world).wall_ms;
        watch_line_write(line, &watch->scope, !watch->has_header, watch->sink.bytes,
                         watch->sink.self);
        watch->has_header = watch->has_header || line->record != NULL;
        return;
    case WATCH_LINE_END:
        return;
    }
}

static void deliver(void *self)
{
    struct watch *watch = self;
    struct watch_sink sink = watch->sink;
    watch->delivery = NULL;
    bool has_ended = false;
    for (struct watch_line *line = take_due(watch); line != NULL; line = take_due(watch)) {
        say(watch, line);
        has_ended = line->kind == WATCH_LINE_END;
        watch_line_free(line);
    }
    if (has_ended) {
        watch_close(watch);
        sink.ended(sink.self);
    } else {
        schedule(watch);
    }
    if (sink.settled != NULL) {
        sink.settled(sink.self);
    }
}

/* ---- beginning and end ---- */

static void note_present(struct watch *watch)
{
    const struct objects *objects = apiserver_objects(watch->server);
    const struct watch_scope *scope = &watch->scope;
    const struct record *record = NULL;
    while ((record = objects_next(objects, scope->resource, scope->namespace, record)) != NULL) {
        if (filter_matches(&scope->filter, record)) {
            struct watch_line *line = append(watch, WATCH_LINE_ADDED);
            line->record = record_keep(record);
            line->revision = record->revision;
        }
    }
    watch->after = objects_revision(objects);
}

static void note_history(struct watch *watch)
{
    const struct objects *objects = apiserver_objects(watch->server);
    if (watch->after >= objects_revision(objects)) {
        return;
    }
    const struct change *change = objects_change_after(objects, watch->after);
    for (; change != NULL; change = objects_change_after(objects, change->revision)) {
        on_change(watch, change);
    }
}

static void schedule_end(struct watch *watch, int64_t timeout_s)
{
    int64_t seconds = timeout_s > 0 ? timeout_s
                                    : world_between(watch->world, "watch timeout", TIMEOUT_LEAST_S,
                                                    2 * (int64_t)TIMEOUT_LEAST_S);
    watch->end_at_ms = world_now(watch->world).mono_ms + seconds * 1000;
    watch->end = world_after(watch->world, seconds * 1000, on_end, watch);
}

static void begin(struct watch *watch, const struct watch_options *options)
{
    const struct objects *objects = apiserver_objects(watch->server);
    append(watch, WATCH_LINE_OPENED);
    if (options->after != 0 && options->after < objects_compacted(objects)) {
        char message[ERROR_MESSAGE_BYTES];
        (void)snprintf(message, sizeof(message),
                       "too old resource version: %" PRIu64 " (%" PRIu64 ")", options->after,
                       objects_compacted(objects));
        watch_fail(watch, 410, "Expired", message);
        return;
    }
    watch->after = options->after;
    if (options->after == 0) {
        note_present(watch);
    } else {
        note_history(watch);
    }
    watch->listener = objects_listen(apiserver_objects(watch->server), on_change, watch);
    schedule_end(watch, options->timeout_s);
    if (options->bookmarks) {
        schedule_bookmark(watch);
    }
}

struct watch *watch_open(struct apiserver *server, const struct request *request,
                         const struct watch_sink *sink, struct route_reply *out_refusal)
{
    struct watch_options options;
    struct watch *watch = memory_new(1, sizeof(*watch));
    if (!watch_options_read(server, request, &watch->scope, &options, out_refusal)) {
        memory_free(watch);
        return NULL;
    }
    watch->server = server;
    watch->world = apiserver_world(server);
    watch->sink = *sink;
    begin(watch, &options);
    return watch;
}

void watch_close(struct watch *watch)
{
    if (watch == NULL) {
        return;
    }
    stop(watch);
    cancel(watch, &watch->delivery);
    while (watch->first != NULL) {
        struct watch_line *line = watch->first;
        watch->first = line->next;
        watch_line_free(line);
    }
    watch_scope_release(&watch->scope);
    memory_free(watch);
}
