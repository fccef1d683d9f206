/* SPDX-License-Identifier: Apache-2.0 */
/* kubectl looks for a PATCH operation whose x-kubernetes-group-version-kind is the object's, then
   for query parameters in it (kubectl pkg/util/... query_param_verifier_v3.go). Without the
   document it would ask for /openapi/v2, which is a 404 here, and refuse to apply. */
#include "sim/openapi.h"

#include "base/memory.h"
#include "sim/schema.h"
#include "sim/served.h"
#include "sim/value.h"

#include <stdio.h>
#include <string.h>

static void write_root(struct json_writer *json, const struct served *served)
{
    json_begin_object(json);
    json_member_object(json, "paths");
    for (size_t i = 0; i < served->count; i++) {
        if (!served_is_first(served, i)) {
            continue;
        }
        const struct resource *resource = served->resources[i];
        char path[300];
        bool is_core = resource->group[0] == '\0';
        (void)snprintf(path, sizeof(path), "%s%s%s/%s", is_core ? "api" : "apis",
                       is_core ? "" : "/", resource->group, resource->version);
        char url[320];
        (void)snprintf(url, sizeof(url), "/openapi/v3/%s", path);
        json_member_object(json, path);
        json_member_string(json, "serverRelativeURL", url);
        json_end_object(json);
    }
    json_end_object(json);
    json_end_object(json);
}

static void write_parameter(struct json_writer *json, const char *name)
{
    json_begin_object(json);
    json_member_string(json, "name", name);
    json_member_string(json, "in", "query");
    json_member_object(json, "schema");
    json_member_string(json, "type", "string");
    json_end_object(json);
    json_end_object(json);
}

static void write_patch(struct json_writer *json, const struct resource *resource)
{
    json_member_object(json, "patch");
    json_member_array(json, "parameters");
    write_parameter(json, "dryRun");
    write_parameter(json, "fieldManager");
    write_parameter(json, "fieldValidation");
    json_end_array(json);
    json_member_object(json, "responses");
    json_end_object(json);
    json_member_string(json, "x-kubernetes-action", "patch");
    json_member_object(json, "x-kubernetes-group-version-kind");
    json_member_string(json, "group", resource->group);
    json_member_string(json, "version", resource->version);
    json_member_string(json, "kind", resource->kind);
    json_end_object(json);
    json_end_object(json);
}

static void write_paths(struct json_writer *json, const struct served *served, const char *group,
                        const char *version)
{
    json_member_object(json, "paths");
    for (size_t i = 0; i < served->count; i++) {
        const struct resource *resource = served->resources[i];
        if (strcmp(resource->group, group) != 0 || strcmp(resource->version, version) != 0) {
            continue;
        }
        char path[500];
        bool is_core = group[0] == '\0';
        (void)snprintf(path, sizeof(path), "/%s%s%s/%s%s/%s/{name}", is_core ? "api" : "apis",
                       is_core ? "" : "/", group, version,
                       resource->is_namespaced ? "/namespaces/{namespace}" : "", resource->plural);
        json_member_object(json, path);
        write_patch(json, resource);
        json_end_object(json);
    }
    json_end_object(json);
}

/* Of custom resources alone; kubectl explain reads them. */
static void write_schema(struct json_writer *json, const struct resource *resource)
{
    char name[300];
    cJSON *schema = cJSON_Duplicate(schema_open_api(resource->schema), true);
    cJSON *kinds = cJSON_AddArrayToObject(schema, "x-kubernetes-group-version-kind");
    cJSON *kind = cJSON_CreateObject();
    value_set_text(kind, "group", resource->group);
    value_set_text(kind, "version", resource->version);
    value_set_text(kind, "kind", resource->kind);
    cJSON_AddItemToArray(kinds, kind);
    cleanup_memory char *text = value_print(schema);
    cJSON_Delete(schema);
    (void)snprintf(name, sizeof(name), "%s.%s.%s", resource->group, resource->version,
                   resource->kind);
    json_member_raw(json, name, text);
}

static void write_schemas(struct json_writer *json, const struct served *served, const char *group,
                          const char *version)
{
    json_member_object(json, "schemas");
    for (size_t i = 0; i < served->count; i++) {
        const struct resource *resource = served->resources[i];
        if (resource->schema != NULL && strcmp(resource->group, group) == 0 &&
            strcmp(resource->version, version) == 0) {
            write_schema(json, resource);
        }
    }
    json_end_object(json);
}

static bool write_document(struct json_writer *json, const struct served *served, const char *group,
                           const char *version)
{
    if (!served_has(served, group, version)) {
        return false;
    }
    json_begin_object(json);
    json_member_string(json, "openapi", "3.0.0");
    json_member_object(json, "info");
    json_member_string(json, "title", "Kubernetes");
    json_member_string(json, "version", "v1.36.3");
    json_end_object(json);
    write_paths(json, served, group, version);
    json_member_object(json, "components");
    write_schemas(json, served, group, version);
    json_end_object(json);
    json_end_object(json);
    return true;
}

bool openapi_write(struct json_writer *json, const struct apiserver *server, const struct url *url)
{
    if (!url_segment_is(url, 0, "openapi") || !url_segment_is(url, 1, "v3")) {
        return false;
    }
    struct served served;
    served_init(&served, server);
    if (url->segment_count == 2) {
        write_root(json, &served);
        return true;
    }
    if (url->segment_count == 4 && url_segment_is(url, 2, "api")) {
        return write_document(json, &served, "", url->segments[3]);
    }
    return url->segment_count == 5 && url_segment_is(url, 2, "apis") &&
           write_document(json, &served, url->segments[3], url->segments[4]);
}
