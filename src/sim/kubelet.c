/* SPDX-License-Identifier: Apache-2.0 */
/* A worker for each pod of the node, told of what becomes of its object; the rest is in
   sim/pod_worker.c. */
#include "sim/kubelet.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/draft.h"
#include "sim/pod.h"
#include "sim/pod_worker.h"
#include "sim/value.h"

#include <assert.h>

static void let_go(struct kubelet *kubelet, const struct record *pod)
{
    struct pod_worker *worker = map_get(&kubelet->workers, pod->uid);
    if (worker != NULL) {
        pod_worker_abandon(worker, pod->value);
    }
}

static void changed(void *self, const struct record *before, const struct record *after)
{
    struct kubelet *kubelet = self;
    const struct record *record = after == NULL ? before : after;
    assert(record != NULL);
    if (record->resource != &resource_pods) {
        return;
    }
    if (before != NULL && (after == NULL || !text_equal(before->uid, after->uid))) {
        let_go(kubelet, before);
    }
    if (after == NULL || !text_equal(pod_node(after->value), kubelet->options.node)) {
        return;
    }
    struct pod_worker *worker = map_get(&kubelet->workers, after->uid);
    if (worker == NULL && !pod_is_finished(after->value)) {
        worker = pod_worker_new(kubelet, after);
        (void)map_put(&kubelet->workers, pod_worker_uid(worker), worker);
    }
    if (worker != NULL && value_is_deleting(after->value)) {
        pod_worker_stop(worker, after->value);
    }
}

static void register_node(struct kubelet *kubelet)
{
    const struct verb_options options = {.actor = kubelet->options.node};
    cJSON *node =
        draft("{'apiVersion':'v1','kind':'Node','metadata':{'name':'$1','labels':{"
              "'kubernetes.io/hostname':'$1','kubernetes.io/os':'linux'}},'spec':{},"
              "'status':{'conditions':[{'type':'Ready','status':'True','reason':'KubeletReady',"
              "'message':'kubelet is posting ready status'}]}}",
              kubelet->options.node, NULL);
    struct outcome outcome =
        apiserver_create(kubelet->server, &resource_nodes, NULL, node, &options);
    outcome_release(&outcome);
}

struct kubelet *kubelet_new(struct apiserver *server, const struct kubelet_options *options)
{
    static const struct resource *const watched[] = {
        &resource_pods, &resource_persistent_volume_claims, &resource_persistent_volumes, NULL};
    struct kubelet *kubelet = memory_new(1, sizeof(*kubelet));
    *kubelet =
        (struct kubelet){.server = server, .world = apiserver_world(server), .options = *options};
    map_init(&kubelet->workers);
    register_node(kubelet);
    kubelet->view = view_new(server, "kubelet", watched, changed, kubelet);
    return kubelet;
}

void kubelet_free(struct kubelet *kubelet)
{
    if (kubelet == NULL) {
        return;
    }
    view_free(kubelet->view);
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&kubelet->workers, &at, &entry)) {
        pod_worker_free(entry.value);
    }
    map_release(&kubelet->workers);
    memory_free(kubelet);
}

struct view *kubelet_view(struct kubelet *kubelet)
{
    return kubelet->view;
}
