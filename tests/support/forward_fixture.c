/* SPDX-License-Identifier: Apache-2.0 */
#include "support/forward_fixture.h"

#include "support/test_entropy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { ASKED_EACH_MS = 2, TAKEN_BYTES_MAX = 16 * 1024 * 1024, LONG_MS = 120 * 1000 };

static const struct test_step echo[] = {{.kind = TEST_READ},
                                        FORWARD_SAYS(FORWARD_OPEN),
                                        {.kind = TEST_READ_BYTES, .count = 9},
                                        FORWARD_SAYS("\x82\x06\x00hello\x88\x00"),
                                        {.kind = TEST_END}};
const struct test_step *const forward_echo[] = {echo, NULL};

static enum credentials_state get(void *self, struct credential_set *out, struct error *error)
{
    struct forward_fixture *fixture = self;
    *out = fixture->set;
    fixture->asked_count++;
    if (fixture->state == CREDENTIALS_FAILED) {
        error_set(error, ERROR_SYSTEM, "no login");
    }
    return fixture->state;
}

static void invalidate(void *self, uint64_t generation)
{
    struct forward_fixture *fixture = self;
    assert_int_equal(generation, fixture->set.generation);
    fixture->set.token = fixture->token_renewed;
    fixture->set.generation++;
}

static void told(void *self, const struct error *error, const char *refusal)
{
    struct forward_fixture *fixture = self;
    fixture->told_count++;
    fixture->error = *error;
    snprintf(fixture->refusal, sizeof(fixture->refusal), "%s", refusal);
}

/* certificate NULL: no TLS. */
void forward_fixture_init(struct forward_fixture *fixture, const struct test_step *const *scripts,
                          const struct test_certificate *certificate)
{
    struct test_server_options options = {.scripts = scripts, .certificate = certificate};
    *fixture = (struct forward_fixture){.loop = loop_new(), .server = test_server_new(&options)};
    fixture->set = (struct credential_set){
        .generation = 7, .server = test_server_url(fixture->server), .token = "t0ken"};
    fixture->state = CREDENTIALS_READY;
    fixture->options = (struct port_forward_options){
        .loop = fixture->loop,
        .credentials = {.get = get, .invalidate = invalidate, .self = fixture},
        .client = http_client_options_default,
        .entropy = test_entropy(),
        .path = FORWARD_TARGET,
        .open_deadline_ms = LONG_MS,
        .ping_ms = LONG_MS,
        .failed = told,
        .self = fixture};
    fixture->options.client.user_agent = "adj/test";
    for (int i = 0; i < FORWARD_CLIENTS_MAX; i++) {
        fixture->clients[i] = -1;
        text_init(&fixture->taken[i], TAKEN_BYTES_MAX);
    }
}

void forward_fixture_listen(struct forward_fixture *fixture)
{
    struct error error;
    assert_true(port_forward_open(&fixture->options, &fixture->forward, &error));
}

void forward_fixture_release(struct forward_fixture *fixture)
{
    for (int i = 0; i < FORWARD_CLIENTS_MAX; i++) {
        if (fixture->clients[i] >= 0) {
            close(fixture->clients[i]);
        }
        text_release(&fixture->taken[i]);
    }
    port_forward_free(fixture->forward);
    loop_free(fixture->loop);
    test_server_free(fixture->server);
}

void forward_fixture_connect(struct forward_fixture *fixture, int client)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port_forward_port(fixture->forward)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    fixture->clients[client] = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fixture->clients[client] >= 0);
    assert_int_equal(
        connect(fixture->clients[client], (struct sockaddr *)&address, sizeof(address)), 0);
}

void forward_fixture_say(struct forward_fixture *fixture, int client, const char *text)
{
    ssize_t sent = send(fixture->clients[client], text, strlen(text), MSG_NOSIGNAL);
    assert_int_equal(sent, strlen(text));
}

static void take(struct forward_fixture *fixture, int client)
{
    char bytes[4096]; /* little at a time, so that the server outruns it */
    ssize_t count = recv(fixture->clients[client], bytes, sizeof(bytes), MSG_DONTWAIT);
    if (count > 0) {
        text_append_bytes(&fixture->taken[client], bytes, (size_t)count);
    } else if (count == 0 || errno != EAGAIN) {
        fixture->ended[client] = true;
    }
}

static int64_t step(void *self, struct now now)
{
    struct forward_fixture *fixture = self;
    for (int i = 0; i < FORWARD_CLIENTS_MAX; i++) {
        if (fixture->clients[i] >= 0 && !fixture->ended[i]) {
            take(fixture, i);
        }
    }
    if (fixture->is_done(fixture)) {
        loop_stop(fixture->loop);
    }
    return now.mono_ms + ASKED_EACH_MS;
}

void forward_fixture_run(struct forward_fixture *fixture,
                         bool (*is_done)(struct forward_fixture *fixture))
{
    fixture->is_done = is_done;
    loop_set_step(fixture->loop, step, fixture);
    loop_run(fixture->loop);
    loop_set_step(fixture->loop, NULL, NULL);
}

static bool is_told(struct forward_fixture *fixture)
{
    return fixture->told_count > 0;
}

static bool first_has_ended(struct forward_fixture *fixture)
{
    return fixture->ended[0];
}

void forward_fixture_finish(struct forward_fixture *fixture)
{
    forward_fixture_run(fixture, first_has_ended);
}

void forward_fixture_probe(struct forward_fixture *fixture)
{
    fixture->told_count = 0;
    port_forward_probe(fixture->forward, told, fixture);
    forward_fixture_run(fixture, is_told);
}
