/* SPDX-License-Identifier: Apache-2.0 */
/* Calls only note what is wanted and ask for the next turn; `pump`, which the poll handle calls,
   does it. So nothing is told from inside a call. A ping now and then keeps proxies that count
   silence from closing an idle session, and finds a server that is gone. */
#include "io/websocket_stream.h"

#include "base/memory.h"
#include "io/http_identity.h"
#include "io/http_stream.h"
#include "io/http_upgrade.h"
#include "io/loop.h"
#include "io/websocket.h"

#include <assert.h>
#include <inttypes.h>
#include <uv.h>

enum {
    CHUNK_BYTES = 32 * 1024,
    OUTBOX_BYTES_MAX = 1024 * 1024, /* a few messages, or very many pongs */
    TICK_MS = 100,                  /* until it is open */
    CLOSING_MS = 2000,              /* for the server to close, too */
    STATUS_UNAUTHORIZED = 401,
};

enum stream_state {
    STREAM_WAITING,   /* for credentials */
    STREAM_UPGRADING, /* it is connected, the request is on its way, or the reply */
    STREAM_OPEN,
    STREAM_CLOSING,
    STREAM_ENDED,
};

struct websocket_stream {
    const struct port_forward_options *options;
    const char *protocol;
    struct websocket_stream_events events;
    enum stream_state state;
    uv_timer_t timer;
    int64_t open_until_ms;

    struct http_stream *bytes; /* NULL: not connected */
    uint64_t generation;       /* of the credentials it was opened with */
    bool refreshed;            /* they were read again for it, after a 401 */
    char key[HTTP_UPGRADE_KEY_BYTES];
    struct text reply;

    struct websocket_reader reader;
    struct text outbox;
    size_t sent_bytes; /* of the outbox */
    bool paused, awaits_sign_of_life;
};

/* ---- the end ---- */

static void timer_closed(uv_handle_t *timer)
{
    struct websocket_stream *stream = timer->data;
    websocket_reader_release(&stream->reader);
    text_release(&stream->reply);
    text_release(&stream->outbox);
    memory_free(stream);
}

static void disconnect(struct websocket_stream *stream)
{
    http_stream_close(stream->bytes);
    stream->bytes = NULL;
}

void websocket_stream_free(struct websocket_stream *stream)
{
    if (stream != NULL) {
        stream->state = STREAM_ENDED;
        disconnect(stream);
        uv_close((uv_handle_t *)&stream->timer, timer_closed);
    }
}

static void end_with(struct websocket_stream *stream, const struct error *error,
                     const char *refusal)
{
    if (stream->state != STREAM_ENDED) {
        stream->state = STREAM_ENDED;
        disconnect(stream);
        uv_timer_stop(&stream->timer);
        stream->events.ended(stream->events.self, error, refusal);
    }
}

static void end(struct websocket_stream *stream)
{
    struct error none = {.class = ERROR_NONE};
    end_with(stream, &none, "");
}

/* ---- to the server ---- */

static bool outbox_is_empty(const struct websocket_stream *stream)
{
    return stream->sent_bytes == stream->outbox.length_bytes;
}

/* Also when nothing is to be sent: TLS may hold bytes that were not read. */
static void pump_in_next_turn(struct websocket_stream *stream)
{
    http_stream_await(stream->bytes, true, true);
}

static void say(struct websocket_stream *stream, enum websocket_kind kind, const char *bytes,
                size_t byte_count)
{
    unsigned char mask[WEBSOCKET_MASK_BYTES];
    struct entropy entropy = stream->options->entropy;
    entropy.fill(entropy.self, mask, sizeof(mask));
    websocket_write(&stream->outbox, kind, mask, bytes, byte_count);
    pump_in_next_turn(stream);
}

static bool flush(struct websocket_stream *stream, struct error *error)
{
    size_t count = 1;
    if (!text_check(&stream->outbox, "what the server is to be told", error)) {
        return false;
    }
    while (count > 0 && !outbox_is_empty(stream)) {
        if (!http_stream_write(stream->bytes, stream->outbox.bytes + stream->sent_bytes,
                               stream->outbox.length_bytes - stream->sent_bytes, &count, error)) {
            return false;
        }
        stream->sent_bytes += count;
    }
    if (outbox_is_empty(stream) && stream->sent_bytes > 0) {
        text_clear(&stream->outbox);
        stream->sent_bytes = 0;
        if (stream->state == STREAM_OPEN) {
            stream->events.sent(stream->events.self);
        }
    }
    return true;
}

void websocket_stream_say(struct websocket_stream *stream, const char *bytes, size_t byte_count)
{
    assert(stream->state == STREAM_OPEN);
    say(stream, WEBSOCKET_MESSAGE, bytes, byte_count);
}

void websocket_stream_pause(struct websocket_stream *stream, bool paused)
{
    if (stream->paused != paused && stream->bytes != NULL) {
        stream->paused = paused;
        pump_in_next_turn(stream);
    }
}

static void closing_is_over(uv_timer_t *timer)
{
    end(timer->data);
}

void websocket_stream_close(struct websocket_stream *stream)
{
    if (stream->state == STREAM_ENDED || stream->state == STREAM_CLOSING) {
        return;
    }
    bool is_open = stream->state == STREAM_OPEN;
    stream->state = STREAM_CLOSING;
    stream->paused = false;
    uv_timer_start(&stream->timer, closing_is_over, is_open ? CLOSING_MS : 0, 0);
    if (is_open) {
        say(stream, WEBSOCKET_CLOSE, "", 0);
    }
}

/* ---- from the server ---- */

static bool take_event(struct websocket_stream *stream, const struct websocket_event *event,
                       struct error *error)
{
    switch (event->kind) {
    case WEBSOCKET_MESSAGE:
        return event->byte_count == 0 || stream->state != STREAM_OPEN ||
               stream->events.message(stream->events.self, event->bytes, event->byte_count, error);
    case WEBSOCKET_PING:
        say(stream, WEBSOCKET_PONG, event->bytes, event->byte_count);
        break;
    case WEBSOCKET_CLOSE:
        end(stream);
        break;
    case WEBSOCKET_PONG:
    case WEBSOCKET_NOTHING:
        break;
    }
    return true;
}

static bool take_frames(struct websocket_stream *stream, const char *bytes, size_t byte_count,
                        struct error *error)
{
    stream->awaits_sign_of_life = false;
    while (byte_count > 0 && stream->state != STREAM_ENDED) {
        struct websocket_event event;
        if (!websocket_read(&stream->reader, &bytes, &byte_count, &event, error) ||
            !take_event(stream, &event, error)) {
            return false;
        }
    }
    return true;
}

static void ask_for_sign_of_life(uv_timer_t *timer)
{
    struct websocket_stream *stream = timer->data;
    if (stream->awaits_sign_of_life) {
        struct error error;
        error_set(&error, ERROR_TIMEOUT, "the server is silent for %" PRId64 " ms",
                  stream->options->ping_ms);
        end_with(stream, &error, "");
        return;
    }
    stream->awaits_sign_of_life = !stream->paused; /* else it could not be heard */
    say(stream, WEBSOCKET_PING, "", 0);
}

static void be_open(struct websocket_stream *stream)
{
    uint64_t ping_ms = (uint64_t)stream->options->ping_ms;
    stream->state = STREAM_OPEN;
    uv_timer_start(&stream->timer, ask_for_sign_of_life, ping_ms, ping_ms);
    stream->events.opened(stream->events.self);
}

/* A 401 has the credentials read again, once; the timer goes on with them. */
static void be_refused(struct websocket_stream *stream, const struct http_upgrade_reply *reply)
{
    struct credentials credentials = stream->options->credentials;
    if (reply->http_status == STATUS_UNAUTHORIZED && !stream->refreshed) {
        stream->refreshed = true;
        stream->state = STREAM_WAITING;
        disconnect(stream);
        credentials.invalidate(credentials.self, stream->generation);
        return;
    }
    struct error error;
    error_set(&error, ERROR_UNAVAILABLE, "the server's reply was a %d", reply->http_status);
    error.http_status = reply->http_status;
    end_with(stream, &error, reply->body);
}

/* ended: no more will come. */
static bool take_reply(struct websocket_stream *stream, const char *bytes, size_t byte_count,
                       bool ended, struct error *error)
{
    text_append_bytes(&stream->reply, bytes, byte_count);
    struct http_upgrade_reply reply;
    if (!http_upgrade_read_reply(&stream->reply, stream->key, stream->protocol, &reply, error)) {
        return false;
    }
    if (reply.body != NULL && (reply.body_is_whole || ended)) {
        be_refused(stream, &reply);
        return true;
    }
    if (reply.http_status != 0 && reply.body == NULL) {
        be_open(stream);
        return take_frames(stream, stream->reply.bytes + reply.head_bytes,
                           stream->reply.length_bytes - reply.head_bytes, error);
    }
    return !ended || error_set(error, ERROR_UNAVAILABLE, "the connection closed before a reply");
}

/* out_more: there may be more to read at once. */
static bool take(struct websocket_stream *stream, bool *out_more, struct error *error)
{
    char bytes[CHUNK_BYTES];
    size_t byte_count = 0;
    bool ended = false;
    if (!http_stream_read(stream->bytes, bytes, sizeof(bytes), &byte_count, &ended, error)) {
        return false;
    }
    *out_more = byte_count > 0;
    if (byte_count == 0 && !ended) {
        return true;
    }
    if (stream->state == STREAM_UPGRADING) {
        return take_reply(stream, bytes, byte_count, ended, error);
    }
    if (ended) {
        end(stream);
    }
    return take_frames(stream, bytes, byte_count, error);
}

static void pump(void *self)
{
    struct websocket_stream *stream = self;
    struct error error = {.class = ERROR_NONE};
    bool more = true;
    bool good = flush(stream, &error);
    while (good && more && stream->bytes != NULL && !stream->paused) {
        good = take(stream, &more, &error);
    }
    good = good && (stream->bytes == NULL || flush(stream, &error));
    if (!good) {
        end_with(stream, &error, "");
    }
    if (stream->bytes != NULL) {
        http_stream_await(stream->bytes, !stream->paused, !outbox_is_empty(stream));
    }
}

/* ---- the beginning ---- */

static bool write_request(struct websocket_stream *stream, const struct credential_set *set,
                          struct error *error)
{
    struct text *out = &stream->outbox;
    const struct port_forward_options *options = stream->options;
    http_upgrade_make_key(options->entropy, stream->key);
    text_clear(&stream->reply);
    text_clear(out);
    http_endpoint_write_head(http_stream_endpoint(stream->bytes), options->path, out);
    text_print(out, "User-Agent: %s\r\n", options->client.user_agent);
    size_t before_bytes = out->length_bytes;
    if (!http_identity_append(set, out, error)) {
        return false;
    }
    text_append(out, out->length_bytes > before_bytes ? "\r\n" : "");
    http_upgrade_write_headers(stream->key, stream->protocol, out);
    return true;
}

static void connected(void *self, const struct error *error)
{
    struct websocket_stream *stream = self;
    if (error->class == ERROR_NONE) {
        pump_in_next_turn(stream);
    } else {
        end_with(stream, error, "");
    }
}

static void connect_with(struct websocket_stream *stream, const struct credential_set *set)
{
    struct error error;
    struct http_stream_events events = {.opened = connected, .ready = pump, .self = stream};
    stream->state = STREAM_UPGRADING;
    stream->generation = set->generation;
    stream->bytes =
        http_stream_open(stream->options->loop, set, &stream->options->client, events, &error);
    if (stream->bytes == NULL || !write_request(stream, set, &error)) {
        end_with(stream, &error, "");
    }
}

static void tick(uv_timer_t *timer)
{
    struct websocket_stream *stream = timer->data;
    struct credentials credentials = stream->options->credentials;
    struct credential_set set = {0};
    struct error error;
    if (loop_now(stream->options->loop).mono_ms >= stream->open_until_ms) {
        error_set(&error, ERROR_UNAVAILABLE, "no connection to the pod within %" PRId64 " ms",
                  stream->options->open_deadline_ms);
        end_with(stream, &error, "");
        return;
    }
    if (stream->state != STREAM_WAITING) {
        return;
    }
    switch (credentials.get(credentials.self, &set, &error)) {
    case CREDENTIALS_PENDING:
        break;
    case CREDENTIALS_FAILED:
        error.class = ERROR_UNAUTHORIZED;
        end_with(stream, &error, "");
        break;
    case CREDENTIALS_READY:
        connect_with(stream, &set);
        break;
    }
}

struct websocket_stream *websocket_stream_new(const struct port_forward_options *options,
                                              const char *protocol,
                                              struct websocket_stream_events events)
{
    struct websocket_stream *stream = memory_new(1, sizeof(*stream));
    stream->options = options;
    stream->protocol = protocol;
    stream->events = events;
    stream->open_until_ms = loop_now(options->loop).mono_ms + options->open_deadline_ms;
    websocket_reader_init(&stream->reader);
    text_init(&stream->reply, HTTP_UPGRADE_REPLY_BYTES_MAX);
    text_init(&stream->outbox, OUTBOX_BYTES_MAX);
    uv_timer_init(loop_uv(options->loop), &stream->timer);
    stream->timer.data = stream;
    uv_timer_start(&stream->timer, tick, 0, TICK_MS);
    return stream;
}
