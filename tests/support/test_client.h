/* SPDX-License-Identifier: Apache-2.0 */
/* An HTTP client on a loop of its own with credentials that a test sets by hand, and calls that
   remember what their sink was told. */
#ifndef ADJOINT_SUPPORT_TEST_CLIENT_H
#define ADJOINT_SUPPORT_TEST_CLIENT_H

#include "base/text.h"
#include "io/http_client.h"
#include "io/loop.h"

struct test_client {
    struct loop *loop;
    struct http_client *client;
    struct transport transport;

    /* What the credentials give from now on. */
    struct credential_set set;
    enum credentials_state state;
    const char *failure;       /* with CREDENTIALS_FAILED */
    const char *token_renewed; /* invalidate() makes it the token, as a new generation; or NULL */
    int invalidate_count;
    void (*changed)(void *listener);
    void *listener;

    bool (*is_done)(void *self);
    void *self;
    int turn_count; /* of the loop */
};

struct test_call {
    struct call *call;
    int head_count, http_status, end_count;
    int64_t retry_after_ms;
    struct text body;
    struct error error;
};

/* Ready, generation 1. options: NULL for the defaults. */
void test_client_init(struct test_client *client, const char *server, const char *authority_pem,
                      const struct http_client_options *options);
void test_client_release(struct test_client *client);

/* Runs the loop until is_done(self); it is asked at least each few ms. */
void test_client_run(struct test_client *client, bool (*is_done)(void *self), void *self);

void test_call_start(struct test_call *call, struct test_client *client,
                     const struct request *request);
/* Starts it and runs the loop until it has ended. */
void test_call_run(struct test_call *call, struct test_client *client,
                   const struct request *request);
void test_call_finish(struct test_call *call, struct test_client *client);
void test_call_release(struct test_call *call); /* not a running one */

/* Requests with a long deadline; body of a PATCH is "{}". */
struct request test_request(enum method method, const char *path);
struct request test_watch(const char *path);

#endif
