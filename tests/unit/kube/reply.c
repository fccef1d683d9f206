/* SPDX-License-Identifier: Apache-2.0 */
#include "kube/client.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ' stands for ". */
static struct error classify(enum method method, int http_status, const char *json, bool tests)
{
    cleanup_memory char *body = memory_copy_text(json);
    for (char *at = strchr(body, '\''); at != NULL; at = strchr(at, '\'')) {
        *at = '"';
    }
    struct error error;
    reply_classify(method, http_status, 0, body, strlen(body), tests, &error);
    assert_int_equal(error.http_status, http_status);
    return error;
}

static void success_is_no_error(void **state)
{
    (void)state;
    assert_int_equal(classify(METHOD_GET, 200, "{}", false).class, ERROR_NONE);
    assert_int_equal(classify(METHOD_POST, 201, "{}", false).class, ERROR_NONE);
    assert_int_equal(classify(METHOD_DELETE, 202, "", false).class, ERROR_NONE);
}

static void a_status_alone_gives_the_class(void **state)
{
    (void)state;
    static const struct {
        int http_status;
        enum error_class class;
    } rows[] = {
        {301, ERROR_UNAVAILABLE}, {400, ERROR_INVALID},     {401, ERROR_UNAUTHORIZED},
        {403, ERROR_FORBIDDEN},   {404, ERROR_NOT_FOUND},   {405, ERROR_INVALID},
        {408, ERROR_UNAVAILABLE}, {409, ERROR_CONFLICT},    {410, ERROR_GONE},
        {412, ERROR_CONFLICT},    {413, ERROR_INVALID},     {415, ERROR_INVALID},
        {422, ERROR_INVALID},     {429, ERROR_THROTTLED},   {500, ERROR_UNAVAILABLE},
        {501, ERROR_UNAVAILABLE}, {502, ERROR_UNAVAILABLE}, {503, ERROR_UNAVAILABLE},
        {504, ERROR_UNAVAILABLE},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(classify(METHOD_GET, rows[i].http_status, "", true).class, rows[i].class);
    }
}

/* B17 */
static void a_409_is_a_conflict_unless_it_is_there_already(void **state)
{
    (void)state;
    struct error error = classify(
        METHOD_POST, 409, "{'kind':'Status','reason':'AlreadyExists','message':'m'}", false);
    assert_int_equal(error.class, ERROR_EXISTS);
    error =
        classify(METHOD_PATCH, 409, "{'kind':'Status','reason':'Conflict','message':'m'}", true);
    assert_int_equal(error.class, ERROR_CONFLICT);
}

/* B18 */
static void a_422_is_a_lost_test_only_without_causes_and_with_tests(void **state)
{
    (void)state;
    const char *lost = "{'kind':'Status','reason':'Invalid','details':{'name':'pv'},'message':'the "
                       "server rejected our request due to an error in our request'}";
    const char *refused =
        "{'kind':'Status','reason':'Invalid','message':'PersistentVolume \\\"pv\\\" is invalid',"
        "'details':{'causes':[{'reason':'FieldValueForbidden','field':'spec'}]}}";
    const char *denied = "{'kind':'Status','reason':'Invalid','message':'admission webhook "
                         "\\\"w\\\" denied the request: no'}";
    assert_int_equal(classify(METHOD_PATCH, 422, lost, true).class, ERROR_TEST_FAILED);
    assert_int_equal(classify(METHOD_PATCH, 422, lost, false).class, ERROR_INVALID);
    assert_int_equal(classify(METHOD_PATCH, 422, refused, true).class, ERROR_INVALID);
    assert_int_equal(classify(METHOD_PATCH, 422, denied, true).class, ERROR_INVALID);
    assert_int_equal(classify(METHOD_PATCH, 422, "not JSON", true).class, ERROR_INVALID);
}

static void a_5xx_to_a_write_leaves_its_outcome_unknown(void **state)
{
    (void)state;
    const char *timeout = "{'kind':'Status','reason':'Timeout','message':'request did not complete "
                          "within requested timeout'}";
    const char *etcd = "{'kind':'Status','message':'etcdserver: request timed out'}";
    assert_int_equal(classify(METHOD_POST, 504, timeout, false).class, ERROR_UNKNOWN);
    assert_int_equal(classify(METHOD_PATCH, 500, etcd, true).class, ERROR_UNKNOWN);
    assert_int_equal(classify(METHOD_DELETE, 502, "<html>", false).class, ERROR_UNKNOWN);
    assert_int_equal(classify(METHOD_PUT, 503, "no healthy upstream", false).class, ERROR_UNKNOWN);
    assert_int_equal(classify(METHOD_GET, 504, timeout, false).class, ERROR_UNAVAILABLE);
}

static void a_write_the_server_did_not_begin_is_only_unavailable(void **state)
{
    (void)state;
    const char *starting = "{'kind':'Status','reason':'ServiceUnavailable','message':'starting'}";
    const char *webhook = "{'kind':'Status','reason':'InternalError','message':'Internal error "
                          "occurred: failed calling webhook \\\"mcluster.cnpg.io\\\": EOF'}";
    assert_int_equal(classify(METHOD_POST, 503, starting, false).class, ERROR_UNAVAILABLE);
    assert_int_equal(classify(METHOD_POST, 500, webhook, false).class, ERROR_UNAVAILABLE);
}

static void the_message_is_the_servers_in_one_line(void **state)
{
    (void)state;
    struct error error = classify(
        METHOD_GET, 404,
        "{'kind':'Status','reason':'NotFound','message':'pods \\\"a\\\"\\n\\tnot found\\u001b'}",
        false);
    assert_string_equal(error.message, "pods \"a\"  not found ");
}

static void without_a_status_the_message_is_a_plain_first_line_or_the_number(void **state)
{
    (void)state;
    assert_string_equal(classify(METHOD_GET, 429, "Too many requests.\nLater.", false).message,
                        "HTTP 429: Too many requests.");
    assert_string_equal(classify(METHOD_GET, 502, "<html><body>", false).message, "HTTP 502");
    assert_string_equal(classify(METHOD_GET, 502, "\x80\xff", false).message, "HTTP 502");
    assert_string_equal(classify(METHOD_GET, 502, "{'kind':'Pod','message':'m'}", false).message,
                        "HTTP 502");
    assert_string_equal(classify(METHOD_GET, 500, "", false).message, "HTTP 500");
    assert_string_equal(classify(METHOD_GET, 500, "[]", false).message, "HTTP 500");
}

/* B15 */
static void retry_after_is_the_longer_of_header_and_status_and_bounded(void **state)
{
    (void)state;
    struct error error;
    const char *body = "{\"kind\":\"Status\",\"details\":{\"retryAfterSeconds\":7}}";
    reply_classify(METHOD_GET, 429, 1000, body, strlen(body), false, &error);
    assert_int_equal(error.retry_after_ms, 7000);
    reply_classify(METHOD_GET, 429, 9000, body, strlen(body), false, &error);
    assert_int_equal(error.retry_after_ms, 9000);
    reply_classify(METHOD_GET, 503, 2000, "", 0, false, &error);
    assert_int_equal(error.retry_after_ms, 2000);
    reply_classify(METHOD_GET, 429, INT64_MAX, "", 0, false, &error);
    assert_int_equal(error.retry_after_ms, 300 * 1000);
    error =
        classify(METHOD_GET, 429, "{'kind':'Status','details':{'retryAfterSeconds':-5}}", false);
    assert_int_equal(error.retry_after_ms, 0);
    error =
        classify(METHOD_GET, 429,
                 "{'kind':'Status','details':{'retryAfterSeconds':'9223372036854775807'}}", false);
    assert_int_equal(error.retry_after_ms, 300 * 1000);
}

static void a_status_of_wrong_types_harms_nothing(void **state)
{
    (void)state;
    const char *odd = "{'kind':'Status','reason':7,'message':[],'details':'x'}";
    struct error error = classify(METHOD_PATCH, 409, odd, true);
    assert_int_equal(error.class, ERROR_CONFLICT);
    assert_string_equal(error.message, "HTTP 409");
    odd = "{'kind':'Status','reason':'Invalid','details':{'causes':5,'retryAfterSeconds':[]}}";
    assert_int_equal(classify(METHOD_PATCH, 422, odd, true).class, ERROR_TEST_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(success_is_no_error),
        cmocka_unit_test(a_status_alone_gives_the_class),
        cmocka_unit_test(a_409_is_a_conflict_unless_it_is_there_already),
        cmocka_unit_test(a_422_is_a_lost_test_only_without_causes_and_with_tests),
        cmocka_unit_test(a_5xx_to_a_write_leaves_its_outcome_unknown),
        cmocka_unit_test(a_write_the_server_did_not_begin_is_only_unavailable),
        cmocka_unit_test(the_message_is_the_servers_in_one_line),
        cmocka_unit_test(without_a_status_the_message_is_a_plain_first_line_or_the_number),
        cmocka_unit_test(retry_after_is_the_longer_of_header_and_status_and_bounded),
        cmocka_unit_test(a_status_of_wrong_types_harms_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
