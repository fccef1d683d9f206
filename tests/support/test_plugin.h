/* SPDX-License-Identifier: Apache-2.0 */
/* An exec plugin that a test writes into its access' folder: a shell script that notes each run
   and answers what it is told to. */
#ifndef ADJOINT_SUPPORT_TEST_PLUGIN_H
#define ADJOINT_SUPPORT_TEST_PLUGIN_H

#include "support/test_access.h"

/* The script bin/login and a config whose user runs it; more: YAML members of exec ("args: [a]").
 */
void test_plugin_write(struct test_access *test, const char *cluster, const char *more);

/* What it prints from now on; life_ms 0: a token that never expires. */
void test_plugin_answer(struct test_access *test, const char *text);
void test_plugin_answer_token(struct test_access *test, const char *token, int64_t life_ms);

/* It ends with 3 after printing; it waits before printing. */
void test_plugin_set_failing(struct test_access *test, bool failing);
void test_plugin_set_held(struct test_access *test, bool held);

/* Each run is a line: kind of its stdin, $EXTRA, arguments, '|' between them. */
const char *test_plugin_runs(struct test_access *test);
size_t test_plugin_run_count(struct test_access *test);
const char *test_plugin_info(struct test_access *test); /* of the last run */

/* Opens, and has the plugin's first credential. */
void test_plugin_open(struct test_access *test);

#endif
