/* SPDX-License-Identifier: Apache-2.0 */
/* Files in the folder are the script's switches: it is a process of its own, and so it can be held
   and let go while the loop turns. */
#include "support/test_plugin.h"

#include "base/timestamp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char script[] = "#!/bin/sh\n"
                             "cd \"$(dirname \"$0\")/..\"\n"
                             "printf '%s' \"$KUBERNETES_EXEC_INFO\" > info\n"
                             "[ -t 0 ] && input=terminal || input=none\n"
                             "printf '%s|%s|%s|%s\\n' $input \"$EXTRA\" \"$1\" \"$2\" >> runs\n"
                             "while [ -e hold ]; do sleep 0.01; done\n"
                             "cat answer\n"
                             "[ ! -e fail ] || exit 3\n";

void test_plugin_write(struct test_access *test, const char *cluster, const char *more)
{
    test_folder_write_script(&test->folder, "bin/login", script);
    test_access_write_config(
        test, cluster,
        arena_print(&test->folder.arena,
                    "exec: {apiVersion: client.authentication.k8s.io/v1, command: bin/login, %s}",
                    more));
}

void test_plugin_answer(struct test_access *test, const char *text)
{
    test_folder_write(&test->folder, "answer", text);
}

void test_plugin_answer_token(struct test_access *test, const char *token, int64_t life_ms)
{
    char expiry[TIMESTAMP_BYTES];
    timestamp_format_millis(loop_now(test->loop).wall_ms + life_ms, expiry);
    const char *member =
        life_ms == 0 ? ""
                     : arena_print(&test->folder.arena, ",\"expirationTimestamp\":\"%s\"", expiry);
    test_plugin_answer(
        test, arena_print(&test->folder.arena,
                          "{\"kind\":\"ExecCredential\",\"apiVersion\":"
                          "\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"%s\"%s}}\n",
                          token, member));
}

static void set_switch(struct test_access *test, const char *name, bool on)
{
    if (on) {
        test_folder_write(&test->folder, name, "");
    } else {
        test_folder_remove(&test->folder, name);
    }
}

void test_plugin_set_failing(struct test_access *test, bool failing)
{
    set_switch(test, "fail", failing);
}

void test_plugin_set_held(struct test_access *test, bool held)
{
    set_switch(test, "hold", held);
}

const char *test_plugin_runs(struct test_access *test)
{
    return test_folder_read(&test->folder, "runs");
}

size_t test_plugin_run_count(struct test_access *test)
{
    return test_folder_count_lines(&test->folder, "runs");
}

const char *test_plugin_info(struct test_access *test)
{
    return test_folder_read(&test->folder, "info");
}

void test_plugin_open(struct test_access *test)
{
    test_access_open(test);
    test_access_await(test);
    test_access_ready(test);
}
