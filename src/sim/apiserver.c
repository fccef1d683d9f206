/* SPDX-License-Identifier: Apache-2.0 */
/* The verbs, each: find what is there, let sim/write.h or sim/deletion.h judge and commit, tell who
   listens. */
#include "sim/apiserver.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/apiserver_state.h"
#include "sim/commit.h"
#include "sim/definitions.h"
#include "sim/deletion.h"
#include "sim/draft.h"
#include "sim/metadata.h"
#include "sim/scale.h"
#include "sim/subresource.h"
#include "sim/write.h"

#include <assert.h>
#include <string.h>

/* As every cluster has them from its start. */
static void make_namespaces(struct apiserver *server)
{
    static const char *const names[] = {"default", "kube-node-lease", "kube-public", "kube-system"};
    const struct verb_options options = {.actor = "system:apiserver"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        cJSON *namespace = cJSON_CreateObject();
        value_set_text(value_make(namespace, "metadata", NULL), "name", names[i]);
        struct outcome outcome =
            apiserver_create(server, &resource_namespaces, NULL, namespace, &options);
        assert(outcome_ok(&outcome));
        outcome_release(&outcome);
    }
}

/* Where it is itself, kept by the API server (pkg/controlplane/reconcilers). */
static void make_endpoints(struct apiserver *server)
{
    static const char slice[] =
        "{'metadata':{'name':'kubernetes','labels':{'kubernetes.io/service-name':'kubernetes'}},"
        "'addressType':'IPv4','endpoints':[{'addresses':['192.0.2.1'],'conditions':{'ready':true}}]"
        ",'ports':[{'name':'https','port':6443,'protocol':'TCP'}]}";
    const struct verb_options options = {.actor = "system:apiserver"};
    struct outcome outcome = apiserver_create(server, &resource_endpoint_slices, "default",
                                              draft(slice, NULL), &options);
    assert(outcome_ok(&outcome));
    outcome_release(&outcome);
}

struct apiserver *apiserver_new(struct world *world)
{
    struct apiserver *server = memory_new(1, sizeof(*server));
    server->world = world;
    server->objects = objects_new(world);
    make_namespaces(server);
    make_endpoints(server);
    return server;
}

void apiserver_free(struct apiserver *server)
{
    if (server == NULL) {
        return;
    }
    objects_free(server->objects);
    definitions_free(server);
    memory_free(server->listeners);
    memory_free(server->webhooks);
    memory_free(server);
}

struct objects *apiserver_objects(struct apiserver *server)
{
    return server->objects;
}

struct world *apiserver_world(struct apiserver *server)
{
    return server->world;
}

/* ---- what is served ---- */

const struct resource *apiserver_next_resource(const struct apiserver *server,
                                               const struct resource *after)
{
    size_t index = 0;
    if (after == NULL) {
        return resources_built_in[0];
    }
    for (size_t i = 0; resources_built_in[i] != NULL; i++) {
        if (resources_built_in[i] == after && resources_built_in[i + 1] != NULL) {
            return resources_built_in[i + 1];
        }
    }
    for (const struct resource *at = NULL; (at = definitions_resource(server, index)) != NULL;) {
        index++;
        if (at == after) {
            return definitions_resource(server, index);
        }
    }
    /* After the last of the built-in ones. */
    return definitions_resource(server, 0);
}

const struct resource *apiserver_resource(const struct apiserver *server, const char *group,
                                          const char *version, const char *plural)
{
    const struct resource *at = NULL;
    while ((at = apiserver_next_resource(server, at)) != NULL) {
        if (strcmp(at->group, group) == 0 && strcmp(at->version, version) == 0 &&
            (strcmp(at->plural, plural) == 0 || strcmp(at->singular, plural) == 0)) {
            return at;
        }
    }
    return NULL;
}

/* ---- who is told ---- */

void apiserver_on_write(struct apiserver *server,
                        void (*seen)(void *self, const struct write_seen *write), void *self)
{
    server->listeners =
        memory_resize(server->listeners, server->listener_count + 1, sizeof(struct write_listener));
    server->listeners[server->listener_count++] = (struct write_listener){seen, self};
}

static void tell(const char *verb, const struct write *write)
{
    const struct verb_options *options = write->options;
    const struct outcome *outcome = write->outcome;
    const struct write_seen seen = {
        .verb = verb,
        .resource = write->resource,
        .namespace = write->namespace,
        .name = write->name == NULL ? "" : write->name,
        .options = options,
        .outcome = outcome,
    };
    world_trace(write->server->world, "%s %s %s%s%s %s/%s: %d %s%s", options->actor, verb,
                write->resource->plural, options->subresource == NULL ? "" : "/",
                options->subresource == NULL ? "" : options->subresource, write->namespace,
                seen.name, outcome->http_status, outcome->reason == NULL ? "" : outcome->reason,
                options->dry_run ? " (dry run)" : "");
    for (size_t i = 0; i < write->server->listener_count; i++) {
        write->server->listeners[i].seen(write->server->listeners[i].self, &seen);
    }
}

/* ---- verbs ---- */

static const char *or_none(const char *namespace)
{
    return namespace == NULL ? "" : namespace;
}

/* The end of each: told, and what was kept for it let go. */
static void close_write(const char *verb, struct write *write)
{
    tell(verb, write);
    cJSON_Delete(write->value);
    record_release(write->before);
}

struct outcome apiserver_create(struct apiserver *server, const struct resource *resource,
                                const char *namespace, cJSON *value,
                                const struct verb_options *options)
{
    struct outcome outcome = {0};
    struct write write = {
        .server = server,
        .resource = resource,
        .namespace = or_none(namespace),
        .options = options,
        .value = value,
        .outcome = &outcome,
    };
    (void)write_create(&write);
    if (write.name == NULL && write.value != NULL) {
        write.name = value_name(write.value);
    }
    close_write("create", &write);
    return outcome;
}

/* Finds what is there and checks the path; false: refused. */
static bool open_write(struct write *write)
{
    if (!subresource_exists(write->resource, write->options->subresource)) {
        return outcome_not_served(write->outcome);
    }
    write->before = record_keep(
        objects_get(write->server->objects, write->resource, write->namespace, write->name));
    return write->before != NULL || outcome_not_found(write->outcome, write->resource, write->name);
}

struct outcome apiserver_update(struct apiserver *server, const struct resource *resource,
                                const char *namespace, const char *name, cJSON *value,
                                const struct verb_options *options)
{
    struct outcome outcome = {0};
    struct write write = {
        .server = server,
        .resource = resource,
        .namespace = or_none(namespace),
        .name = name,
        .options = options,
        .value = value,
        .outcome = &outcome,
    };
    (void)(open_write(&write) && write_update(&write, true));
    close_write("update", &write);
    return outcome;
}

struct outcome apiserver_patch(struct apiserver *server, const struct resource *resource,
                               const char *namespace, const char *name, enum patch_type type,
                               const cJSON *patch, const struct verb_options *options)
{
    struct outcome outcome = {0};
    struct write write = {
        .server = server,
        .resource = resource,
        .namespace = or_none(namespace),
        .name = name,
        .options = options,
        .outcome = &outcome,
    };
    (void)(open_write(&write) && write_patch(&write, type, patch) && write_update(&write, false));
    close_write("patch", &write);
    return outcome;
}

struct outcome apiserver_delete(struct apiserver *server, const struct resource *resource,
                                const char *namespace, const char *name,
                                const struct preconditions *preconditions,
                                const struct verb_options *options)
{
    struct outcome outcome = {0};
    struct write write = {
        .server = server,
        .resource = resource,
        .namespace = or_none(namespace),
        .name = name,
        .options = options,
        .outcome = &outcome,
    };
    if (options->subresource != NULL) {
        outcome_not_served(&outcome);
    } else if (open_write(&write)) {
        (void)deletion_start(server, write.before, preconditions, options->dry_run, &outcome);
    }
    close_write("delete", &write);
    return outcome;
}

struct outcome apiserver_get(struct apiserver *server, const struct resource *resource,
                             const char *namespace, const char *name)
{
    struct outcome outcome = {0};
    const struct record *record = objects_get(server->objects, resource, or_none(namespace), name);
    if (record == NULL) {
        outcome_not_found(&outcome, resource, name);
    } else {
        outcome.http_status = 200;
        outcome.record = record_keep(record);
    }
    return outcome;
}

struct outcome apiserver_get_scale(struct apiserver *server, const struct resource *resource,
                                   const char *namespace, const char *name)
{
    if (!subresource_exists(resource, "scale")) {
        struct outcome not_served = {0};
        outcome_not_served(&not_served);
        return not_served;
    }
    struct outcome outcome = apiserver_get(server, resource, namespace, name);
    cJSON *scale = outcome.record == NULL ? NULL : scale_of(outcome.record, &outcome);
    if (scale == NULL) {
        record_release(outcome.record);
        outcome.record = NULL;
        return outcome;
    }
    cJSON_Delete(scale);
    scale_outcome(&outcome);
    return outcome;
}
