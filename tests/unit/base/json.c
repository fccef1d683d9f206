/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct json_document *document;
    struct arena arena;
    struct json_reader reader;
};

static const struct json *parse(struct fixture *fixture, const char *text)
{
    struct error error;
    json_document_free(fixture->document);
    fixture->document = NULL;
    if (!json_parse(text, strlen(text), &fixture->document, &error)) {
        fail_msg("%s", error.message);
    }
    json_reader_init(&fixture->reader, &fixture->arena);
    return json_root(fixture->document);
}

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){0};
    arena_init(&fixture.arena, 0);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    json_document_free(fixture->document);
    arena_release(&fixture->arena);
    return 0;
}

static void expect_good(const struct fixture *fixture)
{
    struct error error;
    assert_true(json_reader_check(&fixture->reader, "object", &error));
}

static void expect_wrong(const struct fixture *fixture, const char *message)
{
    struct error error;
    assert_false(json_reader_check(&fixture->reader, "pool", &error));
    assert_int_equal(error.class, ERROR_INVALID);
    assert_string_equal(error.message, message);
}

/* ---- documents ---- */

static void refuses_what_is_not_one_document(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "{", "{\"a\":}", "{} x", "{}{}", "[1,", "nul"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct json_document *document = NULL;
        struct error error = {.class = ERROR_NONE};
        assert_false(json_parse(texts[i], strlen(texts[i]), &document, &error));
        assert_int_equal(error.class, ERROR_INVALID);
        assert_null(document);
    }
    struct json_document *document = NULL;
    struct error error;
    assert_false(json_parse("{}\0", 3, &document, &error));
}

static void reads_no_byte_beyond_the_count(void **state)
{
    (void)state;
    const char text[] = {'{', '"', 'a', '"', ':', '1', '}', ' ', 'x'};
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(text, sizeof(text) - 1, &document, &error));
    assert_true(json_is_object(json_root(document)));
}

static void frees_nothing_for_null(void **state)
{
    (void)state;
    json_document_free(NULL);
}

/* ---- members ---- */

static void finds_members_case_sensitively(void **state)
{
    struct fixture *fixture = *state;
    const struct json *root = parse(fixture, "{\"Name\":\"a\",\"name\":\"b\",\"gone\":null}");
    assert_string_equal(json_text(json_member(root, "name")), "b");
    assert_null(json_member(root, "NAME"));
    assert_null(json_member(root, "gone"));
    assert_null(json_member(NULL, "name"));
    assert_null(json_member(json_member(root, "name"), "name"));
}

static void follows_a_path(void **state)
{
    struct fixture *fixture = *state;
    const struct json *root = parse(fixture, "{\"a\":{\"b\":{\"c\":\"x\"},\"n\":null}}");
    assert_string_equal(json_text(json_path(root, "a", "b", "c", NULL)), "x");
    assert_null(json_path(root, "a", "n", "c", NULL));
    assert_null(json_path(root, "x", "b", "c", NULL));
    assert_null(json_path(NULL, "a", NULL));
}

static void walks_arrays_and_objects_in_order(void **state)
{
    struct fixture *fixture = *state;
    const struct json *root =
        parse(fixture, "{\"list\":[\"a\",\"b\"],\"map\":{\"k\":\"v\"},\"n\":1}");
    const struct json *list = json_member(root, "list");
    assert_true(json_is_array(list));
    assert_int_equal(json_count(list), 2);
    const struct json *at = json_first(list);
    assert_string_equal(json_text(at), "a");
    at = json_next(at);
    assert_string_equal(json_text(at), "b");
    assert_null(json_next(at));

    const struct json *member = json_first(json_member(root, "map"));
    assert_string_equal(json_key(member), "k");
    assert_string_equal(json_text(member), "v");
    assert_null(json_first(json_member(root, "n")));
    assert_null(json_first(NULL));
    assert_int_equal(json_count(NULL), 0);
    assert_null(json_text(json_member(root, "n")));
    assert_null(json_text(NULL));
}

/* ---- typed getters ---- */

static void gives_fallbacks_for_what_is_absent(void **state)
{
    struct fixture *fixture = *state;
    const struct json *root = parse(fixture, "{\"null\":null}");
    const struct json *const objects[] = {root, NULL, json_member(root, "null")};
    for (size_t i = 0; i < 3; i++) {
        assert_null(json_string(&fixture->reader, objects[i], "null"));
        assert_null(json_string(&fixture->reader, objects[i], "none"));
        assert_true(json_bool(&fixture->reader, objects[i], "null", true));
        assert_int_equal(json_int64(&fixture->reader, objects[i], "none", 7), 7);
    }
    expect_good(fixture);
}

static void copies_strings(void **state)
{
    struct fixture *fixture = *state;
    const struct json *root = parse(fixture, "{\"a\":\"caf\\u00e9\"}");
    const char *string = json_string(&fixture->reader, root, "a");
    json_document_free(fixture->document);
    fixture->document = NULL;
    assert_string_equal(string, "caf\xc3\xa9");
}

static void reads_booleans(void **state)
{
    struct fixture *fixture = *state;
    const struct json *root = parse(fixture, "{\"yes\":true,\"no\":false}");
    assert_true(json_bool(&fixture->reader, root, "yes", false));
    assert_false(json_bool(&fixture->reader, root, "no", true));
    expect_good(fixture);
}

static void reads_integers_exactly(void **state)
{
    struct fixture *fixture = *state;
    const struct json *root =
        parse(fixture, "{\"a\":-3,\"b\":9007199254740992,\"c\":\"9007199254740993\","
                       "\"d\":\"-9223372036854775808\",\"e\":1e3,\"f\":-0}");
    struct json_reader *reader = &fixture->reader;
    assert_true(json_int64(reader, root, "a", 0) == -3);
    assert_true(json_int64(reader, root, "b", 0) == INT64_C(9007199254740992));
    assert_true(json_int64(reader, root, "c", 0) == INT64_C(9007199254740993));
    assert_true(json_int64(reader, root, "d", 0) == INT64_MIN);
    assert_true(json_int64(reader, root, "e", 0) == 1000);
    assert_true(json_int64(reader, root, "f", 1) == 0);
    expect_good(fixture);
}

static void refuses_integers_that_are_none(void **state)
{
    struct fixture *fixture = *state;
    static const char *const values[] = {
        "1.5",
        "9007199254740994",
        "-9007199254740994",
        "1e300",
        "1e999",
        "-1e999",
        "\"1.5\"",
        "\"\"",
        "\"12 \"",
        "\"9223372036854775808\"",
        "true",
        "[1]",
        "{}",
    };
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        cleanup_text struct text text;
        text_init(&text, 100);
        text_print(&text, "{\"size\":%s}", values[i]);
        const struct json *root = parse(fixture, text.bytes);
        assert_true(json_int64(&fixture->reader, root, "size", 42) == 42);
        expect_wrong(fixture, "pool: size is no integer of 64 bits");
    }
}

static void records_the_first_wrong_type(void **state)
{
    struct fixture *fixture = *state;
    const struct json *root = parse(fixture, "{\"a\":1,\"b\":\"true\",\"s\":\"x\"}");
    assert_false(json_bool(&fixture->reader, root, "b", false));
    assert_null(json_string(&fixture->reader, root, "a"));
    assert_string_equal(json_string(&fixture->reader, root, "s"), "x");
    expect_wrong(fixture, "pool: b is neither true nor false");
}

static void records_each_kind_of_wrong_type(void **state)
{
    struct fixture *fixture = *state;
    const struct json *root = parse(fixture, "{\"a\":1,\"list\":[]}");
    assert_null(json_string(&fixture->reader, root, "a"));
    expect_wrong(fixture, "pool: a is no string");

    root = parse(fixture, "{\"list\":[]}");
    assert_null(json_string(&fixture->reader, json_member(root, "list"), "name"));
    expect_wrong(fixture, "pool: name is looked for in what is no object");
}

/* ---- text ---- */

static void appends_compact_text(void **state)
{
    struct fixture *fixture = *state;
    const struct json *root =
        parse(fixture, " { \"a\" : [ 1, true, null, \"b\\n\" ], \"c\" : {} } ");
    cleanup_text struct text text;
    text_init(&text, 100);
    text_append(&text, "body=");
    json_append(&text, root);
    assert_string_equal(text.bytes, "body={\"a\":[1,true,null,\"b\\n\"],\"c\":{}}");
}

static void a_string_that_comes_again_or_as_an_end_is_kept_once(void **state)
{
    (void)state;
    struct arena arena cleanup_arena;
    arena_init(&arena, 0);
    struct json_reader reader;
    json_reader_init(&reader, &arena);
    const char *kept = json_keep(&reader, "a name");
    size_t used_bytes = arena.used_bytes;
    assert_ptr_equal(json_keep(&reader, "a name"), kept);
    assert_int_equal(arena.used_bytes, used_bytes);
    assert_ptr_equal(json_keep(&reader, "name"), kept + strlen("a "));
    assert_ptr_equal(json_keep(&reader, ""), kept + strlen("a name"));
    assert_int_equal(arena.used_bytes, used_bytes);
    assert_string_equal(json_keep(&reader, "b name"), "b name");
    assert_string_equal(json_keep(&reader, "a"), "a");
    assert_string_equal(json_keep(&reader, "not a name"), "not a name");
    assert_string_equal(json_keep(&reader, "another"), "another");
    assert_null(json_keep(&reader, NULL));
    for (int i = 0; i < 2 * JSON_READER_STRINGS; i++) {
        char text[16];
        (void)snprintf(text, sizeof(text), "%d", i);
        assert_string_equal(json_keep(&reader, text), text);
    }
    assert_ptr_equal(json_keep(&reader, "a name"), kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_not_one_document),
        cmocka_unit_test(reads_no_byte_beyond_the_count),
        cmocka_unit_test(frees_nothing_for_null),
        cmocka_unit_test_setup_teardown(finds_members_case_sensitively, set_up, tear_down),
        cmocka_unit_test_setup_teardown(follows_a_path, set_up, tear_down),
        cmocka_unit_test_setup_teardown(walks_arrays_and_objects_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gives_fallbacks_for_what_is_absent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(copies_strings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_booleans, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_integers_exactly, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_integers_that_are_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(records_the_first_wrong_type, set_up, tear_down),
        cmocka_unit_test_setup_teardown(records_each_kind_of_wrong_type, set_up, tear_down),
        cmocka_unit_test_setup_teardown(appends_compact_text, set_up, tear_down),
        cmocka_unit_test(a_string_that_comes_again_or_as_an_end_is_kept_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
