/* SPDX-License-Identifier: Apache-2.0 */
/* Through the same verb as everybody's objects, so that what a client could not post is not there
   either. */
#include "sim/manifests.h"

#include "sim/apiserver.h"
#include "sim/value.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/file.h"
#include "io/yaml.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES_MAX = 4096, NAME_BYTES_MAX = 256 };

/* ---- one file ---- */

/* The resource of apiVersion and kind; NULL: not served. */
static const struct resource *resource_of(const struct apiserver *server, const cJSON *object)
{
    const char *api_version = value_text(object, "apiVersion", NULL);
    const char *kind = value_text(object, "kind", NULL);
    const char *slash = api_version != NULL ? strchr(api_version, '/') : NULL;
    cleanup_text struct text group;
    cleanup_text struct text singular;
    text_init(&group, NAME_BYTES_MAX);
    text_init(&singular, NAME_BYTES_MAX);
    if (api_version == NULL || kind == NULL) {
        return NULL;
    }
    text_append_bytes(&group, api_version, slash != NULL ? (size_t)(slash - api_version) : 0);
    for (const char *at = kind; *at != '\0'; at++) {
        text_append_char(&singular, (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at));
    }
    return apiserver_resource(server, group.bytes, slash != NULL ? slash + 1 : api_version,
                              singular.bytes);
}

static bool create(void *self, const char *json, struct error *error)
{
    struct apiserver *server = self;
    static const struct verb_options options = {.actor = "adjoint-sim", .strict = true};
    cJSON *object = NULL;
    if (!value_parse(json, &object, error)) {
        return false;
    }
    const struct resource *resource = resource_of(server, object);
    if (resource == NULL) {
        (void)error_set(error, ERROR_INVALID, "%s is of a kind that is not served",
                        value_name(object));
        cJSON_Delete(object);
        return false;
    }
    cleanup_text struct text namespace;
    text_init(&namespace, NAME_BYTES_MAX);
    text_append(&namespace, value_namespace(object));
    cleanup_outcome struct outcome outcome =
        apiserver_create(server, resource, namespace.bytes, object, &options);
    return outcome_ok(&outcome) || error_set(error, ERROR_INVALID, "%s", outcome.message);
}

bool manifests_create(struct apiserver *server, const char *bytes, size_t byte_count,
                      struct error *error)
{
    return yaml_to_json(bytes, byte_count, create, server, error);
}

/* ---- a folder ---- */

static int is_yaml(const struct dirent *entry)
{
    return text_ends_with(entry->d_name, ".yaml") ? 1 : 0;
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

static bool create_file(struct apiserver *server, const char *folder, const char *name,
                        struct error *error)
{
    cleanup_text struct text path;
    char *bytes cleanup_memory = NULL;
    size_t byte_count = 0;
    text_init(&path, PATH_BYTES_MAX);
    text_print(&path, "%s/%s", folder, name);
    return text_check(&path, "the path", error) &&
           file_read(path.bytes, LIMIT_FILE_BYTES, &bytes, &byte_count, error) &&
           (manifests_create(server, bytes, byte_count, error) ||
            error_wrap(error, "%s", path.bytes));
}

bool manifests_create_folder(struct apiserver *server, const char *path, struct error *error)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_yaml, by_name);
    if (count < 0) {
        return error_set(error, ERROR_SYSTEM, "%s: %s", path, strerror(errno));
    }
    bool ok = count > 0 || error_set(error, ERROR_SYSTEM, "%s has no *.yaml", path);
    for (int i = 0; i < count; i++) {
        ok = ok && create_file(server, path, entries[i]->d_name, error);
        free(entries[i]);
    }
    free(entries);
    return ok;
}
