/* SPDX-License-Identifier: Apache-2.0 */
#include "io/http_outcome.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct http_outcome reset = {
    .result = CURLE_RECV_ERROR,
    .reason = "Recv failure: Connection reset by peer",
    .server = "https://k:6443",
    .method = METHOD_PATCH,
    .sent = true,
};

static void assert_judged(struct http_outcome outcome, enum error_class class, const char *message)
{
    struct error error = {.class = ERROR_LIMIT};
    http_outcome_judge(&outcome, &error);
    assert_int_equal(error.class, class);
    assert_string_equal(error.message, message);
}

static void a_whole_reply_is_no_error(void **state)
{
    (void)state;
    struct http_outcome outcome = reset;
    outcome.result = CURLE_OK;
    assert_judged(outcome, ERROR_NONE, "");
}

static void what_was_not_sent_had_no_effect(void **state)
{
    (void)state;
    struct http_outcome outcome = reset;
    outcome.sent = false;
    assert_judged(outcome, ERROR_UNAVAILABLE,
                  "https://k:6443: Recv failure: Connection reset by peer");
    outcome.method = METHOD_GET;
    assert_judged(outcome, ERROR_UNAVAILABLE,
                  "https://k:6443: Recv failure: Connection reset by peer");
}

static void what_was_sent_is_unknown_for_writes_only(void **state)
{
    (void)state;
    static const enum method writes[] = {METHOD_POST, METHOD_PUT, METHOD_PATCH, METHOD_DELETE};
    struct http_outcome outcome = reset;
    for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
        struct error error;
        outcome.method = writes[i];
        http_outcome_judge(&outcome, &error);
        assert_int_equal(error.class, ERROR_UNKNOWN);
    }
    outcome.method = METHOD_GET;
    assert_judged(outcome, ERROR_TIMEOUT,
                  "https://k:6443: GET was sent, then: Recv failure: Connection reset by peer");
}

static void a_deadline_goes_before_what_curl_says(void **state)
{
    (void)state;
    struct http_outcome outcome = reset;
    outcome.result = CURLE_OK;
    outcome.deadline = "no whole reply within 5 ms";
    assert_judged(outcome, ERROR_UNKNOWN,
                  "https://k:6443: PATCH was sent, then: no whole reply within 5 ms");
    outcome.sent = false;
    outcome.deadline = "no connection within 5 ms";
    assert_judged(outcome, ERROR_UNAVAILABLE, "https://k:6443: no connection within 5 ms");
}

static void without_a_reason_the_code_is_explained(void **state)
{
    (void)state;
    struct http_outcome outcome = {
        .result = CURLE_COULDNT_CONNECT, .reason = "", .server = "https://k", .method = METHOD_GET};
    assert_judged(outcome, ERROR_UNAVAILABLE, "https://k: Couldn't connect to server");
    outcome.os_error = ECONNREFUSED;
    assert_judged(outcome, ERROR_UNAVAILABLE, "https://k: Connection refused");
    outcome.result = CURLE_SSL_CONNECT_ERROR;
    outcome.reason = "wrong version number";
    assert_judged(outcome, ERROR_UNAVAILABLE,
                  "https://k: no agreement on TLS: wrong version number");
}

static void only_a_closed_connection_is_worth_a_second_try(void **state)
{
    (void)state;
    assert_true(http_outcome_is_closed_connection(CURLE_GOT_NOTHING));
    assert_true(http_outcome_is_closed_connection(CURLE_RECV_ERROR));
    assert_true(http_outcome_is_closed_connection(CURLE_SEND_ERROR));
    assert_false(http_outcome_is_closed_connection(CURLE_OK));
    assert_false(http_outcome_is_closed_connection(CURLE_COULDNT_CONNECT));
    assert_false(http_outcome_is_closed_connection(CURLE_PARTIAL_FILE));
    assert_false(http_outcome_is_closed_connection(CURLE_ABORTED_BY_CALLBACK));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_reply_is_no_error),
        cmocka_unit_test(what_was_not_sent_had_no_effect),
        cmocka_unit_test(what_was_sent_is_unknown_for_writes_only),
        cmocka_unit_test(a_deadline_goes_before_what_curl_says),
        cmocka_unit_test(without_a_reason_the_code_is_explained),
        cmocka_unit_test(only_a_closed_connection_is_worth_a_second_try),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
