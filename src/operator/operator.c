/* SPDX-License-Identifier: Apache-2.0 */
/* One step: replies in, watches on, the lease, then every key that wants to be planned. It runs
   until nothing is due at this `now`, so the loop may sleep until wake_at or the next byte. */
#include "operator/operator.h"

#include "base/extremes.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "operator/damper.h"
#include "operator/observe.h"
#include "operator/state.h"

#include <assert.h>
#include <string.h>

/* A step that finds work this many times over gives the loop its turn. */
#define ROUNDS_MAX 64
/* ETAs move with time, too: an assignment is not used for longer. */
#define ASSIGNMENT_MS_MAX 5000

static bool keeps(void *self, const struct object *object)
{
    const struct operator* op = self;
    return observe_keeps(op->store, object);
}

/* The lease's own writes are what makes others possible; reads are always free. */
static bool may_start(void *self, const struct request *request, struct now now)
{
    const struct operator* op = self;
    return request->method == METHOD_GET ||
           text_starts_with(request->path, "/apis/coordination.k8s.io/") ||
           lease_held(op->lease, now);
}

struct operator* operator_new(const struct operator_options *options, struct transport transport)
{
    static const struct queue_options queue_options = {200, 30000};
    struct operator* op = memory_new(1, sizeof *op);
    assert(options->entropy.fill != NULL);
    random_init(&op->random, options->seed);
    op->entropy = options->entropy;
    op->store = store_new(LIMIT_OBJECTS_PER_KIND, (struct store_listener){routes_changed, op});
    op->client = client_new(transport, LIMIT_OBJECT_BYTES);
    client_set_gate(op->client, may_start, op);
    op->queue = queue_new(&queue_options, &op->random);
    op->lease = lease_new(&options->lease, op->client, &op->random);
    arena_init(&op->scratch, 0);
    memos_init(&op->memos);
    assignment_init(&op->assignment);
    vouches_init(&op->vouches);
    claims_init(&op->claims);
    zones_init(&op->zones, options->zones);
    events_init(&op->events, options->events ? options->lease.identity : NULL);
    op->informer_options = options->informer;
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        op->informers[kind] = informer_new((enum object_kind)kind, &op->informer_options, transport,
                                           op->store, keeps, op, &op->random);
    }
    return op;
}

void operator_free(struct operator* op)
{
    if (op == NULL) {
        return;
    }
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        informer_free(op->informers[kind]);
    }
    lease_free(op->lease);
    client_free(op->client);
    execute_release(op);
    queue_free(op->queue);
    assignment_release(&op->assignment);
    vouches_release(&op->vouches);
    memos_release(&op->memos);
    store_free(op->store);
    claims_release(&op->claims);
    zones_release(&op->zones);
    events_release(&op->events);
    arena_release(&op->scratch);
    memory_free(op);
}

/* ---- watches and the lease ---- */

/* PVs are kept by what Pools and claims there are, so they are listed when those are known, and
   again when a Pool appears. */
static bool may_list(const struct operator* op, int kind)
{
    return kind != KIND_VOLUME || (informer_synced(op->informers[KIND_POOL]) &&
                                   informer_synced(op->informers[KIND_VOLUME_CLAIM]));
}

static void step_informers(struct operator* op)
{
    if (op->volumes_stale && informer_synced(op->informers[KIND_POOL])) {
        op->volumes_stale = false;
        informer_relist(op->informers[KIND_VOLUME]);
    }
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        if (kind != KIND_VOLUME) {
            informer_step(op->informers[kind], op->now);
        }
    }
    if (may_list(op, KIND_VOLUME)) {
        informer_step(op->informers[KIND_VOLUME], op->now);
    }
}

static bool all_synced(const struct operator* op)
{
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        if (!informer_synced(op->informers[kind])) {
            return false;
        }
    }
    return true;
}

/* A watch may be minutes behind, and the one before us may have written until a moment ago: what it
   knew has to be known before it is gone on with. Lists are quorum reads. */
static void list_anew(struct operator* op)
{
    op->followed = false;
    op->synced = false;
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        informer_relist(op->informers[kind]);
    }
}

static void step_leadership(struct operator* op)
{
    lease_step(op->lease, op->now);
    bool leading = lease_held(op->lease, op->now);
    op->followed = op->followed || lease_is_others(op->lease);
    if (leading && op->followed) {
        list_anew(op);
    }
    bool synced = op->synced || all_synced(op);
    if (synced && !op->synced) {
        log_write(LOG_INFO, op->now.wall_ms, "in sync with the API server", NULL);
    }
    if (leading != op->leading) {
        log_write(LOG_INFO, op->now.wall_ms, leading ? "leading" : "not leading", "holder",
                  lease_holder(op->lease), NULL);
    }
    contacts_tell(op);
    bool begins = synced && leading && !(op->synced && op->leading);
    op->synced = synced;
    op->leading = leading;
    if (begins) {
        routes_mark_all(op);
    }
}

/* ---- keys ---- */

/* Told once, and again only when it has been gone. */
static void note_finding(struct operator* op, const char *key, const struct object *volume,
                         const struct volume_finding *finding)
{
    struct memo *memo = memos_find(&op->memos, key);
    if (text_equal(memo == NULL ? NULL : memo->finding_reason, finding->reason)) {
        return;
    }
    memos_set_finding(&op->memos, key, finding);
    if (finding->reason == NULL) {
        return;
    }
    log_write(LOG_WARNING, op->now.wall_ms, "a volume needs attention", "key", key, "reason",
              finding->reason, "message", finding->message, NULL);
    if (volume != NULL) {
        events_note_warning(&op->events, volume, "Sweep", finding->reason, finding->message);
    }
}

/* Nothing to do: what is remembered of the key can go, or is looked at again when it is due. What a
   read has answered stays, or it would be asked again at once. */
static void rest(struct operator* op, const char *key)
{
    struct memo *memo = memos_find(&op->memos, key);
    if (memo == NULL) {
        return;
    }
    if (memo_held(memo, op->now)) {
        queue_add_at(op->queue, key, memo->held_until_ms);
    } else if (memo->trouble_class != ERROR_NONE && memo->trouble_purpose != PURPOSE_CONFIRM) {
        memo_succeed(memo); /* what failed is not wanted any more */
        queue_add(op->queue, key);
    }
}

static int64_t generation_of(const struct operator* op, const struct key *key)
{
    const struct object *object = store_get(op->store, key->kind, key->namespace, key->name);
    return object == NULL || key->kind == KIND_VOLUME ? 0 : object->meta.generation;
}

static void plan_key(struct operator* op, const char *text)
{
    struct key key;
    struct plan plan;
    struct volume_finding finding;
    arena_clear(&op->scratch);
    plan_init(&plan, &op->scratch, op->now);
    bool known = key_read(text, &key);
    assert(known);
    int64_t generation = generation_of(op, &key);
    struct memo *memo = memos_find(&op->memos, text);
    if (memo != NULL && memo_wake(memo, generation, op->now)) {
        op->assignment_fresh = false; /* it may be served now: no change of the store says so */
    }
    if (op->now.mono_ms - op->assigned_ms >= ASSIGNMENT_MS_MAX) {
        op->assignment_fresh = false;
    }
    refresh_assignment(op);
    struct view view = {op->store,
                        &op->memos,
                        &op->assignment,
                        &op->vouches,
                        op->now,
                        &op->entropy,
                        op->now.mono_ms - op->clock_set_ms,
                        &op->claims,
                        &op->zones};
    bool found = observe_and_plan(&view, &key, &plan, &finding);
    op->facts.plans++;
    if (found) {
        note_finding(op, text, store_get(op->store, key.kind, key.namespace, key.name), &finding);
    }
    bool damped =
        damper_apply(memos_find(&op->memos, text),
                     store_get(op->store, key.kind, key.namespace, key.name), &plan, &op->random);
    if (plan.action_count > 0) {
        execute_plan(op, text, generation, &plan);
    } else if (!damped) {
        rest(op, text);
    }
    if (plan.look_again_ms != NOW_NEVER) {
        queue_add_at(op->queue, text, plan.look_again_ms);
    }
    if (plan.action_count == 0) {
        queue_done(op->queue, text);
    }
}

static bool plan_keys(struct operator* op)
{
    bool worked = false;
    if (!op->synced || !op->leading || op->stopping) {
        return false;
    }
    refresh_assignment(op);
    const char *key;
    while ((key = queue_take(op->queue, op->now)) != NULL) {
        char text[KEY_BYTES];
        (void)memcpy(text, key, strnlen(key, KEY_BYTES - 1) + 1);
        text[KEY_BYTES - 1] = '\0';
        plan_key(op, text);
        worked = true;
    }
    return worked;
}

/* ---- the step ---- */

static void step_stopping(struct operator* op)
{
    if (op->stopping && !op->releasing && client_in_flight(op->client) == 0) {
        op->releasing = true;
        lease_release(op->lease, op->now);
    }
}

static bool is_due(const struct operator* op)
{
    if (client_due(op->client)) {
        return true;
    }
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        if (informer_due(op->informers[kind]) && may_list(op, kind)) {
            return true;
        }
    }
    return lease_wake_at(op->lease) <= op->now.mono_ms;
}

static int64_t next_wake(const struct operator* op)
{
    int64_t at_ms = smaller(lease_wake_at(op->lease), execute_wake_at(op));
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        at_ms = smaller(at_ms, informer_wake_at(op->informers[kind]));
    }
    if (op->synced && op->leading && !op->stopping) {
        at_ms = smaller(at_ms, queue_wake_at(op->queue));
    }
    return at_ms <= op->now.mono_ms ? op->now.mono_ms + 1 : at_ms;
}

void operator_step(struct operator* op, struct now now)
{
    clock_watch(op, now);
    op->now = now;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        client_step(op->client, now);
        step_informers(op);
        step_leadership(op);
        execute_step(op);
        bool worked = plan_keys(op);
        events_step(&op->events, op->client, now);
        step_stopping(op);
        client_step(op->client, now);
        if (!worked && !is_due(op)) {
            break;
        }
    }
    op->wake_at_ms = next_wake(op);
}

int64_t operator_wake_at(const struct operator* op)
{
    return op->wake_at_ms;
}

void operator_stop(struct operator* op)
{
    op->stopping = true;
}

bool operator_stopped(const struct operator* op, struct now now)
{
    return op->releasing && !lease_held(op->lease, now) && lease_released(op->lease) &&
           client_in_flight(op->client) == 0;
}

struct operator_facts operator_facts(const struct operator* op, struct now now)
{
    struct operator_facts facts = op->facts;
    facts.synced = op->synced;
    facts.leading = lease_held(op->lease, now);
    facts.volumes_leaked = facts.leading ? op->memos.leaked_count : 0;
    return facts;
}

const struct store *operator_store(const struct operator* op)
{
    return op->store;
}
