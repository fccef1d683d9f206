/* SPDX-License-Identifier: Apache-2.0 */
/* Reading again is due after 1 ms, so a get waits that long first rather than be told a time. */
#include "support/test_access.h"

#include "base/log.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { LOG_BYTES_MAX = 1000 * 1000, TURN_MS = 5 };

static void keep_line(void *self, const char *line)
{
    text_append(self, line);
}

static void count_change(void *listener)
{
    struct test_access *test = listener;
    test->changed_count++;
    loop_stop(test->loop);
}

int test_access_setup(void **state)
{
    struct test_access *test = memory_new(1, sizeof(*test));
    test->loop = loop_new();
    test_folder_init(&test->folder);
    test->options = (struct access_options){
        .kubeconfig = test_folder_path(&test->folder, "config"),
        .service_account_folder = test_folder_path(&test->folder, "account"),
        .reload_ms = 1,
    };
    text_init(&test->log, LOG_BYTES_MAX);
    log_configure(LOG_DEBUG, keep_line, &test->log);
    unsetenv("KUBECONFIG");
    unsetenv("KUBERNETES_SERVICE_HOST");
    unsetenv("KUBERNETES_SERVICE_PORT");
    setenv("HOME", test->folder.path, 1);
    *state = test;
    return 0;
}

int test_access_teardown(void **state)
{
    struct test_access *test = *state;
    access_free(test->access);
    loop_free(test->loop);
    test_folder_release(&test->folder);
    log_configure(LOG_INFO, NULL, NULL);
    text_release(&test->log);
    memory_free(test);
    return 0;
}

void test_access_open(struct test_access *test)
{
    if (!access_open(test->loop, &test->options, &test->access, &test->error)) {
        fail_msg("%s", test->error.message);
    }
    test->credentials = access_credentials(test->access);
    test->credentials.listen(test->credentials.self, count_change, test);
}

void test_access_refuse(struct test_access *test, const char *message)
{
    assert_false(access_open(test->loop, &test->options, &test->access, &test->error));
    assert_null(test->access);
    assert_string_equal(test->error.message, message);
}

enum credentials_state test_access_get(struct test_access *test)
{
    struct timespec pause = {.tv_nsec = 2 * 1000 * 1000};
    nanosleep(&pause, NULL);
    return test->credentials.get(test->credentials.self, &test->set, &test->error);
}

void test_access_ready(struct test_access *test)
{
    enum credentials_state state = test_access_get(test);
    if (state == CREDENTIALS_FAILED) {
        fail_msg("%s", test->error.message);
    }
    assert_int_equal(state, CREDENTIALS_READY);
}

static bool was_told(struct test_access *test)
{
    return test->changed_count > 0;
}

void test_access_await(struct test_access *test)
{
    test->changed_count = 0;
    assert_int_equal(test_access_get(test), CREDENTIALS_PENDING);
    test_access_run(test, was_told);
    assert_int_equal(test->changed_count, 1);
}

struct running {
    struct test_access *test;
    bool (*done)(struct test_access *test);
};

static int64_t ask(void *self, struct now now)
{
    const struct running *running = self;
    if (running->done(running->test)) {
        loop_stop(running->test->loop);
    }
    return now.mono_ms + TURN_MS;
}

void test_access_run(struct test_access *test, bool (*done)(struct test_access *test))
{
    struct running running = {.test = test, .done = done};
    loop_set_step(test->loop, ask, &running);
    while (!done(test)) {
        loop_run(test->loop);
    }
    loop_set_step(test->loop, NULL, NULL);
}

size_t test_access_log_count(const struct test_access *test, const char *part)
{
    size_t count = 0;
    const char *at = test->log.bytes;
    while ((at = strstr(at, part)) != NULL) {
        count++;
        at += strlen(part);
    }
    return count;
}

void test_access_write_config(struct test_access *test, const char *cluster, const char *user)
{
    test_folder_write(&test->folder, "config",
                      arena_print(&test->folder.arena,
                                  "current-context: dev\n"
                                  "contexts: [{name: dev, context: {cluster: dev, user: ann}}]\n"
                                  "clusters:\n"
                                  "- {name: dev, cluster: {server: 'https://dev.example', %s}}\n"
                                  "users: [{name: ann, user: {%s}}]\n",
                                  cluster, user));
}
