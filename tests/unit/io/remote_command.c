/* SPDX-License-Identifier: Apache-2.0 */
#include "io/remote_command.h"

#include "support/forward_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TARGET                                                                                     \
    "/api/v1/namespaces/dev/pods/alice-1/exec?container=postgres&stdout=true&command=date"
#define OPENS FORWARD_HEAD(FORWARD_ACCEPT, "v4.channel.k8s.io")

enum { OUT_BYTES_MAX = 64 };

static void ended(void *self, const struct error *error, const char *refusal)
{
    struct forward_fixture *fixture = self;
    fixture->told_count++;
    fixture->error = *error;
    (void)snprintf(fixture->refusal, sizeof(fixture->refusal), "%s", refusal);
}

static bool has_ended(struct forward_fixture *fixture)
{
    return fixture->told_count > 0;
}

/* What it printed is in out then. */
static void expect(const struct test_step *script, enum error_class class, const char *message,
                   int http_status, const char *printed)
{
    struct forward_fixture fixture;
    const struct test_step *const scripts[] = {script, NULL};
    cleanup_text struct text out;
    text_init(&out, OUT_BYTES_MAX);
    forward_fixture_init(&fixture, scripts, NULL);
    fixture.options.path = TARGET;
    struct remote_command *command = remote_command_start(&fixture.options, &out, ended, &fixture);
    forward_fixture_run(&fixture, has_ended);
    assert_int_equal(fixture.told_count, 1);
    assert_int_equal(fixture.error.class, class);
    assert_int_equal(fixture.error.http_status, http_status);
    if (class != ERROR_NONE && strstr(fixture.error.message, message) == NULL) {
        fail_msg("%s", fixture.error.message);
    }
    assert_string_equal(out.bytes, printed);
    remote_command_free(command);
    forward_fixture_release(&fixture);
}

static void what_it_prints_comes_and_that_it_went_well(void **state)
{
    (void)state;
    const struct test_step script[] = {{.kind = TEST_READ},
                                       FORWARD_SAYS(OPENS
                                                    "\x82\x04\x01one\x82\x04\x02two"
                                                    "\x82\x15\x03{\"status\":\"Success\"}\x88\x00"),
                                       {.kind = TEST_END}};
    expect(script, ERROR_NONE, "", 0, "onetwo");
}

static void how_it_failed_is_told(void **state)
{
    (void)state;
    const struct test_step script[] = {
        {.kind = TEST_READ},
        FORWARD_SAYS(OPENS
                     "\x82\x04\x01one"
                     "\x82\x2d\x03{\"status\":\"Failure\",\"message\":\"exit code 1\"}\x88\x00"),
        {.kind = TEST_END}};
    expect(script, ERROR_SYSTEM, "exit code 1", 0, "one");
}

/* So that half a result is none. */
static void a_connection_that_just_ends_is_a_failure(void **state)
{
    (void)state;
    const struct test_step script[] = {
        {.kind = TEST_READ}, FORWARD_SAYS(OPENS "\x82\x04\x01one\x88\x00"), {.kind = TEST_END}};
    expect(script, ERROR_UNAVAILABLE, "how the command did is not known", 0, "one");
}

static void a_refusal_is_told_with_its_status(void **state)
{
    (void)state;
    const struct test_step script[] = {
        {.kind = TEST_READ},
        {.kind = TEST_ANSWER, .text = "{\"message\":\"no\"}", .count = 403},
        {.kind = TEST_END}};
    expect(script, ERROR_UNAVAILABLE, "", 403, "");
}

static void a_strange_channel_ends_it(void **state)
{
    (void)state;
    const struct test_step script[] = {
        {.kind = TEST_READ}, FORWARD_SAYS(OPENS "\x82\x04\x07one"), {.kind = TEST_HOLD}};
    expect(script, ERROR_INVALID, "a channel 7", 0, "");
}

static void what_prints_without_end_is_ended(void **state)
{
    (void)state;
    const struct test_step script[] = {{.kind = TEST_READ},
                                       FORWARD_SAYS(OPENS "\x82\x49\x01"
                                                          "123456789012345678901234567890123456"
                                                          "123456789012345678901234567890123456"),
                                       {.kind = TEST_HOLD}};
    expect(script, ERROR_LIMIT, "what the command prints", 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_prints_comes_and_that_it_went_well),
        cmocka_unit_test(how_it_failed_is_told),
        cmocka_unit_test(a_connection_that_just_ends_is_a_failure),
        cmocka_unit_test(a_refusal_is_told_with_its_status),
        cmocka_unit_test(a_strange_channel_ends_it),
        cmocka_unit_test(what_prints_without_end_is_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
