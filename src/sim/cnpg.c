/* SPDX-License-Identifier: Apache-2.0 */
/* The process: its caches, which of their changes make it look at a Cluster, and its deaths. An
   event of a PVC that nobody owns wakes nobody, as the real controller watches what it owns: that
   is why the order of a PVC and its Cluster matters. */
#include "sim/cnpg.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/cnpg_ward.h"
#include "sim/value.h"

#include <assert.h>
#include <stdio.h>

const struct resource *const cnpg_resources[] = {&resource_clusters,
                                                 &resource_persistent_volume_claims,
                                                 &resource_pods,
                                                 &resource_jobs,
                                                 &resource_services,
                                                 &resource_secrets,
                                                 &resource_volume_snapshots,
                                                 NULL};
enum {
    RESOURCE_COUNT = sizeof cnpg_resources / sizeof cnpg_resources[0] - 1,
    LOOKS_AT_ONCE = 10,   /* --max-concurrent-reconciles */
    BACKOFF_LEAST_MS = 5, /* controller-runtime's rate limiter */
    BACKOFF_MOST_MS = 1000000,
    RESTART_LEAST_MS = 2000,
    RESTART_MOST_MS = 8000,
};

static const char *owning_cluster(const cJSON *object)
{
    const cJSON *owner = value_controller(object);
    bool is_cluster = value_equal_text(owner, "Cluster", "kind", NULL) &&
                      value_equal_text(owner, CNPG_API_VERSION_TEXT, "apiVersion", NULL);
    return is_cluster ? value_text(owner, "name", NULL) : NULL;
}

static struct ward *find_ward(struct cnpg *cnpg, const char *key)
{
    return map_get(&cnpg->wards, key);
}

static struct ward *make_ward(struct cnpg *cnpg, const char *namespace, const char *name)
{
    char key[2 * CNPG_NAME_BYTES_MAX];
    (void)snprintf(key, sizeof(key), "%s/%s", namespace, name);
    struct ward *ward = find_ward(cnpg, key);
    if (ward == NULL) {
        ward = ward_new(cnpg, namespace, name);
        (void)map_put(&cnpg->wards, ward->key, ward);
    }
    return ward;
}

/* ---- what the caches tell ---- */

/* A version of an object that came or went: whose relative is it, and who is to look? */
static void relate(struct cnpg *cnpg, const struct record *record, bool is_there)
{
    const char *names[] = {value_label(record->value, CNPG_LABEL_OF_CLUSTER),
                           owning_cluster(record->value)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i] == NULL) {
            continue;
        }
        struct ward *ward = make_ward(cnpg, record->namespace, names[i]);
        if (is_there) {
            ward_add(ward, record);
        } else {
            ward_remove(ward, record);
        }
        if (i == 1) {
            workers_add(cnpg->workers, ward->key);
        }
    }
}

static void changed(void *self, const struct record *before, const struct record *after)
{
    struct cnpg *cnpg = self;
    const struct record *record = after == NULL ? before : after;
    assert(record != NULL);
    if (record->resource == &resource_clusters) {
        workers_add(cnpg->workers, make_ward(cnpg, record->namespace, record->name)->key);
        return;
    }
    if (record->resource == &resource_volume_snapshots) {
        return;
    }
    if (before != NULL) {
        relate(cnpg, before, false);
    }
    if (after != NULL) {
        relate(cnpg, after, true);
    }
}

static void look(void *self, const char *key)
{
    struct cnpg *cnpg = self;
    struct ward *ward = find_ward(cnpg, key);
    if (ward == NULL) {
        workers_done(cnpg->workers, key);
        return;
    }
    ward_look(ward);
}

/* ---- the process ---- */

static void set_lag(struct cnpg *cnpg, size_t index)
{
    if (cnpg->view != NULL) {
        view_set_lag(cnpg->view, cnpg_resources[index], cnpg->lags[index].least_ms,
                     cnpg->lags[index].most_ms);
    }
}

static void begin(struct cnpg *cnpg)
{
    const struct workers_options options = {.count = LOOKS_AT_ONCE,
                                            .backoff_ms_min = BACKOFF_LEAST_MS,
                                            .backoff_ms_max = BACKOFF_MOST_MS};
    const struct caller_options client = {.actor = "cnpg", .latency = &cnpg->pace->api_latency};
    map_init(&cnpg->wards);
    cnpg->workers = workers_new(cnpg->world, &options, look, cnpg);
    cnpg->caller = caller_new(cnpg->server, &client);
    cnpg->view = view_new(cnpg->server, "cnpg", cnpg_resources, changed, cnpg);
    for (size_t i = 0; i < RESOURCE_COUNT; i++) {
        set_lag(cnpg, i);
    }
}

static void end(struct cnpg *cnpg)
{
    view_free(cnpg->view);
    caller_free(cnpg->caller);
    workers_free(cnpg->workers);
    cnpg->view = NULL;
    cnpg->caller = NULL;
    cnpg->workers = NULL;
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&cnpg->wards, &at, &entry)) {
        ward_free(entry.value);
    }
    map_release(&cnpg->wards);
    map_init(&cnpg->wards);
}

static void came_back(void *self)
{
    struct cnpg *cnpg = self;
    cnpg->restart = NULL;
    begin(cnpg);
}

static void died(void *self)
{
    struct cnpg *cnpg = self;
    world_trace(cnpg->world, "cnpg died");
    end(cnpg);
    cnpg->restart = world_after(
        cnpg->world, world_between(cnpg->world, "cnpg", RESTART_LEAST_MS, RESTART_MOST_MS),
        came_back, cnpg);
}

/* By an event of its own: whoever calls may be in the middle of an answer to it. */
void cnpg_restart(struct cnpg *cnpg)
{
    if (cnpg->restart == NULL) {
        cnpg->restart = world_after(cnpg->world, 0, died, cnpg);
    }
}

struct cnpg *cnpg_new(struct apiserver *server, struct postgres *postgres, const struct pace *pace,
                      const struct misfortune *misfortune)
{
    struct cnpg *cnpg = memory_new(1, sizeof(*cnpg));
    *cnpg = (struct cnpg){.server = server,
                          .world = apiserver_world(server),
                          .postgres = postgres,
                          .pace = pace,
                          .misfortune = misfortune,
                          .lags = memory_new(RESOURCE_COUNT, sizeof(struct span))};
    for (size_t i = 0; i < RESOURCE_COUNT; i++) {
        cnpg->lags[i] = pace->watch_lag;
    }
    begin(cnpg);
    return cnpg;
}

void cnpg_free(struct cnpg *cnpg)
{
    if (cnpg == NULL) {
        return;
    }
    if (cnpg->restart != NULL) {
        world_cancel(cnpg->world, cnpg->restart);
    }
    end(cnpg);
    map_release(&cnpg->wards);
    memory_free(cnpg->lags);
    memory_free(cnpg);
}

void cnpg_set_lag(struct cnpg *cnpg, const struct resource *resource, struct span lag)
{
    for (size_t i = 0; i < RESOURCE_COUNT; i++) {
        if (resource == NULL || resource == cnpg_resources[i]) {
            cnpg->lags[i] = lag;
            set_lag(cnpg, i);
        }
    }
}
