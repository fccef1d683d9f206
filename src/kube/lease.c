/* SPDX-License-Identifier: Apache-2.0 */
/* A read when we do not know what is there, a write when we may; never two at once.

   Why two never hold it at one instant, whatever their clocks say: a holder counts renew_ms from
   the moment it *began* the write that was confirmed; a candidate counts the holder's duration from
   the moment it *saw* what that write made, which is later. renew_ms is the shorter of the two, and
   the resourceVersion of what the candidate saw goes with its own write, so that a late renewal
   and a take-over exclude each other. A write without a reply confirms nothing: what is there is
   read before anything else is written.

   What made the last attempt fail decides nothing but when to try again: whatever it was, the
   clock runs out by itself. */
#include "kube/lease.h"

#include "base/extremes.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "kube/lease_record.h"

#include <assert.h>
#include <string.h>

enum {
    BODY_BYTES_MAX = 16 * 1024,
    JITTER_PERCENT = 20,
    LOOK_MS = 800, /* a candidate's pause: what is given back is taken within a second */
    DURATION_SECONDS_MAX = 3600, /* of others' leases; more is a mistake we should not wait for */
};

enum lease_attempt { ATTEMPT_NONE, ATTEMPT_READ, ATTEMPT_WRITE, ATTEMPT_GIVE_BACK };

enum lease_knowledge { KNOWN_NOT, KNOWN_ABSENT, KNOWN_RECORD };

struct lease {
    struct lease_options options; /* strings are in names */
    struct arena names;
    struct client *client;
    struct random random;

    enum lease_knowledge knowledge;
    struct lease_record record; /* as last seen, in record_arena, even when no longer known */
    struct arena record_arena;
    int64_t changed_ms; /* when we saw the record's version first */

    bool may_hold;      /* we wrote, and have not seen since that another holds it or nobody */
    int64_t renewed_ms; /* when the last confirmed write began; NOW_NEVER: it is not held */

    enum lease_attempt attempt;
    int64_t attempt_started_ms;
    bool replied;
    struct error reply_error;
    struct lease_record reply_record; /* in reply_arena */
    struct arena reply_arena;

    int64_t next_ms; /* of the next attempt */
    int64_t wake_at_ms;
    bool releasing, released;
    int64_t release_by_ms;
    struct error error;
};

struct lease *lease_new(const struct lease_options *options, struct client *client,
                        struct random *random)
{
    assert(options->retry_ms > 0);
    assert(options->renew_ms < options->duration_ms);
    assert(options->attempt_ms > 0 && 2 * options->attempt_ms <= options->renew_ms);
    assert(options->identity[0] != '\0');

    struct lease *lease = memory_new(1, sizeof(*lease));
    arena_init(&lease->names, 0);
    arena_init(&lease->record_arena, 0);
    arena_init(&lease->reply_arena, 0);
    lease->options = *options;
    lease->options.namespace = arena_copy(&lease->names, options->namespace);
    lease->options.name = arena_copy(&lease->names, options->name);
    lease->options.identity = arena_copy(&lease->names, options->identity);
    lease->client = client;
    random_init(&lease->random, random_next(random));
    lease->record.holder = "";
    lease->renewed_ms = NOW_NEVER;
    return lease;
}

void lease_free(struct lease *lease)
{
    if (lease == NULL) {
        return;
    }
    client_forget(lease->client, lease);
    arena_release(&lease->names);
    arena_release(&lease->record_arena);
    arena_release(&lease->reply_arena);
    memory_free(lease);
}

/* ---- requests ---- */

static void note_reply(void *self, const struct reply *reply)
{
    struct lease *lease = self;
    lease->replied = true;
    lease->reply_error = reply->error;
    arena_release(&lease->reply_arena);
    struct error error;
    if (reply->error.class == ERROR_NONE &&
        !lease_record_read(reply->body, reply->body_bytes, &lease->reply_arena,
                           &lease->reply_record, &error)) {
        lease->reply_error = error;
    }
}

static void send(struct lease *lease, enum lease_attempt attempt, enum method method,
                 const char *body, struct now now)
{
    cleanup_text struct text path;
    text_init(&path, BODY_BYTES_MAX);
    text_print(&path, "/apis/coordination.k8s.io/v1/namespaces/%s/leases",
               lease->options.namespace);
    if (method != METHOD_POST) {
        text_print(&path, "/%s", lease->options.name);
    }
    struct request request = {
        .method = method,
        .path = path.bytes,
        .content_type = body == NULL ? NULL : "application/json",
        .body = body,
        .body_bytes = body == NULL ? 0 : strlen(body),
        .deadline_ms = lease->options.attempt_ms,
    };
    lease->attempt = attempt;
    lease->attempt_started_ms = now.mono_ms;
    client_send(lease->client, &request, CLIENT_URGENT, false, note_reply, lease);
}

static void send_record(struct lease *lease, enum lease_attempt attempt,
                        const struct lease_record *record, struct now now)
{
    cleanup_text struct text body;
    text_init(&body, BODY_BYTES_MAX);
    lease_record_write(record, lease->options.namespace, lease->options.name, &body);
    assert(!body.overflowed);
    bool create = record->resource_version == NULL;
    send(lease, attempt, create ? METHOD_POST : METHOD_PUT, body.bytes, now);
}

static bool is_ours(const struct lease *lease)
{
    return text_equal(lease->record.holder, lease->options.identity);
}

static void send_renewal(struct lease *lease, struct now now)
{
    char now_text[TIMESTAMP_BYTES];
    timestamp_format_micros(now.wall_ms, now_text);
    struct lease_record record = {.acquire_time = now_text};
    if (lease->knowledge == KNOWN_RECORD) {
        record = lease->record;
        record.transitions += is_ours(lease) ? 0 : 1;
        record.acquire_time =
            is_ours(lease) && record.acquire_time != NULL ? record.acquire_time : now_text;
    }
    record.holder = lease->options.identity;
    record.renew_time = now_text;
    record.duration_seconds = (lease->options.duration_ms + 999) / 1000;
    lease->may_hold = true;
    send_record(lease, ATTEMPT_WRITE, &record, now);
}

static void send_give_back(struct lease *lease, struct now now)
{
    assert(lease->knowledge == KNOWN_RECORD && is_ours(lease));

    char now_text[TIMESTAMP_BYTES];
    timestamp_format_micros(now.wall_ms, now_text);
    struct lease_record record = lease->record;
    record.holder = "";
    record.duration_seconds = 1; /* the least the API takes */
    record.acquire_time = now_text;
    record.renew_time = now_text;
    send_record(lease, ATTEMPT_GIVE_BACK, &record, now);
}

/* ---- what a reply says ---- */

static void forget_holding(struct lease *lease)
{
    lease->may_hold = false;
    lease->renewed_ms = NOW_NEVER;
}

static void adopt_record(struct lease *lease, struct now now)
{
    if (!text_equal(lease->record.resource_version, lease->reply_record.resource_version)) {
        lease->changed_ms = now.mono_ms;
    }
    arena_release(&lease->record_arena);
    lease->record_arena = lease->reply_arena;
    lease->record = lease->reply_record;
    arena_init(&lease->reply_arena, 0);
    lease->knowledge = KNOWN_RECORD;
}

static int64_t after_pause(struct lease *lease, int64_t pause_ms, struct now now)
{
    int64_t at_ms =
        lease->attempt_started_ms + random_jitter(&lease->random, pause_ms, JITTER_PERCENT);
    return at_ms > now.mono_ms ? at_ms : now.mono_ms + 1;
}

static void take_failure(struct lease *lease, enum lease_attempt attempt, struct now now)
{
    enum error_class class = lease->reply_error.class;
    bool created = attempt == ATTEMPT_WRITE && lease->knowledge == KNOWN_ABSENT;
    lease->knowledge = KNOWN_NOT;
    int64_t retry_ms = after_pause(lease, lease->options.retry_ms, now);
    int64_t allowed_ms = now.mono_ms + lease->reply_error.retry_after_ms;
    lease->next_ms = retry_ms > allowed_ms ? retry_ms : allowed_ms;
    if (class == ERROR_NOT_FOUND && !created) { /* to a creation it says: no such namespace */
        lease->knowledge = KNOWN_ABSENT;
        lease->record = (struct lease_record){.holder = ""};
        lease->next_ms = now.mono_ms;
        forget_holding(lease);
    } else if (class == ERROR_CONFLICT && lease->may_hold) {
        lease->next_ms = now.mono_ms; /* who has written into ours? */
    }
}

static void take_reply(struct lease *lease, struct now now)
{
    enum lease_attempt attempt = lease->attempt;
    lease->attempt = ATTEMPT_NONE;
    lease->replied = false;
    lease->error = lease->reply_error;
    if (lease->reply_error.class != ERROR_NONE) {
        take_failure(lease, attempt, now);
        return;
    }
    adopt_record(lease, now);
    lease->next_ms = now.mono_ms;
    if (!is_ours(lease)) {
        forget_holding(lease); /* given back, too */
    } else if (attempt == ATTEMPT_WRITE) {
        lease->renewed_ms = lease->attempt_started_ms;
        lease->next_ms =
            lease->releasing ? now.mono_ms : after_pause(lease, lease->options.retry_ms, now);
    }
}

/* ---- what to do next ---- */

static int64_t runs_out_ms(const struct lease *lease)
{
    int64_t seconds = lease->record.duration_seconds;
    if (seconds <= 0) {
        return lease->changed_ms + lease->options.duration_ms;
    }
    seconds = seconds < DURATION_SECONDS_MAX ? seconds : DURATION_SECONDS_MAX;
    return lease->changed_ms + seconds * 1000;
}

static bool may_write(const struct lease *lease, struct now now)
{
    return lease->knowledge == KNOWN_ABSENT || is_ours(lease) || lease->record.holder[0] == '\0' ||
           now.mono_ms >= runs_out_ms(lease);
}

static void wait_for_change(struct lease *lease, struct now now)
{
    int64_t pause_ms = LOOK_MS < lease->options.retry_ms ? LOOK_MS : lease->options.retry_ms;
    int64_t look_again_ms = after_pause(lease, pause_ms, now);
    int64_t out_ms = runs_out_ms(lease);
    lease->next_ms = out_ms < look_again_ms ? out_ms : look_again_ms;
    lease->knowledge = KNOWN_NOT;
}

static void begin_attempt(struct lease *lease, struct now now)
{
    if (lease->releasing && !lease->may_hold) {
        lease->released = true;
    } else if (lease->knowledge == KNOWN_NOT) {
        send(lease, ATTEMPT_READ, METHOD_GET, NULL, now);
    } else if (lease->releasing) {
        send_give_back(lease, now);
    } else if (may_write(lease, now)) {
        send_renewal(lease, now);
    } else {
        wait_for_change(lease, now);
    }
}

static int64_t next_wake(const struct lease *lease, struct now now)
{
    if (lease->released) {
        return NOW_NEVER;
    }
    int64_t wake_ms = lease->attempt == ATTEMPT_NONE ? lease->next_ms : NOW_NEVER;
    if (lease_held(lease, now)) {
        wake_ms = smaller(wake_ms, lease->renewed_ms + lease->options.renew_ms);
    }
    return lease->releasing ? smaller(wake_ms, lease->release_by_ms) : wake_ms;
}

void lease_step(struct lease *lease, struct now now)
{
    if (lease->replied) {
        take_reply(lease, now);
    }
    if (lease->releasing && !lease->released && now.mono_ms >= lease->release_by_ms) {
        client_forget(lease->client, lease);
        lease->released = true;
    }
    if (!lease->released && lease->attempt == ATTEMPT_NONE && now.mono_ms >= lease->next_ms) {
        begin_attempt(lease, now);
    }
    lease->wake_at_ms = next_wake(lease, now);
}

int64_t lease_wake_at(const struct lease *lease)
{
    return lease->replied ? 0 : lease->wake_at_ms;
}

bool lease_held(const struct lease *lease, struct now now)
{
    return !lease->releasing && lease->renewed_ms != NOW_NEVER &&
           now.mono_ms < lease->renewed_ms + lease->options.renew_ms;
}

const char *lease_holder(const struct lease *lease)
{
    return lease->record.holder;
}

bool lease_is_others(const struct lease *lease)
{
    const char *holder = lease->record.holder;
    return holder[0] != '\0' && !text_equal(holder, lease->options.identity);
}

void lease_release(struct lease *lease, struct now now)
{
    if (lease->releasing) {
        return;
    }
    lease->releasing = true;
    lease->release_by_ms = now.mono_ms + lease->options.duration_ms;
    if (lease->attempt == ATTEMPT_NONE) {
        lease->next_ms = now.mono_ms;
        lease->wake_at_ms = now.mono_ms;
    }
}

bool lease_released(const struct lease *lease)
{
    return lease->released;
}

const struct error *lease_error(const struct lease *lease)
{
    return &lease->error;
}
