/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/listener.h"

#include "base/limits.h"
#include "base/memory.h"

#include <string.h>

/* The longest silence: beyond all that a scene waits for. */
enum { SILENCE_MS = 10 * 60 * 1000 };

struct listener {
    const struct subject *subject;
    struct call *call; /* NULL: it has ended */
    int http_status;
    struct text heard;
    struct error error;
};

static void head_came(void *self, int http_status, int64_t retry_after_ms)
{
    struct listener *listener = self;
    (void)retry_after_ms;
    listener->http_status = http_status;
}

static void bytes_came(void *self, const char *bytes, size_t byte_count)
{
    struct listener *listener = self;
    text_append_bytes(&listener->heard, bytes, byte_count);
}

static void end_came(void *self, const struct error *error)
{
    struct listener *listener = self;
    listener->call = NULL;
    listener->error = *error;
}

static bool has_head(void *self)
{
    const struct listener *listener = self;
    return listener->call == NULL || listener->http_status != 0;
}

static bool has_line(void *self)
{
    const struct listener *listener = self;
    return listener->call == NULL || strchr(listener->heard.bytes, '\n') != NULL;
}

static bool has_ended(void *self)
{
    const struct listener *listener = self;
    return listener->call == NULL;
}

struct listener *listener_open(const struct subject *subject, const char *path, const char *accept)
{
    struct listener *listener = memory_new(1, sizeof(*listener));
    struct request request = {.method = METHOD_GET,
                              .path = path,
                              .accept = accept,
                              .watch = true,
                              .deadline_ms = SILENCE_MS};
    struct sink sink = {head_came, bytes_came, end_came, listener};
    listener->subject = subject;
    text_init(&listener->heard, LIMIT_OBJECT_BYTES);
    listener->call = subject->transport.start(subject->transport.self, &request, sink);
    (void)subject->pass(subject->self, SILENCE_MS, has_head, listener);
    return listener;
}

void listener_free(struct listener *listener)
{
    if (listener == NULL) {
        return;
    }
    if (listener->call != NULL) {
        listener->subject->transport.cancel(listener->subject->transport.self, listener->call);
    }
    text_release(&listener->heard);
    memory_free(listener);
}

bool listener_next(struct listener *listener, struct text *out)
{
    char *end = strchr(listener->heard.bytes, '\n');
    if (end == NULL) {
        return false;
    }
    size_t line_bytes = (size_t)(end - listener->heard.bytes);
    cleanup_memory char *rest = memory_copy_text(end + 1);
    text_append_bytes(out, listener->heard.bytes, line_bytes);
    text_clear(&listener->heard);
    text_append(&listener->heard, rest);
    return true;
}

bool listener_take(struct listener *listener, int64_t for_ms, struct text *out)
{
    (void)listener->subject->pass(listener->subject->self, for_ms, has_line, listener);
    return listener_next(listener, out);
}

bool listener_await_end(struct listener *listener, int64_t for_ms)
{
    return listener->subject->pass(listener->subject->self, for_ms, has_ended, listener) &&
           listener->heard.length_bytes == 0;
}

int listener_http_status(const struct listener *listener)
{
    return listener->http_status;
}

const struct error *listener_error(const struct listener *listener)
{
    return &listener->error;
}
