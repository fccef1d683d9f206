/* SPDX-License-Identifier: Apache-2.0 */
/* A thread for the listening socket and one for each connection, all blocking: a script then reads
   from top to bottom. Freeing shuts the sockets down, which ends whatever a thread waits in. */
#include "support/test_server.h"

#include "base/memory.h"
#include "support/test_stream.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 256, REQUESTS_MAX = 1024, REPEAT_INTERVAL_MS = 10 };

struct connection {
    struct test_server *server;
    struct test_stream stream;
    pthread_t thread;
    const struct test_step *script;
    int number;
    bool open;
};

struct seen_request {
    char *text;
    int connection;
};

struct test_server {
    struct test_server_options options;
    SSL_CTX *tls;
    int listener, stop_pipe[2];
    int port;
    char url[96];
    pthread_t thread;
    sem_t go;

    pthread_mutex_t lock; /* for all below */
    bool stopping;
    struct connection connections[CONNECTIONS_MAX];
    int connection_count;
    struct seen_request requests[REQUESTS_MAX];
    int request_count;
};

static bool is_stopping(struct test_server *server)
{
    pthread_mutex_lock(&server->lock);
    bool stopping = server->stopping;
    pthread_mutex_unlock(&server->lock);
    return stopping;
}

static void remember(struct connection *connection, char *text)
{
    struct test_server *server = connection->server;
    pthread_mutex_lock(&server->lock);
    assert(server->request_count < REQUESTS_MAX);
    server->requests[server->request_count++] =
        (struct seen_request){.text = text, .connection = connection->number};
    pthread_mutex_unlock(&server->lock);
}

static bool read_request(struct connection *connection)
{
    char *text = test_stream_read_request(&connection->stream);
    if (text != NULL) {
        remember(connection, text);
    }
    return text != NULL;
}

static bool read_bytes(struct connection *connection, int count)
{
    char *text = memory_new(1, (size_t)count + 1);
    if (!test_stream_read(&connection->stream, text, (size_t)count)) {
        memory_free(text);
        return false;
    }
    remember(connection, text);
    return true;
}

static bool send_step(struct connection *connection, const struct test_step *step)
{
    size_t byte_count = step->count != 0 ? (size_t)step->count : strlen(step->text);
    return test_stream_write(&connection->stream, step->text, byte_count);
}

static bool answer(struct connection *connection, const struct test_step *step, int status)
{
    const char *body = step->text == NULL ? "" : step->text;
    char head[160];
    int length = snprintf(head, sizeof(head),
                          "HTTP/1.1 %d Status\r\nContent-Type: application/json\r\n"
                          "Content-Length: %zu\r\n\r\n",
                          status == 0 ? 200 : status, strlen(body));
    return test_stream_write(&connection->stream, head, (size_t)length) &&
           test_stream_write(&connection->stream, body, strlen(body));
}

static bool serve(struct connection *connection, const struct test_step *step)
{
    while (read_request(connection)) {
        if (!answer(connection, step, step->count)) {
            return false;
        }
    }
    return false;
}

static bool run_step(struct connection *connection, const struct test_step *step);

static bool repeat(struct connection *connection, const struct test_step *step)
{
    for (int i = 0; i < step->count; i++) {
        usleep(REPEAT_INTERVAL_MS * 1000);
        if (is_stopping(connection->server) || !run_step(connection, step - 1)) {
            return false;
        }
    }
    return true;
}

/* False: the connection is over. */
static bool run_step(struct connection *connection, const struct test_step *step)
{
    switch (step->kind) {
    case TEST_END:
        return false;
    case TEST_READ:
        return read_request(connection);
    case TEST_READ_BYTES:
        return read_bytes(connection, step->count);
    case TEST_SEND:
        return send_step(connection, step);
    case TEST_ANSWER:
        return answer(connection, step, step->count);
    case TEST_SERVE:
        return serve(connection, step);
    case TEST_HOLD:
        test_stream_drain(&connection->stream);
        return false;
    case TEST_AWAIT:
        sem_wait(&connection->server->go);
        return !is_stopping(connection->server);
    case TEST_PAUSE:
        usleep((useconds_t)step->count * 1000);
        return true;
    case TEST_REPEAT:
        return repeat(connection, step);
    case TEST_TUNNEL:
        test_stream_tunnel(&connection->stream, step->count);
        return false;
    case TEST_RESET:
        test_stream_reset(&connection->stream);
        return false;
    }
    return false;
}

static void *run_connection(void *argument)
{
    struct connection *connection = argument;
    struct test_server *server = connection->server;
    if (test_stream_accept(&connection->stream, server->tls)) {
        const struct test_step *step = connection->script;
        while (run_step(connection, step)) {
            step++;
        }
    }
    test_stream_say_goodbye(&connection->stream);
    pthread_mutex_lock(&server->lock);
    test_stream_close(&connection->stream);
    connection->open = false;
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

static void add_connection(struct test_server *server, int socket)
{
    static const struct test_step nothing[] = {{.kind = TEST_END}};
    pthread_mutex_lock(&server->lock);
    assert(server->connection_count < CONNECTIONS_MAX);
    int number = server->connection_count++;
    const struct test_step *const *script = server->options.scripts;
    for (int i = 0; i < number && *script != NULL && script[1] != NULL; i++) {
        script++;
    }
    struct connection *connection = &server->connections[number];
    *connection = (struct connection){
        .server = server,
        .stream = {.socket = socket},
        .script = *script != NULL ? *script : nothing,
        .number = number,
        .open = true,
    };
    int status = pthread_create(&connection->thread, NULL, run_connection, connection);
    assert(status == 0);
    pthread_mutex_unlock(&server->lock);
}

static void *run_listener(void *argument)
{
    struct test_server *server = argument;
    struct pollfd polled[] = {{.fd = server->listener, .events = POLLIN},
                              {.fd = server->stop_pipe[0], .events = POLLIN}};
    while (poll(polled, 2, -1) > 0 && polled[1].revents == 0) {
        int socket = accept(server->listener, NULL, NULL);
        if (socket >= 0) {
            add_connection(server, socket);
        }
    }
    return NULL;
}

static bool listen_on(struct test_server *server, const char *address)
{
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    struct sockaddr_in four = {.sin_family = AF_INET};
    bool is_six = inet_pton(AF_INET6, address, &six.sin6_addr) == 1;
    if (!is_six && inet_pton(AF_INET, address, &four.sin_addr) != 1) {
        return false;
    }
    server->listener = socket(is_six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr *bound = is_six ? (struct sockaddr *)&six : (struct sockaddr *)&four;
    socklen_t length = is_six ? sizeof(six) : sizeof(four);
    if (server->listener < 0 || bind(server->listener, bound, length) != 0 ||
        listen(server->listener, 64) != 0) {
        return false;
    }
    getsockname(server->listener, bound, &length);
    server->port = ntohs(is_six ? six.sin6_port : four.sin_port);
    snprintf(server->url, sizeof(server->url), is_six ? "%s://[%s]:%d" : "%s://%s:%d",
             server->tls != NULL ? "https" : "http", address, server->port);
    return true;
}

struct test_server *test_server_new(const struct test_server_options *options)
{
    struct test_server *server = memory_new(1, sizeof(*server));
    server->options = *options;
    server->listener = -1;
    pthread_mutex_init(&server->lock, NULL);
    sem_init(&server->go, 0, 0);
    signal(SIGPIPE, SIG_IGN); /* OpenSSL writes without MSG_NOSIGNAL */
    if (options->certificate != NULL) {
        server->tls = test_stream_tls_new(options->certificate, options->client_authority_pem,
                                          options->tls_version_max);
    }
    int status = pipe(server->stop_pipe);
    assert(status == 0);
    bool listens = listen_on(server, options->address == NULL ? "127.0.0.1" : options->address);
    if (listens) {
        status = pthread_create(&server->thread, NULL, run_listener, server);
        assert(status == 0);
        return server;
    }
    server->stopping = true;
    test_server_free(server);
    return NULL;
}

static void stop(struct test_server *server)
{
    ssize_t written = write(server->stop_pipe[1], "", 1);
    assert(written == 1);
    pthread_join(server->thread, NULL);

    pthread_mutex_lock(&server->lock);
    server->stopping = true;
    for (int i = 0; i < server->connection_count; i++) {
        if (server->connections[i].open) {
            shutdown(server->connections[i].stream.socket, SHUT_RDWR);
        }
        sem_post(&server->go);
    }
    pthread_mutex_unlock(&server->lock);
    for (int i = 0; i < server->connection_count; i++) {
        pthread_join(server->connections[i].thread, NULL);
    }
}

void test_server_free(struct test_server *server)
{
    if (server == NULL) {
        return;
    }
    if (!server->stopping) {
        stop(server);
    }
    for (int i = 0; i < server->request_count; i++) {
        memory_free(server->requests[i].text);
    }
    if (server->listener >= 0) {
        close(server->listener);
    }
    close(server->stop_pipe[0]);
    close(server->stop_pipe[1]);
    SSL_CTX_free(server->tls);
    sem_destroy(&server->go);
    pthread_mutex_destroy(&server->lock);
    memory_free(server);
}

int test_server_port(const struct test_server *server)
{
    return server->port;
}

const char *test_server_url(const struct test_server *server)
{
    return server->url;
}

void test_server_go(struct test_server *server)
{
    sem_post(&server->go);
}

int test_server_connection_count(struct test_server *server)
{
    pthread_mutex_lock(&server->lock);
    int count = server->connection_count;
    pthread_mutex_unlock(&server->lock);
    return count;
}

int test_server_open_count(struct test_server *server)
{
    int count = 0;
    pthread_mutex_lock(&server->lock);
    for (int i = 0; i < server->connection_count; i++) {
        count += server->connections[i].open ? 1 : 0;
    }
    pthread_mutex_unlock(&server->lock);
    return count;
}

int test_server_request_count(struct test_server *server)
{
    pthread_mutex_lock(&server->lock);
    int count = server->request_count;
    pthread_mutex_unlock(&server->lock);
    return count;
}

static struct seen_request request_at(struct test_server *server, int request)
{
    pthread_mutex_lock(&server->lock);
    assert(request >= 0 && request < server->request_count);
    struct seen_request seen = server->requests[request];
    pthread_mutex_unlock(&server->lock);
    return seen;
}

int test_server_request_connection(struct test_server *server, int request)
{
    return request_at(server, request).connection;
}

const char *test_server_request(struct test_server *server, int request)
{
    return request_at(server, request).text;
}

bool test_server_request_has(struct test_server *server, int request, const char *part)
{
    return strstr(request_at(server, request).text, part) != NULL;
}

/* Written before a connection's first request is remembered, and not afterwards. */
const char *test_server_name_asked(struct test_server *server, int connection)
{
    assert(connection < test_server_connection_count(server));
    return server->connections[connection].stream.name_asked;
}

const char *test_server_client_name(struct test_server *server, int connection)
{
    assert(connection < test_server_connection_count(server));
    return server->connections[connection].stream.client_name;
}

const char *test_server_protocols_asked(struct test_server *server, int connection)
{
    assert(connection < test_server_connection_count(server));
    return server->connections[connection].stream.protocols_asked;
}
