/* SPDX-License-Identifier: Apache-2.0 */
/* One call at a time, a list page or the watch. The sinks note; the step looks at a call that is
   over (ended, or stopped by what it said) and decides what comes next and when:

     a page with a token -> the next page        an error          -> back off
     the last page       -> watch                410, garbage, 404 -> and list everything
     a watch that ended  -> watch on

   The back-off is reset by a watch that works, not by a list: a server whose watches all say 410
   would otherwise be listed at the shortest delay for ever. */
#include "kube/informer.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"
#include "kube/backoff.h"
#include "kube/feed.h"
#include "kube/informer_path.h"
#include "kube/reply.h"

#include <assert.h>

enum {
    PATH_BYTES_MAX = 32 * 1024,
    WATCH_WORKED_MS = 1000, /* one that ended sooner is no reason to watch again at once */
    WATCH_FAILURE_COUNT_MAX = 5,
    REFUSED_FAILURE_COUNT = 64, /* more doublings than there are bits: the maximum */
};

const struct informer_options informer_options_default = {
    .page_objects = LIMIT_LIST_PAGE,
    .list_deadline_ms = 30000,
    .watch_silence_ms = 90000,
    .watch_seconds_min = 290,
    .watch_seconds_max = 590,
    .backoff_ms_min = 500,
    .backoff_ms_max = 30000,
};

enum informer_phase { PHASE_LIST, PHASE_WATCH };

struct informer {
    const struct informer_options *options;
    struct transport transport;
    struct store *store;
    struct random random;
    struct feed feed;

    enum informer_phase phase; /* of the call that runs, or of the next one */
    int64_t wake_at_ms;
    bool list_begun;  /* in the store */
    bool list_whole;  /* without pages: their token ran out before the end */
    bool list_wanted; /* by informer_relist */
    bool synced;
    int failure_count;
    int watch_failure_count; /* in a row, since the last list */
    struct error error;
    int64_t last_contact_ms;

    /* The call that runs, and what its sink noted. */
    struct call *call; /* NULL: none */
    int64_t started_ms;
    bool contacted;
    int http_status;
    int64_t retry_after_ms;
    struct text error_body;
    bool ended;
    struct error end;
};

struct informer *informer_new(enum object_kind kind, const struct informer_options *options,
                              struct transport transport, struct store *store,
                              bool (*keep)(void *self, const struct object *object), void *self,
                              struct random *random)
{
    assert(options->page_objects > 0 && options->backoff_ms_min > 0);
    assert(options->watch_seconds_min > 0);
    assert(options->watch_seconds_min <= options->watch_seconds_max);

    struct informer *informer = memory_new(1, sizeof(*informer));
    informer->options = options;
    informer->transport = transport;
    informer->store = store;
    random_init(&informer->random, random_next(random));
    feed_init(&informer->feed, kind, store, keep, self);
    text_init(&informer->error_body, LIMIT_ERROR_BODY_BYTES);
    return informer;
}

static void drop_call(struct informer *informer)
{
    if (informer->call != NULL && !informer->ended) {
        informer->transport.cancel(informer->transport.self, informer->call);
    }
    informer->call = NULL;
}

static void drop_list(struct informer *informer)
{
    if (informer->list_begun) {
        store_abandon_list(informer->store, informer->feed.kind);
        informer->list_begun = false;
    }
}

void informer_free(struct informer *informer)
{
    if (informer == NULL) {
        return;
    }
    drop_call(informer);
    drop_list(informer);
    feed_release(&informer->feed);
    text_release(&informer->error_body);
    memory_free(informer);
}

/* ---- the sink: notes, scans, puts ---- */

static bool is_success(const struct informer *informer)
{
    return informer->http_status >= 200 && informer->http_status < 300;
}

static void note_head(void *self, int http_status, int64_t retry_after_ms)
{
    struct informer *informer = self;
    informer->contacted = true;
    informer->http_status = http_status;
    informer->retry_after_ms = retry_after_ms;
}

static void note_bytes(void *self, const char *bytes, size_t byte_count)
{
    struct informer *informer = self;
    informer->contacted = true;
    if (is_success(informer)) {
        feed_bytes(&informer->feed, bytes, byte_count);
    } else {
        text_append_bytes(&informer->error_body, bytes, byte_count);
    }
}

static void note_end(void *self, const struct error *error)
{
    struct informer *informer = self;
    informer->contacted = informer->contacted || error->class == ERROR_NONE;
    informer->ended = true;
    informer->end = *error;
}

/* ---- requests ---- */

static void append_watch_path(struct informer *informer, struct text *path)
{
    const struct informer_options *options = informer->options;
    int64_t spread = options->watch_seconds_max - options->watch_seconds_min;
    int64_t seconds =
        options->watch_seconds_min + (int64_t)random_below(&informer->random, (uint64_t)spread + 1);
    informer_path_watch(informer->feed.kind, options, informer->feed.version.bytes, seconds, path);
}

static void start_call(struct informer *informer, struct now now)
{
    bool watch = informer->phase == PHASE_WATCH;
    if (!watch && !informer->list_begun) {
        store_begin_list(informer->store, informer->feed.kind);
        informer->list_begun = true;
        feed_clear(&informer->feed);
    }
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    if (watch) {
        append_watch_path(informer, &path);
    } else {
        const char *token = informer->list_whole ? NULL : informer->feed.continue_token.bytes;
        informer_path_list(informer->feed.kind, informer->options, token, &path);
    }
    assert(!path.overflowed);

    feed_begin(&informer->feed, watch ? JSON_SCAN_WATCH : JSON_SCAN_LIST);
    text_clear(&informer->error_body);
    informer->http_status = 0;
    informer->retry_after_ms = 0;
    informer->ended = false;
    informer->started_ms = now.mono_ms;
    struct request request = {
        .method = METHOD_GET,
        .path = path.bytes,
        .watch = watch,
        .list = !watch,
        .deadline_ms =
            watch ? informer->options->watch_silence_ms : informer->options->list_deadline_ms,
    };
    struct sink sink = {.head = note_head, .bytes = note_bytes, .end = note_end, .self = informer};
    informer->call = informer->transport.start(informer->transport.self, &request, sink);
}

/* ---- what comes after a call ---- */

static void back_off(struct informer *informer, const struct error *error, struct now now)
{
    bool refused = error->class == ERROR_FORBIDDEN || error->class == ERROR_NOT_FOUND;
    informer->failure_count++;
    informer->wake_at_ms =
        now.mono_ms + backoff_ms(refused ? REFUSED_FAILURE_COUNT : informer->failure_count,
                                 informer->options->backoff_ms_min,
                                 informer->options->backoff_ms_max, error->retry_after_ms,
                                 &informer->random);
}

static void finish_page(struct informer *informer, const struct error *error, struct now now)
{
    if (error->class != ERROR_NONE) {
        bool token_ran_out =
            error->class == ERROR_GONE && informer->feed.continue_token.length_bytes > 0;
        informer->list_whole = informer->list_whole || token_ran_out;
        drop_list(informer);
        back_off(informer, error, now);
        return;
    }
    informer->wake_at_ms = now.mono_ms;
    if (informer->feed.continue_token.length_bytes > 0) {
        return;
    }
    store_end_list(informer->store, informer->feed.kind, informer->feed.version.bytes);
    informer->list_begun = false;
    informer->list_whole = false;
    informer->synced = true;
    informer->watch_failure_count = 0;
    informer->phase = PHASE_WATCH;
}

static void finish_watch(struct informer *informer, const struct error *error, struct now now)
{
    bool lasted = now.mono_ms - informer->started_ms > WATCH_WORKED_MS;
    if (is_success(informer) && (lasted || informer->feed.event_count > 0)) {
        informer->failure_count = 0;
        informer->watch_failure_count = 0;
    }
    if (error->class == ERROR_NONE && lasted) {
        informer->wake_at_ms = now.mono_ms;
        return;
    }
    informer->watch_failure_count++;
    bool unreadable = informer->feed.stopped.class != ERROR_NONE && !informer->feed.server_stopped;
    if (unreadable || error->class == ERROR_GONE || error->class == ERROR_NOT_FOUND ||
        informer->watch_failure_count >= WATCH_FAILURE_COUNT_MAX) {
        informer->phase = PHASE_LIST;
    }
    back_off(informer, error, now);
}

static void judge_call(struct informer *informer, struct error *error)
{
    *error = (struct error){.class = ERROR_NONE};
    if (informer->feed.stopped.class != ERROR_NONE) {
        *error = informer->feed.stopped;
    } else if (informer->end.class != ERROR_NONE) {
        *error = informer->end;
    } else if (!is_success(informer)) {
        reply_classify(METHOD_GET, informer->http_status, informer->retry_after_ms,
                       informer->error_body.bytes, informer->error_body.length_bytes, false, error);
    } else if (!feed_end(&informer->feed, error)) {
        error_wrap(error, informer->phase == PHASE_WATCH ? "watch" : "list");
    }
}

static void finish_call(struct informer *informer, struct now now)
{
    struct error error;
    judge_call(informer, &error);
    drop_call(informer);
    informer->error = error;
    if (informer->phase == PHASE_WATCH) {
        finish_watch(informer, &error, now);
    } else {
        finish_page(informer, &error, now);
    }
}

static bool call_is_over(const struct informer *informer)
{
    return informer->call != NULL &&
           (informer->ended || informer->feed.stopped.class != ERROR_NONE);
}

/* A back-off that runs goes on: wanting a list is no reason to believe that it works now. */
static void restart_list(struct informer *informer, struct now now)
{
    informer->list_wanted = false;
    informer->phase = PHASE_LIST;
    drop_list(informer);
    if (informer->call != NULL) {
        drop_call(informer);
        informer->wake_at_ms = now.mono_ms;
    }
}

static void note_contact(struct informer *informer, struct now now)
{
    if (!informer->contacted) {
        return;
    }
    informer->contacted = false;
    informer->last_contact_ms = now.mono_ms;
    if (is_success(informer)) {
        informer->error = (struct error){.class = ERROR_NONE};
    }
}

void informer_step(struct informer *informer, struct now now)
{
    note_contact(informer, now);
    if (call_is_over(informer)) {
        finish_call(informer, now);
    }
    if (informer->list_wanted) {
        restart_list(informer, now);
    }
    if (informer->call == NULL && informer->wake_at_ms <= now.mono_ms) {
        start_call(informer, now);
    }
}

int64_t informer_wake_at(const struct informer *informer)
{
    return informer->call != NULL ? NOW_NEVER : informer->wake_at_ms;
}

bool informer_due(const struct informer *informer)
{
    return call_is_over(informer) || informer->list_wanted;
}

bool informer_synced(const struct informer *informer)
{
    return informer->synced;
}

void informer_relist(struct informer *informer)
{
    informer->list_wanted = true;
    informer->synced = false;
}

int64_t informer_last_contact(const struct informer *informer)
{
    return informer->last_contact_ms;
}

const struct error *informer_error(const struct informer *informer)
{
    return informer->error.class != ERROR_NONE ? &informer->error : &informer->feed.undecodable;
}

uint64_t informer_undecodable(const struct informer *informer)
{
    return informer->feed.undecodable_count;
}
