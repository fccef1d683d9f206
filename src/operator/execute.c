/* SPDX-License-Identifier: Apache-2.0 */
/* From a plan to requests, and from replies to the store and the key's memo. A reply to a write
   holds the new object: it goes into the store before the key is planned again. When a write's
   outcome is unknown, or it lost a race, the object is read first. */
#include "operator/state.h"

#include "api/names.h"
#include "base/log.h"
#include "base/memory.h"
#include "operator/absorb.h"
#include "operator/fill_report.h"
#include "operator/request_build.h"

#include <assert.h>
#include <string.h>

#define READ_RETRY_MS 500

/* One action on the wire, or its read afterwards. */
struct sent {
    struct sent *next, *previous; /* in the op's list */
    struct operator* op;
    struct memo *memo;
    struct action action;  /* its strings are in the arena */
    const char *known_uid; /* of the object that the plan was made from; NULL: none */
    struct arena arena;
    int64_t generation;
    bool reading;
    int64_t read_at_ms; /* mono: read again then; 0: it is on the wire */
};

static void on_reply(void *self, const struct reply *reply);

static struct sent *sent_new(struct operator* op, struct memo *memo, const struct action *action,
                             int64_t generation)
{
    struct sent *sent = memory_new(1, sizeof *sent);
    arena_init(&sent->arena, 0);
    sent->op = op;
    sent->next = op->sent;
    if (op->sent != NULL) {
        op->sent->previous = sent;
    }
    op->sent = sent;
    sent->memo = memo;
    sent->generation = generation;
    const struct object *known =
        action->object >= KIND_WATCHED_COUNT
            ? NULL
            : store_get(op->store, action->object, action->namespace, action->name);
    sent->known_uid = known == NULL ? NULL : arena_copy(&sent->arena, known->meta.uid);
    sent->action = (struct action){
        .kind = action->kind,
        .purpose = action->purpose,
        .object = action->object,
        .namespace = arena_copy(&sent->arena, action->namespace),
        .name = arena_copy(&sent->arena, action->name),
        .uid = arena_copy(&sent->arena, action->uid),
        .reason = arena_copy(&sent->arena, action->reason),
    };
    return sent;
}

static void sent_free(struct sent *sent)
{
    *(sent->previous == NULL ? &sent->op->sent : &sent->previous->next) = sent->next;
    if (sent->next != NULL) {
        sent->next->previous = sent->previous;
    }
    arena_release(&sent->arena);
    memory_free(sent);
}

static void send(struct sent *sent, const struct action *action)
{
    struct built_request built;
    request_build(action, &built);
    client_send(sent->op->client, &built.request, built.priority, built.json_patch_tests, on_reply,
                sent);
    request_release(&built);
}

static void send_read(struct sent *sent)
{
    struct action action = sent->action;
    action.kind = ACTION_READ;
    sent->reading = true;
    send(sent, &action);
}

/* ---- the end of an action, and of a batch ---- */

static void finish_batch(struct operator* op, struct memo *memo)
{
    vouch_note_answer(op, memo);
    /* While a back-off runs, and when it has run out meanwhile, only the status went through: what
       had failed is tried again first. */
    if (!memo->batch_failed && memo->held_until_ms == 0) {
        memo_succeed(memo);
    }
    op->assignment_fresh = false;
    memory_free(memo->assumed_volume);
    memo->assumed_volume = NULL;
    queue_done(op->queue, memo->key);
    queue_add(op->queue, memo->key);
    memos_batch_ended(&op->memos, memo);
}

static void finish(struct sent *sent)
{
    struct operator* op = sent->op;
    struct memo *memo = sent->memo;
    memo->starting_count -= sent->action.purpose == PURPOSE_FILL;
    sent_free(sent);
    assert(memo->outstanding > 0);
    if (--memo->outstanding == 0) {
        finish_batch(op, memo);
    }
}

static void log_outcome(const struct sent *sent, const struct reply *reply)
{
    const struct action *action = &sent->action;
    bool failed = reply->error.class != ERROR_NONE;
    char elapsed[24];
    struct text number cleanup_text;
    text_init(&number, sizeof elapsed);
    text_print(&number, "%lld", (long long)reply->elapsed_ms);
    log_write(failed ? LOG_WARNING : LOG_INFO, sent->op->now.wall_ms, purpose_name(action->purpose),
              "key", sent->memo->key, "action", action_kind_name(action->kind), "kind",
              kind_of(action->object)->kind, "namespace", action->namespace, "name", action->name,
              "reason", action->reason, "ms", number.bytes, "error",
              failed ? reply->error.message : NULL, NULL);
}

/* Of several refusals the same one is told each time, in whatever order the replies come: a
   condition that changes with every try would be written for ever. */
static bool is_told(const struct preflight *told, const struct action *action)
{
    return told->state != PREFLIGHT_FAILED || action->object < told->object ||
           (action->object == told->object && strcmp(action->name, told->name) < 0);
}

static void fail(struct sent *sent, const struct error *error)
{
    struct operator* op = sent->op;
    struct memo *memo = sent->memo;
    const struct action *action = &sent->action;
    op->facts.failures++;
    memo->batch_failed = true;
    memo_fail(memo, error, action->purpose, sent->generation, op->now, &op->random);
    bool refused = error->class == ERROR_EXISTS || error->class == ERROR_FORBIDDEN ||
                   error->class == ERROR_INVALID || error->class == ERROR_LIMIT ||
                   error->class == ERROR_NOT_FOUND;
    if (action_is_probe(action) && refused) {
        if (is_told(&memo->preflight, action)) {
            memo_set_preflight(memo, PREFLIGHT_FAILED, error->class, action->object, action->name,
                               error->message);
        }
    } else if (memo->preflight.state == PREFLIGHT_PASSED && (refused || action_is_probe(action))) {
        memo_set_preflight(memo, PREFLIGHT_NONE, ERROR_NONE, KIND_INSTANCE, NULL, NULL);
    }
    if (refused && (action->object == KIND_CLUSTER || action->object == KIND_VOLUME_CLAIM) &&
        action->namespace != NULL) {
        vouches_forget(&op->vouches, action->namespace);
    }
}

static void note_gone(struct sent *sent)
{
    memory_free(sent->memo->gone_owner_uid);
    sent->memo->gone_owner_uid = memory_copy_text(sent->action.uid);
}

/* What an ACTION_READ found. */
static void on_confirmed(struct sent *sent, const struct absorbed *absorbed)
{
    struct operator* op = sent->op;
    const struct action *action = &sent->action;
    struct error error;
    if (absorbed->other_uid) {
        note_gone(sent); /* its name lives on in another object */
    } else if (!absorbed->ours) {
        (void)error_set(&error, ERROR_INVALID, "%s %s carries no label of Adjoint's",
                        kind_of(action->object)->kind, action->name);
        fail(sent, &error);
    } else if (action->object == KIND_VOLUME &&
               store_get(op->store, KIND_VOLUME, NULL, action->name) == NULL) {
        /* The list was made when it was not to be kept, and counts as complete. */
        op->volumes_stale = true;
        (void)error_set(&error, ERROR_UNAVAILABLE, "PersistentVolume %s is not listed yet",
                        action->name);
        fail(sent, &error);
    }
}

static void on_read_object(struct sent *sent, const struct reply *reply)
{
    const struct action *action = &sent->action;
    struct absorbed absorbed =
        absorb_reply(sent->op, action, sent->reading, reply, sent->memo->key);
    if (action->kind == ACTION_READ) {
        on_confirmed(sent, &absorbed);
    }
    if (action->purpose == PURPOSE_FILL && !absorbed.ours) {
        memo_note_taken_slot(sent->memo, action->name);
    } else if (action->kind == ACTION_CREATE && !absorbed.ours) {
        struct error taken;
        (void)error_set(&taken, ERROR_EXISTS, "%s %s already exists and is not Adjoint's",
                        kind_of(action->object)->kind, action->name);
        fail(sent, &taken);
    }
}

/* Only what the plan was made from: an object of that name that came since is another one. */
static void drop_known(struct sent *sent)
{
    const struct action *action = &sent->action;
    if (sent->known_uid != NULL) {
        (void)store_remove(sent->op->store, action->object, action->namespace, action->name,
                           sent->known_uid, NULL);
    }
}

static void read_later(struct sent *sent, const struct error *error)
{
    struct operator* op = sent->op;
    int64_t delay_ms = random_jitter(&op->random, READ_RETRY_MS, 50);
    if (delay_ms < error->retry_after_ms) {
        delay_ms = error->retry_after_ms;
    }
    sent->read_at_ms = op->now.mono_ms + delay_ms;
}

/* The read after a write whose outcome decides, or an ACTION_READ itself. */
static void on_read(struct sent *sent, const struct reply *reply)
{
    const struct action *action = &sent->action;
    enum error_class class = reply->error.class;
    if (class == ERROR_NONE) {
        on_read_object(sent, reply);
    } else if (class == ERROR_NOT_FOUND) {
        drop_known(sent);
        if (action->kind == ACTION_READ && action->uid != NULL) {
            note_gone(sent);
        } else if (action->kind == ACTION_READ) {
            fail(sent, &reply->error);
        }
    } else if (class == ERROR_FORBIDDEN || class == ERROR_INVALID) {
        fail(sent, &reply->error);
    } else {
        read_later(sent, &reply->error);
        return;
    }
    finish(sent);
}

/* A probe that asks whether there is one of this name: a GET, or the dry run of a create. */
static void on_expectation(struct sent *sent, const struct reply *reply)
{
    bool wanted = sent->action.kind == ACTION_EXPECT_SOME;
    enum error_class class = reply->error.class;
    bool there = class == (wanted ? ERROR_EXISTS : ERROR_NONE);
    bool missing = class == (wanted ? ERROR_NONE : ERROR_NOT_FOUND);
    struct error error;
    if (there && !wanted) {
        (void)error_set(&error, ERROR_EXISTS, "already exists");
        fail(sent, &error);
    } else if (missing && wanted) {
        (void)error_set(&error, ERROR_NOT_FOUND, "is not in namespace %s", sent->action.namespace);
        fail(sent, &error);
    } else if (!there && !missing) {
        fail(sent, &reply->error);
    }
    finish(sent);
}

static bool must_read(const struct action *action, enum error_class class)
{
    if (action_is_probe(action) || action->object >= KIND_WATCHED_COUNT) {
        return false;
    }
    return class == ERROR_CONFLICT || class == ERROR_TEST_FAILED || class == ERROR_EXISTS ||
           class == ERROR_UNKNOWN;
}

/* That it was there already means that an earlier reply was lost: it stays as it is. When the
   Cluster has been made, nobody knows any more whether the Secret still is. */
static void note_secret(struct sent *sent, enum error_class class)
{
    const struct action *action = &sent->action;
    bool made = action->purpose == PURPOSE_SECRET && (class == ERROR_NONE || class == ERROR_EXISTS);
    if (made || (action->purpose == PURPOSE_CLUSTER && class == ERROR_NONE)) {
        memo_set_secret(sent->memo, made ? action->uid : NULL, made ? action->name : NULL);
    }
}

static void on_reply(void *self, const struct reply *reply)
{
    struct sent *sent = self;
    const struct action *action = &sent->action;
    enum error_class class = reply->error.class;
    if (sent->reading || action->kind == ACTION_READ) {
        on_read(sent, reply);
        return;
    }
    if (action->kind == ACTION_EVENTS) {
        fill_report_absorb(sent->memo, action, reply, sent->op->now);
        finish(sent);
        return;
    }
    if (action->kind == ACTION_EXPECT_NONE || action->kind == ACTION_EXPECT_SOME) {
        on_expectation(sent, reply);
        return;
    }
    log_outcome(sent, reply);
    note_secret(sent, class);
    if (class == ERROR_NONE) {
        (void)absorb_reply(sent->op, &sent->action, sent->reading, reply, sent->memo->key);
    } else if (action->kind == ACTION_DELETE && class == ERROR_NOT_FOUND) {
        drop_known(sent);
    } else {
        if (class != ERROR_EXISTS || action_is_probe(action)) {
            fail(sent, &reply->error);
        }
        if (must_read(action, class)) {
            send_read(sent);
            return;
        }
    }
    finish(sent);
}

/* ---- a plan ---- */

static void note_batch(struct operator* op, struct memo *memo, int64_t generation,
                       const struct plan *plan)
{
    bool probes = false;
    bool chooses = false;
    for (size_t i = 0; i < plan->action_count; i++) {
        probes = probes || action_is_probe(&plan->actions[i]);
        vouch_note_asking(op, memo, &plan->actions[i]);
        chooses = chooses || plan->actions[i].purpose == PURPOSE_CHOOSE;
        memo->starting_count += plan->actions[i].purpose == PURPOSE_FILL;
        op->facts.writes += action_is_write(&plan->actions[i]);
    }
    op->assignment_fresh = op->assignment_fresh && memo->starting_count == 0;
    if (probes) { /* passed, unless one of them says otherwise */
        memo_set_preflight(memo, PREFLIGHT_PASSED, ERROR_NONE, KIND_INSTANCE, NULL, NULL);
    }
    const struct assignment_place *place = assignment_find(&op->assignment, memo->key);
    if (chooses && place != NULL && place->volume != NULL) {
        memory_free(memo->assumed_volume);
        memo->assumed_volume = memory_copy_text(place->volume);
        op->assignment_fresh = false;
    }
    memo->batch_failed = false;
    memo->generation = generation;
}

void execute_plan(struct operator* op, const char *key, int64_t generation, const struct plan *plan)
{
    assert(plan->action_count > 0);
    struct memo *memo = memos_get(&op->memos, key);
    assert(!memo->processing);
    note_batch(op, memo, generation, plan);
    memo->processing = true;
    memo->outstanding = plan->action_count;
    for (size_t i = 0; i < plan->action_count; i++) {
        const struct action *action = &plan->actions[i];
        send(sent_new(op, memo, action, generation), action);
    }
}

void execute_step(struct operator* op)
{
    for (struct sent *sent = op->sent; sent != NULL; sent = sent->next) {
        if (sent->read_at_ms != 0 && sent->read_at_ms <= op->now.mono_ms) {
            sent->read_at_ms = 0;
            send_read(sent);
        }
    }
}

int64_t execute_wake_at(const struct operator* op)
{
    int64_t at_ms = NOW_NEVER;
    for (const struct sent *sent = op->sent; sent != NULL; sent = sent->next) {
        at_ms = sent->read_at_ms != 0 && sent->read_at_ms < at_ms ? sent->read_at_ms : at_ms;
    }
    return at_ms;
}

void execute_release(struct operator* op)
{
    while (op->sent != NULL) {
        sent_free(op->sent);
    }
}
