/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl connects, through a proxy and TLS when need be, and hands the connection over
   (CURLOPT_CONNECT_ONLY). It stays curl's: its transfer is kept in a set of its own, and leaving
   the set closes it. curl polls the socket until then and lets go of it when it reports the end, so
   that a poll handle of ours can take its place. */
#include "io/http_stream.h"

#include "base/memory.h"
#include "io/http_easy.h"
#include "io/http_outcome.h"
#include "io/loop.h"

#include <assert.h>
#include <uv.h>

enum { MS_PER_SECOND = 1000 };

struct http_stream {
    struct loop *loop;
    struct http_stream_events events;
    struct http_endpoint *endpoint;
    struct http_connections *connections; /* the endpoint's */
    CURL *easy;
    struct curl_slist *headers, *routes;
    char reason[CURL_ERROR_SIZE];
    uv_poll_t poll;
    bool polls; /* poll is initialised */
};

static void judge(const struct http_stream *stream, CURLcode result, struct error *out_error)
{
    struct http_outcome outcome = {.result = result,
                                   .reason = stream->reason,
                                   .server = http_endpoint_server(stream->endpoint)};
    curl_easy_getinfo(stream->easy, CURLINFO_SSL_VERIFYRESULT, &outcome.verify_result);
    curl_easy_getinfo(stream->easy, CURLINFO_OS_ERRNO, &outcome.os_error);
    http_outcome_judge(&outcome, out_error);
}

static void poll_connection(struct http_stream *stream)
{
    curl_socket_t socket = CURL_SOCKET_BAD;
    curl_easy_getinfo(stream->easy, CURLINFO_ACTIVESOCKET, &socket);
    assert(socket != CURL_SOCKET_BAD);
    int status = uv_poll_init_socket(loop_uv(stream->loop), &stream->poll, socket);
    assert(status == 0);
    stream->poll.data = stream;
    stream->polls = true;
}

/* cppcheck-suppress constParameter ; as struct http_connections calls it */
static void connected(void *self, CURL *easy, CURLcode result)
{
    struct http_stream *stream = self;
    assert(easy == stream->easy);
    struct error error;
    judge(stream, result, &error);
    if (error.class == ERROR_NONE) {
        poll_connection(stream);
    }
    stream->events.opened(stream->events.self, &error);
}

static void set_options(struct http_stream *stream, const struct http_client_options *options)
{
    CURL *easy = stream->easy;
    HTTP_EASY_SET(easy, CURLOPT_CONNECT_ONLY, 1L);
    /* For plain HTTP, too: what follows is no request that a proxy could pass on. */
    HTTP_EASY_SET(easy, CURLOPT_HTTPPROXYTUNNEL, 1L);
    HTTP_EASY_SET(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    HTTP_EASY_SET(easy, CURLOPT_NOSIGNAL, 1L);
    HTTP_EASY_SET(easy, CURLOPT_QUICK_EXIT, 1L);
    HTTP_EASY_SET(easy, CURLOPT_ERRORBUFFER, stream->reason);
    HTTP_EASY_SET(easy, CURLOPT_USERAGENT, options->user_agent);
    HTTP_EASY_SET(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)options->connect_timeout_ms);
    HTTP_EASY_SET(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    HTTP_EASY_SET(easy, CURLOPT_TCP_KEEPIDLE, (long)options->keepalive_idle_ms / MS_PER_SECOND);
    HTTP_EASY_SET(easy, CURLOPT_TCP_KEEPINTVL,
                  (long)options->keepalive_interval_ms / MS_PER_SECOND);
}

struct http_stream *http_stream_open(struct loop *loop, const struct credential_set *set,
                                     const struct http_client_options *options,
                                     struct http_stream_events events, struct error *error)
{
    struct http_stream *stream = memory_new(1, sizeof(*stream));
    stream->loop = loop;
    stream->events = events;
    stream->connections = http_connections_new(loop_uv(loop), connected, stream);
    http_connections_keep_ended(stream->connections);
    if (!http_endpoint_new(set, stream->connections, &stream->endpoint, error)) {
        memory_free(stream);
        return NULL;
    }
    stream->easy = curl_easy_init();
    assert(stream->easy != NULL);
    set_options(stream, options);
    http_endpoint_apply(stream->endpoint, stream->easy, "/", &stream->headers, &stream->routes);
    http_connections_start(stream->connections, stream->easy);
    return stream;
}

static void poll_closed(uv_handle_t *poll)
{
    memory_free(poll->data);
}

/* Before the socket: libuv may not poll what is closed. */
void http_stream_close(struct http_stream *stream)
{
    if (stream == NULL) {
        return;
    }
    if (stream->polls) {
        uv_close((uv_handle_t *)&stream->poll, poll_closed);
    }
    http_connections_stop(stream->connections, stream->easy);
    curl_easy_cleanup(stream->easy);
    curl_slist_free_all(stream->headers);
    curl_slist_free_all(stream->routes);
    http_endpoint_release(stream->endpoint);
    if (!stream->polls) {
        memory_free(stream);
    }
}

const struct http_endpoint *http_stream_endpoint(const struct http_stream *stream)
{
    return stream->endpoint;
}

bool http_stream_read(struct http_stream *stream, char *bytes, size_t byte_count, size_t *out_count,
                      bool *out_ended, struct error *error)
{
    *out_count = 0;
    *out_ended = false;
    CURLcode result = curl_easy_recv(stream->easy, bytes, byte_count, out_count);
    if (result == CURLE_AGAIN) {
        return true;
    }
    *out_ended = result == CURLE_OK && *out_count == 0;
    judge(stream, result, error);
    return result == CURLE_OK;
}

bool http_stream_write(struct http_stream *stream, const char *bytes, size_t byte_count,
                       size_t *out_count, struct error *error)
{
    *out_count = 0;
    CURLcode result = curl_easy_send(stream->easy, bytes, byte_count, out_count);
    if (result == CURLE_AGAIN) {
        return true;
    }
    judge(stream, result, error);
    return result == CURLE_OK;
}

static void socket_is_ready(uv_poll_t *poll, int status, int events)
{
    (void)status, (void)events; /* reading or writing tells what is wrong */
    struct http_stream *stream = poll->data;
    stream->events.ready(stream->events.self);
}

void http_stream_await(struct http_stream *stream, bool can_read, bool can_write)
{
    assert(stream->polls);
    int events = (can_read ? UV_READABLE : 0) | (can_write ? UV_WRITABLE : 0);
    int status = events == 0 ? uv_poll_stop(&stream->poll)
                             : uv_poll_start(&stream->poll, events, socket_is_ready);
    assert(status == 0);
}
