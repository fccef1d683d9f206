/* SPDX-License-Identifier: Apache-2.0 */
/* A call that its caller has left goes on: the driver ignores the context it was given. So calls
   belong to the driver, and leaving only takes the answer away. */
#include "sim/fsx_call.h"

#include "base/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char STREAM[] = "fsx driver";

enum {
    AWS_MS_LEAST = 20, /* one request to AWS and back */
    AWS_MS_MOST = 60,
    ATTEMPTS_MAX = 8,
    DOUBLINGS_MAX = 4, /* 2 s, 4 s, 8 s, 16 s with jitter; from then on the maximum, without */
    RETRY_MS_MAX = 20 * 1000,
    WAIT_MS_MAX = 15 * 60 * 1000,
};

struct csi_call *csi_call_new(struct fsx_driver *driver, struct csi_answer answer)
{
    struct csi_call *call = memory_new(1, sizeof(*call));
    *call = (struct csi_call){.driver = driver, .answer = answer, .next = driver->first};
    if (call->next != NULL) {
        call->next->previous = call;
    }
    driver->first = call;
    return call;
}

void csi_call_free(struct csi_call *call)
{
    struct fsx_driver *driver = call->driver;
    if (call->previous == NULL) {
        driver->first = call->next;
    } else {
        call->previous->next = call->next;
    }
    if (call->next != NULL) {
        call->next->previous = call->previous;
    }
    world_cancel(driver->world, call->event);
    memory_free(call->name);
    memory_free(call->handle);
    memory_free(call->source);
    fsx_parameters_release(&call->parameters);
    memory_free(call);
}

void csi_call_leave(struct csi_call *call)
{
    call->answer = (struct csi_answer){0};
}

bool fsx_driver_is_busy(const struct fsx_driver *driver, const char *name)
{
    for (const struct csi_call *call = driver->first; call != NULL; call = call->next) {
        if (call->holds_name && strcmp(call->name, name) == 0) {
            return true;
        }
    }
    return false;
}

void csi_call_reply(struct csi_call *call, const struct csi_reply *reply)
{
    call->holds_name = false;
    struct csi_answer answer = call->answer;
    call->answer = (struct csi_answer){0};
    if (answer.done != NULL) {
        answer.done(answer.self, reply);
    }
    csi_call_free(call);
}

static void reply_now(void *self)
{
    struct csi_call *call = self;
    call->event = NULL;
    csi_call_reply(call, &call->reply);
}

void csi_call_fail_soon(struct csi_call *call, enum csi_code code, const char *message)
{
    call->reply = (struct csi_reply){.code = code, .handle = ""};
    (void)snprintf(call->reply.message, sizeof(call->reply.message), "%s", message);
    call->event = world_after(call->driver->world, 1, reply_now, call);
}

void csi_call_fail(struct csi_call *call, enum csi_code code, const char *format, ...)
{
    struct csi_reply reply = {.code = code, .handle = ""};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reply.message, sizeof(reply.message), format, arguments);
    va_end(arguments);
    csi_call_reply(call, &reply);
}

/* ---- AWS ---- */

static int64_t retry_delay(struct csi_call *call)
{
    if (call->attempt > DOUBLINGS_MAX) {
        return RETRY_MS_MAX;
    }
    return world_between(call->driver->world, STREAM, 0, (int64_t)1000 << call->attempt);
}

static void ask(void *self)
{
    struct csi_call *call = self;
    call->event = NULL;
    call->attempt++;
    enum fsx_code code = call->operation(call);
    if (code == FSX_THROTTLED && call->attempt < ATTEMPTS_MAX) {
        call->event = world_after(call->driver->world, retry_delay(call), ask, call);
        return;
    }
    call->then(call, code);
}

static void ask_after(struct csi_call *call, int64_t delay_ms,
                      enum fsx_code (*operation)(struct csi_call *call),
                      void (*then)(struct csi_call *call, enum fsx_code code))
{
    assert(call->event == NULL);
    call->operation = operation;
    call->then = then;
    call->attempt = 0;
    delay_ms += world_between(call->driver->world, STREAM, AWS_MS_LEAST, AWS_MS_MOST);
    call->event = world_after(call->driver->world, delay_ms, ask, call);
}

void csi_call_ask(struct csi_call *call, enum fsx_code (*operation)(struct csi_call *call),
                  void (*then)(struct csi_call *call, enum fsx_code code))
{
    ask_after(call, 0, operation, then);
}

void csi_call_begin_wait(struct csi_call *call)
{
    call->waits_since_ms = world_now(call->driver->world).mono_ms;
}

/* A ticker's ticks: those that passed while the last look was on are lost. */
bool csi_call_ask_at_next_look(struct csi_call *call,
                               enum fsx_code (*operation)(struct csi_call *call),
                               void (*then)(struct csi_call *call, enum fsx_code code))
{
    int64_t poll_ms = call->driver->pace->fsx_poll_ms;
    int64_t waited_ms = world_now(call->driver->world).mono_ms - call->waits_since_ms;
    int64_t next_ms = (waited_ms / poll_ms + 1) * poll_ms;
    if (next_ms > WAIT_MS_MAX) {
        return false;
    }
    ask_after(call, next_ms - waited_ms, operation, then);
    return true;
}
