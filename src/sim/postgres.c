/* SPDX-License-Identifier: Apache-2.0 */
/* An instance manager watches its Cluster and never is late by much, so it reads the API server
   itself rather than a view. */
#include "sim/postgres.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/chance.h"
#include "sim/draft.h"
#include "sim/value.h"

#include <stdio.h>

#define LABEL_CLUSTER "cnpg.io/cluster"
#define LABEL_POD_ROLE "cnpg.io/podRole"
#define LABEL_JOB_ROLE "cnpg.io/jobRole"

enum {
    AGAIN_MS = 1000,        /* an instance that may not serve yet looks again */
    SMART_SHUTDOWN_S = 180, /* CloudNativePG's default of smartShutdownTimeout */
};

struct server {
    struct postgres *postgres;
    char *uid, *namespace, *pod, *cluster, *handle;
    bool answers;
    struct world_event *event; /* NULL: it answers, or never will */
};

struct postgres {
    struct apiserver *server;
    struct world *world;
    struct fsx *fsx;
    const struct pace *pace;
    const struct misfortune *misfortune;
    struct map servers; /* by the pod's uid */
};

struct postgres *postgres_new(struct apiserver *server, struct fsx *fsx, const struct pace *pace,
                              const struct misfortune *misfortune)
{
    struct postgres *postgres = memory_new(1, sizeof(*postgres));
    *postgres = (struct postgres){.server = server,
                                  .world = apiserver_world(server),
                                  .fsx = fsx,
                                  .pace = pace,
                                  .misfortune = misfortune};
    map_init(&postgres->servers);
    return postgres;
}

static void server_free(struct server *server)
{
    if (server->event != NULL) {
        world_cancel(server->postgres->world, server->event);
    }
    memory_free(server->uid);
    memory_free(server->namespace);
    memory_free(server->pod);
    memory_free(server->cluster);
    memory_free(server->handle);
    memory_free(server);
}

void postgres_free(struct postgres *postgres)
{
    if (postgres == NULL) {
        return;
    }
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&postgres->servers, &at, &entry)) {
        server_free(entry.value);
    }
    map_release(&postgres->servers);
    memory_free(postgres);
}

bool postgres_is_instance(const cJSON *pod)
{
    return text_equal(value_label(pod, LABEL_POD_ROLE), "instance");
}

bool postgres_is_bootstrap(const cJSON *pod)
{
    return value_label(pod, LABEL_JOB_ROLE) != NULL;
}

static bool has_data(const struct server *server)
{
    const char *system_id = fsx_system_id(server->postgres->fsx, server->handle);
    return system_id != NULL && system_id[0] != '\0';
}

static const struct record *cluster_of(const struct postgres *postgres, const char *namespace,
                                       const char *cluster)
{
    return objects_get(apiserver_objects(postgres->server), &resource_clusters, namespace, cluster);
}

static void announce(const struct server *server)
{
    const struct verb_options options = {.actor = "cnpg-instance-manager", .subresource = "status"};
    cJSON *patch = draft("{'status':{'currentPrimary':'$1'}}", server->pod, NULL);
    struct outcome outcome =
        apiserver_patch(server->postgres->server, &resource_clusters, server->namespace,
                        server->cluster, PATCH_MERGE, patch, &options);
    outcome_release(&outcome);
    cJSON_Delete(patch);
}

/* A primary that is not the target takes itself for an old one and waits for the other. */
static void recovered(void *self)
{
    struct server *server = self;
    struct postgres *postgres = server->postgres;
    server->event = NULL;
    const struct record *cluster = cluster_of(postgres, server->namespace, server->cluster);
    bool is_target = cluster != NULL &&
                     value_equal_text(cluster->value, server->pod, "status", "targetPrimary", NULL);
    if (!is_target || !has_data(server)) {
        server->event = world_after(postgres->world, AGAIN_MS, recovered, server);
        return;
    }
    server->answers = true;
    world_trace(postgres->world, "postgres %s/%s serves %s", server->namespace, server->pod,
                fsx_system_id(postgres->fsx, server->handle));
    if (!value_equal_text(cluster->value, server->pod, "status", "currentPrimary", NULL)) {
        announce(server);
    }
}

void postgres_start(struct postgres *postgres, const struct record *pod, const char *handle)
{
    const char *cluster = value_label(pod->value, LABEL_CLUSTER);
    struct server *server = memory_new(1, sizeof(*server));
    *server = (struct server){.postgres = postgres,
                              .uid = memory_copy_text(pod->uid),
                              .namespace = memory_copy_text(pod->namespace),
                              .pod = memory_copy_text(pod->name),
                              .cluster = memory_copy_text(cluster == NULL ? "" : cluster),
                              .handle = memory_copy_text(handle)};
    postgres_stop(postgres, pod->uid);
    (void)map_put(&postgres->servers, server->uid, server);
    int64_t ms = chance_in_span(postgres->world, "postgres", postgres->pace->recovery);
    server->event = world_after(postgres->world, ms, recovered, server);
}

void postgres_stop(struct postgres *postgres, const char *pod_uid)
{
    struct server *server = map_remove(&postgres->servers, pod_uid);
    if (server != NULL) {
        server_free(server);
    }
}

bool postgres_answers(const struct postgres *postgres, const char *pod_uid)
{
    const struct server *server = map_get(&postgres->servers, pod_uid);
    return server != NULL && server->answers && has_data(server);
}

bool postgres_serves(const struct postgres *postgres, const char *namespace, const char *cluster)
{
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&postgres->servers, &at, &entry)) {
        const struct server *server = entry.value;
        if (text_equal(server->namespace, namespace) && text_equal(server->cluster, cluster) &&
            postgres_answers(postgres, server->uid)) {
            return true;
        }
    }
    return false;
}

const char *postgres_system_id(const struct postgres *postgres, const char *pod_uid)
{
    const struct server *server = map_get(&postgres->servers, pod_uid);
    return postgres_answers(postgres, pod_uid) ? fsx_system_id(postgres->fsx, server->handle)
                                               : NULL;
}

int64_t postgres_stop_ms(struct postgres *postgres, const cJSON *pod)
{
    int64_t ms = chance_in_span(postgres->world, "postgres", postgres->pace->stop);
    if (chance_strikes(postgres->world, "postgres", postgres->misfortune->session_open)) {
        const char *name = value_label(pod, LABEL_CLUSTER);
        const struct record *cluster =
            cluster_of(postgres, value_namespace(pod), name == NULL ? "" : name);
        ms += 1000 * value_int64(cluster == NULL ? NULL : cluster->value, SMART_SHUTDOWN_S, "spec",
                                 "smartShutdownTimeout", NULL);
    }
    return ms;
}

bool postgres_bootstrap(struct postgres *postgres, const cJSON *pod, const char *handle)
{
    if (!text_equal(value_label(pod, LABEL_JOB_ROLE), "initdb")) {
        return fsx_system_id(postgres->fsx, handle) != NULL;
    }
    char system_id[32];
    (void)snprintf(system_id, sizeof(system_id), "7%018lld",
                   (long long)world_between(postgres->world, "postgres", 0, 999999999999999999));
    world_trace(postgres->world, "initdb on %s: %s", handle, system_id);
    return fsx_initdb(postgres->fsx, handle, system_id);
}
