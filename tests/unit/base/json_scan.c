/* SPDX-License-Identifier: Apache-2.0 */
/* Every body is scanned whole, byte by byte and in random chunks; see support/scan_outcome.h. */
#include "base/json_scan.h"

#include "base/limits.h"
#include "base/text.h"

#include "support/scan_outcome.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { OUTCOME_BYTES_MAX = 64 * 1024 * 1024 };

static void expect_within(size_t object_bytes_max, enum json_scan_shape shape, const char *body,
                          const char *expected)
{
    struct scan_input input = {
        .shape = shape,
        .object_bytes_max = object_bytes_max,
        .body = body,
        .byte_count = strlen(body),
    };
    cleanup_text struct text outcome;
    text_init(&outcome, OUTCOME_BYTES_MAX);
    bool agree = scan_outcomes_agree(&input, &outcome);
    assert_string_equal(outcome.bytes, expected);
    assert_true(agree);
}

static void expect(enum json_scan_shape shape, const char *body, const char *expected)
{
    expect_within(LIMIT_OBJECT_BYTES, shape, body, expected);
}

/* ---- a plain body ---- */

static void gives_a_plain_body_compacted(void **state)
{
    (void)state;
    expect(JSON_SCAN_PLAIN, " { \"a\" : [ 1 , true,\tfalse ,null ] ,\r\n\"b\":{ } } \n",
           "{\"a\":[1,true,false,null],\"b\":{}}\nend");
}

static void keeps_every_spelling(void **state)
{
    (void)state;
    const char *body =
        "{\"a b\\n\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\",\"e\":1.50e+03,"
        "\"z\":-0,\"한글\":\"🦄 \x7f\",\"\":\"\"}";
    cleanup_text struct text expected;
    text_init(&expected, 1000);
    text_print(&expected, "%s\nend", body);
    expect(JSON_SCAN_PLAIN, body, expected.bytes);
}

static void passes_equal_keys_through(void **state)
{
    (void)state;
    expect(JSON_SCAN_PLAIN, "{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}\nend");
}

static void refuses_a_plain_body_that_is_no_object(void **state)
{
    (void)state;
    expect(JSON_SCAN_PLAIN, "[1]", "Invalid: JSON: a body that is no object");
    expect(JSON_SCAN_PLAIN, "\"text\"", "Invalid: JSON: a body that is no object");
    expect(JSON_SCAN_PLAIN, "404 page not found", "Invalid: JSON: a body that is no object");
    expect(JSON_SCAN_PLAIN, "", "Invalid: JSON: the body ended inside a value");
    expect(JSON_SCAN_PLAIN, "{}{}",
           "{}\nInvalid: JSON: expected nothing behind the value at byte 2");
}

static void refuses_a_body_cut_anywhere(void **state)
{
    (void)state;
    const char *body = "{\"a\":[-1.5e2,true,\"\\u00e9é\"],\"b\":{}}";
    for (size_t length = 0; length < strlen(body); length++) {
        cleanup_text struct text cut;
        text_init(&cut, 100);
        text_append_bytes(&cut, body, length);
        expect(JSON_SCAN_PLAIN, cut.bytes, "Invalid: JSON: the body ended inside a value");
    }
}

/* ---- a list ---- */

static void gives_a_list_item_by_item_and_its_metadata(void **state)
{
    (void)state;
    expect(JSON_SCAN_LIST,
           "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"12\", "
           "\"continue\":\"abc\"},\"items\":[{\"a\":1}, {\"b\":{\"c\":[]}} ]}\n",
           "{\"a\":1}\n{\"b\":{\"c\":[]}}\n"
           "list {\"resourceVersion\":\"12\",\"continue\":\"abc\"}\nend");
}

static void takes_the_members_of_a_list_in_any_order(void **state)
{
    (void)state;
    expect(JSON_SCAN_LIST,
           "{\"items\":[{\"a\":1}],\"x\":{\"items\":[{\"no\":1}],\"metadata\":{}},\"y\":[{}],"
           "\"n\":12,\"s\":\"\\ud800\",\"metadata\":{\"resourceVersion\":\"3\"},\"kind\":\"L\"}",
           "{\"a\":1}\nlist {\"resourceVersion\":\"3\"}\nend");
    expect(JSON_SCAN_LIST, "{\"\\u0069tems\":[{\"a\":1}],\"metad\\u0061ta\":{\"b\":2}}",
           "{\"a\":1}\nlist {\"b\":2}\nend");
}

static void takes_null_for_no_items(void **state)
{
    (void)state;
    expect(JSON_SCAN_LIST, "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":null}",
           "list {\"resourceVersion\":\"9\"}\nend");
    expect(JSON_SCAN_LIST, "{\"items\":[],\"metadata\":null}", "list {}\nend");
    expect(JSON_SCAN_LIST, "{\"items\":[ ]}", "list {}\nend");
}

static void refuses_a_list_that_is_none(void **state)
{
    (void)state;
    expect(JSON_SCAN_LIST, "{\"kind\":\"Status\",\"metadata\":{}}",
           "Invalid: JSON: a list without items");
    expect(JSON_SCAN_LIST, "{\"items\":{}}", "Invalid: JSON: a list whose items are no array");
    expect(JSON_SCAN_LIST, "{\"items\":\"x\"}", "Invalid: JSON: a list whose items are no array");
    expect(JSON_SCAN_LIST, "{\"items\":[{},null]}",
           "{}\nInvalid: JSON: a list with an item that is no object");
    expect(JSON_SCAN_LIST, "{\"metadata\":7 }",
           "Invalid: JSON: a list whose metadata is no object");
    expect(JSON_SCAN_LIST, "{\"items\":[{\"a\":1},{\"a\"",
           "{\"a\":1}\nInvalid: JSON: the body ended inside a value");
    expect(JSON_SCAN_LIST, "", "Invalid: JSON: the body ended inside a value");
}

/* ---- a watch ---- */

static void gives_a_watch_event_by_event(void **state)
{
    (void)state;
    expect(JSON_SCAN_WATCH,
           "{\"type\":\"ADDED\",\"object\":{\"a\":1}}\n{\"type\":\"BOOKMARK\",\"object\":{}}\r\n\n"
           "  {\"type\":\"DELETED\",\"object\":{\"a\":2}}{\"type\":\"ERROR\"}\n",
           "{\"type\":\"ADDED\",\"object\":{\"a\":1}}\n{\"type\":\"BOOKMARK\",\"object\":{}}\n"
           "{\"type\":\"DELETED\",\"object\":{\"a\":2}}\n{\"type\":\"ERROR\"}\nend");
}

static void takes_an_empty_watch(void **state)
{
    (void)state;
    expect(JSON_SCAN_WATCH, "", "end");
    expect(JSON_SCAN_WATCH, "\n \n", "end");
}

static void refuses_a_watch_that_breaks_off_or_holds_no_object(void **state)
{
    (void)state;
    expect(JSON_SCAN_WATCH, "{\"type\":\"ADDED\"}\n{\"type\":",
           "{\"type\":\"ADDED\"}\nInvalid: JSON: the body ended inside a value");
    expect(JSON_SCAN_WATCH, "{}\ntrue\n", "{}\nInvalid: JSON: a body that is no object");
    expect(JSON_SCAN_WATCH, "{}]", "{}\nInvalid: JSON: expected a value at byte 2");
}

/* ---- limits ---- */

static void bounds_an_object(void **state)
{
    (void)state;
    const char *large = "LimitExceeded: JSON: an object of more than 20 bytes";
    expect_within(20, JSON_SCAN_PLAIN, "{\"a\": \"456789012345\" }",
                  "{\"a\":\"456789012345\"}\nend");
    expect_within(20, JSON_SCAN_PLAIN, "{\"a\":\"4567890123456\"}", large);
    expect_within(20, JSON_SCAN_WATCH, "{}{\"a\":\"4567890123456\"}",
                  "{}\nLimitExceeded: JSON: an object of more than 20 bytes");
    expect_within(20, JSON_SCAN_LIST, "{\"metadata\":{\"continue\":\"12345678\"}}", large);
}

static void prefers_the_limit_to_what_is_wrong_behind_it(void **state)
{
    (void)state;
    const char *large = "LimitExceeded: JSON: an object of more than 20 bytes";
    expect_within(20, JSON_SCAN_PLAIN, "{\"a\":\"4567890123456789", large);
    expect_within(20, JSON_SCAN_PLAIN, "{\"a\":\"4567890123456789\x01\"}", large);
}

static void counts_what_is_given_not_what_is_read(void **state)
{
    (void)state;
    expect_within(22, JSON_SCAN_PLAIN, "{\"a\":12345678901234}", "{\"a\":12345678901234}\nend");
    expect_within(22, JSON_SCAN_PLAIN, "{\"a\":1234567890123456}",
                  "LimitExceeded: JSON: an object of more than 22 bytes");
    expect_within(15, JSON_SCAN_PLAIN,
                  "{ \"metadata\" : {\"managedFields\":[{\"manager\":\"kubectl\"}]    }}",
                  "{\"metadata\":{}}\nend");
}

static void holds_only_one_object_at_a_time(void **state)
{
    (void)state;
    cleanup_text struct text body;
    cleanup_text struct text expected;
    text_init(&body, 100 * 1000);
    text_init(&expected, 100 * 1000);
    text_append(&body, "{\"items\":[");
    for (int i = 0; i < 1000; i++) {
        text_print(&body, "%s{\"number\":%d}", i > 0 ? "," : "", i);
        text_print(&expected, "{\"number\":%d}\n", i);
    }
    text_append(&body, "]}");
    text_append(&expected, "list {}\nend");
    expect_within(20, JSON_SCAN_LIST, body.bytes, expected.bytes);
}

static void bounds_depth(void **state)
{
    (void)state;
    for (int levels = LIMIT_JSON_DEPTH; levels <= LIMIT_JSON_DEPTH + 1; levels++) {
        cleanup_text struct text body;
        text_init(&body, 1000);
        text_append(&body, "{\"a\":");
        for (int i = 1; i < levels; i++) {
            text_append_char(&body, '[');
        }
        for (int i = 1; i < levels; i++) {
            text_append_char(&body, ']');
        }
        text_append_char(&body, '}');
        cleanup_text struct text expected;
        text_init(&expected, 1000);
        if (levels <= LIMIT_JSON_DEPTH) {
            text_print(&expected, "%s\nend", body.bytes);
        } else {
            text_print(&expected, "LimitExceeded: JSON: more than %d levels at byte %d",
                       LIMIT_JSON_DEPTH, (int)sizeof("{\"a\":[") - 2 + LIMIT_JSON_DEPTH);
        }
        expect(JSON_SCAN_PLAIN, body.bytes, expected.bytes);
    }
}

static void takes_an_object_as_large_as_etcd_does(void **state)
{
    (void)state;
    enum { STRING_BYTES = 1536 * 1024 };
    cleanup_text struct text body;
    cleanup_text struct text expected;
    text_init(&body, OUTCOME_BYTES_MAX);
    text_init(&expected, OUTCOME_BYTES_MAX);
    text_append(&body, "{\"data\":\"");
    while (body.length_bytes < STRING_BYTES) {
        text_append(&body, "line \\\"quoted\\\"\\n 값 ");
    }
    text_append(&body, "\"}");
    text_print(&expected, "%s\nend", body.bytes);
    expect(JSON_SCAN_PLAIN, body.bytes, expected.bytes);
}

static void takes_a_burst_of_a_hundred_thousand_events(void **state)
{
    (void)state;
    cleanup_text struct text body;
    text_init(&body, OUTCOME_BYTES_MAX);
    for (int i = 0; i < 100 * 1000; i++) {
        text_print(&body, "{\"type\":\"MODIFIED\",\"object\":{\"n\":%d}}\n", i);
    }
    cleanup_text struct text expected;
    text_init(&expected, OUTCOME_BYTES_MAX);
    text_print(&expected, "%send", body.bytes);
    expect_within(100, JSON_SCAN_WATCH, body.bytes, expected.bytes);
}

/* ---- after an error ---- */

static bool refuse_the_second(void *self, const char *text, size_t byte_count, struct error *error)
{
    int *given = self;
    (void)text;
    (void)byte_count;
    (*given)++;
    return *given < 2 || error_set(error, ERROR_GONE, "enough");
}

static void stops_with_the_takers_error_and_keeps_it(void **state)
{
    (void)state;
    int given = 0;
    struct json_scan *scan =
        json_scan_new(JSON_SCAN_WATCH, NULL, LIMIT_OBJECT_BYTES, refuse_the_second, &given);
    struct error error = {.class = ERROR_NONE};
    assert_true(json_scan_feed(scan, "{}", 2, &error));
    assert_false(json_scan_feed(scan, "{}{}{}", 6, &error));
    assert_int_equal(error.class, ERROR_GONE);
    assert_int_equal(given, 2);

    error = (struct error){.class = ERROR_NONE};
    assert_false(json_scan_feed(scan, "{}", 2, &error));
    assert_int_equal(error.class, ERROR_GONE);
    assert_string_equal(error.message, "enough");
    assert_false(json_scan_end(scan, &error));
    assert_int_equal(error.class, ERROR_GONE);
    assert_int_equal(given, 2);
    json_scan_free(scan);
    json_scan_free(NULL);
}

static void says_where_the_text_breaks(void **state)
{
    (void)state;
    expect(JSON_SCAN_PLAIN, "{\"a\":1,}", "Invalid: JSON: expected a key at byte 7");
    expect(JSON_SCAN_PLAIN, "{\"a\":[1 2]}", "Invalid: JSON: expected a comma or ] at byte 8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_a_plain_body_compacted),
        cmocka_unit_test(keeps_every_spelling),
        cmocka_unit_test(passes_equal_keys_through),
        cmocka_unit_test(refuses_a_plain_body_that_is_no_object),
        cmocka_unit_test(refuses_a_body_cut_anywhere),
        cmocka_unit_test(gives_a_list_item_by_item_and_its_metadata),
        cmocka_unit_test(takes_the_members_of_a_list_in_any_order),
        cmocka_unit_test(takes_null_for_no_items),
        cmocka_unit_test(refuses_a_list_that_is_none),
        cmocka_unit_test(gives_a_watch_event_by_event),
        cmocka_unit_test(takes_an_empty_watch),
        cmocka_unit_test(refuses_a_watch_that_breaks_off_or_holds_no_object),
        cmocka_unit_test(bounds_an_object),
        cmocka_unit_test(prefers_the_limit_to_what_is_wrong_behind_it),
        cmocka_unit_test(counts_what_is_given_not_what_is_read),
        cmocka_unit_test(holds_only_one_object_at_a_time),
        cmocka_unit_test(bounds_depth),
        cmocka_unit_test(takes_an_object_as_large_as_etcd_does),
        cmocka_unit_test(takes_a_burst_of_a_hundred_thousand_events),
        cmocka_unit_test(stops_with_the_takers_error_and_keeps_it),
        cmocka_unit_test(says_where_the_text_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
