/* SPDX-License-Identifier: Apache-2.0 */
/* A namespace's events are only the beginning of a wait of 5 s, so that nothing of it is deleted
   sooner, and what is made in its last moment is seen. One look deletes all that is there, as the
   real one's DELETEs of collections do, and counts what remains. */
#include "sim/namespaces.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/caller.h"
#include "sim/condition.h"
#include "sim/value.h"
#include "sim/workers.h"

#include <stdio.h>

static const char ACTOR[] = "system:serviceaccount:kube-system:namespace-controller";

enum {
    WORKER_COUNT = 10,
    BACKOFF_MS_MIN = 5,
    BACKOFF_MS_MAX = 1000 * 1000,
    EVENT_DELAY_MS = 5 * 1000,
    FINALIZER_ESTIMATE_S = 15,
    TEXT_BYTES_MAX = 16 * 1024,
    FINALIZERS_MAX = 32,
    MESSAGE_BYTES = 1024,
};

static const struct resource *const RESOURCES[] = {&resource_namespaces, NULL};

struct namespaces {
    struct apiserver *server;
    struct world *world;
    struct view *view;
    struct caller *caller;
    struct workers *workers;
    struct emptying *first;
};

/* One look at one namespace. */
struct emptying {
    struct namespaces *namespaces;
    struct emptying *previous, *next;
    const char *key;
    struct record *namespace;
    /* What remained after everything was asked to go. */
    struct text resources, finalizers; /* for the conditions */
    char *finalizer[FINALIZERS_MAX];
    int finalizer_objects[FINALIZERS_MAX];
    size_t finalizer_count;
    bool is_empty;
    int64_t estimate_s;
};

static void emptying_free(struct emptying *emptying)
{
    if (emptying->previous == NULL) {
        emptying->namespaces->first = emptying->next;
    } else {
        emptying->previous->next = emptying->next;
    }
    if (emptying->next != NULL) {
        emptying->next->previous = emptying->previous;
    }
    for (size_t i = 0; i < emptying->finalizer_count; i++) {
        memory_free(emptying->finalizer[i]);
    }
    record_release(emptying->namespace);
    text_release(&emptying->resources);
    text_release(&emptying->finalizers);
    memory_free(emptying);
}

/* ---- at the server ---- */

static void delete_all(struct emptying *emptying, const struct resource *resource)
{
    struct namespaces *namespaces = emptying->namespaces;
    const struct verb_options options = {.actor = ACTOR};
    const struct preconditions background = {.propagation = "Background", .grace_s = -1};
    struct objects *objects = apiserver_objects(namespaces->server);
    struct record *at =
        record_keep(objects_next(objects, resource, emptying->namespace->name, NULL));
    while (at != NULL) {
        struct record *next =
            record_keep(objects_next(objects, resource, emptying->namespace->name, at));
        struct outcome outcome = apiserver_delete(namespaces->server, resource, at->namespace,
                                                  at->name, &background, &options);
        outcome_release(&outcome);
        record_release(at);
        at = next;
    }
}

static void count_finalizer(struct emptying *emptying, const char *finalizer)
{
    size_t at = 0;
    while (at < emptying->finalizer_count && !text_equal(emptying->finalizer[at], finalizer)) {
        at++;
    }
    if (at == FINALIZERS_MAX) {
        return;
    }
    if (at == emptying->finalizer_count) {
        emptying->finalizer[emptying->finalizer_count++] = memory_copy_text(finalizer);
    }
    emptying->finalizer_objects[at]++;
}

static void count_object(struct emptying *emptying, const struct record *record)
{
    const cJSON *finalizer = NULL;
    cJSON_ArrayForEach(finalizer, value_at(record->value, "metadata", "finalizers", NULL))
    {
        count_finalizer(emptying, cJSON_IsString(finalizer) ? finalizer->valuestring : "");
        if (emptying->estimate_s < FINALIZER_ESTIMATE_S) {
            emptying->estimate_s = FINALIZER_ESTIMATE_S;
        }
    }
    if (record->resource == &resource_pods) {
        int64_t grace_s =
            value_int64(record->value, 0, "metadata", "deletionGracePeriodSeconds", NULL);
        emptying->estimate_s = grace_s > emptying->estimate_s ? grace_s : emptying->estimate_s;
    }
}

static void count_what_remains(struct emptying *emptying, const struct resource *resource)
{
    const struct record *at = NULL;
    int count = 0;
    while ((at = objects_next(apiserver_objects(emptying->namespaces->server), resource,
                              emptying->namespace->name, at)) != NULL) {
        count_object(emptying, at);
        count++;
    }
    if (count > 0) {
        emptying->is_empty = false;
        text_print(&emptying->resources, "%s%s.%s has %d resource instances",
                   emptying->resources.length_bytes == 0 ? "" : ", ", resource->plural,
                   resource->group, count);
    }
}

static void print_finalizers(struct emptying *emptying)
{
    for (size_t i = 0; i < emptying->finalizer_count; i++) {
        text_print(&emptying->finalizers, "%s%s in %d resource instances", i == 0 ? "" : ", ",
                   emptying->finalizer[i], emptying->finalizer_objects[i]);
    }
}

static void empty(void *self)
{
    struct emptying *emptying = self;
    struct apiserver *server = emptying->namespaces->server;
    emptying->is_empty = true;
    delete_all(emptying, &resource_pods);
    count_what_remains(emptying, &resource_pods);
    bool has_pods = !emptying->is_empty;
    const struct resource *resource = NULL;
    while ((resource = apiserver_next_resource(server, resource)) != NULL) {
        if (!resource->is_namespaced || resource == &resource_pods) {
            continue;
        }
        if (!has_pods) {
            delete_all(emptying, resource);
        }
        count_what_remains(emptying, resource);
    }
    print_finalizers(emptying);
}

/* ---- what it says and does about it ---- */

static void is_over(struct emptying *emptying, bool is_ok)
{
    struct workers *workers = emptying->namespaces->workers;
    if (!is_ok) {
        workers_failed(workers, emptying->key);
    } else {
        if (!emptying->is_empty) {
            int64_t wait_s = emptying->estimate_s / 2 + 1;
            workers_add_after(workers, emptying->key, wait_s * 1000);
        }
        workers_done(workers, emptying->key);
    }
    emptying_free(emptying);
}

static void is_finalized(void *self, const struct outcome *outcome)
{
    is_over(self, outcome_ok(outcome) || outcome->http_status == 404);
}

static void finalize(struct emptying *emptying)
{
    cJSON *value = cJSON_Duplicate(emptying->namespace->value, 1);
    (void)value_list_remove(value_at(value, "spec", "finalizers", NULL), "kubernetes");
    caller_update(emptying->namespaces->caller, emptying->namespace, "finalize", value,
                  (struct answer){is_finalized, emptying});
}

static void status_is_written(void *self, const struct outcome *outcome)
{
    struct emptying *emptying = self;
    if (!outcome_ok(outcome)) {
        is_over(emptying, outcome->http_status == 404);
        return;
    }
    record_release(emptying->namespace);
    emptying->namespace = record_keep(outcome->record);
    if (emptying->is_empty) {
        finalize(emptying);
    } else {
        is_over(emptying, true);
    }
}

/* As the real one sets them, whatever happens: three of them only when an API fails. */
static void set_conditions(const struct emptying *emptying, cJSON *status, int64_t wall_ms)
{
    char remaining[MESSAGE_BYTES];
    char finalizers[MESSAGE_BYTES];
    (void)snprintf(remaining, sizeof(remaining), "Some resources are remaining: %s",
                   emptying->resources.bytes);
    (void)snprintf(finalizers, sizeof(finalizers),
                   "Some content in the namespace has finalizers remaining: %s",
                   emptying->finalizers.bytes);
    bool has_content = !emptying->is_empty;
    bool has_finalizers = emptying->finalizer_count > 0;
    const struct condition_of conditions[] = {
        {"NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered",
         "All resources successfully discovered"},
        {"NamespaceDeletionGroupVersionParsingFailure", false, "ParsedGroupVersions",
         "All legacy kube types successfully parsed"},
        {"NamespaceDeletionContentFailure", false, "ContentDeleted",
         "All content successfully deleted, may be waiting on finalization"},
        {"NamespaceContentRemaining", has_content,
         has_content ? "SomeResourcesRemain" : "ContentRemoved",
         has_content ? remaining : "All content successfully removed"},
        {"NamespaceFinalizersRemaining", has_finalizers,
         has_finalizers ? "SomeFinalizersRemain" : "ContentHasNoFinalizers",
         has_finalizers ? finalizers : "All content-preserving finalizers finished"},
    };
    for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
        condition_set(status, &conditions[i], wall_ms);
    }
}

static void is_looked_at(void *self, const struct outcome *outcome)
{
    struct emptying *emptying = self;
    struct namespaces *namespaces = emptying->namespaces;
    (void)outcome;
    cJSON *value = cJSON_Duplicate(emptying->namespace->value, 1);
    set_conditions(emptying, value_make(value, "status", NULL),
                   world_now(namespaces->world).wall_ms);
    caller_update(namespaces->caller, emptying->namespace, "status", value,
                  (struct answer){status_is_written, emptying});
}

static void look_at_namespace(void *self, const char *key)
{
    struct namespaces *namespaces = self;
    const struct record *namespace = view_get(namespaces->view, &resource_namespaces, NULL, key);
    bool is_to_finalize =
        namespace != NULL && value_is_deleting(namespace->value) &&
        value_list_has(value_at(namespace->value, "spec", "finalizers", NULL), "kubernetes");
    if (!is_to_finalize) {
        workers_done(namespaces->workers, key);
        return;
    }
    struct emptying *emptying = memory_new(1, sizeof(*emptying));
    *emptying = (struct emptying){.namespaces = namespaces,
                                  .key = key,
                                  .namespace = record_keep(namespace),
                                  .next = namespaces->first};
    text_init(&emptying->resources, TEXT_BYTES_MAX);
    text_init(&emptying->finalizers, TEXT_BYTES_MAX);
    if (emptying->next != NULL) {
        emptying->next->previous = emptying;
    }
    namespaces->first = emptying;
    caller_look(namespaces->caller, empty, (struct answer){is_looked_at, emptying});
}

/* ---- its life ---- */

static void has_changed(void *self, const struct record *before, const struct record *after)
{
    struct namespaces *namespaces = self;
    (void)before;
    if (after != NULL && value_is_deleting(after->value)) {
        workers_add_after(namespaces->workers, after->name, EVENT_DELAY_MS);
    }
}

struct namespaces *namespaces_new(struct apiserver *server, const struct pace *pace)
{
    struct namespaces *namespaces = memory_new(1, sizeof(*namespaces));
    *namespaces = (struct namespaces){.server = server, .world = apiserver_world(server)};
    const struct caller_options client = {.actor = ACTOR, .latency = &pace->api_latency};
    namespaces->caller = caller_new(server, &client);
    const struct workers_options options = {
        .count = WORKER_COUNT, .backoff_ms_min = BACKOFF_MS_MIN, .backoff_ms_max = BACKOFF_MS_MAX};
    namespaces->workers = workers_new(namespaces->world, &options, look_at_namespace, namespaces);
    namespaces->view = view_new(server, "namespaces", RESOURCES, has_changed, namespaces);
    return namespaces;
}

void namespaces_free(struct namespaces *namespaces)
{
    if (namespaces == NULL) {
        return;
    }
    view_free(namespaces->view);
    workers_free(namespaces->workers);
    caller_free(namespaces->caller);
    while (namespaces->first != NULL) {
        emptying_free(namespaces->first);
    }
    memory_free(namespaces);
}

struct view *namespaces_view(struct namespaces *namespaces)
{
    return namespaces->view;
}
