/* SPDX-License-Identifier: Apache-2.0 */
/* Calls are kept until the transport is freed, so that a test can look at any of them at its end.
 */
#include "support/fake_transport.h"

#include "base/arena.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct fake_transport {
    struct fake_call **calls;
    size_t call_count, call_capacity;
    size_t running_count;
    size_t chunk_bytes;
    bool in_sink;
    struct arena arena;
};

struct fake_transport *fake_transport_new(void)
{
    struct fake_transport *transport = memory_new(1, sizeof(*transport));
    arena_init(&transport->arena, 0);
    return transport;
}

void fake_transport_free(struct fake_transport *transport)
{
    arena_release(&transport->arena);
    memory_free(transport->calls);
    memory_free(transport);
}

static struct call *start(void *self, const struct request *request, struct sink sink)
{
    struct fake_transport *transport = self;
    assert_false(transport->in_sink);
    assert_true(request->deadline_ms > 0);
    if (transport->call_count == transport->call_capacity) {
        transport->call_capacity = transport->call_capacity * 2 + 16;
        transport->calls =
            memory_resize(transport->calls, transport->call_capacity, sizeof(*transport->calls));
    }
    struct arena *arena = &transport->arena;
    struct fake_call *call = arena_new(arena, 1, sizeof(*call));
    call->request = *request;
    call->request.path = arena_copy(arena, request->path);
    call->request.content_type = arena_copy(arena, request->content_type);
    call->request.accept = arena_copy(arena, request->accept);
    call->request.body = arena_copy_bytes(arena, request->body, request->body_bytes);
    call->sink = sink;
    call->transport = transport;
    transport->calls[transport->call_count++] = call;
    transport->running_count++;
    return (struct call *)call;
}

static void leave(struct fake_call *call, enum fake_call_state state)
{
    assert_int_equal(call->state, FAKE_CALL_RUNNING);
    call->state = state;
    call->transport->running_count--;
}

static void cancel(void *self, struct call *started)
{
    struct fake_transport *transport = self;
    assert_false(transport->in_sink);
    leave((struct fake_call *)started, FAKE_CALL_CANCELLED);
}

struct transport fake_transport_seam(struct fake_transport *transport)
{
    return (struct transport){.start = start, .cancel = cancel, .self = transport};
}

void fake_transport_set_chunk(struct fake_transport *transport, size_t chunk_bytes)
{
    transport->chunk_bytes = chunk_bytes;
}

size_t fake_transport_count(const struct fake_transport *transport)
{
    return transport->call_count;
}

size_t fake_transport_running(const struct fake_transport *transport)
{
    return transport->running_count;
}

struct fake_call *fake_transport_call(struct fake_transport *transport, size_t index)
{
    assert_true(index < transport->call_count);
    return transport->calls[index];
}

struct fake_call *fake_transport_last(struct fake_transport *transport)
{
    assert_true(transport->call_count > 0);
    return transport->calls[transport->call_count - 1];
}

void fake_call_head(struct fake_call *call, int http_status, int64_t retry_after_ms)
{
    assert_int_equal(call->state, FAKE_CALL_RUNNING);
    call->transport->in_sink = true;
    call->sink.head(call->sink.self, http_status, retry_after_ms);
    call->transport->in_sink = false;
}

void fake_call_bytes(struct fake_call *call, const char *bytes, size_t byte_count)
{
    assert_int_equal(call->state, FAKE_CALL_RUNNING);
    size_t chunk_bytes = call->transport->chunk_bytes;
    call->transport->in_sink = true;
    for (size_t at = 0; at < byte_count;) {
        size_t left = byte_count - at;
        size_t count = chunk_bytes == 0 || chunk_bytes > left ? left : chunk_bytes;
        call->sink.bytes(call->sink.self, bytes + at, count);
        at += count;
    }
    call->transport->in_sink = false;
}

void fake_call_json(struct fake_call *call, const char *json)
{
    cleanup_memory char *copy = memory_copy_text(json);
    for (char *at = strchr(copy, '\''); at != NULL; at = strchr(at, '\'')) {
        *at = '"';
    }
    fake_call_bytes(call, copy, strlen(copy));
}

static void end_with(struct fake_call *call, const struct error *error)
{
    leave(call, FAKE_CALL_ENDED);
    call->transport->in_sink = true;
    call->sink.end(call->sink.self, error);
    call->transport->in_sink = false;
}

void fake_call_end(struct fake_call *call)
{
    struct error none = {.class = ERROR_NONE};
    end_with(call, &none);
}

void fake_call_fail(struct fake_call *call, enum error_class class)
{
    struct error error;
    error_set(&error, class, "the fake transport says so");
    end_with(call, &error);
}

void fake_call_reply(struct fake_call *call, int http_status, const char *json)
{
    fake_call_head(call, http_status, 0);
    if (json != NULL) {
        fake_call_json(call, json);
    }
    fake_call_end(call);
}
