/* SPDX-License-Identifier: Apache-2.0 */
/* An access on a loop of its own, with a folder for the files it reads, an environment that has
   nothing to do with the machine's, and the log in a text. */
#ifndef ADJOINT_SUPPORT_TEST_ACCESS_H
#define ADJOINT_SUPPORT_TEST_ACCESS_H

#include "base/text.h"
#include "io/access.h"
#include "io/loop.h"
#include "support/test_folder.h"

struct test_access {
    struct loop *loop;
    struct test_folder folder;
    struct access_options options; /* kubeconfig: the file `config` in the folder; reload: 1 ms */
    struct access *access;
    struct credentials credentials;
    struct credential_set set; /* of the last test_access_ready */
    struct error error;        /* of the last failure */
    struct text log;
    int changed_count;
};

/* For cmocka's setup and teardown: *state is a struct test_access. */
int test_access_setup(void **state);
int test_access_teardown(void **state);

void test_access_open(struct test_access *test);
/* Fails the test unless opening fails with exactly this message. */
void test_access_refuse(struct test_access *test, const char *message);

/* After the last reading has become too old. */
enum credentials_state test_access_get(struct test_access *test);
/* test_access_get that must be ready; fills set. */
void test_access_ready(struct test_access *test);
/* Waits for a plugin first. */
void test_access_await(struct test_access *test);
/* Runs the loop until done(test), which is asked each few ms. */
void test_access_run(struct test_access *test, bool (*done)(struct test_access *test));

/* How often the log has this. */
size_t test_access_log_count(const struct test_access *test, const char *part);

/* The file `config`: one context `dev` of a cluster and a user, whose YAML members (flow style,
   "token: a, tokenFile: b") are given. The server is https://dev.example. */
void test_access_write_config(struct test_access *test, const char *cluster, const char *user);

#endif
