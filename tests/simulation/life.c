/* SPDX-License-Identifier: Apache-2.0 */
/* Nobody is freed from inside its own step or its link's callbacks: a death marks it, and an event
   of the same millisecond buries it. */
#include "simulation/life.h"

#include "base/digest.h"
#include "base/memory.h"
#include "operator/operator.h"
#include "sim/value.h"
#include "simulation/faults.h"
#include "simulation/scenario.h"
#include "simulation/scene.h"
#include "simulation/straggler.h"
#include "support/test_entropy.h"
#include "support/test_zones.h"

#include <stdio.h>
#include <string.h>

enum { IDENTITY_TEXT_BYTES = 32, PACE_PATHS = 256, SAME_IN_A_SECOND_MAX = 50 };

/* Requests of one path, and of one body to create (of all that share its place) in one second. */
struct pace_of_path {
    int64_t second;
    int count;
};

struct life {
    struct trial *trial;
    char identity[IDENTITY_TEXT_BYTES];
    const char *lease; /* its name */
    struct link *link;
    struct operator* op; /* NULL: between two lives */
    struct link_faults faults;
    struct transport inner;
    bool dying, stopping;
    int64_t paused_until_ms;   /* mono; 0: it is not */
    int64_t restart_after_ms;  /* when it has stopped */
    struct world_event *step;  /* soon */
    struct world_event *timer; /* at its wake_at */
    struct world_event *burial, *birth;
    int64_t timer_at_ms;
    int64_t least_ms, most_ms; /* latency */
    struct pace_of_path paces[PACE_PATHS];
    struct link *late_link; /* for what was sent by those who may be dead by now */
};

static void step(void *self);

/* ---- between the operator and its link ---- */

static bool is_lease(const char *path)
{
    return strstr(path, "/leases") != NULL;
}

/* I10: nothing is asked or written again and again. */
static void judge_pace(struct life *life, const struct request *request)
{
    int64_t second = trial_now_ms(life->trial) / 1000;
    const char *body = request->method == METHOD_POST && request->body != NULL ? request->body : "";
    struct pace_of_path *pace =
        &life->paces[(digest_hash(request->path) + digest_hash(body) + (uint64_t)request->method) %
                     PACE_PATHS];
    pace->count = pace->second == second ? pace->count + 1 : 1;
    pace->second = second;
    if (pace->count > SAME_IN_A_SECOND_MAX) {
        judge_break(life->trial->judge, "I10: a hot loop of %s %s", method_name(request->method),
                    request->path);
    }
}

/* I9. The gate is the operator's own; this is what the API server would say. */
static void judge_sender(struct life *life, const struct request *request)
{
    if (request->method == METHOD_GET || is_lease(request->path)) {
        return;
    }
    const struct record *lease = objects_get(apiserver_objects(life->trial->server),
                                             &resource_leases, SCENE_SYSTEM, life->lease);
    const char *holder =
        lease == NULL ? NULL : value_text(lease->value, "spec", "holderIdentity", NULL);
    if (!text_equal(holder, life->identity)) {
        judge_break(life->trial->judge, "I9: %s sends %s %s while %s has the lease", life->identity,
                    method_name(request->method), request->path,
                    holder == NULL ? "nobody" : holder);
    }
}

static struct call *start(void *self, const struct request *request, struct sink sink)
{
    struct life *life = self;
    judge_pace(life, request);
    judge_sender(life, request);
    return life->inner.start(life->inner.self, request, sink);
}

static void cancel(void *self, struct call *call)
{
    struct life *life = self;
    life->inner.cancel(life->inner.self, call);
}

static void woken(void *self)
{
    struct life *life = self;
    if (life->step == NULL && life->op != NULL && !life->dying && life->paused_until_ms == 0) {
        life->step = world_after(life->trial->world, 0, step, life);
    }
}

/* ---- steps ---- */

static void clear(struct life *life, struct world_event **event)
{
    if (*event != NULL) {
        world_cancel(life->trial->world, *event);
        *event = NULL;
    }
}

static void on_timer(void *self)
{
    struct life *life = self;
    life->timer = NULL;
    woken(life);
}

static void set_timer(struct life *life)
{
    int64_t at_ms = operator_wake_at(life->op);
    if (life->timer != NULL && life->timer_at_ms == at_ms) {
        return;
    }
    clear(life, &life->timer);
    if (at_ms != NOW_NEVER) {
        life->timer_at_ms = at_ms;
        life->timer =
            world_after(life->trial->world, at_ms - trial_now_ms(life->trial), on_timer, life);
    }
}

static void step(void *self)
{
    struct life *life = self;
    struct now now = world_now(life->trial->world);
    life->step = NULL;
    if (life->dying || life->op == NULL) {
        return;
    }
    operator_step(life->op, now);
    if (life->stopping && operator_stopped(life->op, now)) {
        life_kill(life, life->restart_after_ms);
        return;
    }
    set_timer(life);
}

/* ---- from birth to burial ---- */

static void nobody_waits(void *self)
{
    (void)self;
}

struct life *life_new(struct trial *trial, size_t index)
{
    struct life *life = memory_new(1, sizeof(*life));
    const struct link_options late = {.user = SCENE_OPERATOR, .least_ms = 1, .most_ms = 1};
    life->trial = trial;
    life->lease = trial->wish.has_a_lease_each && index > 0 ? SCENE_LEASE "-2" : SCENE_LEASE;
    life_set_latency(life, LATENCY_LEAST_MS, LATENCY_MOST_MS);
    life->late_link = link_new(trial->server, &late, NULL, nobody_waits, life);
    return life;
}

static void bury(void *self)
{
    struct life *life = self;
    life->burial = NULL;
    operator_free(life->op);
    life->op = NULL;
    link_free(life->link);
    life->link = NULL;
    clear(life, &life->step);
    clear(life, &life->timer);
}

void life_free(struct life *life)
{
    if (life == NULL) {
        return;
    }
    clear(life, &life->burial);
    clear(life, &life->birth);
    bury(life);
    link_free(life->late_link);
    memory_free(life);
}

/* A renewal every two seconds would be most of what is played: one run in four has it. A lease is
   lost by the same standstill, unless nothing can stand still. */
static struct lease_options lease_of(const struct life *life)
{
    const struct trial_options *trial = life->trial->options;
    bool is_undisturbed = trial->scenario->is_undisturbed;
    bool is_safe = faults_leave_order(life->trial->faults) && trial->crash_count == 0 &&
                   (!trial->scenario->is_long || is_undisturbed);
    bool is_as_shipped = trial->seed % 4 == 3 && !is_undisturbed;
    struct lease_options lease = {.namespace = SCENE_SYSTEM,
                                  .name = life->lease,
                                  .identity = life->identity,
                                  .duration_ms = 15000,
                                  .renew_ms = 10000,
                                  .retry_ms = is_as_shipped ? 2000 : 4000,
                                  .attempt_ms = 4000};
    if (is_safe && !is_as_shipped) {
        lease.duration_ms = 45000;
        lease.renew_ms = 30000;
        lease.retry_ms = 12000;
    }
    return lease;
}

static struct operator_options options_of(const struct life *life)
{
    struct operator_options options = {
        .lease = lease_of(life),
        .informer = informer_options_default,
        .seed = random_next(world_random(life->trial->world, "operators")),
        .entropy = test_entropy(),
        .zones = test_zones(),
    };
    return options;
}

void life_begin(struct life *life)
{
    struct trial *trial = life->trial;
    if (life->op != NULL) {
        return;
    }
    life->dying = life->stopping = false;
    life->paused_until_ms = 0;
    (void)snprintf(life->identity, sizeof(life->identity), "operator-%zu", ++trial->begun_count);
    life->faults = faults_of_link(trial->faults, life);
    const struct link_options options = {
        .user = SCENE_OPERATOR, .least_ms = life->least_ms, .most_ms = life->most_ms};
    life->link = link_new(trial->server, &options, &life->faults, woken, life);
    life->inner = link_transport(life->link);
    struct operator_options chosen = options_of(life);
    life->op =
        operator_new(&chosen, (struct transport){.start = start, .cancel = cancel, .self = life});
    world_trace(trial->world, "%s begins", life->identity);
    woken(life);
}

static void be_born(void *self)
{
    struct life *life = self;
    life->birth = NULL;
    life_begin(life);
}

void life_kill(struct life *life, int64_t restart_after_ms)
{
    struct world *world = life->trial->world;
    if (life->op == NULL || life->dying) {
        return;
    }
    world_trace(world, "%s is dead", life->identity);
    life->dying = true;
    life->burial = world_after(world, 0, bury, life);
    clear(life, &life->birth);
    life->birth = world_after(world, restart_after_ms + 1, be_born, life);
}

void life_stop(struct life *life, int64_t restart_after_ms)
{
    if (life->op == NULL || life->dying || life->stopping) {
        return;
    }
    world_trace(life->trial->world, "%s is asked to stop", life->identity);
    life->stopping = true;
    life->restart_after_ms = restart_after_ms;
    operator_stop(life->op);
    woken(life);
}

static void resume(void *self)
{
    struct life *life = self;
    if (life->paused_until_ms != 0 && life->paused_until_ms <= trial_now_ms(life->trial)) {
        life->paused_until_ms = 0;
        woken(life);
    }
}

void life_pause(struct life *life, int64_t for_ms)
{
    if (life->op == NULL || life->paused_until_ms != 0) {
        return;
    }
    world_trace(life->trial->world, "%s stands still", life->identity);
    life->paused_until_ms = trial_now_ms(life->trial) + for_ms;
    clear(life, &life->step);
    clear(life, &life->timer);
    (void)world_after(life->trial->world, for_ms, resume, life);
}

void life_cut(struct life *life, int64_t for_ms)
{
    if (life->link != NULL) {
        link_cut(life->link, trial_now_ms(life->trial) + for_ms);
    }
}

void life_fail_watches(struct life *life, const struct link_refusal *refusal)
{
    if (life->link != NULL) {
        link_fail_watches(life->link, refusal);
    }
}

void life_set_latency(struct life *life, int64_t least_ms, int64_t most_ms)
{
    life->least_ms = least_ms;
    life->most_ms = most_ms;
    if (life->link != NULL) {
        link_set_latency(life->link, least_ms, most_ms);
    }
}

bool life_leads(const struct life *life)
{
    if (life->op == NULL || life->dying || life->paused_until_ms != 0) {
        return false;
    }
    struct operator_facts facts = operator_facts(life->op, world_now(life->trial->world));
    return facts.leading && facts.synced;
}

size_t life_leaked_volumes(const struct life *life)
{
    struct now now = world_now(life->trial->world);
    return life_leads(life) ? operator_facts(life->op, now).volumes_leaked : 0;
}

void life_send_late(struct life *life, const struct link_request *request, int64_t delay_ms)
{
    straggler_send(life->trial, life->late_link, request, delay_ms);
}
