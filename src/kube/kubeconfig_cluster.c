/* SPDX-License-Identifier: Apache-2.0 */
/* The server's address is taken apart here, once, so that what leaves is safe to log and to put a
   path behind. One without a scheme gets https: client-go takes http when no authority is named,
   and would send a token in the clear. */
#include "kube/kubeconfig_fields.h"

#include "base/limits.h"
#include "base/timestamp.h"

#include <string.h>

#define ALPHANUMERIC "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

enum { CLOCK_SPEED_MAX = 3600 };

static bool is_port(const char *port, size_t byte_count)
{
    unsigned number = 0;
    for (size_t i = 0; i < byte_count && number <= 65535; i++) {
        if (port[i] < '0' || port[i] > '9') {
            return false;
        }
        number = number * 10 + (unsigned)(port[i] - '0');
    }
    return number > 0 && number <= 65535;
}

/* What is wrong with host[:port], or NULL. */
static const char *host_problem(const char *authority, size_t byte_count)
{
    const char *end = authority + byte_count;
    const char *port = NULL;
    if (*authority == '[') {
        size_t host_bytes = strspn(authority + 1, ALPHANUMERIC ":.%-_");
        const char *bracket = authority + 1 + host_bytes;
        if (host_bytes == 0 || bracket >= end || *bracket != ']') {
            return "has an IPv6 address that is not closed by ]";
        }
        port = bracket + 1;
    } else {
        port = authority + strspn(authority, ALPHANUMERIC ".-_");
        if (port == authority) {
            return "has no host";
        }
        if (port < end && *port == ':' && memchr(port + 1, ':', (size_t)(end - port - 1)) != NULL) {
            return "has an IPv6 address without brackets: write https://[ADDRESS]:PORT";
        }
    }
    if (port >= end) {
        return NULL;
    }
    return *port == ':' && is_port(port + 1, (size_t)(end - port - 1)) ? NULL
                                                                       : "has a wrong host or port";
}

/* A user in the address would be a password in every message. */
static const char *character_problem(const char *server)
{
    for (const char *at = server; *at != '\0'; at++) {
        if (*at <= ' ' || *at >= 0x7F || strchr("\"\\<>^`{|}", *at) != NULL) {
            return "has a character that no URL has";
        }
    }
    if (strchr(server, '@') != NULL) {
        return "must not name a user or a password";
    }
    return strpbrk(server, "?#") != NULL ? "must not have a query or a fragment" : NULL;
}

static const char *read_server(struct kubeconfig_fields *fields)
{
    const char *server = kubeconfig_fields_text(fields, "server");
    if (server == NULL) {
        kubeconfig_fields_refuse(fields, "server", "is missing");
        return NULL;
    }
    const char *problem = character_problem(server);
    const char *separator = strstr(server, "://");
    const char *authority = separator == NULL ? server : separator + 3;
    bool is_http = separator != NULL && strncasecmp(server, "http://", 7) == 0;
    bool is_https = separator == NULL || strncasecmp(server, "https://", 8) == 0;
    if (problem == NULL && !is_http && !is_https) {
        problem = "must begin with https:// or http://";
    }
    if (problem == NULL) {
        problem = host_problem(authority, strcspn(authority, "/"));
    }
    if (problem != NULL) {
        kubeconfig_fields_refuse(fields, "server", "%s", problem);
        return NULL;
    }
    size_t bytes = strlen(authority);
    while (authority[bytes - 1] == '/') {
        bytes--;
    }
    const char *rest = arena_copy_bytes(fields->arena, authority, bytes);
    return arena_print(fields->arena, "%s://%s", is_http ? "http" : "https", rest);
}

/* It may hold a password: never quoted. */
static const char *read_proxy(struct kubeconfig_fields *fields)
{
    static const char *const schemes[] = {"http://", "https://", "socks5://"};
    const char *proxy = kubeconfig_fields_text(fields, "proxy-url");
    if (proxy == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
        size_t scheme_bytes = strlen(schemes[i]);
        if (strncasecmp(proxy, schemes[i], scheme_bytes) == 0 && proxy[scheme_bytes] != '\0') {
            return proxy;
        }
    }
    kubeconfig_fields_refuse(fields, "proxy-url", "must begin with http://, https:// or socks5://");
    return NULL;
}

static const struct json *find_extension(struct kubeconfig_fields *fields, const char *wanted)
{
    const struct json *list = kubeconfig_fields_list(fields, "extensions");
    for (const struct json *at = json_first(list); at != NULL; at = json_next(at)) {
        const struct json *name = json_is_object(at) ? json_member(at, "name") : NULL;
        if (name != NULL && text_equal(json_text(name), wanted)) {
            return json_member(at, "extension");
        }
    }
    return NULL;
}

/* Source: KEP-541, "extensions" of the cluster are handed to exec plugins as their config. */
static const char *read_exec_extension(struct kubeconfig_fields *fields)
{
    const struct json *extension = find_extension(fields, "client.authentication.k8s.io/exec");
    if (extension == NULL) {
        return NULL;
    }
    cleanup_text struct text text;
    text_init(&text, LIMIT_FILE_BYTES);
    json_append(&text, extension);
    return arena_copy(fields->arena, text.bytes);
}

static void read_clock(struct kubeconfig_fields *fields, struct kubeconfig *out)
{
    const struct json *extension = find_extension(fields, "adjoint.dev/clock");
    if (extension == NULL) {
        return;
    }
    bool is_object = json_is_object(extension);
    const struct json *from = is_object ? json_member(extension, "from") : NULL;
    const struct json *speed_value = is_object ? json_member(extension, "speed") : NULL;
    const char *speed = speed_value != NULL ? kubeconfig_scalar(speed_value, fields->arena) : NULL;
    struct error ignored;
    if (speed == NULL || !text_parse_int64(speed, &out->clock_speed, &ignored) ||
        out->clock_speed < 1 || out->clock_speed > CLOCK_SPEED_MAX || from == NULL ||
        json_text(from) == NULL ||
        !timestamp_parse(json_text(from), &out->clock_from_ms, &ignored)) {
        kubeconfig_fields_refuse(fields, "extensions[adjoint.dev/clock]",
                                 "must have a speed from 1 to %d and a time, from",
                                 CLOCK_SPEED_MAX);
    }
}

void kubeconfig_read_cluster(struct kubeconfig_fields *fields, struct kubeconfig *out)
{
    out->server = read_server(fields);
    out->tls_server_name = kubeconfig_fields_text(fields, "tls-server-name");
    out->proxy_url = read_proxy(fields);
    out->insecure_skip_tls_verify = kubeconfig_fields_bool(fields, "insecure-skip-tls-verify");
    out->authority_pem = kubeconfig_fields_data(fields, "certificate-authority-data");
    out->authority_file = kubeconfig_fields_path(fields, "certificate-authority");
    out->exec_extension_json = read_exec_extension(fields);
    read_clock(fields, out);
    if (out->authority_pem != NULL) {
        out->authority_file = NULL;
    }
    bool has_authority = out->authority_pem != NULL || out->authority_file != NULL;
    if (out->insecure_skip_tls_verify && has_authority) {
        kubeconfig_fields_refuse(fields, "insecure-skip-tls-verify",
                                 "is true and an authority is named too; leave one out");
    }
}
