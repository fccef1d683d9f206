/* SPDX-License-Identifier: Apache-2.0 */
/* Every call is wrapped. A wrapper lives until its end was told, or its owner cancels it: one whose
   end is never told is freed with the operator, which cancels what it waits for. */
#include "crash_matrix/interceptor.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"
#include "crash_matrix/write_name.h"

#include <assert.h>

enum { NAMES_MAX = 400 };

enum fate {
    FATE_PASSES,
    FATE_STAYS,      /* never sent */
    FATE_UNTOLD,     /* sent, and its reply is nobody's */
    FATE_LAST,       /* sent and told; nothing after it */
    FATE_HELD,       /* not sent yet */
    FATE_REPLY_HELD, /* sent; its reply waits here */
};

struct intercepted {
    struct interceptor *owner;
    struct call *inner; /* NULL: not on the wire */
    struct sink sink;
    bool is_write;
    enum fate fate;
    struct arena arena; /* of a held request */
    struct request request;
    bool replied; /* a held reply is whole */
    int http_status;
    int64_t retry_after_ms;
    struct text body;
    struct error end;
};

struct interceptor {
    struct transport inner;
    enum interception interception;
    const char *write;
    int occurrence, seen_count;
    bool killed, caught;
    struct intercepted *held;
    size_t call_count, writes_on_wire, write_count;
    struct arena names_arena;
    size_t name_count;
    const char *names[NAMES_MAX];
};

struct interceptor *interceptor_new(struct transport inner)
{
    struct interceptor *interceptor = memory_new(1, sizeof(*interceptor));
    interceptor->inner = inner;
    arena_init(&interceptor->names_arena, 0);
    return interceptor;
}

void interceptor_free(struct interceptor *interceptor)
{
    if (interceptor != NULL) {
        assert(interceptor->call_count == 0);
        arena_release(&interceptor->names_arena);
        memory_free(interceptor);
    }
}

static void call_free(struct intercepted *call)
{
    struct interceptor *owner = call->owner;
    owner->call_count--;
    if (owner->held == call) {
        owner->held = NULL;
    }
    text_release(&call->body);
    arena_release(&call->arena);
    memory_free(call);
}

/* ---- from the inner transport ---- */

static void on_head(void *self, int http_status, int64_t retry_after_ms)
{
    struct intercepted *call = self;
    call->http_status = http_status;
    call->retry_after_ms = retry_after_ms;
    if (call->fate == FATE_PASSES || call->fate == FATE_LAST) {
        call->sink.head(call->sink.self, http_status, retry_after_ms);
    }
}

static void on_bytes(void *self, const char *bytes, size_t byte_count)
{
    struct intercepted *call = self;
    if (call->fate == FATE_PASSES || call->fate == FATE_LAST) {
        call->sink.bytes(call->sink.self, bytes, byte_count);
    } else if (call->fate == FATE_REPLY_HELD) {
        text_append_bytes(&call->body, bytes, byte_count);
    }
}

static void on_end(void *self, const struct error *error)
{
    struct intercepted *call = self;
    struct interceptor *owner = call->owner;
    call->inner = NULL;
    owner->writes_on_wire -= call->is_write;
    switch (call->fate) {
    case FATE_LAST:
    case FATE_PASSES:
        call->sink.end(call->sink.self, error);
        call_free(call);
        break;
    case FATE_REPLY_HELD:
        call->replied = true;
        call->end = *error;
        owner->caught = true;
        break;
    case FATE_UNTOLD:
    case FATE_STAYS:
    case FATE_HELD:
        break;
    }
    if (owner->killed && owner->writes_on_wire == 0) {
        owner->caught = true;
    }
}

static void send(struct intercepted *call, const struct request *request)
{
    struct transport inner = call->owner->inner;
    struct sink sink = {.head = on_head, .bytes = on_bytes, .end = on_end, .self = call};
    call->owner->writes_on_wire += call->is_write;
    call->inner = inner.start(inner.self, request, sink);
}

/* ---- to the inner transport ---- */

static enum fate kill_at(struct interceptor *interceptor, enum fate fate)
{
    interceptor->killed = true;
    return fate;
}

static enum fate fate_of(struct interceptor *interceptor, const char *name)
{
    bool meant = text_equal(name, interceptor->write) &&
                 ++interceptor->seen_count == interceptor->occurrence;
    switch (meant ? interceptor->interception : INTERCEPT_NONE) {
    case INTERCEPT_NONE:
        return FATE_PASSES;
    case INTERCEPT_KILL_BEFORE:
        return kill_at(interceptor, FATE_STAYS);
    case INTERCEPT_KILL_APPLIED:
        return kill_at(interceptor, FATE_UNTOLD);
    case INTERCEPT_KILL_REPLIED:
        return kill_at(interceptor, FATE_LAST);
    case INTERCEPT_HOLD_BEFORE:
        return FATE_HELD;
    case INTERCEPT_HOLD_REPLY:
        return FATE_REPLY_HELD;
    }
    return FATE_PASSES;
}

static const char *note_name(struct interceptor *interceptor, const struct request *request)
{
    cleanup_text struct text name;
    text_init(&name, LIMIT_BODY_BYTES);
    write_name_append(request, &name);
    const char *copy = arena_copy(&interceptor->names_arena, name.bytes);
    if (interceptor->name_count < NAMES_MAX) {
        interceptor->names[interceptor->name_count++] = copy;
    }
    return copy;
}

static void hold(struct intercepted *call, const struct request *request)
{
    struct arena *arena = &call->arena;
    call->request = *request;
    call->request.path = arena_copy(arena, request->path);
    call->request.content_type = arena_copy(arena, request->content_type);
    call->request.accept = arena_copy(arena, request->accept);
    call->request.body = arena_copy_bytes(arena, request->body, request->body_bytes);
    call->owner->held = call;
    call->owner->caught = true;
}

static struct call *start(void *self, const struct request *request, struct sink sink)
{
    struct interceptor *interceptor = self;
    struct intercepted *call = memory_new(1, sizeof(*call));
    call->owner = interceptor;
    call->sink = sink;
    call->is_write = write_name_is_write(request);
    arena_init(&call->arena, 0);
    text_init(&call->body, LIMIT_OBJECT_BYTES);
    interceptor->call_count++;
    if (interceptor->killed) {
        call->fate = FATE_STAYS;
        return (struct call *)call;
    }
    if (call->is_write) {
        interceptor->write_count++;
        call->fate = fate_of(interceptor, note_name(interceptor, request));
    }
    if (call->fate == FATE_HELD) {
        hold(call, request);
    } else if (call->fate != FATE_STAYS) {
        send(call, request);
    }
    if (call->fate == FATE_REPLY_HELD) {
        interceptor->held = call;
    }
    interceptor->caught =
        interceptor->caught || (interceptor->killed && interceptor->writes_on_wire == 0);
    return (struct call *)call;
}

static void cancel(void *self, struct call *started)
{
    struct interceptor *interceptor = self;
    struct intercepted *call = (struct intercepted *)started;
    if (call->inner != NULL) {
        interceptor->writes_on_wire -= call->is_write;
        interceptor->inner.cancel(interceptor->inner.self, call->inner);
    }
    call_free(call);
}

struct transport interceptor_transport(struct interceptor *interceptor)
{
    return (struct transport){.start = start, .cancel = cancel, .self = interceptor};
}

/* ---- the matrix's side ---- */

void interceptor_arm(struct interceptor *interceptor, enum interception interception,
                     const char *write, int occurrence)
{
    interceptor->interception = interception;
    interceptor->write = write;
    interceptor->occurrence = occurrence;
    interceptor->seen_count = 0;
    interceptor->name_count = 0;
}

bool interceptor_caught(const struct interceptor *interceptor)
{
    return interceptor->caught;
}

bool interceptor_killed(const struct interceptor *interceptor)
{
    return interceptor->killed;
}

void interceptor_let_go(struct interceptor *interceptor)
{
    struct intercepted *call = interceptor->held;
    interceptor->held = NULL;
    interceptor->caught = false;
    if (call == NULL) {
        return; /* cancelled meanwhile */
    }
    if (call->fate == FATE_HELD) {
        call->fate = FATE_PASSES;
        send(call, &call->request);
        return;
    }
    call->fate = FATE_PASSES;
    if (!call->replied) {
        return;
    }
    if (call->http_status != 0) {
        call->sink.head(call->sink.self, call->http_status, call->retry_after_ms);
        call->sink.bytes(call->sink.self, call->body.bytes, call->body.length_bytes);
    }
    call->sink.end(call->sink.self, &call->end);
    call_free(call);
}

size_t interceptor_write_count(const struct interceptor *interceptor)
{
    return interceptor->write_count;
}

size_t interceptor_name_count(const struct interceptor *interceptor)
{
    return interceptor->name_count;
}

const char *interceptor_name(const struct interceptor *interceptor, size_t index)
{
    assert(index < interceptor->name_count);
    return interceptor->names[index];
}
