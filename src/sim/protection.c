/* SPDX-License-Identifier: Apache-2.0 */
/* Two controllers that share a view: claims, which must find no pod, and volumes, which must not be
   Bound. A pod is looked for in the cache first, because one that is there spares the question to
   the server, and one that is not there proves nothing. */
#include "sim/protection.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/caller.h"
#include "sim/value.h"
#include "sim/workers.h"

#include <stdio.h>
#include <string.h>

static const char ACTOR[] = "system:serviceaccount:kube-system:pvc-protection-controller";
static const char CLAIM_FINALIZER[] = "kubernetes.io/pvc-protection";
static const char VOLUME_FINALIZER[] = "kubernetes.io/pv-protection";

enum { KEY_BYTES = 520, BACKOFF_MS_MIN = 5, BACKOFF_MS_MAX = 1000 * 1000 };

static const struct resource *const RESOURCES[] = {
    &resource_pods, &resource_persistent_volume_claims, &resource_persistent_volumes, NULL};

struct protection {
    struct objects *objects;
    struct view *view;
    struct caller *caller;
    struct workers *claims, *volumes;
    /* What the two workers are at; one each. */
    const char *claim_key, *volume_key;
    struct record *claim;
    bool is_used;
};

/* ---- pods ---- */

/* An unscheduled pod does not count: it will not start with a claim that is being deleted. */
static bool uses_claim(const cJSON *pod, const char *claim)
{
    const char *node = value_text(pod, "spec", "nodeName", NULL);
    if (node == NULL || node[0] == '\0') {
        return false;
    }
    const cJSON *volume = NULL;
    cJSON_ArrayForEach(volume, value_at(pod, "spec", "volumes", NULL))
    {
        if (value_equal_text(volume, claim, "persistentVolumeClaim", "claimName", NULL)) {
            return true;
        }
    }
    return false;
}

static bool is_used_in_cache(const struct protection *protection, const struct record *claim)
{
    const struct record *pod = NULL;
    while ((pod = view_next(protection->view, &resource_pods, claim->namespace, pod)) != NULL) {
        if (uses_claim(pod->value, claim->name)) {
            return true;
        }
    }
    return false;
}

static void look_at_pods(void *self)
{
    struct protection *protection = self;
    const struct record *claim = protection->claim;
    const struct record *pod = NULL;
    protection->is_used = false;
    while ((pod = objects_next(protection->objects, &resource_pods, claim->namespace, pod)) !=
           NULL) {
        protection->is_used = protection->is_used || uses_claim(pod->value, claim->name);
    }
}

/* ---- the finalizers ---- */

static void change_finalizer(struct protection *protection, const struct record *record,
                             const char *finalizer, bool is_wanted, struct answer answer)
{
    cJSON *value = cJSON_Duplicate(record->value, 1);
    cJSON *metadata = value_make(value, "metadata", NULL);
    if (!is_wanted) {
        (void)value_list_remove(value_at(metadata, "finalizers", NULL), finalizer);
    } else {
        if (value_at(metadata, "finalizers", NULL) == NULL) {
            value_set(metadata, "finalizers", cJSON_CreateArray());
        }
        value_list_add(value_at(metadata, "finalizers", NULL), finalizer);
    }
    caller_update(protection->caller, record, NULL, value, answer);
}

static bool is_fine(const struct outcome *outcome)
{
    return outcome_ok(outcome) || outcome->http_status == 404;
}

/* ---- claims ---- */

static void claim_is_done(struct protection *protection, bool is_ok)
{
    const char *key = protection->claim_key;
    record_release(protection->claim);
    protection->claim = NULL;
    protection->claim_key = NULL;
    if (is_ok) {
        workers_done(protection->claims, key);
    } else {
        workers_failed(protection->claims, key);
    }
}

static void claim_is_changed(void *self, const struct outcome *outcome)
{
    claim_is_done(self, is_fine(outcome));
}

static void pods_are_looked_at(void *self, const struct outcome *outcome)
{
    struct protection *protection = self;
    (void)outcome;
    if (protection->is_used) {
        claim_is_done(protection, true);
        return;
    }
    change_finalizer(protection, protection->claim, CLAIM_FINALIZER, false,
                     (struct answer){claim_is_changed, protection});
}

static const struct record *find_claim(const struct protection *protection, const char *key)
{
    char *namespace cleanup_memory = memory_copy_text(key);
    char *slash = strchr(namespace, '/');
    *slash = '\0';
    return view_get(protection->view, &resource_persistent_volume_claims, namespace, slash + 1);
}

static void look_at_claim(void *self, const char *key)
{
    struct protection *protection = self;
    const struct record *claim = find_claim(protection, key);
    protection->claim_key = key;
    protection->claim = record_keep(claim);
    bool is_protected = claim != NULL && value_has_finalizer(claim->value, CLAIM_FINALIZER);
    bool is_right = claim == NULL || value_is_deleting(claim->value) != is_protected ||
                    (is_protected && is_used_in_cache(protection, claim));
    if (is_right) {
        claim_is_done(protection, true);
    } else if (!is_protected) {
        change_finalizer(protection, claim, CLAIM_FINALIZER, true,
                         (struct answer){claim_is_changed, protection});
    } else {
        caller_look(protection->caller, look_at_pods,
                    (struct answer){pods_are_looked_at, protection});
    }
}

/* ---- volumes ---- */

static void volume_is_done(struct protection *protection, bool is_ok)
{
    const char *key = protection->volume_key;
    protection->volume_key = NULL;
    if (is_ok) {
        workers_done(protection->volumes, key);
    } else {
        workers_failed(protection->volumes, key);
    }
}

static void volume_is_changed(void *self, const struct outcome *outcome)
{
    volume_is_done(self, is_fine(outcome));
}

static void look_at_volume(void *self, const char *key)
{
    struct protection *protection = self;
    const struct record *volume =
        view_get(protection->view, &resource_persistent_volumes, NULL, key);
    protection->volume_key = key;
    bool is_protected = volume != NULL && value_has_finalizer(volume->value, VOLUME_FINALIZER);
    bool is_right =
        volume == NULL || value_is_deleting(volume->value) != is_protected ||
        (is_protected && value_equal_text(volume->value, "Bound", "status", "phase", NULL));
    if (is_right) {
        volume_is_done(protection, true);
        return;
    }
    change_finalizer(protection, volume, VOLUME_FINALIZER, !is_protected,
                     (struct answer){volume_is_changed, protection});
}

/* ---- events ---- */

static void add_claim(struct protection *protection, const char *namespace, const char *name)
{
    char key[KEY_BYTES];
    (void)snprintf(key, sizeof(key), "%s/%s", namespace, name);
    workers_add(protection->claims, key);
}

/* A pod that runs cannot set a claim free. */
static bool could_free_claims(const cJSON *pod)
{
    const char *node = value_text(pod, "spec", "nodeName", NULL);
    return node == NULL || node[0] == '\0' ||
           value_equal_text(pod, "Succeeded", "status", "phase", NULL) ||
           value_equal_text(pod, "Failed", "status", "phase", NULL);
}

static void add_claims_of(struct protection *protection, const struct record *pod)
{
    const cJSON *volume = NULL;
    cJSON_ArrayForEach(volume, value_at(pod->value, "spec", "volumes", NULL))
    {
        const char *claim = value_text(volume, "persistentVolumeClaim", "claimName", NULL);
        if (claim != NULL) {
            add_claim(protection, pod->namespace, claim);
        }
    }
}

static void pod_has_changed(struct protection *protection, const struct record *before,
                            const struct record *after)
{
    if (after != NULL && could_free_claims(after->value)) {
        add_claims_of(protection, after);
    }
    if (before != NULL && (after == NULL || strcmp(before->uid, after->uid) != 0)) {
        add_claims_of(protection, before);
    }
}

static void has_changed(void *self, const struct record *before, const struct record *after)
{
    struct protection *protection = self;
    const struct record *record = after != NULL ? after : before;
    if (record->resource == &resource_pods) {
        pod_has_changed(protection, before, after);
    } else if (after != NULL && record->resource == &resource_persistent_volumes) {
        workers_add(protection->volumes, record->name);
    } else if (after != NULL) {
        add_claim(protection, record->namespace, record->name);
    }
}

struct protection *protection_new(struct apiserver *server, const struct pace *pace)
{
    struct protection *protection = memory_new(1, sizeof(*protection));
    struct world *world = apiserver_world(server);
    protection->objects = apiserver_objects(server);
    const struct caller_options client = {.actor = ACTOR,
                                          .requests_a_second = pace->binder_requests_a_second,
                                          .burst = pace->binder_burst,
                                          .latency = &pace->api_latency};
    protection->caller = caller_new(server, &client);
    const struct workers_options one = {
        .count = 1, .backoff_ms_min = BACKOFF_MS_MIN, .backoff_ms_max = BACKOFF_MS_MAX};
    protection->claims = workers_new(world, &one, look_at_claim, protection);
    protection->volumes = workers_new(world, &one, look_at_volume, protection);
    protection->view = view_new(server, "protection", RESOURCES, has_changed, protection);
    return protection;
}

void protection_free(struct protection *protection)
{
    if (protection == NULL) {
        return;
    }
    view_free(protection->view);
    workers_free(protection->claims);
    workers_free(protection->volumes);
    caller_free(protection->caller);
    record_release(protection->claim);
    memory_free(protection);
}

struct view *protection_view(struct protection *protection)
{
    return protection->view;
}
