/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/operator_pods.h"

#include "cli/fetch.h"

#include <inttypes.h>
#include <string.h>

enum { PATH_BYTES_MAX = 2 * 1024, REPLY_BYTES_MAX = 4 * 1024 * 1024 };

/* As the chart labels them. */
#define SELECTOR "?labelSelector=app.kubernetes.io%2Fname%3Dadjoint"
#define VERSION_SERIES "adjoint_build_info{version=\""

static bool get_pods(struct cli *cli, const char *namespace, struct json_document **out,
                     struct error *error)
{
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    kind_path(kind_of(KIND_POD), namespace, NULL, NULL, &path);
    text_append(&path, SELECTOR);
    return text_check(&path, "--operator-namespace", error) &&
           fetch_json(cli, path.bytes, out, error);
}

static void read_ports(struct json_reader *reader, const struct json *container,
                       struct operator_pod *out)
{
    const struct json *ports = json_member(container, "ports");
    for (const struct json *at = json_first(ports); at != NULL; at = json_next(at)) {
        if (text_equal(json_text(json_member(at, "name")), "metrics")) {
            out->port = json_int64(reader, at, "containerPort", 0);
        }
    }
}

static void read_containers(struct json_reader *reader, const struct json *pod,
                            struct operator_pod *out)
{
    const struct json *containers = json_path(pod, "spec", "containers", NULL);
    out->containers = arena_new(reader->arena, json_count(containers) + 1, sizeof(char *));
    for (const struct json *at = json_first(containers); at != NULL; at = json_next(at)) {
        out->containers[out->container_count++] = json_string(reader, at, "name");
        read_ports(reader, at, out);
    }
}

bool operator_pods_read(struct cli *cli, struct arena *arena, struct operator_pods *out,
                        struct error *error)
{
    cleanup_json struct json_document *document = NULL;
    const char *namespace = cli->options.operator_namespace;
    if (!get_pods(cli, namespace, &document, error) &&
        (namespace != NULL || error->class != ERROR_FORBIDDEN ||
         !get_pods(cli, OPERATOR_NAMESPACE, &document, error))) {
        return false;
    }
    struct json_reader reader;
    json_reader_init(&reader, arena);
    *out = (struct operator_pods){.count = 0};
    const struct json *items = json_member(json_root(document), "items");
    for (const struct json *at = json_first(items); at != NULL; at = json_next(at)) {
        const struct json *meta = json_member(at, "metadata");
        struct operator_pod pod = {
            .namespace = json_string(&reader, meta, "namespace"),
            .name = json_string(&reader, meta, "name"),
            .labelled_version =
                json_string(&reader, json_member(meta, "labels"), "app.kubernetes.io/version"),
        };
        read_containers(&reader, at, &pod);
        if (pod.namespace != NULL && pod.name != NULL && out->count < OPERATOR_PODS_MAX) {
            out->items[out->count++] = pod;
        }
    }
    return json_reader_check(&reader, "a pod", error);
}

bool operator_url_check(const struct cli *cli, struct error *error)
{
    const char *url = cli->options.operator_url;
    bool is_url =
        url == NULL || text_starts_with(url, "http://") || text_starts_with(url, "https://");
    return (is_url && (url == NULL || !text_ends_with(url, "/"))) ||
           error_set(error, ERROR_INVALID,
                     "--operator-url: \"%s\" is none: write scheme, host and port alone, such as "
                     "http://localhost:8080",
                     url);
}

bool operator_pod_get(struct cli *cli, const struct operator_pod *pod, const char *path,
                      struct text *out, struct error *error)
{
    struct request request = {.method = METHOD_GET, .path = path, .accept = "*/*"};
    if (pod == NULL) {
        return cli_call_elsewhere(cli, cli->options.operator_url, &request, out, error);
    }
    if (pod->port == 0) {
        return error_set(error, ERROR_NOT_FOUND, "it has no port \"metrics\" (--listen)");
    }
    cleanup_text struct text proxied;
    cleanup_text struct text name;
    text_init(&proxied, PATH_BYTES_MAX);
    text_init(&name, PATH_BYTES_MAX);
    text_print(&name, "%s:%" PRId64, pod->name, pod->port);
    kind_path(kind_of(KIND_POD), pod->namespace, name.bytes, "proxy", &proxied);
    text_append(&proxied, path);
    request.path = proxied.bytes;
    return text_check(&proxied, "the pod's name", error) && cli_call(cli, &request, out, error);
}

bool operator_pod_version(struct cli *cli, const struct operator_pod *pod, struct arena *arena,
                          const char **out, struct error *error)
{
    cleanup_text struct text metrics;
    text_init(&metrics, REPLY_BYTES_MAX);
    if (!operator_pod_get(cli, pod, "/metrics", &metrics, error)) {
        return false;
    }
    const char *series = strstr(metrics.bytes, VERSION_SERIES);
    if (series == NULL) {
        return error_set(error, ERROR_INVALID, "its metrics have no adjoint_build_info");
    }
    const char *version = series + strlen(VERSION_SERIES);
    *out = arena_copy_bytes(arena, version, strcspn(version, "\""));
    return true;
}
