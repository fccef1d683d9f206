/* SPDX-License-Identifier: Apache-2.0 */
/* Merging is never done as such: an entry is looked for in one document after the other and the
   first one found is taken whole, which gives what kubectl's merge gives without a merged copy.
   Only what the context names is read, so a broken entry of somebody else's cluster harms nobody.
 */
#include "kube/kubeconfig.h"

#include "base/limits.h"
#include "base/memory.h"
#include "kube/exec_plugin.h"
#include "kube/kubeconfig_fields.h"

#include <assert.h>
#include <string.h>

struct section {
    const char *list, *item;
};
static const struct section contexts = {"contexts", "context"};
static const struct section clusters = {"clusters", "cluster"};
static const struct section users = {"users", "user"};

struct documents {
    const struct kubeconfig_document *sources;
    struct json_document **parsed;
    size_t count;
    struct arena *arena;
    const char *context; /* the one that was chosen; NULL: none yet */
};

static void documents_release(struct documents *documents)
{
    for (size_t i = 0; i < documents->count; i++) {
        json_document_free(documents->parsed[i]);
    }
    memory_free(documents->parsed);
}

static bool check_head(const struct documents *documents, size_t index, struct error *error)
{
    const struct json *root = json_root(documents->parsed[index]);
    const char *path = documents->sources[index].path;
    if (!json_is_object(root)) {
        return error_set(error, ERROR_INVALID, "%s: is no kubeconfig, but %s", path,
                         json_is_array(root) ? "a list" : "a single value");
    }
    const struct json *kind = json_member(root, "kind");
    const struct json *version = json_member(root, "apiVersion");
    if ((kind != NULL && !text_equal(json_text(kind), "Config")) ||
        (version != NULL && !text_equal(json_text(version), "v1"))) {
        return error_set(error, ERROR_INVALID,
                         "%s: is no kubeconfig: its kind must be Config, its apiVersion v1", path);
    }
    return true;
}

static bool parse_documents(struct documents *documents, struct error *error)
{
    for (size_t i = 0; i < documents->count; i++) {
        const struct kubeconfig_document *source = &documents->sources[i];
        if (!json_parse(source->json, strlen(source->json), &documents->parsed[i], error)) {
            return error_wrap(error, "%s", source->path);
        }
        if (!check_head(documents, i, error)) {
            return false;
        }
    }
    return true;
}

static const char *join_paths(const struct documents *documents)
{
    const char *joined = documents->sources[0].path;
    for (size_t i = 1; i < documents->count; i++) {
        joined = arena_print(documents->arena, "%s, %s", joined, documents->sources[i].path);
    }
    return joined;
}

/* *out stays NULL when the document has no such entry. */
static bool find_in_document(const struct documents *documents, size_t index,
                             const struct section *section, const char *name,
                             const struct json **out, struct error *error)
{
    const char *path = documents->sources[index].path;
    const struct json *list = json_member(json_root(documents->parsed[index]), section->list);
    if (list != NULL && !json_is_array(list)) {
        return error_set(error, ERROR_INVALID, "%s: %s must be a list", path, section->list);
    }
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        const struct json *key = json_is_object(at) ? json_member(at, "name") : NULL;
        const char *found = key == NULL ? NULL : kubeconfig_scalar(key, documents->arena);
        if (!text_equal(found, name)) {
            continue;
        }
        if (*out != NULL) {
            return error_set(error, ERROR_INVALID, "%s: %s has %s twice", path, section->list,
                             name);
        }
        *out = at;
    }
    return true;
}

static bool find(const struct documents *documents, const struct section *section, const char *name,
                 struct kubeconfig_fields *out, struct error *error)
{
    for (size_t i = 0; i < documents->count; i++) {
        const struct json *entry = NULL;
        if (!find_in_document(documents, i, section, name, &entry, error)) {
            return false;
        }
        if (entry != NULL) {
            kubeconfig_fields_init(
                out, json_member(entry, section->item), &documents->sources[i],
                arena_print(documents->arena, "%s[%s].%s", section->list, name, section->item),
                documents->arena);
            return kubeconfig_fields_check(out, error);
        }
    }
    bool has_context = section != &contexts;
    return error_set(error, ERROR_INVALID, "the %s %s%s%s is not in %s", section->item, name,
                     has_context ? " of the context " : "", has_context ? documents->context : "",
                     join_paths(documents));
}

static bool current_context(const struct documents *documents, const char **out,
                            struct error *error)
{
    for (size_t i = 0; i < documents->count; i++) {
        const struct json *value = json_member(json_root(documents->parsed[i]), "current-context");
        const char *name = value == NULL ? "" : kubeconfig_scalar(value, documents->arena);
        if (name == NULL) {
            return error_set(error, ERROR_INVALID, "%s: current-context must be a string",
                             documents->sources[i].path);
        }
        if (*name != '\0') {
            *out = name;
            return true;
        }
    }
    return error_set(error, ERROR_INVALID, "no context is named, and %s has no current-context",
                     join_paths(documents));
}

/* It becomes a part of request paths. */
static bool is_label(const char *name)
{
    size_t bytes = strlen(name);
    return bytes <= LIMIT_LABEL_VALUE_BYTES && name[0] != '-' && name[bytes - 1] != '-' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == bytes;
}

static bool read_context(const struct documents *documents, struct kubeconfig *config,
                         struct error *error)
{
    struct kubeconfig_fields fields;
    if (!find(documents, &contexts, config->context, &fields, error)) {
        return false;
    }
    config->cluster = kubeconfig_fields_text(&fields, "cluster");
    config->user = kubeconfig_fields_text(&fields, "user");
    config->namespace = kubeconfig_fields_text(&fields, "namespace");
    if (config->cluster == NULL) {
        kubeconfig_fields_refuse(&fields, "cluster", "is missing");
    }
    if (config->namespace == NULL) {
        config->namespace = "default";
    } else if (!is_label(config->namespace)) {
        kubeconfig_fields_refuse(&fields, "namespace", "is no name of a namespace");
    }
    return kubeconfig_fields_check(&fields, error);
}

static bool read_entries(const struct documents *documents, struct kubeconfig *config,
                         struct error *error)
{
    struct kubeconfig_fields fields;
    if (!find(documents, &clusters, config->cluster, &fields, error)) {
        return false;
    }
    kubeconfig_read_cluster(&fields, config);
    if (!kubeconfig_fields_check(&fields, error)) {
        return false;
    }
    if (config->user == NULL) {
        return true;
    }
    if (!find(documents, &users, config->user, &fields, error)) {
        return false;
    }
    kubeconfig_read_user(&fields, config);
    return kubeconfig_fields_check(&fields, error);
}

bool kubeconfig_resolve(const struct kubeconfig_document *documents, size_t document_count,
                        const char *context, struct arena *arena, struct kubeconfig *out,
                        struct error *error)
{
    assert(documents != NULL || document_count == 0);

    if (document_count == 0) {
        return error_set(error, ERROR_INVALID, "the kubeconfig is empty");
    }
    __attribute__((cleanup(documents_release))) struct documents all = {
        .sources = documents,
        .parsed = memory_new(document_count, sizeof(struct json_document *)),
        .count = document_count,
        .arena = arena};
    all.context = arena_copy(arena, context);
    if (!parse_documents(&all, error) ||
        (context == NULL && !current_context(&all, &all.context, error))) {
        return false;
    }
    struct kubeconfig config = {.context = all.context};
    if (!read_context(&all, &config, error) || !read_entries(&all, &config, error)) {
        return false;
    }
    *out = config;
    return true;
}

/* Field by field: people's tools rewrite their kubeconfig all the time (another context, another
   cluster's token), and only a change of what we use may cost a new login. */
static bool cluster_equal(const struct kubeconfig *one, const struct kubeconfig *other)
{
    return text_equal(one->server, other->server) &&
           text_equal(one->tls_server_name, other->tls_server_name) &&
           text_equal(one->proxy_url, other->proxy_url) &&
           one->insecure_skip_tls_verify == other->insecure_skip_tls_verify &&
           text_equal(one->exec_extension_json, other->exec_extension_json) &&
           one->clock_speed == other->clock_speed && one->clock_from_ms == other->clock_from_ms &&
           text_equal(one->authority_file, other->authority_file) &&
           text_equal(one->authority_pem, other->authority_pem);
}

static bool user_equal(const struct kubeconfig *one, const struct kubeconfig *other)
{
    return text_equal(one->token, other->token) && text_equal(one->token_file, other->token_file) &&
           text_equal(one->username, other->username) &&
           text_equal(one->password, other->password) &&
           text_equal(one->certificate_file, other->certificate_file) &&
           text_equal(one->certificate_pem, other->certificate_pem) &&
           text_equal(one->key_file, other->key_file) && text_equal(one->key_pem, other->key_pem) &&
           exec_plugin_equal(one->exec, other->exec);
}

bool kubeconfig_equal(const struct kubeconfig *one, const struct kubeconfig *other)
{
    return cluster_equal(one, other) && user_equal(one, other);
}
