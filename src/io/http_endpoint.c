/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl takes the name for SNI and for the certificate's check from the URL alone. With a
   tls_server_name the URL therefore carries that name, CURLOPT_CONNECT_TO leads to the real server,
   and the Host header names the real one.

   The authority is given as a blob and CAPATH switched off: with its default libcurl (7.88.1 on
   Debian 12) also trusts the system's authorities, and it caches a CAINFO file for 24 hours. Blobs
   are copied by curl, since a watch may outlive the endpoint that it was started for.

   As kubectl does: a server on this machine is never asked for through the environment's proxy,
   a proxy of the credentials is used whatever NO_PROXY says, a SOCKS proxy resolves the server's
   name, and a proxy that speaks TLS is checked as the server is. (Go's net/http and
   golang.org/x/net/http/httpproxy) */
#include "io/http_endpoint.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/http_easy.h"

#include <curl/curl.h>

#include <string.h>

struct http_endpoint {
    int holder_count;
    struct http_connections *connections;
    struct arena arena; /* all strings below */

    const char *server;
    const char *base_url;            /* no '/' at its end */
    const char *host_header, *route; /* NULL without a tls_server_name */
    const char *tls_server_name;
    char *certificate_pem, *key_pem, *authority_pem;
    bool insecure_skip_tls_verify;
    const char *proxy_url, *proxy; /* as it was given; as curl is to have it */
    bool is_on_this_machine;
};

static void url_cleanup(CURLU **url)
{
    curl_url_cleanup(*url);
}

/* NULL: the URL does not have this part. */
static char *url_part(struct arena *arena, CURLU *url, CURLUPart what, unsigned int flags)
{
    char *part = NULL;
    if (curl_url_get(url, what, &part, flags) != CURLUE_OK) {
        return NULL;
    }
    char *copy = arena_copy(arena, part);
    curl_free(part);
    return copy;
}

static bool is_loopback(const char *host)
{
    return strcasecmp(host, "localhost") == 0 || text_starts_with(host, "127.") ||
           text_equal(host, "[::1]");
}

static bool use_server_name(struct http_endpoint *endpoint, CURLU *url)
{
    struct arena *arena = &endpoint->arena;
    const char *host = url_part(arena, url, CURLUPART_HOST, 0);
    const char *port = url_part(arena, url, CURLUPART_PORT, 0);
    endpoint->host_header = port == NULL ? arena_print(arena, "Host: %s", host)
                                         : arena_print(arena, "Host: %s:%s", host, port);
    endpoint->route = arena_print(arena, "::%s:%s", host,
                                  url_part(arena, url, CURLUPART_PORT, CURLU_DEFAULT_PORT));
    const char *name = endpoint->tls_server_name;
    if (strchr(name, ':') != NULL) {
        name = arena_print(arena, "[%s]", name);
    }
    return curl_url_set(url, CURLUPART_HOST, name, 0) == CURLUE_OK;
}

static bool read_server(struct http_endpoint *endpoint, struct error *error)
{
    __attribute__((cleanup(url_cleanup))) CURLU *url = curl_url();
    CURLUcode code = curl_url_set(url, CURLUPART_URL, endpoint->server, 0);
    if (code != CURLUE_OK) {
        return error_set(error, ERROR_UNAVAILABLE, "server \"%s\": %s", endpoint->server,
                         curl_url_strerror(code));
    }
    endpoint->is_on_this_machine = is_loopback(url_part(&endpoint->arena, url, CURLUPART_HOST, 0));
    if (endpoint->tls_server_name != NULL && !use_server_name(endpoint, url)) {
        return error_set(error, ERROR_UNAVAILABLE, "tls-server-name \"%s\" is no host name",
                         endpoint->tls_server_name);
    }
    char *base_url = url_part(&endpoint->arena, url, CURLUPART_URL, 0);
    size_t length = strlen(base_url);
    while (length > 0 && base_url[length - 1] == '/') {
        base_url[--length] = '\0';
    }
    endpoint->base_url = base_url;
    return true;
}

/* curl's socks5:// resolves names here, and its socks5h:// is what everybody else calls socks5. */
static const char *proxy_for_curl(struct arena *arena, const char *proxy_url)
{
    static const char scheme[] = "socks5://";
    if (!text_starts_with(proxy_url, scheme)) {
        return proxy_url;
    }
    return arena_print(arena, "socks5h://%s", proxy_url + strlen(scheme));
}

bool http_endpoint_new(const struct credential_set *set, struct http_connections *connections,
                       struct http_endpoint **out_endpoint, struct error *error)
{
    struct http_endpoint *endpoint = memory_new(1, sizeof(*endpoint));
    struct arena *arena = &endpoint->arena;
    arena_init(arena, 0);
    endpoint->holder_count = 1;
    endpoint->connections = connections;
    endpoint->server = arena_copy(arena, set->server);
    endpoint->tls_server_name = arena_copy(arena, set->tls_server_name);
    endpoint->certificate_pem = arena_copy(arena, set->certificate_pem);
    endpoint->key_pem = arena_copy(arena, set->key_pem);
    endpoint->authority_pem = arena_copy(arena, set->authority_pem);
    endpoint->insecure_skip_tls_verify = set->insecure_skip_tls_verify;
    endpoint->proxy_url = arena_copy(arena, set->proxy_url);
    endpoint->proxy = proxy_for_curl(arena, endpoint->proxy_url);
    if (!read_server(endpoint, error)) {
        http_endpoint_release(endpoint);
        return false;
    }
    *out_endpoint = endpoint;
    return true;
}

struct http_endpoint *http_endpoint_hold(struct http_endpoint *endpoint)
{
    endpoint->holder_count++;
    return endpoint;
}

void http_endpoint_release(struct http_endpoint *endpoint)
{
    if (endpoint == NULL || --endpoint->holder_count > 0) {
        return;
    }
    http_connections_free(endpoint->connections);
    arena_release(&endpoint->arena);
    memory_free(endpoint);
}

bool http_endpoint_serves(const struct http_endpoint *endpoint, const struct credential_set *set)
{
    return text_equal(endpoint->server, set->server) &&
           text_equal(endpoint->tls_server_name, set->tls_server_name) &&
           text_equal(endpoint->certificate_pem, set->certificate_pem) &&
           text_equal(endpoint->key_pem, set->key_pem) &&
           text_equal(endpoint->authority_pem, set->authority_pem) &&
           text_equal(endpoint->proxy_url, set->proxy_url) &&
           endpoint->insecure_skip_tls_verify == set->insecure_skip_tls_verify;
}

struct http_connections *http_endpoint_connections(const struct http_endpoint *endpoint)
{
    return endpoint->connections;
}

void http_endpoint_write_head(const struct http_endpoint *endpoint, const char *path,
                              struct text *out)
{
    const char *authority = strstr(endpoint->base_url, "://") + strlen("://");
    size_t authority_bytes = strcspn(authority, "/");
    text_print(out, "GET %s%s HTTP/1.1\r\n", authority + authority_bytes, path);
    if (endpoint->host_header != NULL) {
        text_append(out, endpoint->host_header);
    } else {
        text_append(out, "Host: ");
        text_append_bytes(out, authority, authority_bytes);
    }
    text_append(out, "\r\n");
}

const char *http_endpoint_server(const struct http_endpoint *endpoint)
{
    return endpoint->server;
}

static void set_blob(CURL *easy, CURLoption option, char *pem)
{
    if (pem != NULL) {
        struct curl_blob blob = {.data = pem, .len = strlen(pem), .flags = CURL_BLOB_COPY};
        HTTP_EASY_SET(easy, option, &blob);
    }
}

static void apply_tls(const struct http_endpoint *endpoint, CURL *easy)
{
    long verify_peer = endpoint->insecure_skip_tls_verify ? 0 : 1;
    long verify_host = endpoint->insecure_skip_tls_verify ? 0 : 2;
    const char *no_folder = NULL;

    HTTP_EASY_SET(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    HTTP_EASY_SET(easy, CURLOPT_SSL_VERIFYPEER, verify_peer);
    HTTP_EASY_SET(easy, CURLOPT_SSL_VERIFYHOST, verify_host);
    HTTP_EASY_SET(easy, CURLOPT_CAPATH, no_folder);
    set_blob(easy, CURLOPT_CAINFO_BLOB, endpoint->authority_pem);
    set_blob(easy, CURLOPT_SSLCERT_BLOB, endpoint->certificate_pem);
    set_blob(easy, CURLOPT_SSLKEY_BLOB, endpoint->key_pem);

    HTTP_EASY_SET(easy, CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    HTTP_EASY_SET(easy, CURLOPT_PROXY_SSL_VERIFYPEER, verify_peer);
    HTTP_EASY_SET(easy, CURLOPT_PROXY_SSL_VERIFYHOST, verify_host);
    HTTP_EASY_SET(easy, CURLOPT_PROXY_CAPATH, no_folder);
    set_blob(easy, CURLOPT_PROXY_CAINFO_BLOB, endpoint->authority_pem);
}

static void apply_proxy(const struct http_endpoint *endpoint, CURL *easy)
{
    /* Else the sink would take the proxy's reply to CONNECT for the server's. */
    HTTP_EASY_SET(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (endpoint->proxy != NULL) {
        HTTP_EASY_SET(easy, CURLOPT_PROXY, endpoint->proxy);
        HTTP_EASY_SET(easy, CURLOPT_NOPROXY, "");
    } else if (endpoint->is_on_this_machine) {
        HTTP_EASY_SET(easy, CURLOPT_NOPROXY, "*");
    }
}

void http_endpoint_apply(const struct http_endpoint *endpoint, CURL *easy, const char *path,
                         struct curl_slist **headers, struct curl_slist **out_routes)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    HTTP_EASY_SET(easy, CURLOPT_URL, arena_print(&arena, "%s%s", endpoint->base_url, path));
    HTTP_EASY_SET(easy, CURLOPT_PATH_AS_IS, 1L);
    HTTP_EASY_SET(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    if (endpoint->host_header != NULL) {
        *headers = curl_slist_append(*headers, endpoint->host_header);
        *out_routes = curl_slist_append(NULL, endpoint->route);
        HTTP_EASY_SET(easy, CURLOPT_CONNECT_TO, *out_routes);
    }
    apply_tls(endpoint, easy);
    apply_proxy(endpoint, easy);
}
