/* SPDX-License-Identifier: Apache-2.0 */
/* A forwarded port on a loop of its own in front of a test server, and up to two clients of it that
   take what comes little by little. */
#ifndef ADJOINT_SUPPORT_FORWARD_FIXTURE_H
#define ADJOINT_SUPPORT_FORWARD_FIXTURE_H

#include "base/text.h"
#include "io/loop.h"
#include "io/port_forward.h"
#include "support/test_server.h"

#include <stdbool.h>
#include <stdint.h>

#define FORWARD_TARGET "/api/v1/namespaces/dev/pods/alice-1/portforward?ports=5432"
/* What belongs to test_entropy's key. */
#define FORWARD_ACCEPT "Bz3qJYTGdOe8gUSpLosEdiLKDrk="
#define FORWARD_HEAD(accept, protocol)                                                             \
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nconnection: Upgrade\r\n"            \
    "Sec-WebSocket-Accept: " accept "\r\nSec-WebSocket-Protocol: " protocol "\r\n\r\n"
/* An upgrade that is as it should be, and the port, on both channels. */
#define FORWARD_OPEN                                                                               \
    FORWARD_HEAD(FORWARD_ACCEPT, "v4.channel.k8s.io") "\x82\x03\x00\x38\x15\x82\x03\x01\x38\x15"
/* A step that sends a literal, NULs and all. */
#define FORWARD_SAYS(bytes)                                                                        \
    {                                                                                              \
        .kind = TEST_SEND, .text = (bytes), .count = sizeof(bytes) - 1                             \
    }
/* Opens, takes a frame with two bytes of data, says "hello" and closes. */
extern const struct test_step *const forward_echo[];

enum { FORWARD_CLIENTS_MAX = 2 };

struct forward_fixture {
    struct loop *loop;
    struct test_server *server;
    struct credential_set set; /* of generation 7, with the token t0ken */
    enum credentials_state state;
    int asked_count;           /* for them */
    const char *token_renewed; /* after an invalidate */
    struct port_forward *forward;
    struct port_forward_options options; /* with long times */

    int told_count; /* that one has failed, or what became of a probe: */
    struct error error;
    char refusal[256];

    int clients[FORWARD_CLIENTS_MAX];
    struct text taken[FORWARD_CLIENTS_MAX];
    bool ended[FORWARD_CLIENTS_MAX]; /* the server's end came to the client */
    bool (*is_done)(struct forward_fixture *fixture);
};

/* certificate NULL: no TLS. Nobody listens yet. */
void forward_fixture_init(struct forward_fixture *fixture, const struct test_step *const *scripts,
                          const struct test_certificate *certificate);
void forward_fixture_release(struct forward_fixture *fixture);

void forward_fixture_listen(struct forward_fixture *fixture);
void forward_fixture_connect(struct forward_fixture *fixture, int client);
void forward_fixture_say(struct forward_fixture *fixture, int client, const char *text);
/* Runs the loop until is_done, which is asked each few ms. */
void forward_fixture_run(struct forward_fixture *fixture,
                         bool (*is_done)(struct forward_fixture *fixture));
/* Until the first client has seen the end. */
void forward_fixture_finish(struct forward_fixture *fixture);
/* Until it is told. */
void forward_fixture_probe(struct forward_fixture *fixture);

#endif
