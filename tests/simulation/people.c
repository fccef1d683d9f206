/* SPDX-License-Identifier: Apache-2.0 */
/* Straight to the verbs, without a link: people are not what is tested, and their requests never
   get lost. */
#include "simulation/people.h"

#include "sim/value.h"
#include "simulation/scenario.h"
#include "simulation/scene.h"
#include "simulation/sight.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static const struct verb_options person = {.actor = "alice"};

const struct resource *people_kind(const struct trial *trial, const char *plural)
{
    return apiserver_resource(trial->server, "adjoint.dev", "v1alpha1", plural);
}

const struct record *people_see(const struct trial *trial, const struct resource *resource,
                                const char *namespace, const char *name)
{
    return objects_get(apiserver_objects(trial->server), resource, namespace, name);
}

static void note_refusal(struct trial *trial, const char *what, const struct outcome *outcome)
{
    if (!outcome_ok(outcome)) {
        world_trace(trial->world, "a person's %s is refused: %s", what, outcome->message);
    }
}

static cJSON *parse(struct trial *trial, char *text)
{
    cJSON *value = NULL;
    struct error error;
    for (char *at = text; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    if (!value_parse(text, &value, &error)) {
        judge_break(trial->judge, "a person's JSON is wrong: %s", error.message);
        value = cJSON_CreateObject();
    }
    return value;
}

void people_create(struct trial *trial, const struct resource *resource, const char *namespace,
                   const char *format, ...)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    va_list arguments;
    va_start(arguments, format);
    cJSON *value = parse(trial, arena_print_list(&arena, format, arguments));
    va_end(arguments);
    cleanup_outcome struct outcome outcome =
        apiserver_create(trial->server, resource, namespace, value, &person);
    note_refusal(trial, "creation", &outcome);
}

void people_patch(struct trial *trial, const struct resource *resource, const char *namespace,
                  const char *name, const char *subresource, const char *format, ...)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    va_list arguments;
    va_start(arguments, format);
    cJSON *patch = parse(trial, arena_print_list(&arena, format, arguments));
    va_end(arguments);
    struct verb_options options = person;
    options.subresource = subresource;
    namespace = arena_copy(&arena, namespace);
    name = arena_copy(&arena, name);
    cleanup_outcome struct outcome outcome =
        apiserver_patch(trial->server, resource, namespace, name, PATCH_MERGE, patch, &options);
    note_refusal(trial, "patch", &outcome);
    cJSON_Delete(patch);
}

void people_delete(struct trial *trial, const struct resource *resource, const char *namespace,
                   const char *name)
{
    const struct preconditions none = {.grace_s = -1};
    cleanup_arena struct arena arena; /* names may be those of the object itself */
    arena_init(&arena, 0);
    namespace = arena_copy(&arena, namespace);
    name = arena_copy(&arena, name);
    const struct record *record = people_see(trial, resource, namespace, name);
    if (resource == people_kind(trial, "instances") && record != NULL) {
        judge_note_end(trial->judge, record->uid);
    } else if (resource == &resource_namespaces) {
        judge_note_end(trial->judge, NULL);
    }
    cleanup_outcome struct outcome outcome =
        apiserver_delete(trial->server, resource, namespace, name, &none, &person);
    note_refusal(trial, "deletion", &outcome);
}

void people_make_namespace(struct trial *trial, const char *name)
{
    people_create(trial, &resource_namespaces, NULL,
                  "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}", name);
}

static const char *golden_of(struct trial *trial, const char *golden)
{
    return trial->wish.follows_latest ? "'latest':{'matchLabels':{'cnpg.io/cluster':'production'}}"
                                      : arena_print(&trial->arena, "'snapshot':'%s'", golden);
}

static const char *rotation_of(const struct trial *trial, struct arena *arena)
{
    const struct wish *wish = &trial->wish;
    return wish->rotation == NULL ? ""
                                  : arena_print(arena,
                                                "'rotation':{'strategy':'%s','maxSurge':%" PRId64
                                                ",'minWarm':%" PRId64 "},",
                                                wish->rotation, wish->surge, wish->warm);
}

void people_make_pool(struct trial *trial, const char *name, int64_t size)
{
    people_make_pool_of(trial, name, size, trial->golden == NULL ? SCENE_GOLDEN : trial->golden,
                        SCENE_CLASS);
}

void people_make_pool_of(struct trial *trial, const char *name, int64_t size, const char *golden,
                         const char *class)
{
    people_create(trial, people_kind(trial, "pools"), SCENE_POOLS,
                  "{'apiVersion':'adjoint.dev/v1alpha1','kind':'Pool','metadata':{'name':"
                  "'%s'},'spec':{'golden':{%s},%s"
                  "'size':%" PRId64 ",'storage':{'storageClassName':'%s'},"
                  "'allowedNamespaces':{'from':'All'},'claim':{'order':'%s'}%s}}",
                  name, golden_of(trial, golden), rotation_of(trial, &trial->arena), size, class,
                  trial->wish.order,
                  trial->wish.sanitizes ? ",'credentials':{'proveLogin':true,'scrambleRoles':true},"
                                          "'sanitize':{'sql':'select $$1$$'},"
                                          "'networkPolicy':{'egress':'Deny'}"
                                        : "");
}

void people_scale_pool(struct trial *trial, int64_t size)
{
    people_patch(trial, people_kind(trial, "pools"), SCENE_POOLS, SCENE_POOL, NULL,
                 "{'spec':{'size':%" PRId64 "}}", size);
}

/* Every third, where goldens change. */
static bool wants_current(const struct trial *trial, const char *name)
{
    return trial->wish.rotation != NULL && name[strlen(name) - 1] % 3 == 0;
}

void people_make_instance(struct trial *trial, const char *namespace, const char *pool,
                          const char *name)
{
    people_create(trial, people_kind(trial, "instances"), namespace,
                  "{'apiVersion':'adjoint.dev/v1alpha1','kind':'Instance','metadata':{'name':'%s'},"
                  "'spec':{'pool':{'name':'%s','namespace':'" SCENE_POOLS "'},"
                  "'golden':'%s','deletionPolicy':'%s'}}",
                  name, pool, wants_current(trial, name) ? "Current" : "Any",
                  trial->wish.retains ? "Retain" : "Delete");
}

void people_delete_instance(struct trial *trial, const char *name)
{
    people_delete(trial, people_kind(trial, "instances"), SCENE_DEV, name);
}

const struct record *people_see_volume(const struct trial *trial, const char *instance)
{
    const struct objects *objects = apiserver_objects(trial->server);
    const struct record *record =
        people_see(trial, people_kind(trial, "instances"), SCENE_DEV, instance);
    const char *chosen = record == NULL ? NULL : instance_sight(record->value).volume;
    if (chosen != NULL) {
        return people_see(trial, &resource_persistent_volumes, NULL, chosen);
    }
    const struct record *volume = NULL;
    while ((volume = objects_next(objects, &resource_persistent_volumes, NULL, volume)) != NULL) {
        if (value_label(volume->value, "adjoint.dev/state") != NULL) {
            return volume;
        }
    }
    return NULL;
}
