/* SPDX-License-Identifier: Apache-2.0 */
/* A candidate is kept for each pod in sight, and a seat for each PVC that pods name: who sits on
   it, and who waits for it to change. So a change of a PVC looks at those pods alone. */
#include "sim/scheduler.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/chance.h"
#include "sim/draft.h"
#include "sim/pod.h"
#include "sim/value.h"

#include <stdio.h>

#define ACTOR "system:kube-scheduler"
#define BIND_COMPLETED "pv.kubernetes.io/bind-completed"

enum { KEY_BYTES_MAX = 320, LATE_LEAST_MS = 10000, LATE_MOST_MS = 60000 };

struct seat {
    char *key; /* namespace/claim */
    size_t taken;
    struct candidate *waiting; /* chained by next_waiting, the latest first */
};

struct candidate {
    struct scheduler *scheduler;
    char *namespace, *name, *uid;
    bool is_seated; /* counted in its claims' seats */
    struct world_event *attempt;
    struct seat *waits_for;
    struct candidate *next_waiting;
};

struct scheduler {
    struct apiserver *server;
    struct world *world;
    struct view *view;
    const char *node;
    const struct pace *pace;
    const struct misfortune *misfortune;
    struct map candidates; /* by uid */
    struct map seats;      /* by key */
};

static struct seat *seat_of(struct scheduler *scheduler, const char *namespace, const char *claim)
{
    char key[KEY_BYTES_MAX];
    (void)snprintf(key, sizeof(key), "%s/%s", namespace, claim);
    struct seat *seat = map_get(&scheduler->seats, key);
    if (seat == NULL) {
        seat = memory_new(1, sizeof(*seat));
        seat->key = memory_copy_text(key);
        (void)map_put(&scheduler->seats, seat->key, seat);
    }
    return seat;
}

static void forget_empty(struct scheduler *scheduler, struct seat *seat)
{
    if (seat->taken == 0 && seat->waiting == NULL) {
        (void)map_remove(&scheduler->seats, seat->key);
        memory_free(seat->key);
        memory_free(seat);
    }
}

static void attempt(void *self);

static void attempt_later(struct candidate *candidate)
{
    struct scheduler *scheduler = candidate->scheduler;
    if (candidate->attempt != NULL) {
        return;
    }
    int64_t ms = chance_in_span(scheduler->world, "scheduler", scheduler->pace->schedule);
    if (chance_strikes(scheduler->world, "scheduler", scheduler->misfortune->schedule_late)) {
        ms += world_between(scheduler->world, "scheduler", LATE_LEAST_MS, LATE_MOST_MS);
    }
    candidate->attempt = world_after(scheduler->world, ms, attempt, candidate);
}

static void stop_waiting(struct candidate *candidate)
{
    struct seat *seat = candidate->waits_for;
    if (seat == NULL) {
        return;
    }
    struct candidate **at = &seat->waiting;
    while (*at != candidate) {
        at = &(*at)->next_waiting;
    }
    *at = candidate->next_waiting;
    candidate->next_waiting = NULL;
    candidate->waits_for = NULL;
    forget_empty(candidate->scheduler, seat);
}

static void wake(struct scheduler *scheduler, const char *namespace, const char *claim)
{
    char key[KEY_BYTES_MAX];
    (void)snprintf(key, sizeof(key), "%s/%s", namespace, claim);
    const struct seat *seat;
    while ((seat = map_get(&scheduler->seats, key)) != NULL && seat->waiting != NULL) {
        struct candidate *candidate = seat->waiting;
        stop_waiting(candidate);
        attempt_later(candidate);
    }
}

static void set_seated(struct candidate *candidate, const cJSON *pod, bool seated)
{
    struct scheduler *scheduler = candidate->scheduler;
    if (candidate->is_seated == seated) {
        return;
    }
    candidate->is_seated = seated;
    const cJSON *at = NULL;
    for (const char *claim; (claim = pod_next_claim(pod, &at)) != NULL;) {
        struct seat *seat = seat_of(scheduler, candidate->namespace, claim);
        seat->taken += seated ? 1 : (size_t)-1;
        forget_empty(scheduler, seat);
        if (!seated) {
            wake(scheduler, candidate->namespace, claim);
        }
    }
}

/* Why it cannot go to a node because of this claim; NULL: it can. */
static const char *obstacle(struct scheduler *scheduler, const char *namespace, const char *claim)
{
    const struct record *record =
        view_get(scheduler->view, &resource_persistent_volume_claims, namespace, claim);
    if (record == NULL) {
        return "persistentvolumeclaim not found";
    }
    if (value_is_deleting(record->value)) {
        return "persistentvolumeclaim is being deleted";
    }
    if (value_text(record->value, "spec", "volumeName", NULL) == NULL ||
        value_annotation(record->value, BIND_COMPLETED) == NULL) {
        return "pod has unbound immediate PersistentVolumeClaims";
    }
    struct seat *seat = seat_of(scheduler, namespace, claim);
    bool is_taken =
        seat->taken > 0 &&
        value_list_has(value_at(record->value, "spec", "accessModes", NULL), "ReadWriteOncePod");
    forget_empty(scheduler, seat);
    return is_taken ? "node has pod using PersistentVolumeClaim with the same name and "
                      "ReadWriteOncePod access mode"
                    : NULL;
}

static void report_unschedulable(struct candidate *candidate, const cJSON *pod, const char *message)
{
    if (value_at(pod, "status", "conditions", NULL) != NULL) {
        return;
    }
    const struct verb_options options = {.actor = ACTOR, .subresource = "status"};
    cJSON *patch = draft("{'status':{'conditions':[{'type':'PodScheduled','status':'False',"
                         "'reason':'Unschedulable','message':'0/1 nodes are available: $1.'}]}}",
                         message, NULL);
    struct outcome outcome =
        apiserver_patch(candidate->scheduler->server, &resource_pods, candidate->namespace,
                        candidate->name, PATCH_MERGE, patch, &options);
    outcome_release(&outcome);
    cJSON_Delete(patch);
}

static bool must_wait(struct candidate *candidate, const cJSON *pod)
{
    struct scheduler *scheduler = candidate->scheduler;
    const cJSON *at = NULL;
    for (const char *claim; (claim = pod_next_claim(pod, &at)) != NULL;) {
        const char *message = obstacle(scheduler, candidate->namespace, claim);
        if (message != NULL) {
            struct seat *seat = seat_of(scheduler, candidate->namespace, claim);
            candidate->waits_for = seat;
            candidate->next_waiting = seat->waiting;
            seat->waiting = candidate;
            report_unschedulable(candidate, pod, message);
            return true;
        }
    }
    return false;
}

static void attempt(void *self)
{
    struct candidate *candidate = self;
    struct scheduler *scheduler = candidate->scheduler;
    candidate->attempt = NULL;
    const struct record *pod =
        view_get(scheduler->view, &resource_pods, candidate->namespace, candidate->name);
    if (pod == NULL || !text_equal(pod->uid, candidate->uid) || candidate->is_seated ||
        must_wait(candidate, pod->value)) {
        return;
    }
    const struct verb_options options = {.actor = ACTOR, .subresource = "binding"};
    cJSON *binding = draft("{'apiVersion':'v1','kind':'Binding','metadata':{'name':'$1','uid':"
                           "'$2'},'target':{'apiVersion':'v1','kind':'Node','name':'$3'}}",
                           candidate->name, candidate->uid, scheduler->node, NULL);
    cleanup_outcome struct outcome outcome = apiserver_create(
        scheduler->server, &resource_pods, candidate->namespace, binding, &options);
    if (outcome_ok(&outcome)) {
        set_seated(candidate, pod->value, true);
    }
}

static struct candidate *candidate_of(struct scheduler *scheduler, const struct record *pod)
{
    struct candidate *candidate = map_get(&scheduler->candidates, pod->uid);
    if (candidate == NULL) {
        candidate = memory_new(1, sizeof(*candidate));
        *candidate = (struct candidate){.scheduler = scheduler,
                                        .namespace = memory_copy_text(pod->namespace),
                                        .name = memory_copy_text(pod->name),
                                        .uid = memory_copy_text(pod->uid)};
        (void)map_put(&scheduler->candidates, candidate->uid, candidate);
    }
    return candidate;
}

static void candidate_free(struct candidate *candidate)
{
    if (candidate->attempt != NULL) {
        world_cancel(candidate->scheduler->world, candidate->attempt);
    }
    stop_waiting(candidate);
    memory_free(candidate->namespace);
    memory_free(candidate->name);
    memory_free(candidate->uid);
    memory_free(candidate);
}

static void pod_changed(struct scheduler *scheduler, const struct record *before,
                        const struct record *after)
{
    if (before != NULL && (after == NULL || !text_equal(before->uid, after->uid))) {
        struct candidate *gone = map_remove(&scheduler->candidates, before->uid);
        if (gone != NULL) {
            set_seated(gone, before->value, false);
            candidate_free(gone);
        }
    }
    if (after == NULL) {
        return;
    }
    struct candidate *candidate = candidate_of(scheduler, after);
    if (pod_node(after->value)[0] != '\0' || pod_is_finished(after->value)) {
        set_seated(candidate, after->value, !pod_is_finished(after->value));
    } else if (!value_is_deleting(after->value) && !candidate->is_seated &&
               candidate->waits_for == NULL) {
        attempt_later(candidate);
    }
}

static void changed(void *self, const struct record *before, const struct record *after)
{
    struct scheduler *scheduler = self;
    const struct record *record = after == NULL ? before : after;
    if (record->resource == &resource_pods) {
        pod_changed(scheduler, before, after);
    } else {
        wake(scheduler, record->namespace, record->name);
    }
}

struct scheduler *scheduler_new(struct apiserver *server, const char *node, const struct pace *pace,
                                const struct misfortune *misfortune)
{
    static const struct resource *const watched[] = {&resource_pods,
                                                     &resource_persistent_volume_claims, NULL};
    struct scheduler *scheduler = memory_new(1, sizeof(*scheduler));
    *scheduler = (struct scheduler){.server = server,
                                    .world = apiserver_world(server),
                                    .node = node,
                                    .pace = pace,
                                    .misfortune = misfortune};
    map_init(&scheduler->candidates);
    map_init(&scheduler->seats);
    scheduler->view = view_new(server, "scheduler", watched, changed, scheduler);
    return scheduler;
}

void scheduler_free(struct scheduler *scheduler)
{
    if (scheduler == NULL) {
        return;
    }
    view_free(scheduler->view);
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&scheduler->candidates, &at, &entry)) {
        candidate_free(entry.value);
    }
    at = 0;
    while (map_next(&scheduler->seats, &at, &entry)) {
        struct seat *seat = entry.value;
        memory_free(seat->key);
        memory_free(seat);
    }
    map_release(&scheduler->candidates);
    map_release(&scheduler->seats);
    memory_free(scheduler);
}

struct view *scheduler_view(struct scheduler *scheduler)
{
    return scheduler->view;
}
