/* SPDX-License-Identifier: Apache-2.0 */
/* `adj` as its user sees it, in front of an API server that says what a test told it, on a clock
   that only goes on when everybody waits: ten minutes of waiting take no time, and each state of a
   watched object is seen. The context's namespace is "dev". */
#ifndef ADJOINT_SUPPORT_TEST_ADJ_H
#define ADJOINT_SUPPORT_TEST_ADJ_H

#include "kube/transport.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct test_adj;

struct test_adj *test_adj_new(void);
void test_adj_free(struct test_adj *adj);

/* The reply to a request of that method and path (without its query), watches aside. Several for
   the same one are given in order, the last of them for ever. JSON as in fake_transport.h. What is
   asked and was not told here fails the test. */
void test_adj_reply(struct test_adj *adj, enum method method, const char *path, int http_status,
                    const char *json);
/* Status 429, to be asked again so much later. */
void test_adj_throttle(struct test_adj *adj, enum method method, const char *path,
                       int64_t retry_after_ms);
/* No reply comes. */
void test_adj_fail(struct test_adj *adj, enum method method, const char *path,
                   enum error_class class);
/* Watches of path: an event so long after the one before it (or after the watch has begun). Each
   is given once. */
void test_adj_event(struct test_adj *adj, const char *path, int64_t delay_ms, const char *json);

/* Streams are terminals from now on, stderr's so many columns wide. */
void test_adj_on_terminal(struct test_adj *adj, size_t columns);

/* What is printed goes to a disk that is full from now on. */
void test_adj_cannot_write(struct test_adj *adj);

/* Somebody sits at a terminal and types this; without it there is nobody. */
void test_adj_types(struct test_adj *adj, const char *text);

/* Somebody presses Ctrl-C so long after it began. */
void test_adj_interrupts(struct test_adj *adj, int64_t after_ms);
/* A pod's port is forwarded: to port 40000 here; or it is not, when http_status is not 0, for that
   is the server's reply and refusal its body. Without this it fails the test. */
void test_adj_forwards(struct test_adj *adj, int http_status, const char *refusal);
/* What runs in the foreground then ends with this; -1: there is no such program. Its command line
   and variables are among the requests: "RUN psql\n    PGHOST=127.0.0.1\n". */
void test_adj_child_ends(struct test_adj *adj, int code);

/* A command runs in a pod and prints this; or it does not, as with test_adj_forwards. Several are
   given in order. */
void test_adj_executes(struct test_adj *adj, int http_status, const char *output);
/* The last of those ends badly, with this message, behind its output. */
void test_adj_execution_fails(struct test_adj *adj, const char *message);

/* Runs `adj WORDS...`; the words end with NULL. Returns the exit code. */
int test_adj_run(struct test_adj *adj, ...) __attribute__((sentinel));
/* argv whole, argv[0] too. */
int test_adj_run_argv(struct test_adj *adj, const char *const *argv);

/* Of the last run. */
const char *test_adj_out(const struct test_adj *adj);
const char *test_adj_err(const struct test_adj *adj);
/* All requests so far, a line each: "GET /path?query", bodies indented below. */
const char *test_adj_requests(const struct test_adj *adj);
int64_t test_adj_elapsed_ms(const struct test_adj *adj);

/* 2026-07-01T12:00:00Z: the time when it begins. */
#define TEST_ADJ_BEGIN_MS INT64_C(1782907200000)

#define TEST_INSTANCES "/apis/adjoint.dev/v1alpha1/namespaces/dev/instances"
#define TEST_ALICE TEST_INSTANCES "/alice"
/* The Instance there, with more of its spec (",'a':1") and its status; and the patch of its spec
   that is sent at version 5. */
#define TEST_ALICE_AT(version, spec, status)                                                       \
    "{'metadata':{'name':'alice','namespace':'dev','uid':'u1','resourceVersion':'" version         \
    "'},'spec':{'pool':{'name':'main','namespace':'golden'}" spec "},'status':{" status "}}"
#define TEST_ALICE_PATCHED(spec)                                                                   \
    "PATCH " TEST_ALICE "\n    application/merge-patch+json: {\"metadata\":{\"resourceVersion\":"  \
    "\"5\"},\"spec\":{" spec "}}\n"

/* One whose cluster has this Instance at TEST_ALICE, and takes a patch of it. */
struct test_adj *test_adj_with_alice(const char *json);

#endif
