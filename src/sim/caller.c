/* SPDX-License-Identifier: Apache-2.0 */
/* All verbs share one struct and one way through the world, in two events: arrive and return. Calls
   are in a list only so that caller_free finds them. */
#include "sim/caller.h"

#include "base/memory.h"
#include "sim/chance.h"

#include <assert.h>

enum verb { VERB_GET, VERB_CREATE, VERB_UPDATE, VERB_PATCH, VERB_DELETE, VERB_LOOK };

struct call {
    struct caller *caller;
    struct call *previous, *next;
    struct world_event *event; /* the next of its two */
    enum verb verb;
    const struct resource *resource;
    char *namespace, *name, *uid;
    const char *subresource, *propagation;
    cJSON *value;
    enum patch_type patch_type;
    void (*look)(void *self);
    struct outcome outcome;
    struct answer answer;
};

struct caller {
    struct apiserver *server;
    struct world *world;
    struct caller_options options;
    int64_t tokens_milli, filled_at_ms; /* below zero: reserved */
    struct call *first;
};

enum { MILLI = 1000 };

struct caller *caller_new(struct apiserver *server, const struct caller_options *options)
{
    struct caller *caller = memory_new(1, sizeof(*caller));
    *caller = (struct caller){
        .server = server,
        .world = apiserver_world(server),
        .options = *options,
        .tokens_milli = options->burst * MILLI,
    };
    caller->filled_at_ms = world_now(caller->world).mono_ms;
    return caller;
}

static void call_free(struct call *call)
{
    struct caller *caller = call->caller;
    if (call->previous == NULL) {
        caller->first = call->next;
    } else {
        call->previous->next = call->next;
    }
    if (call->next != NULL) {
        call->next->previous = call->previous;
    }
    if (call->event != NULL) {
        world_cancel(caller->world, call->event);
    }
    memory_free(call->namespace);
    memory_free(call->name);
    memory_free(call->uid);
    cJSON_Delete(call->value);
    outcome_release(&call->outcome);
    memory_free(call);
}

void caller_free(struct caller *caller)
{
    if (caller == NULL) {
        return;
    }
    while (caller->first != NULL) {
        call_free(caller->first);
    }
    memory_free(caller);
}

static struct outcome apply(struct call *call)
{
    struct apiserver *server = call->caller->server;
    const struct verb_options options = {.actor = call->caller->options.actor,
                                         .subresource = call->subresource};
    const struct preconditions preconditions = {
        .uid = call->uid, .propagation = call->propagation, .grace_s = -1};
    cJSON *value = call->value;
    switch (call->verb) {
    case VERB_GET:
        return apiserver_get(server, call->resource, call->namespace, call->name);
    case VERB_CREATE:
        call->value = NULL;
        return apiserver_create(server, call->resource, call->namespace, value, &options);
    case VERB_UPDATE:
        call->value = NULL;
        return apiserver_update(server, call->resource, call->namespace, call->name, value,
                                &options);
    case VERB_PATCH:
        return apiserver_patch(server, call->resource, call->namespace, call->name,
                               call->patch_type, value, &options);
    case VERB_DELETE:
        return apiserver_delete(server, call->resource, call->namespace, call->name, &preconditions,
                                &options);
    case VERB_LOOK:
        call->look(call->answer.self);
        break;
    }
    return (struct outcome){.http_status = 200};
}

static void come_back(void *self)
{
    struct call *call = self;
    call->event = NULL;
    if (call->answer.done != NULL) {
        call->answer.done(call->answer.self, &call->outcome);
    }
    call_free(call);
}

static int64_t one_way(const struct caller *caller)
{
    return chance_in_span(caller->world, caller->options.actor, *caller->options.latency);
}

static void arrive(void *self)
{
    struct call *call = self;
    call->event = NULL;
    call->outcome = apply(call);
    call->event = world_after(call->caller->world, one_way(call->caller), come_back, call);
}

/* How long until the token that is hereby reserved is there. */
static int64_t reserve_token(struct caller *caller)
{
    int64_t a_second = caller->options.requests_a_second;
    if (a_second == 0) {
        return 0;
    }
    int64_t now_ms = world_now(caller->world).mono_ms;
    caller->tokens_milli += (now_ms - caller->filled_at_ms) * a_second;
    caller->filled_at_ms = now_ms;
    if (caller->tokens_milli > caller->options.burst * MILLI) {
        caller->tokens_milli = caller->options.burst * MILLI;
    }
    caller->tokens_milli -= MILLI;
    return caller->tokens_milli >= 0 ? 0 : (-caller->tokens_milli + a_second - 1) / a_second;
}

/* The names are copied, unlike what is in call already. */
static void send(struct caller *caller, struct call call, const char *namespace, const char *name)
{
    struct call *sent = memory_new(1, sizeof(*sent));
    *sent = call;
    sent->caller = caller;
    sent->namespace = memory_copy_text(namespace);
    sent->name = memory_copy_text(name);
    sent->next = caller->first;
    if (sent->next != NULL) {
        sent->next->previous = sent;
    }
    caller->first = sent;
    int64_t delay_ms = reserve_token(caller) + one_way(caller);
    sent->event = world_after(caller->world, delay_ms, arrive, sent);
}

void caller_get(struct caller *caller, const struct resource *resource, const char *namespace,
                const char *name, struct answer answer)
{
    struct call call = {.verb = VERB_GET, .resource = resource, .answer = answer};
    send(caller, call, namespace, name);
}

void caller_create(struct caller *caller, const struct resource *resource, const char *namespace,
                   cJSON *value, struct answer answer)
{
    struct call call = {
        .verb = VERB_CREATE, .resource = resource, .value = value, .answer = answer};
    send(caller, call, namespace, NULL);
}

void caller_update(struct caller *caller, const struct record *record, const char *subresource,
                   cJSON *value, struct answer answer)
{
    struct call call = {.verb = VERB_UPDATE,
                        .resource = record->resource,
                        .subresource = subresource,
                        .value = value,
                        .answer = answer};
    send(caller, call, record->namespace, record->name);
}

void caller_patch(struct caller *caller, const struct record *record, const char *subresource,
                  enum patch_type type, cJSON *patch, struct answer answer)
{
    struct call call = {.verb = VERB_PATCH,
                        .resource = record->resource,
                        .subresource = subresource,
                        .value = patch,
                        .patch_type = type,
                        .answer = answer};
    send(caller, call, record->namespace, record->name);
}

void caller_delete(struct caller *caller, const struct resource *resource, const char *namespace,
                   const char *name, const char *propagation, const char *uid, struct answer answer)
{
    struct call call = {.verb = VERB_DELETE,
                        .resource = resource,
                        .propagation = propagation,
                        .uid = memory_copy_text(uid),
                        .answer = answer};
    send(caller, call, namespace, name);
}

void caller_look(struct caller *caller, void (*look)(void *self), struct answer answer)
{
    struct call call = {.verb = VERB_LOOK, .look = look, .answer = answer};
    send(caller, call, NULL, NULL);
}
