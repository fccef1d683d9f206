/* SPDX-License-Identifier: Apache-2.0 */
/* Connections that were opened: what goes through them, and how they end. */
#include "io/port_forward.h"

#include "support/forward_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG_MS = 120 * 1000, TAKEN_BYTES_MAX = 16 * 1024 * 1024 };

static bool both_have_ended(struct forward_fixture *fixture)
{
    return fixture->ended[0] && fixture->ended[1];
}

/* ---- data ---- */

static void bytes_go_both_ways(void **state)
{
    (void)state;
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, forward_echo, NULL);
    forward_fixture_listen(&fixture);
    forward_fixture_connect(&fixture, 0);
    forward_fixture_say(&fixture, 0, "hi");
    forward_fixture_finish(&fixture);
    assert_string_equal(fixture.taken[0].bytes, "hello");
    assert_true(
        test_server_request_has(fixture.server, 0, "GET " FORWARD_TARGET " HTTP/1.1\r\nHost: "));
    assert_true(test_server_request_has(fixture.server, 0, "\r\nUser-Agent: adj/test\r\n"));
    assert_true(test_server_request_has(fixture.server, 0, "\r\nAuthorization: Bearer t0ken\r\n"));
    assert_true(test_server_request_has(fixture.server, 0,
                                        "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n"
                                        "Sec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n"));
    /* Masked by 0 1 2 3: the channel, 'h', 'i'. */
    const char *frame = test_server_request(fixture.server, 1);
    assert_memory_equal(frame, "\x82\x83\x00\x01\x02\x03\x00\x69\x6b", 9);
    assert_int_equal(fixture.told_count, 0);
    forward_fixture_release(&fixture);
}

static void connections_are_apart_from_each_other(void **state)
{
    (void)state;
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, forward_echo, NULL);
    forward_fixture_listen(&fixture);
    forward_fixture_connect(&fixture, 0);
    forward_fixture_connect(&fixture, 1);
    forward_fixture_say(&fixture, 1, "hi");
    forward_fixture_say(&fixture, 0, "ho");
    forward_fixture_run(&fixture, both_have_ended);
    assert_string_equal(fixture.taken[0].bytes, "hello");
    assert_string_equal(fixture.taken[1].bytes, "hello");
    close(fixture.clients[0]);
    fixture.ended[0] = false;
    text_clear(&fixture.taken[0]);
    forward_fixture_connect(&fixture, 0);
    forward_fixture_say(&fixture, 0, "hm");
    forward_fixture_finish(&fixture);
    assert_string_equal(fixture.taken[0].bytes, "hello");
    assert_int_equal(test_server_connection_count(fixture.server), 3);
    forward_fixture_release(&fixture);
}

/* More than any buffer on the way, to a client that is slower than the server. */
static void a_slow_client_gets_all_of_it(void **state)
{
    (void)state;
    enum { PAYLOAD_BYTES = 60000, FRAME_COUNT = 100 };
    cleanup_text struct text frame;
    text_init(&frame, TAKEN_BYTES_MAX);
    text_append_bytes(&frame, "\x82\x7e\xea\x61\x00", 5);
    for (int i = 0; i < PAYLOAD_BYTES; i++) {
        text_append_char(&frame, (char)('a' + i % 26));
    }
    cleanup_text struct text frames;
    text_init(&frames, TAKEN_BYTES_MAX);
    for (int i = 0; i < FRAME_COUNT; i++) {
        text_append_bytes(&frames, frame.bytes, frame.length_bytes);
    }
    const struct test_step flood[] = {
        {.kind = TEST_READ},
        FORWARD_SAYS(FORWARD_OPEN),
        {.kind = TEST_SEND, .text = frames.bytes, .count = (int)frames.length_bytes},
        FORWARD_SAYS("\x88\x00"),
        {.kind = TEST_END}};
    const struct test_step *const scripts[] = {flood, NULL};
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, scripts, NULL);
    forward_fixture_listen(&fixture);
    forward_fixture_connect(&fixture, 0);
    forward_fixture_finish(&fixture);
    assert_int_equal(fixture.taken[0].length_bytes, PAYLOAD_BYTES * FRAME_COUNT);
    for (int i = 0; i < FRAME_COUNT; i++) {
        assert_memory_equal(fixture.taken[0].bytes + (ptrdiff_t)i * PAYLOAD_BYTES, frame.bytes + 5,
                            PAYLOAD_BYTES);
    }
    forward_fixture_release(&fixture);
}

static bool server_has_two_requests_more(struct forward_fixture *fixture)
{
    return test_server_request_count(fixture->server) == 3 &&
           port_forward_count(fixture->forward) == 0;
}

/* What it said before goes first. */
static void a_client_that_ends_ends_its_connection(void **state)
{
    (void)state;
    const struct test_step script[] = {{.kind = TEST_READ},
                                       FORWARD_SAYS(FORWARD_OPEN),
                                       {.kind = TEST_READ_BYTES, .count = 9},
                                       {.kind = TEST_READ_BYTES, .count = 8},
                                       FORWARD_SAYS("\x88\x02\x03\xe8"),
                                       {.kind = TEST_END}};
    const struct test_step *const scripts[] = {script, NULL};
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, scripts, NULL);
    forward_fixture_listen(&fixture);
    forward_fixture_connect(&fixture, 0);
    forward_fixture_say(&fixture, 0, "hi");
    shutdown(fixture.clients[0], SHUT_WR);
    forward_fixture_run(&fixture, server_has_two_requests_more);
    assert_memory_equal(test_server_request(fixture.server, 2), "\x88\x82\x00\x01\x02\x03\x03\xe9",
                        8);
    forward_fixture_release(&fixture);
}

static bool server_was_answered(struct forward_fixture *fixture)
{
    return test_server_request_count(fixture->server) == 2;
}

static void a_ping_is_answered(void **state)
{
    (void)state;
    const struct test_step script[] = {{.kind = TEST_READ},
                                       FORWARD_SAYS(FORWARD_OPEN "\x89\x02ok"),
                                       {.kind = TEST_READ_BYTES, .count = 8},
                                       {.kind = TEST_HOLD}};
    const struct test_step *const scripts[] = {script, NULL};
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, scripts, NULL);
    forward_fixture_listen(&fixture);
    forward_fixture_connect(&fixture, 0);
    forward_fixture_run(&fixture, server_was_answered);
    assert_memory_equal(test_server_request(fixture.server, 1), "\x8a\x82\x00\x01\x02\x03\x6f\x6a",
                        8);
    forward_fixture_release(&fixture);
}

/* ---- what goes wrong later ---- */

static void expect_failure(const struct test_step *const *scripts, int64_t ping_ms,
                           enum error_class class, const char *message)
{
    struct forward_fixture fixture;
    forward_fixture_init(&fixture, scripts, NULL);
    fixture.options.ping_ms = ping_ms;
    forward_fixture_listen(&fixture);
    forward_fixture_connect(&fixture, 0);
    forward_fixture_finish(&fixture);
    assert_int_equal(fixture.told_count, 1);
    assert_int_equal(fixture.error.class, class);
    assert_string_equal(fixture.error.message, message);
    assert_int_equal(port_forward_count(fixture.forward), 0);
    forward_fixture_release(&fixture);
}

static void a_complaint_of_the_server_is_told(void **state)
{
    (void)state;
    const struct test_step script[] = {{.kind = TEST_READ},
                                       FORWARD_SAYS(FORWARD_OPEN "\x82\x06\x01"
                                                                 "in it"),
                                       {.kind = TEST_HOLD}};
    const struct test_step *const scripts[] = {script, NULL};
    expect_failure(scripts, LONG_MS, ERROR_UNAVAILABLE, "in it");
}

static void frames_that_are_none_end_it(void **state)
{
    (void)state;
    const struct test_step channel[] = {
        {.kind = TEST_READ}, FORWARD_SAYS(FORWARD_OPEN "\x82\x02\x07x"), {.kind = TEST_HOLD}};
    const struct test_step *const channel_scripts[] = {channel, NULL};
    expect_failure(channel_scripts, LONG_MS, ERROR_INVALID, "the server speaks of a channel 7");
    const struct test_step garbage[] = {
        {.kind = TEST_READ}, FORWARD_SAYS(FORWARD_OPEN "HTTP"), {.kind = TEST_HOLD}};
    const struct test_step *const garbage_scripts[] = {garbage, NULL};
    expect_failure(garbage_scripts, LONG_MS, ERROR_INVALID, "a WebSocket frame of an unknown kind");
}

static void silence_ends_it(void **state)
{
    (void)state;
    const struct test_step script[] = {
        {.kind = TEST_READ}, FORWARD_SAYS(FORWARD_OPEN), {.kind = TEST_HOLD}};
    const struct test_step *const scripts[] = {script, NULL};
    expect_failure(scripts, 50, ERROR_TIMEOUT, "the server is silent for 50 ms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_go_both_ways),
        cmocka_unit_test(connections_are_apart_from_each_other),
        cmocka_unit_test(a_slow_client_gets_all_of_it),
        cmocka_unit_test(a_client_that_ends_ends_its_connection),
        cmocka_unit_test(a_ping_is_answered),
        cmocka_unit_test(a_complaint_of_the_server_is_told),
        cmocka_unit_test(frames_that_are_none_end_it),
        cmocka_unit_test(silence_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
