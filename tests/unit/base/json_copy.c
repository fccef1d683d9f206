/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of an object on its way through the scanner: skipped, put into strings, quoted.
   Every body is scanned whole, byte by byte and in random chunks. */
#include "base/json_copy.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/json_scan.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"

#include "support/scan_outcome.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { OUTCOME_BYTES_MAX = 64 * 1024 * 1024 };

static char *outcome_of(enum json_scan_shape shape, const struct json_scan_filter *filter,
                        size_t object_bytes_max, const char *body)
{
    struct scan_input input = {
        .shape = shape,
        .filter = filter,
        .object_bytes_max = object_bytes_max,
        .body = body,
        .byte_count = strlen(body),
    };
    cleanup_text struct text outcome;
    text_init(&outcome, OUTCOME_BYTES_MAX);
    if (!scan_outcomes_agree(&input, &outcome)) {
        fail_msg("%s", outcome.bytes);
    }
    return text_take(&outcome);
}

/* One object, and what it becomes. */
static void expect(const struct json_scan_filter *filter, const char *body, const char *expected)
{
    cleanup_memory char *outcome = outcome_of(JSON_SCAN_PLAIN, filter, LIMIT_OBJECT_BYTES, body);
    cleanup_text struct text line;
    text_init(&line, OUTCOME_BYTES_MAX);
    text_print(&line, "%s\nend", expected);
    assert_string_equal(outcome, line.bytes);
}

/* ---- what is skipped ---- */

static void drops_managed_fields_always(void **state)
{
    (void)state;
    expect(NULL, "{\"metadata\":{\"name\":\"a\",\"managedFields\":[{\"f:x\":{\".\":{}}}],\"b\":1}}",
           "{\"metadata\":{\"name\":\"a\",\"b\":1}}");
    expect(NULL, "{\"metadata\":{\"managedFields\":null,\"b\":1},\"x\":1}",
           "{\"metadata\":{\"b\":1},\"x\":1}");
    expect(NULL, "{\"metadata\":{\"managed\\u0046ields\":\"a\\\\\\\"]\"}}", "{\"metadata\":{}}");
}

static void keeps_what_only_resembles_managed_fields(void **state)
{
    (void)state;
    const char *body = "{\"managedFields\":1,\"metadata\":{\"managedField\":2,\"managedFieldsX\":3,"
                       "\"annotations\":{\"managedFields\":\"4\"}},\"spec\":{\"metadata\":"
                       "{\"managedFields\":5}}}";
    expect(NULL, body, body);
}

static void never_holds_managed_fields(void **state)
{
    (void)state;
    enum { OBJECT_BYTES_MAX = 64, MANAGED_FIELDS = 10 * 1000 };
    cleanup_text struct text body;
    text_init(&body, OUTCOME_BYTES_MAX);
    text_append(&body, "{\"metadata\":{\"managedFields\":[");
    for (int i = 0; i < MANAGED_FIELDS; i++) {
        text_print(&body, "%s{\"f:field%d\":{\".\":{}}}", i > 0 ? "," : "", i);
    }
    text_append(&body, "],\"name\":\"a\"}}");
    cleanup_memory char *outcome = outcome_of(JSON_SCAN_PLAIN, NULL, OBJECT_BYTES_MAX, body.bytes);
    assert_string_equal(outcome, "{\"metadata\":{\"name\":\"a\"}}\nend");
}

static void drops_members_and_their_commas(void **state)
{
    (void)state;
    static const char *const skip[] = {"a", "c.d", NULL};
    const struct json_scan_filter filter = {.skip = skip};
    expect(&filter, "{\"a\":1}", "{}");
    expect(&filter, "{\"a\":1,\"b\":2}", "{\"b\":2}");
    expect(&filter, "{\"b\":2,\"a\":[1,{\"a\":1}]}", "{\"b\":2}");
    expect(&filter, "{\"b\":2 , \"a\" : \"x,}\" , \"e\":3}", "{\"b\":2,\"e\":3}");
    expect(&filter, "{\"a\":1,\"a\":2,\"b\":3,\"a\":4}", "{\"b\":3}");
    expect(&filter, "{\"c\":{\"d\":{\"d\":1}},\"d\":2}", "{\"c\":{},\"d\":2}");
    expect(&filter, "{\"c\":{\"a\":1,\"d\":{}},\"x\":{\"a\":1}}",
           "{\"c\":{\"a\":1},\"x\":{\"a\":1}}");
}

static void finds_paths_through_arrays(void **state)
{
    (void)state;
    static const char *const skip[] = {"a.b", NULL};
    const struct json_scan_filter filter = {.skip = skip};
    expect(&filter, "{\"a\":[{\"b\":1,\"c\":2},[{\"b\":3}],7,{\"c\":{\"b\":4}}]}",
           "{\"a\":[{\"c\":2},[{}],7,{\"c\":{\"b\":4}}]}");
}

static void takes_an_asterisk_for_one_level(void **state)
{
    (void)state;
    static const char *const skip[] = {"a.*.c", "b.*", NULL};
    const struct json_scan_filter filter = {.skip = skip};
    expect(&filter, "{\"a\":{\"x\":{\"c\":1,\"d\":2},\"c\":3},\"b\":{\"y\":1,\"z\":{}},\"c\":4}",
           "{\"a\":{\"x\":{\"d\":2},\"c\":3},\"b\":{},\"c\":4}");
}

static void counts_paths_of_a_watch_from_its_object(void **state)
{
    (void)state;
    static const char *const skip[] = {"type", "spec.a", NULL};
    static const char *const raw[] = {"spec.b", NULL};
    const struct json_scan_filter filter = {.skip = skip, .raw = raw};
    cleanup_memory char *outcome =
        outcome_of(JSON_SCAN_WATCH, &filter, LIMIT_OBJECT_BYTES,
                   "{\"type\":\"ADDED\",\"spec\":{\"a\":1},\"object\":{\"type\":1,\"metadata\":"
                   "{\"managedFields\":[]},\"spec\":{\"a\":1,\"b\":[2]}}}\n");
    assert_string_equal(outcome, "{\"type\":\"ADDED\",\"spec\":{\"a\":1},\"object\":{\"metadata\":"
                                 "{},\"spec\":{\"b\":\"[2]\"}}}\nend");
}

static void counts_paths_of_a_list_from_its_items(void **state)
{
    (void)state;
    static const char *const skip[] = {"kind", NULL};
    const struct json_scan_filter filter = {.skip = skip};
    cleanup_memory char *outcome =
        outcome_of(JSON_SCAN_LIST, &filter, LIMIT_OBJECT_BYTES,
                   "{\"metadata\":{\"kind\":1},\"items\":[{\"kind\":\"Pod\",\"metadata\":"
                   "{\"managedFields\":[],\"a\":1}},{\"kind\":\"Pod\"}]}");
    assert_string_equal(outcome, "{\"metadata\":{\"a\":1}}\n{}\nlist {\"kind\":1}\nend");
}

/* ---- what becomes a string ---- */

static void gives_raw_subtrees_as_strings_of_compact_json(void **state)
{
    (void)state;
    static const char *const raw[] = {"spec.cluster", "s", NULL};
    const struct json_scan_filter filter = {.raw = raw};
    expect(&filter, "{\"spec\":{\"cluster\" : { \"a\" : [ 1, \"b\\\"\\\\\\n\" ] },\"x\":1}}",
           "{\"spec\":{\"cluster\":\"{\\\"a\\\":[1,\\\"b\\\\\\\"\\\\\\\\\\\\n\\\"]}\",\"x\":1}}");
    expect(&filter, "{\"s\":\"é\",\"s\": 1.10 ,\"s\":null,\"s\":false,\"s\":{}}",
           "{\"s\":\"\\\"é\\\"\",\"s\":\"1.10\",\"s\":\"null\",\"s\":\"false\",\"s\":\"{}\"}");
}

static void keeps_every_spelling_in_raw_subtrees(void **state)
{
    (void)state;
    static const char *const raw[] = {"r", NULL};
    const struct json_scan_filter filter = {.raw = raw};
    const char *subtree = "{\"n\":[12345678901234567890,1.10,-0],\"s\":\"\\u0000\\ud800<\","
                          "\"metadata\":{\"managedFields\":[\"kept\"]}}";
    cleanup_text struct text body;
    text_init(&body, 1000);
    text_print(&body, "{\"r\":%s}", subtree);
    cleanup_memory char *outcome =
        outcome_of(JSON_SCAN_PLAIN, &filter, LIMIT_OBJECT_BYTES, body.bytes);
    cleanup_json struct json_document *document = NULL;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct json_reader reader;
    json_reader_init(&reader, &arena);
    struct error error;
    assert_true(json_parse(outcome, strcspn(outcome, "\n"), &document, &error));
    assert_string_equal(json_string(&reader, json_root(document), "r"), subtree);
}

static void prefers_skip_to_raw(void **state)
{
    (void)state;
    static const char *const paths[] = {"a", NULL};
    const struct json_scan_filter filter = {.skip = paths, .raw = paths};
    expect(&filter, "{\"a\":1}", "{}");
}

/* ---- numbers and surrogates ---- */

static void quotes_integers_that_a_double_may_not_hold(void **state)
{
    (void)state;
    expect(NULL, "{\"a\":[999999999999999,1000000000000000,-999999999999999,-1000000000000000]}",
           "{\"a\":[999999999999999,\"1000000000000000\",-999999999999999,\"-1000000000000000\"]}");
    expect(NULL, "{\"a\":1234567890123456.5,\"b\":1234567890123456e1,\"c\":0.1234567890123456789}",
           "{\"a\":1234567890123456.5,\"b\":1234567890123456e1,\"c\":0.1234567890123456789}");
}

static void quotes_numbers_that_cjson_cannot_read(void **state)
{
    (void)state;
    expect(NULL, "{\"a\":0.123456789012345678901234567890123456789012345678901234567890123456789}",
           "{\"a\":\"0.123456789012345678901234567890123456789012345678901234567890123456789\"}");
}

static void keeps_int64_exact(void **state)
{
    (void)state;
    cleanup_memory char *outcome =
        outcome_of(JSON_SCAN_PLAIN, NULL, LIMIT_OBJECT_BYTES,
                   "{\"a\":9007199254740993,\"b\":-9223372036854775808,\"c\":9223372036854775807}");
    cleanup_json struct json_document *document = NULL;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct json_reader reader;
    json_reader_init(&reader, &arena);
    struct error error;
    assert_true(json_parse(outcome, strcspn(outcome, "\n"), &document, &error));
    const struct json *root = json_root(document);
    assert_true(json_int64(&reader, root, "a", 0) == INT64_C(9007199254740993));
    assert_true(json_int64(&reader, root, "b", 0) == INT64_MIN);
    assert_true(json_int64(&reader, root, "c", 0) == INT64_MAX);
    assert_true(json_reader_check(&reader, "object", &error));
}

/* cJSON refuses a document with one. */
static void replaces_lone_surrogates_as_go_does(void **state)
{
    (void)state;
    expect(NULL, "{\"a\":\"\\ud83d\\ude00\"}", "{\"a\":\"\\ud83d\\ude00\"}");
    expect(NULL, "{\"a\":\"\\ud83d\"}", "{\"a\":\"\\ufffd\"}");
    expect(NULL, "{\"a\":\"\\ud83dx\"}", "{\"a\":\"\\ufffdx\"}");
    expect(NULL, "{\"a\":\"\\ud83d\\n\"}", "{\"a\":\"\\ufffd\\n\"}");
    expect(NULL, "{\"a\":\"\\ud83d\\u0041\"}", "{\"a\":\"\\ufffd\\u0041\"}");
    expect(NULL, "{\"a\":\"\\ud83d\\ud83d\\ude00\"}", "{\"a\":\"\\ufffd\\ud83d\\ude00\"}");
    expect(NULL, "{\"\\ude00\":\"\\ude00\\ude00\"}", "{\"\\ufffd\":\"\\ufffd\\ufffd\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_managed_fields_always),
        cmocka_unit_test(keeps_what_only_resembles_managed_fields),
        cmocka_unit_test(never_holds_managed_fields),
        cmocka_unit_test(drops_members_and_their_commas),
        cmocka_unit_test(finds_paths_through_arrays),
        cmocka_unit_test(takes_an_asterisk_for_one_level),
        cmocka_unit_test(counts_paths_of_a_watch_from_its_object),
        cmocka_unit_test(counts_paths_of_a_list_from_its_items),
        cmocka_unit_test(gives_raw_subtrees_as_strings_of_compact_json),
        cmocka_unit_test(keeps_every_spelling_in_raw_subtrees),
        cmocka_unit_test(prefers_skip_to_raw),
        cmocka_unit_test(quotes_integers_that_a_double_may_not_hold),
        cmocka_unit_test(quotes_numbers_that_cjson_cannot_read),
        cmocka_unit_test(keeps_int64_exact),
        cmocka_unit_test(replaces_lone_surrogates_as_go_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
