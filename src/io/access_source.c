/* SPDX-License-Identifier: Apache-2.0 */
/* A pod is described as a kubeconfig with files, so that everything behind this one knows a single
   kind of source. $KUBECONFIG goes before the pod, since somebody set it; ~/.kube/config goes
   after it, since an image may have one by accident.
   Source: client-go rest.InClusterConfig and clientcmd's loader (missing files of a list are
   passed over). */
#include "io/access_source.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/file.h"
#include "io/yaml.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SERVICE_ACCOUNT_FOLDER "/var/run/secrets/kubernetes.io/serviceaccount"

enum { PATH_COUNT_MAX = 32 };

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value == NULL || *value == '\0' ? NULL : value;
}

static bool exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 || errno != ENOENT;
}

static bool is_pod(const char *folder)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    return environment("KUBERNETES_SERVICE_HOST") != NULL &&
           environment("KUBERNETES_SERVICE_PORT") != NULL &&
           exists(arena_print(&arena, "%s/token", folder));
}

static bool find_at_home(struct access_source *out, struct error *error)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    const char *home = environment("HOME");
    const char *path = arena_print(&arena, "%s/.kube/config", home == NULL ? "" : home);
    if (home == NULL || !exists(path)) {
        return error_set(error, ERROR_INVALID,
                         "no cluster is configured: KUBECONFIG is not set, this is no pod with a "
                         "service account, and there is no ~/.kube/config");
    }
    *out = (struct access_source){.paths = memory_copy_text(path)};
    return true;
}

bool access_source_find(const struct access_options *options, struct access_source *out,
                        struct error *error)
{
    const char *paths =
        options->kubeconfig != NULL ? options->kubeconfig : environment("KUBECONFIG");
    const char *folder = options->service_account_folder != NULL ? options->service_account_folder
                                                                 : SERVICE_ACCOUNT_FOLDER;
    if (paths != NULL) {
        *out = (struct access_source){.paths = memory_copy_text(paths)};
        return true;
    }
    if (is_pod(folder)) {
        *out = (struct access_source){.folder = memory_copy_text(folder)};
        return true;
    }
    return find_at_home(out, error);
}

void access_source_release(struct access_source *source)
{
    memory_free(source->paths);
    memory_free(source->folder);
}

static const char *folder_of(const char *path, struct arena *arena)
{
    const char *slash = strrchr(path, '/');
    const char *folder = slash == NULL ? "" : arena_copy_bytes(arena, path, (size_t)(slash - path));
    if (*path == '/') {
        return folder;
    }
    cleanup_memory char *here = realpath(".", NULL);
    return arena_print(arena, "%s%s%s", here == NULL ? "" : here, *folder == '\0' ? "" : "/",
                       folder);
}

struct documents {
    struct arena *arena;
    struct kubeconfig_document list[PATH_COUNT_MAX];
    size_t count;
    const char *path; /* being read */
    bool has_one;     /* of this path */
};

/* Like kubectl, the first document of a file is the kubeconfig. */
static bool keep_first(void *self, const char *json, struct error *error)
{
    (void)error;
    struct documents *documents = self;
    if (!documents->has_one) {
        documents->has_one = true;
        documents->list[documents->count++] = (struct kubeconfig_document){
            .json = arena_copy(documents->arena, json),
            .folder = folder_of(documents->path, documents->arena),
            .path = documents->path,
        };
    }
    return true;
}

static bool read_path(struct documents *documents, const char *path, struct error *error)
{
    if (documents->count == PATH_COUNT_MAX) {
        return error_set(error, ERROR_LIMIT, "more than %d kubeconfig files", PATH_COUNT_MAX);
    }
    cleanup_memory char *bytes = NULL;
    size_t byte_count = 0;
    if (!file_read(path, LIMIT_FILE_BYTES, &bytes, &byte_count, error)) {
        return false;
    }
    documents->path = path;
    documents->has_one = false;
    return yaml_to_json(bytes, byte_count, keep_first, documents, error) ||
           error_wrap(error, "%s", path);
}

static bool read_files(const char *paths, const char *context, struct arena *arena,
                       struct kubeconfig *out, struct error *error)
{
    struct documents documents = {.arena = arena};
    bool found_one = false;
    for (const char *at = paths; *at != '\0'; at += *at == ':') {
        size_t byte_count = strcspn(at, ":");
        const char *path = arena_copy_bytes(arena, at, byte_count);
        at += byte_count;
        if (byte_count == 0 || !exists(path)) {
            continue;
        }
        found_one = true;
        if (!read_path(&documents, path, error)) {
            return false;
        }
    }
    if (!found_one) {
        return error_set(error, ERROR_SYSTEM, "there is no kubeconfig %s", paths);
    }
    return kubeconfig_resolve(documents.list, documents.count, context, arena, out, error);
}

static const char *pod_namespace(const char *folder, struct arena *arena)
{
    cleanup_memory char *bytes = NULL;
    struct error ignored;
    if (!file_read(arena_print(arena, "%s/namespace", folder), LIMIT_FILE_BYTES, &bytes, NULL,
                   &ignored)) {
        return "default";
    }
    size_t byte_count = strspn(bytes, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return byte_count == 0 ? "default" : arena_copy_bytes(arena, bytes, byte_count);
}

/* Kubernetes sets both, so a wrong one is a mistake in a pod's spec. */
static bool pod_server(struct arena *arena, const char **out, struct error *error)
{
    const char *host = environment("KUBERNETES_SERVICE_HOST");
    const char *port = environment("KUBERNETES_SERVICE_PORT");
    int64_t number = 0;
    if (host == NULL || strpbrk(host, "/@[]?# ") != NULL) {
        return error_set(error, ERROR_INVALID, "KUBERNETES_SERVICE_HOST is no host");
    }
    struct error ignored;
    if (port == NULL || !text_parse_int64(port, &number, &ignored) || number < 1 ||
        number > 65535) {
        return error_set(error, ERROR_INVALID, "KUBERNETES_SERVICE_PORT is no port");
    }
    bool is_ipv6 = strchr(host, ':') != NULL;
    *out =
        arena_print(arena, "https://%s%s%s:%s", is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", port);
    return true;
}

static bool read_pod(const char *folder, struct arena *arena, struct kubeconfig *out,
                     struct error *error)
{
    const char *server = NULL;
    if (!pod_server(arena, &server, error)) {
        return false;
    }
    *out = (struct kubeconfig){
        .namespace = pod_namespace(folder, arena),
        .server = server,
        .authority_file = arena_print(arena, "%s/ca.crt", folder),
        .token_file = arena_print(arena, "%s/token", folder),
    };
    return true;
}

bool access_source_read(const struct access_source *source, const char *context,
                        struct arena *arena, struct kubeconfig *out, struct error *error)
{
    assert((source->paths == NULL) != (source->folder == NULL));

    return source->paths != NULL ? read_files(source->paths, context, arena, out, error)
                                 : read_pod(source->folder, arena, out, error);
}
