/* SPDX-License-Identifier: Apache-2.0 */
/* A TCP or TLS server on loopback that does what its scripts say, byte by byte, and remembers what
   it was told. It runs in threads of its own, so that it answers whatever the tested code waits
   in. A proxy is a script, too: see TEST_TUNNEL. */
#ifndef ADJOINT_SUPPORT_TEST_SERVER_H
#define ADJOINT_SUPPORT_TEST_SERVER_H

#include "support/test_authority.h"

#include <stdbool.h>
#include <stddef.h>

enum test_step_kind {
    TEST_END,        /* closes; also how each script ends */
    TEST_READ,       /* a request with its body (Content-Length), remembered */
    TEST_READ_BYTES, /* `count` bytes, remembered as a request */
    TEST_SEND,       /* `text` as it is; `count` bytes of it if count is not 0 */
    TEST_ANSWER,     /* a reply of status `count` (0: 200) whose body is `text` */
    TEST_SERVE,      /* TEST_READ and TEST_ANSWER until the client closes */
    TEST_HOLD,       /* sends nothing until the client closes */
    TEST_AWAIT,      /* until test_server_go */
    TEST_PAUSE,      /* `count` ms */
    TEST_REPEAT,     /* the step before it, `count` more times, 10 ms apart */
    TEST_TUNNEL,     /* to port `count` on 127.0.0.1, until either side closes */
    TEST_RESET,      /* the connection, without a farewell */
};

struct test_step {
    enum test_step_kind kind;
    const char *text;
    int count;
};

struct test_server_options {
    /* scripts[n] is for connection n, the last one for all after it; ends with NULL. */
    const struct test_step *const *scripts;
    const struct test_certificate *certificate; /* NULL: no TLS */
    const char *client_authority_pem;           /* clients need a certificate of it; NULL: none */
    const char *address;                        /* NULL: 127.0.0.1 */
    int tls_version_max;                        /* as TLS1_1_VERSION; 0: the newest */
};

struct test_server;

/* NULL only if address is not one of this machine's. options' pointers must outlive it. */
struct test_server *test_server_new(const struct test_server_options *options);
void test_server_free(struct test_server *server); /* closes all its connections */

int test_server_port(const struct test_server *server);
const char *test_server_url(const struct test_server *server); /* "https://127.0.0.1:1234" */
void test_server_go(struct test_server *server);               /* one TEST_AWAIT goes on */

/* What it has seen so far; what is returned stays valid. */
int test_server_connection_count(struct test_server *server);
int test_server_open_count(struct test_server *server);
int test_server_request_count(struct test_server *server);
int test_server_request_connection(struct test_server *server, int request);
const char *test_server_request(struct test_server *server, int request); /* head and body */
bool test_server_request_has(struct test_server *server, int request, const char *part);
/* Of connection n's TLS: "" without. */
const char *test_server_name_asked(struct test_server *server, int connection);
const char *test_server_client_name(struct test_server *server, int connection);
const char *test_server_protocols_asked(struct test_server *server, int connection);

#endif
