/* SPDX-License-Identifier: Apache-2.0 */
/* Made anew for each request, so that a definition just posted is in it. */
#include "sim/discovery.h"

#include "base/json.h"
#include "sim/openapi.h"
#include "sim/served.h"
#include "sim/subresource.h"

#include <stdio.h>
#include <string.h>

/* The Kubernetes whose ways this server has. */
static const char version_text[] =
    "{\"major\":\"1\",\"minor\":\"36\",\"gitVersion\":\"v1.36.3+adjoint-sim\",\"gitCommit\":\"\","
    "\"gitTreeState\":\"clean\",\"buildDate\":\"1970-01-01T00:00:00Z\",\"goVersion\":\"\","
    "\"compiler\":\"\",\"platform\":\"linux/amd64\"}";

/* ---- resources of one group and version ---- */

static void write_words(struct json_writer *json, const char *key, const char *words)
{
    if (words[0] == '\0') {
        return;
    }
    json_member_array(json, key);
    while (*words != '\0') {
        char word[128];
        size_t length = strcspn(words, ",");
        (void)snprintf(word, sizeof(word), "%.*s", (int)length, words);
        json_write_string(json, word);
        words += length;
        words += *words == ',' ? 1 : 0;
    }
    json_end_array(json);
}

struct subresource {
    const struct resource *resource; /* NULL: all that have it */
    const char *name;
    const char *kind; /* NULL: the resource's */
    const char *verbs;
};

static const struct subresource subresources[] = {
    {.name = "status", .verbs = "get,patch,update"},
    {.name = "scale", .kind = "Scale", .verbs = "get,patch,update"},
    {.resource = &resource_namespaces, .name = "finalize", .verbs = "update"},
    {.resource = &resource_pods, .name = "binding", .kind = "Binding", .verbs = "create"},
};

static void write_subresource(struct json_writer *json, const struct resource *resource,
                              const struct subresource *subresource)
{
    char name[256];
    (void)snprintf(name, sizeof(name), "%s/%s", resource->plural, subresource->name);
    bool is_scale = strcmp(subresource->name, "scale") == 0;
    json_begin_object(json);
    json_member_string(json, "name", name);
    json_member_string(json, "singularName", "");
    json_member_bool(json, "namespaced", resource->is_namespaced);
    if (is_scale) {
        json_member_string(json, "group", "autoscaling");
        json_member_string(json, "version", "v1");
    }
    json_member_string(json, "kind",
                       subresource->kind == NULL ? resource->kind : subresource->kind);
    write_words(json, "verbs", subresource->verbs);
    json_end_object(json);
}

static void write_resource(struct json_writer *json, const struct resource *resource)
{
    json_begin_object(json);
    json_member_string(json, "name", resource->plural);
    json_member_string(json, "singularName", resource->singular);
    json_member_bool(json, "namespaced", resource->is_namespaced);
    json_member_string(json, "kind", resource->kind);
    write_words(json, "verbs", "create,delete,deletecollection,get,list,patch,update,watch");
    write_words(json, "shortNames", resource->short_names);
    write_words(json, "categories", resource->categories);
    json_end_object(json);
    for (size_t i = 0; i < sizeof(subresources) / sizeof(subresources[0]); i++) {
        const struct resource *only = subresources[i].resource;
        if (only == NULL ? subresource_exists(resource, subresources[i].name) : only == resource) {
            write_subresource(json, resource, &subresources[i]);
        }
    }
}

static bool write_resources(struct json_writer *json, const struct served *served,
                            const char *group, const char *version)
{
    if (!served_has(served, group, version)) {
        return false;
    }
    char group_version[256];
    (void)snprintf(group_version, sizeof(group_version), "%s%s%s", group,
                   group[0] == '\0' ? "" : "/", version);
    json_begin_object(json);
    json_member_string(json, "kind", "APIResourceList");
    json_member_string(json, "apiVersion", "v1");
    json_member_string(json, "groupVersion", group_version);
    json_member_array(json, "resources");
    for (size_t i = 0; i < served->count; i++) {
        const struct resource *resource = served->resources[i];
        if (strcmp(resource->group, group) == 0 && strcmp(resource->version, version) == 0) {
            write_resource(json, resource);
        }
    }
    json_end_array(json);
    json_end_object(json);
    return true;
}

/* ---- groups ---- */

static bool is_first_of_group(const struct served *served, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (strcmp(served->resources[i]->group, served->resources[at]->group) == 0) {
            return false;
        }
    }
    return true;
}

static void write_version(struct json_writer *json, const char *group, const char *version)
{
    char group_version[256];
    (void)snprintf(group_version, sizeof(group_version), "%s/%s", group, version);
    json_begin_object(json);
    json_member_string(json, "groupVersion", group_version);
    json_member_string(json, "version", version);
    json_end_object(json);
}

/* The members of an APIGroup; the caller begins and ends the object. */
static void write_group(struct json_writer *json, const struct served *served, size_t first)
{
    const char *group = served->resources[first]->group;
    json_member_string(json, "name", group);
    json_member_array(json, "versions");
    for (size_t i = first; i < served->count; i++) {
        if (strcmp(served->resources[i]->group, group) == 0 && served_is_first(served, i)) {
            write_version(json, group, served->resources[i]->version);
        }
    }
    json_end_array(json);
    json_write_key(json, "preferredVersion");
    write_version(json, group, served->resources[first]->version);
}

static void write_groups(struct json_writer *json, const struct served *served)
{
    json_begin_object(json);
    json_member_string(json, "kind", "APIGroupList");
    json_member_string(json, "apiVersion", "v1");
    json_member_array(json, "groups");
    for (size_t i = 0; i < served->count; i++) {
        if (served->resources[i]->group[0] != '\0' && is_first_of_group(served, i)) {
            json_begin_object(json);
            write_group(json, served, i);
            json_end_object(json);
        }
    }
    json_end_array(json);
    json_end_object(json);
}

static bool write_one_group(struct json_writer *json, const struct served *served,
                            const char *group)
{
    for (size_t i = 0; i < served->count; i++) {
        if (group[0] != '\0' && strcmp(served->resources[i]->group, group) == 0) {
            json_begin_object(json);
            json_member_string(json, "kind", "APIGroup");
            json_member_string(json, "apiVersion", "v1");
            write_group(json, served, i);
            json_end_object(json);
            return true;
        }
    }
    return false;
}

static void write_core_versions(struct json_writer *json)
{
    json_begin_object(json);
    json_member_string(json, "kind", "APIVersions");
    write_words(json, "versions", "v1");
    json_member_raw(json, "serverAddressByClientCIDRs",
                    "[{\"clientCIDR\":\"0.0.0.0/0\",\"serverAddress\":\"\"}]");
    json_end_object(json);
}

/* ---- which of them ---- */

static bool write_discovery(struct json_writer *json, const struct apiserver *server,
                            const struct url *url)
{
    struct served served;
    served_init(&served, server);
    bool is_core = url_segment_is(url, 0, "api");
    if (!is_core && !url_segment_is(url, 0, "apis")) {
        return false;
    }
    switch (url->segment_count) {
    case 1:
        if (is_core) {
            write_core_versions(json);
        } else {
            write_groups(json, &served);
        }
        return true;
    case 2:
        return is_core ? write_resources(json, &served, "", url->segments[1])
                       : write_one_group(json, &served, url->segments[1]);
    case 3:
        return !is_core && write_resources(json, &served, url->segments[1], url->segments[2]);
    default:
        return false;
    }
}

static bool is_health(const struct url *url)
{
    return url_segment_is(url, 0, "healthz") || url_segment_is(url, 0, "readyz") ||
           url_segment_is(url, 0, "livez");
}

bool discovery_reply(const struct apiserver *server, const struct url *url, struct route_reply *out)
{
    if (is_health(url)) {
        route_reply_plain(out, 200, "ok");
        return true;
    }
    cleanup_text struct text body;
    text_init(&body, ROUTE_BODY_BYTES_MAX);
    struct json_writer json;
    json_writer_init(&json, &body);
    if (url->segment_count == 1 && url_segment_is(url, 0, "version")) {
        text_append(&body, version_text);
    } else if (!openapi_write(&json, server, url) && !write_discovery(&json, server, url)) {
        return false;
    }
    route_reply_take_text(out, 200, &body);
    return true;
}
