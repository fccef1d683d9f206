/* SPDX-License-Identifier: Apache-2.0 */
/* A worker has one event under way at a time, the next thing that happens to its pod, so that
   stopping it means replacing that event. */
#include "sim/pod_worker.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "sim/chance.h"
#include "sim/condition.h"
#include "sim/draft.h"
#include "sim/pod.h"
#include "sim/psql.h"
#include "sim/value.h"

#include <stdio.h>

#define ACTOR "system:node"
#define STREAM "kubelet"

enum {
    MOUNTS_MAX = 8,
    RETRY_LEAST_MS = 500, /* of a mount: nestedpendingoperations' back-off */
    RETRY_MOST_MS = 122000,
    PROBE_PERIOD_S = 10, /* the API's default */
    LIVENESS_MS = 30000, /* three failures, 10 s apart */
    STOP_OTHER_MS = 100, /* a container that does not take its time */
    GRACE_S = 30,
    ADDRESS_BYTES_MAX = 24,
    CONFIG_RETRY_MS = 1500, /* a container whose Secret is not there */
    LOGIN_MS = 1000,        /* between two of a psql that is not let in */
    LOGIN_COUNT_MAX = 60,
};

enum stage { STAGE_MOUNTING, STAGE_STARTING, STAGE_RUNNING, STAGE_READY, STAGE_STOPPING };

struct pod_worker {
    struct kubelet *kubelet;
    char *namespace, *name, *uid;
    enum stage stage;
    bool is_abandoned, is_instance, is_bootstrap, is_psql;
    int login_count; /* of a psql: refused so far */
    struct world_event *event;
    int64_t retry_ms;
    char *handles[MOUNTS_MAX]; /* of what is mounted */
    size_t handle_count;
    char address[ADDRESS_BYTES_MAX];
};

static void next(struct pod_worker *worker, int64_t delay_ms, void (*run)(void *self))
{
    if (worker->event != NULL) {
        world_cancel(worker->kubelet->world, worker->event);
    }
    worker->event = world_after(worker->kubelet->world, delay_ms, run, worker);
}

static int64_t latency(const struct kubelet *kubelet)
{
    return chance_in_span(kubelet->world, STREAM, kubelet->options.pace->api_latency);
}

const char *pod_worker_uid(const struct pod_worker *worker)
{
    return worker->uid;
}

/* The pod as its node knows it; NULL: it was replaced or is gone. */
static const struct record *pod_of(const struct pod_worker *worker)
{
    const struct record *pod =
        view_get(worker->kubelet->view, &resource_pods, worker->namespace, worker->name);
    return pod != NULL && text_equal(pod->uid, worker->uid) ? pod : NULL;
}

/* ---- what the pod's status says ---- */

static void set_conditions(cJSON *status, bool running, bool ready, int64_t wall_ms)
{
    const struct condition_of conditions[] = {
        {.type = "PodScheduled", .is_true = true},
        {.type = "Initialized", .is_true = running},
        {.type = "ContainersReady", .is_true = ready},
        {.type = "Ready", .is_true = ready},
    };
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        condition_set(status, &conditions[i], wall_ms);
    }
}

static void set_containers(cJSON *status, const cJSON *pod, bool ready)
{
    cJSON *statuses = cJSON_CreateArray();
    const cJSON *containers = value_at(pod, "spec", "containers", NULL);
    for (const cJSON *at = containers == NULL ? NULL : containers->child; at != NULL;
         at = at->next) {
        cJSON *container = draft("{'restartCount':0,'state':{'running':{}}}", NULL);
        value_set_text(container, "name", value_text(at, "name", NULL));
        value_set_true(container, "ready", ready);
        value_set_true(container, "started", ready);
        (void)cJSON_AddItemToArray(statuses, container);
    }
    value_set(status, "containerStatuses", statuses);
}

static void report(struct pod_worker *worker, const char *phase, bool ready)
{
    const struct record *pod = pod_of(worker);
    if (pod == NULL) {
        return;
    }
    struct kubelet *kubelet = worker->kubelet;
    const struct verb_options options = {.actor = ACTOR, .subresource = "status"};
    const cJSON *old = value_at(pod->value, "status", NULL);
    cJSON *patch = cJSON_CreateObject();
    cJSON *status = old == NULL ? cJSON_CreateObject() : cJSON_Duplicate(old, true);
    value_set(patch, "status", status);
    value_set_text(status, "phase", phase);
    bool running = text_equal(phase, "Running");
    set_conditions(status, !text_equal(phase, "Pending"), ready, world_now(kubelet->world).wall_ms);
    if (running) {
        value_set_text(status, "podIP", worker->address);
        set_containers(status, pod->value, ready);
    }
    struct outcome outcome = apiserver_patch(kubelet->server, &resource_pods, worker->namespace,
                                             worker->name, PATCH_MERGE, patch, &options);
    outcome_release(&outcome);
    cJSON_Delete(patch);
}

/* ---- the end ---- */

static void unmount(struct pod_worker *worker)
{
    for (size_t i = 0; i < worker->handle_count; i++) {
        fsx_unmount(worker->kubelet->options.fsx, worker->handles[i]);
        memory_free(worker->handles[i]);
    }
    worker->handle_count = 0;
}

void pod_worker_free(struct pod_worker *worker)
{
    if (worker->event != NULL) {
        world_cancel(worker->kubelet->world, worker->event);
    }
    unmount(worker);
    memory_free(worker->namespace);
    memory_free(worker->name);
    memory_free(worker->uid);
    memory_free(worker);
}

static void ended(void *self)
{
    struct pod_worker *worker = self;
    struct kubelet *kubelet = worker->kubelet;
    worker->event = NULL;
    postgres_stop(kubelet->options.postgres, worker->uid);
    unmount(worker);
    if (!worker->is_abandoned) {
        const struct verb_options options = {.actor = ACTOR};
        const struct preconditions now = {.uid = worker->uid, .grace_s = 0};
        struct outcome outcome = apiserver_delete(kubelet->server, &resource_pods,
                                                  worker->namespace, worker->name, &now, &options);
        outcome_release(&outcome);
    }
    (void)map_remove(&kubelet->workers, worker->uid);
    pod_worker_free(worker);
}

static void stop(struct pod_worker *worker, const cJSON *pod)
{
    bool was_up = worker->stage == STAGE_RUNNING || worker->stage == STAGE_READY;
    int64_t grace_s = value_int64(pod, GRACE_S, "spec", "terminationGracePeriodSeconds", NULL);
    grace_s = value_int64(pod, grace_s, "metadata", "deletionGracePeriodSeconds", NULL);
    grace_s = grace_s < 1 ? 1 : grace_s; /* a forced deletion's, too (pod_workers.go) */
    int64_t ms = was_up && worker->is_instance
                     ? postgres_stop_ms(worker->kubelet->options.postgres, pod)
                     : STOP_OTHER_MS;
    worker->stage = STAGE_STOPPING;
    next(worker, ms > grace_s * 1000 ? grace_s * 1000 : ms, ended);
}

void pod_worker_stop(struct pod_worker *worker, const cJSON *pod)
{
    if (worker->stage != STAGE_STOPPING) {
        stop(worker, pod);
    }
}

void pod_worker_abandon(struct pod_worker *worker, const cJSON *pod)
{
    worker->is_abandoned = true;
    if (worker->stage != STAGE_STOPPING) {
        stop(worker, pod);
    }
}

/* ---- running ---- */

static int64_t probe_period_ms(const cJSON *pod, const char *probe)
{
    const cJSON *containers = value_at(pod, "spec", "containers", NULL);
    const cJSON *first = containers == NULL ? NULL : containers->child;
    return 1000 * value_int64(first, PROBE_PERIOD_S, probe, "periodSeconds", NULL);
}

static void probe(void *self)
{
    struct pod_worker *worker = self;
    struct kubelet *kubelet = worker->kubelet;
    const struct record *pod = pod_of(worker);
    worker->event = NULL;
    if (pod == NULL) {
        return; /* it will be told */
    }
    bool answers = postgres_answers(kubelet->options.postgres, worker->uid);
    if (answers && worker->stage == STAGE_RUNNING) {
        worker->stage = STAGE_READY;
        report(worker, "Running", true);
    } else if (!answers && worker->stage == STAGE_READY) {
        worker->stage = STAGE_RUNNING;
        report(worker, "Running", false);
    }
    next(worker, answers ? LIVENESS_MS : probe_period_ms(pod->value, "startupProbe"), probe);
}

static void finished(void *self)
{
    struct pod_worker *worker = self;
    struct kubelet *kubelet = worker->kubelet;
    const struct record *pod = pod_of(worker);
    worker->event = NULL;
    if (pod == NULL) {
        return;
    }
    bool done = worker->handle_count > 0 &&
                postgres_bootstrap(kubelet->options.postgres, pod->value, worker->handles[0]);
    unmount(worker);
    report(worker, done ? "Succeeded" : "Failed", false);
}

static void log_in(void *self)
{
    struct pod_worker *worker = self;
    struct kubelet *kubelet = worker->kubelet;
    const struct record *pod = pod_of(worker);
    worker->event = NULL;
    if (pod == NULL) {
        return;
    }
    bool is_in = psql_is_let_in(kubelet->server, kubelet->options.postgres, pod->value);
    if (!is_in && worker->login_count++ < LOGIN_COUNT_MAX) {
        next(worker, LOGIN_MS, log_in);
        return;
    }
    bool fails = chance_strikes(kubelet->world, STREAM, kubelet->options.misfortune->psql_fails);
    report(worker, is_in && !fails ? "Succeeded" : "Failed", false);
}

static void started(void *self)
{
    struct pod_worker *worker = self;
    struct kubelet *kubelet = worker->kubelet;
    const struct record *pod = pod_of(worker);
    worker->event = NULL;
    if (pod == NULL) {
        return;
    }
    if (worker->is_psql && !psql_secrets_are_there(kubelet->server, pod->value)) {
        next(worker, CONFIG_RETRY_MS, started);
        return;
    }
    worker->stage = STAGE_RUNNING;
    unsigned number = ++kubelet->addresses;
    (void)snprintf(worker->address, sizeof(worker->address), "10.%u.%u.%u", number / 62500 % 250,
                   number / 250 % 250, number % 250 + 1);
    if (worker->is_bootstrap) {
        report(worker, "Running", true);
        next(worker, chance_in_span(kubelet->world, STREAM, kubelet->options.pace->recovery),
             finished);
    } else if (worker->is_instance && worker->handle_count > 0) {
        postgres_start(kubelet->options.postgres, pod, worker->handles[0]);
        report(worker, "Running", false);
        next(worker, probe_period_ms(pod->value, "startupProbe"), probe);
    } else {
        report(worker, "Running", true);
        if (worker->is_psql) {
            next(worker, LOGIN_MS, log_in);
        }
    }
}

/* ---- the beginning ---- */

/* The volume of a PVC that is bound in both directions; NULL: not yet, or no longer. */
static const char *handle_of(const struct kubelet *kubelet, const char *namespace,
                             const char *claim_name)
{
    const struct record *claim =
        view_get(kubelet->view, &resource_persistent_volume_claims, namespace, claim_name);
    const char *volume_name =
        claim == NULL ? NULL : value_text(claim->value, "spec", "volumeName", NULL);
    if (volume_name == NULL || !value_equal_text(claim->value, "Bound", "status", "phase", NULL)) {
        return NULL;
    }
    const struct record *volume =
        view_get(kubelet->view, &resource_persistent_volumes, NULL, volume_name);
    if (volume == NULL ||
        !value_equal_text(volume->value, claim->uid, "spec", "claimRef", "uid", NULL)) {
        return NULL;
    }
    return value_text(volume->value, "spec", "csi", "volumeHandle", NULL);
}

static bool mount_all(struct pod_worker *worker, const cJSON *pod)
{
    struct kubelet *kubelet = worker->kubelet;
    const cJSON *at = NULL;
    for (const char *claim; (claim = pod_next_claim(pod, &at)) != NULL;) {
        const char *handle = handle_of(kubelet, worker->namespace, claim);
        bool fails =
            chance_strikes(kubelet->world, STREAM, kubelet->options.misfortune->mount_fails);
        if (handle == NULL || fails || worker->handle_count == MOUNTS_MAX ||
            !fsx_mount(kubelet->options.fsx, handle)) {
            unmount(worker);
            return false;
        }
        worker->handles[worker->handle_count++] = memory_copy_text(handle);
    }
    return true;
}

static void mounting(void *self)
{
    struct pod_worker *worker = self;
    struct kubelet *kubelet = worker->kubelet;
    const struct record *pod = pod_of(worker);
    worker->event = NULL;
    if (pod == NULL) {
        return;
    }
    if (mount_all(worker, pod->value)) {
        worker->stage = STAGE_STARTING;
        next(worker,
             latency(kubelet) +
                 chance_in_span(kubelet->world, STREAM, kubelet->options.pace->container_start),
             started);
        return;
    }
    next(worker, worker->retry_ms, mounting);
    worker->retry_ms *= 2;
    worker->retry_ms = worker->retry_ms > RETRY_MOST_MS ? RETRY_MOST_MS : worker->retry_ms;
}

struct pod_worker *pod_worker_new(struct kubelet *kubelet, const struct record *pod)
{
    struct pod_worker *worker = memory_new(1, sizeof(*worker));
    *worker = (struct pod_worker){.kubelet = kubelet,
                                  .namespace = memory_copy_text(pod->namespace),
                                  .name = memory_copy_text(pod->name),
                                  .uid = memory_copy_text(pod->uid),
                                  .is_instance = postgres_is_instance(pod->value),
                                  .is_bootstrap = postgres_is_bootstrap(pod->value),
                                  .is_psql = psql_is(pod->value),
                                  .retry_ms = RETRY_LEAST_MS};
    next(worker,
         latency(kubelet) + chance_in_span(kubelet->world, STREAM, kubelet->options.pace->mount),
         mounting);
    return worker;
}
