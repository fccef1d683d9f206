/* SPDX-License-Identifier: Apache-2.0 */
/* Records, watches and caches hold a resource by its pointer, also after its definition went; so a
   struct custom lives as long as the server and is taken up again when the definition comes
   back. */
#include "sim/definitions.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/commit.h"
#include "sim/kind_rules.h"
#include "sim/schema.h"

#include <string.h>

struct custom {
    struct resource resource;
    struct arena texts;
    const char *definition; /* its name */
    bool is_served;
};

/* The stored version, and where it stands. */
static const cJSON *stored_version(const cJSON *definition, int *out_index)
{
    const cJSON *version = NULL;
    *out_index = 0;
    cJSON_ArrayForEach(version, value_at(definition, "spec", "versions", NULL))
    {
        if (value_true(version, "storage", NULL)) {
            return version;
        }
        (*out_index)++;
    }
    return NULL;
}

static struct schema *build_schema(const cJSON *definition, struct violations *violations)
{
    int index = 0;
    const cJSON *version = stored_version(definition, &index);
    cleanup_text struct text path;
    text_init(&path, 64);
    text_print(&path, "spec.versions[%d]", index);
    return version == NULL ? NULL : schema_new(version, path.bytes, violations);
}

static struct custom *find(const struct apiserver *server, const char *name)
{
    for (size_t i = 0; i < server->custom_count; i++) {
        if (strcmp(server->customs[i]->definition, name) == 0) {
            return server->customs[i];
        }
    }
    return NULL;
}

static struct custom *add(struct apiserver *server, const char *name)
{
    struct custom *custom = memory_new(1, sizeof(*custom));
    arena_init(&custom->texts, 0);
    custom->definition = arena_copy(&custom->texts, name);
    server->customs =
        memory_resize(server->customs, server->custom_count + 1, sizeof(struct custom *));
    server->customs[server->custom_count++] = custom;
    return custom;
}

static const char *copied(struct custom *custom, const char *text)
{
    return arena_copy(&custom->texts, text == NULL ? "" : text);
}

/* A list of texts, with commas between. */
static const char *joined(struct custom *custom, const cJSON *list)
{
    const char *all = "";
    const char *comma = "";
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list)
    {
        if (cJSON_IsString(item)) {
            all = arena_print(&custom->texts, "%s%s%s", all, comma, item->valuestring);
            comma = ",";
        }
    }
    return all;
}

void definitions_register(struct apiserver *server, const cJSON *definition)
{
    int index = 0;
    cleanup_violations struct violations violations;
    violations_init(&violations);
    struct schema *schema = build_schema(definition, &violations);
    const cJSON *version = stored_version(definition, &index);
    const cJSON *names = value_at(definition, "spec", "names", NULL);
    const cJSON *scale = value_at(version, "subresources", "scale", NULL);
    struct custom *custom = find(server, value_name(definition));
    if (custom == NULL) {
        custom = add(server, value_name(definition));
    }
    schema_free(custom->resource.schema);
    custom->resource = (struct resource){
        .group = copied(custom, value_text(definition, "spec", "group", NULL)),
        .version = copied(custom, value_text(version, "name", NULL)),
        .plural = copied(custom, value_text(names, "plural", NULL)),
        .singular = copied(custom, value_text(names, "singular", NULL)),
        .kind = copied(custom, value_text(names, "kind", NULL)),
        .short_names = joined(custom, value_at(names, "shortNames", NULL)),
        .categories = joined(custom, value_at(names, "categories", NULL)),
        .is_namespaced = value_equal_text(definition, "Namespaced", "spec", "scope", NULL),
        .has_status = value_at(version, "subresources", "status", NULL) != NULL,
        .has_generation = true,
        .schema = schema,
    };
    if (scale != NULL) {
        custom->resource.scale_replicas_path =
            copied(custom, value_text(scale, "specReplicasPath", NULL));
        custom->resource.scale_status_path =
            copied(custom, value_text(scale, "statusReplicasPath", NULL));
    }
    custom->is_served = true;
}

void definitions_unregister(struct apiserver *server, const cJSON *definition)
{
    struct custom *custom = find(server, value_name(definition));
    if (custom != NULL) {
        custom->is_served = false;
    }
}

const struct resource *definitions_of(const struct apiserver *server, const cJSON *definition)
{
    const struct custom *custom = find(server, value_name(definition));
    return custom == NULL || !custom->is_served ? NULL : &custom->resource;
}

const struct resource *definitions_resource(const struct apiserver *server, size_t index)
{
    for (size_t i = 0; i < server->custom_count; i++) {
        if (server->customs[i]->is_served && index-- == 0) {
            return &server->customs[i]->resource;
        }
    }
    return NULL;
}

/* NULL: not brought by a definition. */
static const struct record *definition_of(const struct apiserver *server,
                                          const struct resource *resource)
{
    return objects_get(server->objects, &resource_definitions, "",
                       resource_qualified(resource).text);
}

bool definitions_is_terminating(const struct apiserver *server, const struct resource *resource)
{
    if (resource->schema == NULL) {
        return false;
    }
    const struct record *definition = definition_of(server, resource);
    return definition == NULL || value_is_deleting(definition->value);
}

void definitions_finish(struct apiserver *server, const struct resource *resource)
{
    const struct record *definition = definition_of(server, resource);
    if (definition == NULL || !value_is_deleting(definition->value) ||
        objects_next(server->objects, resource, NULL, NULL) != NULL) {
        return;
    }
    cJSON *value = cJSON_Duplicate(definition->value, true);
    cJSON *finalizers = value_at(value, "metadata", "finalizers", NULL);
    bool changed = value_list_remove(finalizers, DEFINITION_FINALIZER);
    if (cJSON_GetArraySize(finalizers) == 0) {
        cJSON_Delete(value);
        struct record *kept = record_keep(definition);
        record_release(commit_remove(server, kept));
        record_release(kept);
    } else if (changed) {
        record_release(commit_put(server, &resource_definitions, value));
    } else {
        cJSON_Delete(value);
    }
}

void definitions_free(struct apiserver *server)
{
    for (size_t i = 0; i < server->custom_count; i++) {
        schema_free(server->customs[i]->resource.schema);
        arena_release(&server->customs[i]->texts);
        memory_free(server->customs[i]);
    }
    memory_free(server->customs);
}

/* ---- the definition itself as an object ---- */

static cJSON *condition_new(const struct apiserver *server, const char *type, const char *reason,
                            const char *message)
{
    char now[32];
    cJSON *condition = cJSON_CreateObject();
    apiserver_stamp(server, 0, now);
    value_set_text(condition, "type", type);
    value_set_text(condition, "status", "True");
    value_set_text(condition, "lastTransitionTime", now);
    value_set_text(condition, "reason", reason);
    value_set_text(condition, "message", message);
    return condition;
}

cJSON *definitions_terminating_condition(const struct apiserver *server)
{
    return condition_new(server, "Terminating", "InstanceDeletionInProgress",
                         "CustomResource deletion is in progress");
}

static void make_status(struct write *write, const cJSON *names)
{
    int index = 0;
    const cJSON *version = stored_version(write->value, &index);
    cJSON *status = cJSON_CreateObject();
    cJSON *conditions = cJSON_CreateArray();
    cJSON *stored = cJSON_CreateArray();
    cJSON_AddItemToArray(conditions, condition_new(write->server, "NamesAccepted", "NoConflicts",
                                                   "no conflicts found"));
    cJSON_AddItemToArray(conditions,
                         condition_new(write->server, "Established", "InitialNamesAccepted",
                                       "the initial names have been accepted"));
    if (value_text(version, "name", NULL) != NULL) {
        value_list_add(stored, value_text(version, "name", NULL));
    }
    value_set(status, "conditions", conditions);
    value_set(status, "acceptedNames", cJSON_Duplicate(names, true));
    value_set(status, "storedVersions", stored);
    value_set(write->value, "status", status);
}

void definition_prepare(struct write *write)
{
    cJSON *names = value_make(write->value, "spec", "names", NULL);
    const char *kind = value_text(names, "kind", NULL);
    if (kind != NULL && value_at(names, "singular", NULL) == NULL) {
        cleanup_memory char *singular = memory_copy_text(kind);
        for (char *at = singular; *at != '\0'; at++) {
            *at = (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at);
        }
        value_set_text(names, "singular", singular);
    }
    if (kind != NULL && value_at(names, "listKind", NULL) == NULL) {
        cleanup_text struct text list_kind;
        text_init(&list_kind, 256);
        text_print(&list_kind, "%sList", kind);
        value_set_text(names, "listKind", list_kind.bytes);
    }
    default_text(value_make(write->value, "spec", "conversion", NULL), "strategy", "None");
    if (write->before == NULL) {
        make_status(write, names);
    }
}

static void require(const cJSON *definition, const char *first, const char *second,
                    const char *field, struct violations *violations)
{
    const char *text = value_text(definition, "spec", first, second, NULL);
    if (text == NULL || text[0] == '\0') {
        violations_add(violations, VIOLATION_REQUIRED, field, NULL, "%s", "");
    }
}

static void validate_versions(const cJSON *definition, struct violations *violations)
{
    const cJSON *version = NULL;
    int stored = 0;
    int served = 0;
    cJSON_ArrayForEach(version, value_at(definition, "spec", "versions", NULL))
    {
        stored += value_true(version, "storage", NULL) ? 1 : 0;
        served += value_true(version, "served", NULL) ? 1 : 0;
    }
    if (stored != 1) {
        violations_add(violations, VIOLATION_INVALID, "spec.versions",
                       value_at(definition, "spec", "versions", NULL),
                       "must have exactly one version marked as storage version");
    } else if (served != 1) {
        violations_add(violations, VIOLATION_FORBIDDEN, "spec.versions", NULL,
                       "this server serves one version of a definition, the stored one");
    }
}

static void validate_names(const struct write *write, struct violations *violations)
{
    const char *group = value_text(write->value, "spec", "group", NULL);
    const char *plural = value_text(write->value, "spec", "names", "plural", NULL);
    cleanup_text struct text expected;
    text_init(&expected, 512);
    text_print(&expected, "%s.%s", plural == NULL ? "" : plural, group == NULL ? "" : group);
    if (strcmp(expected.bytes, value_name(write->value)) != 0) {
        violations_add(violations, VIOLATION_INVALID, "metadata.name",
                       value_at(write->value, "metadata", "name", NULL),
                       "must be spec.names.plural+\".\"+spec.group");
    }
    if (write->before != NULL && member_changed(write, "spec", "scope")) {
        violations_add(violations, VIOLATION_INVALID, "spec.scope",
                       value_at(write->value, "spec", "scope", NULL), "field is immutable");
    }
}

void definition_validate(const struct write *write, struct violations *violations)
{
    require(write->value, "group", NULL, "spec.group", violations);
    require(write->value, "scope", NULL, "spec.scope", violations);
    require(write->value, "names", "plural", "spec.names.plural", violations);
    require(write->value, "names", "kind", "spec.names.kind", violations);
    validate_names(write, violations);
    validate_versions(write->value, violations);
    if (violations_none(violations)) {
        schema_free(build_schema(write->value, violations));
    }
}
