/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl sends a request again by itself when a kept connection turns out to be closed, a PATCH as
   well as a GET. CURLOPT_PREREQFUNCTION is called before each sending, so that is where sendings
   are counted and, for a write, the second one refused. A GET's second one is held back if it would
   go to another kept connection, which may be as closed as the first, and sent on a new one
   instead. A 401 starts the count anew: the server has not processed what it did not let in.

   A watch's deadline moves with each byte, header or body, by the clock and not by curl's low-speed
   limit, which measures averages over whole seconds. curl's callbacks only note and hand on;
   nothing in them calls curl, but for reading a date. */
#include "io/http_call.h"

#include "base/memory.h"
#include "base/text.h"
#include "io/http_easy.h"
#include "io/http_identity.h"
#include "io/http_outcome.h"
#include "io/loop.h"

#include <assert.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

/* A watch is open for as long as the process and reads little at a time. */
#define WATCH_BUFFER_BYTES 4096L

enum {
    MS_PER_SECOND = 1000,
    RETRY_AFTER_MS_MAX = 60 * 60 * 1000, /* nothing that a server says stops us for longer */
    CONNECTION_AGE_S_MAX = 60,           /* kube-apiserver closes what is idle for 90 s */
    STATUS_UNAUTHORIZED = 401,
    STATUS_FINAL_MIN = 200, /* below: interim replies, another head follows */
};

static bool is_write(const struct call *call)
{
    return call->request.method != METHOD_GET;
}

struct call *http_call_new(const struct request *request, struct sink sink,
                           const struct http_client_options *options, const struct loop *loop)
{
    assert(request->path[0] == '/' && request->deadline_ms > 0);

    struct call *call = memory_new(1, sizeof(*call));
    arena_init(&call->arena, 0);
    call->options = options;
    call->loop = loop;
    call->sink = sink;
    call->state = HTTP_CALL_WAITING;
    call->due_ms = loop_now(loop).mono_ms + request->deadline_ms;
    call->request = *request;
    call->request.path = arena_copy(&call->arena, request->path);
    call->request.content_type = arena_copy(&call->arena, request->content_type);
    call->request.accept = arena_copy(&call->arena, request->accept);
    call->request.body = arena_copy_bytes(&call->arena, request->body, request->body_bytes);
    return call;
}

void http_call_forget_transfer(struct call *call)
{
    curl_easy_cleanup(call->easy);
    curl_slist_free_all(call->headers);
    curl_slist_free_all(call->routes);
    http_endpoint_release(call->endpoint);
    call->easy = NULL;
    call->headers = call->routes = NULL;
    call->endpoint = NULL;
    call->connections = NULL;
    call->state = HTTP_CALL_WAITING;
}

static void stop_transfer(struct call *call)
{
    if (call->easy != NULL && call->connections != NULL) {
        http_connections_stop(call->connections, call->easy);
    }
}

void http_call_free(struct call *call)
{
    stop_transfer(call);
    http_call_forget_transfer(call);
    arena_release(&call->arena);
    memory_free(call);
}

static void touch(struct call *call)
{
    if (call->request.watch) {
        call->due_ms = loop_now(call->loop).mono_ms + call->request.deadline_ms;
    }
}

/* Seconds or an HTTP date; 0 for anything else. (RFC 9110, 10.2.3) */
static int64_t read_retry_after(const struct call *call, const char *value)
{
    struct error ignored;
    int64_t seconds = 0;
    if (!text_parse_int64(value, &seconds, &ignored)) {
        int64_t date = (int64_t)curl_getdate(value, NULL);
        seconds = date <= 0 ? 0 : date - loop_now(call->loop).wall_ms / MS_PER_SECOND;
    }
    if (seconds <= 0) {
        return 0;
    }
    return seconds < RETRY_AFTER_MS_MAX / MS_PER_SECOND ? seconds * MS_PER_SECOND
                                                        : RETRY_AFTER_MS_MAX;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* "HTTP/1.1 200 OK" */
static int read_status(const char *line)
{
    const char *digits = strchr(line, ' ');
    if (digits == NULL || !is_digit(digits[1]) || !is_digit(digits[2]) || !is_digit(digits[3])) {
        return 0;
    }
    return (digits[1] - '0') * 100 + (digits[2] - '0') * 10 + (digits[3] - '0');
}

static void head_ended(struct call *call)
{
    bool is_interim = call->http_status < STATUS_FINAL_MIN;
    if (!is_interim && !http_call_wants_refresh(call)) {
        call->sink.head(call->sink.self, call->http_status, call->retry_after_ms);
    }
}

static void read_header_line(struct call *call, const char *line)
{
    static const char retry_after[] = "retry-after:";
    if (line[0] == '\0') {
        head_ended(call);
    } else if (text_starts_with(line, "HTTP/")) {
        call->http_status = read_status(line);
        call->retry_after_ms = 0;
    } else if (strncasecmp(line, retry_after, strlen(retry_after)) == 0) {
        const char *value = line + strlen(retry_after);
        call->retry_after_ms = read_retry_after(call, value + strspn(value, " \t"));
    }
}

static size_t header_came(char *bytes, size_t unit, size_t count, void *self)
{
    struct call *call = self;
    touch(call);
    size_t length = unit * count;
    char line[128]; /* what we read is shorter */
    size_t kept = length < sizeof(line) ? length : sizeof(line) - 1;
    memcpy(line, bytes, kept);
    line[kept] = '\0';
    while (kept > 0 && strchr(" \t\r\n", line[kept - 1]) != NULL) {
        line[--kept] = '\0';
    }
    read_header_line(call, line);
    return length;
}

static size_t body_came(char *bytes, size_t unit, size_t count, void *self)
{
    struct call *call = self;
    touch(call);
    if (!http_call_wants_refresh(call)) {
        call->sink.bytes(call->sink.self, bytes, unit * count);
    }
    return unit * count;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the signature is curl's */
static int about_to_send(void *self, char *their_address, char *our_address, int their_port,
                         int our_port)
{
    (void)their_address, (void)our_address, (void)their_port;
    struct call *call = self;
    if (call->send_count >= (is_write(call) ? 1 : 2)) {
        return CURL_PREREQFUNC_ABORT;
    }
    bool is_kept = !call->made_socket;
    if (is_kept &&
        (call->send_count > 0 || http_connections_closed_while_idle(call->connections, our_port))) {
        call->was_held_back = true;
        return CURL_PREREQFUNC_ABORT;
    }
    call->send_count++;
    return CURL_PREREQFUNC_OK;
}

static void set_option(curl_socket_t socket, int level, int name, int value)
{
    int status = setsockopt(socket, level, name, &value, sizeof(value));
    assert(status == 0);
}

static int whole_seconds(int64_t ms)
{
    return (int)((ms + MS_PER_SECOND - 1) / MS_PER_SECOND);
}

/* Not by curl's own options: it has none for the count and for TCP_USER_TIMEOUT. */
static int socket_made(void *self, curl_socket_t socket, curlsocktype purpose)
{
    struct call *call = self;
    const struct http_client_options *options = call->options;
    if (purpose == CURLSOCKTYPE_IPCXN) {
        call->made_socket = true;
        http_connections_note_socket(call->connections, socket);
        set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
        set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, whole_seconds(options->keepalive_idle_ms));
        set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL,
                   whole_seconds(options->keepalive_interval_ms));
        set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, options->keepalive_count);
        set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, (int)options->tcp_user_timeout_ms);
    }
    return CURL_SOCKOPT_OK;
}

static void set_callbacks(struct call *call)
{
    CURL *easy = call->easy;
    HTTP_EASY_SET(easy, CURLOPT_PRIVATE, call);
    HTTP_EASY_SET(easy, CURLOPT_ERRORBUFFER, call->reason);
    HTTP_EASY_SET(easy, CURLOPT_HEADERFUNCTION, header_came);
    HTTP_EASY_SET(easy, CURLOPT_HEADERDATA, call);
    HTTP_EASY_SET(easy, CURLOPT_WRITEFUNCTION, body_came);
    HTTP_EASY_SET(easy, CURLOPT_WRITEDATA, call);
    HTTP_EASY_SET(easy, CURLOPT_PREREQFUNCTION, about_to_send);
    HTTP_EASY_SET(easy, CURLOPT_PREREQDATA, call);
    HTTP_EASY_SET(easy, CURLOPT_SOCKOPTFUNCTION, socket_made);
    HTTP_EASY_SET(easy, CURLOPT_SOCKOPTDATA, call);
}

static void set_connection(struct call *call)
{
    CURL *easy = call->easy;
    HTTP_EASY_SET(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    HTTP_EASY_SET(easy, CURLOPT_NOSIGNAL, 1L);
    /* Else cancelling during a DNS lookup blocks the loop until it ends. */
    HTTP_EASY_SET(easy, CURLOPT_QUICK_EXIT, 1L);
    HTTP_EASY_SET(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)call->options->connect_timeout_ms);
    HTTP_EASY_SET(easy, CURLOPT_MAXAGE_CONN, (long)CONNECTION_AGE_S_MAX);
    HTTP_EASY_SET(easy, CURLOPT_FRESH_CONNECT, call->on_new_connection ? 1L : 0L);
    HTTP_EASY_SET(easy, CURLOPT_BUFFERSIZE,
                  call->request.watch ? WATCH_BUFFER_BYTES : (long)CURL_MAX_WRITE_SIZE);
    HTTP_EASY_SET(easy, CURLOPT_FORBID_REUSE, call->request.watch ? 1L : 0L);
}

static void add_header(struct call *call, const char *format, ...) PRINTF_LIKE(2, 3);

static void add_header(struct call *call, const char *format, ...)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    va_list arguments;
    va_start(arguments, format);
    call->headers = curl_slist_append(call->headers, arena_print_list(&arena, format, arguments));
    va_end(arguments);
    assert(call->headers != NULL);
}

static void set_request(struct call *call)
{
    CURL *easy = call->easy;
    const struct request *request = &call->request;
    bool has_body = request->body != NULL;
    if (has_body || request->method == METHOD_POST || request->method == METHOD_PUT) {
        HTTP_EASY_SET(easy, CURLOPT_POSTFIELDS, has_body ? request->body : "");
        HTTP_EASY_SET(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_bytes);
    }
    HTTP_EASY_SET(easy, CURLOPT_CUSTOMREQUEST, method_name(request->method));
    HTTP_EASY_SET(easy, CURLOPT_USERAGENT, call->options->user_agent);

    const char *accept = request->accept == NULL ? "application/json" : request->accept;
    add_header(call, "Accept: %s", accept);
    if (request->content_type != NULL) {
        add_header(call, "Content-Type: %s", request->content_type);
    } else {
        add_header(call, "Content-Type:"); /* curl would state one for any POST */
    }
    add_header(call, "Expect:"); /* no waiting for a 100 */
}

static bool set_identity(struct call *call, const struct credential_set *set, struct error *error)
{
    cleanup_text struct text header;
    text_init(&header, HTTP_IDENTITY_BYTES_MAX);
    if (!http_identity_append(set, &header, error)) {
        return false;
    }
    if (header.length_bytes > 0) {
        add_header(call, "%s", header.bytes);
    }
    return true;
}

bool http_call_run(struct call *call, const struct credential_set *set,
                   struct http_endpoint *endpoint, struct http_connections *connections,
                   struct error *error)
{
    assert(call->state == HTTP_CALL_WAITING && call->easy == NULL);

    call->easy = curl_easy_init();
    assert(call->easy != NULL);
    /* A watch has no part in the endpoint's connections, and must not keep them open. */
    call->endpoint = call->request.watch ? NULL : http_endpoint_hold(endpoint);
    call->server = arena_copy(&call->arena, http_endpoint_server(endpoint));
    call->generation = set->generation;
    call->http_status = 0;
    call->retry_after_ms = 0;
    call->made_socket = call->was_held_back = false;
    call->reason[0] = '\0';

    set_callbacks(call);
    set_connection(call);
    set_request(call);
    if (!set_identity(call, set, error)) {
        http_call_forget_transfer(call);
        return false;
    }
    http_endpoint_apply(endpoint, call->easy, call->request.path, &call->headers, &call->routes);
    HTTP_EASY_SET(call->easy, CURLOPT_HTTPHEADER, call->headers);

    call->state = HTTP_CALL_RUNNING;
    call->connections = connections;
    http_connections_start(connections, call->easy);
    return true;
}

bool http_call_wants_refresh(const struct call *call)
{
    return call->http_status == STATUS_UNAUTHORIZED && !call->refreshed;
}

bool http_call_wants_resend(const struct call *call, CURLcode result)
{
    bool is_unanswered = call->http_status == 0 && http_outcome_is_closed_connection(result);
    return call->was_held_back || (!is_write(call) && call->send_count == 1 && is_unanswered);
}

static void judge(struct call *call, CURLcode result, const char *deadline, struct error *out_error)
{
    struct http_outcome outcome = {
        .result = result,
        .reason = call->reason,
        .server = call->server,
        .method = call->request.method,
        .sent = call->send_count > 0,
        .deadline = deadline,
    };
    curl_easy_getinfo(call->easy, CURLINFO_SSL_VERIFYRESULT, &outcome.verify_result);
    curl_easy_getinfo(call->easy, CURLINFO_OS_ERRNO, &outcome.os_error);
    http_outcome_judge(&outcome, out_error);
}

void http_call_judge_end(struct call *call, CURLcode result, struct error *out_error)
{
    judge(call, result, NULL, out_error);
    http_call_forget_transfer(call);
}

void http_call_judge_deadline(struct call *call, struct error *out_error)
{
    const char *missing = "no connection";
    if (call->send_count > 0) {
        missing = call->request.watch ? "not a byte" : "no whole reply";
    }
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    const char *deadline =
        arena_print(&arena, "%s within %lld ms", missing, (long long)call->request.deadline_ms);
    stop_transfer(call);
    judge(call, CURLE_OK, deadline, out_error);
    http_call_forget_transfer(call);
}
