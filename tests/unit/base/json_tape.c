/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_tape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { DEPTH_MAX = 4 };

static void init(struct json_tape *tape, const char *text)
{
    struct error error;
    if (!json_tape_init(tape, text, DEPTH_MAX, &error)) {
        fail_msg("%s", error.message);
    }
}

static void lays_out_values_with_their_text(void **state)
{
    (void)state;
    static const struct {
        enum json_token kind;
        const char *text;
        size_t next;
    } expected[] = {
        {JSON_OBJECT_BEGIN, "{\"a\": [1, \"\\ud800x\"], \"\\udc00\" :null }", 8},
        {JSON_KEY, "\"a\"", 2},
        {JSON_ARRAY_BEGIN, "[1, \"\\ud800x\"]", 5},
        {JSON_NUMBER, "1", 4},
        {JSON_STRING, "\"\\ud800x\"", 5},
        {JSON_KEY, "\"\\udc00\"", 6},
        {JSON_NULL, "null", 7},
    };
    cleanup_json_tape struct json_tape tape = {0};
    init(&tape, " {\"a\": [1, \"\\ud800x\"], \"\\udc00\" :null } ");
    assert_int_equal(tape.count, 7);
    for (size_t i = 0; i < tape.count; i++) {
        const struct json_tape_token *token = &tape.tokens[i];
        assert_int_equal(token->kind, expected[i].kind);
        assert_int_equal(token->end - token->begin, strlen(expected[i].text));
        assert_memory_equal(tape.text + token->begin, expected[i].text, token->end - token->begin);
        assert_int_equal(token->next, i == 0 ? tape.count : expected[i].next);
    }
}

static void takes_a_scalar_alone(void **state)
{
    (void)state;
    cleanup_json_tape struct json_tape tape = {0};
    init(&tape, " -12.5");
    assert_int_equal(tape.count, 1);
    assert_int_equal(tape.tokens[0].kind, JSON_NUMBER);
    assert_int_equal(tape.tokens[0].begin, 1);
    assert_int_equal(tape.tokens[0].end, 6);
}

static void refuses_what_is_not_one_value(void **state)
{
    (void)state;
    static const char *const texts[] = {"", " ", "{", "[1", "{} {}", "tru", "1.", "\"a", "[1,]"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct json_tape tape = {.count = 77};
        struct error error;
        assert_false(json_tape_init(&tape, texts[i], DEPTH_MAX, &error));
        assert_int_equal(error.class, ERROR_INVALID);
        assert_int_equal(tape.count, 77);
    }
}

static void bounds_depth(void **state)
{
    (void)state;
    cleanup_json_tape struct json_tape tape = {0};
    init(&tape, "[[[[]]]]");
    struct json_tape deeper;
    struct error error;
    assert_false(json_tape_init(&deeper, "[[[[[]]]]]", DEPTH_MAX, &error));
    assert_int_equal(error.class, ERROR_LIMIT);
}

static void sorts_members_and_keeps_the_last_of_equal_keys(void **state)
{
    (void)state;
    cleanup_json_tape struct json_tape tape = {0};
    init(&tape, "{\"b\":1,\"a\":[{\"x\":0}],\"ab\":2,\"\\u0062\":3,\"\":4,\"\\ud800\":5}");
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    size_t count = 0;
    const struct json_tape_member *members = json_tape_members(&tape, 0, &arena, &count);
    static const struct {
        const char *key;
        const char *value;
    } expected[] = {{"", "4"}, {"\\ud800", "5"}, {"a", "[{\"x\":0}]"}, {"ab", "2"}, {"b", "3"}};
    assert_int_equal(count, sizeof(expected) / sizeof(expected[0]));
    for (size_t i = 0; i < count; i++) {
        cleanup_text struct text value;
        text_init(&value, 100);
        json_tape_append(&tape, members[i].value, &value);
        assert_string_equal(value.bytes, expected[i].value);
        assert_int_equal(members[i].key_byte_count, strlen(expected[i].key));
        assert_memory_equal(members[i].key, expected[i].key, members[i].key_byte_count);
    }
}

static void appends_without_white_space(void **state)
{
    (void)state;
    cleanup_json_tape struct json_tape tape = {0};
    init(&tape, " { \"a b\" :\n[ 1.50 , \" \\ud800 \" , { } ] }\t");
    cleanup_text struct text text;
    text_init(&text, 100);
    json_tape_append(&tape, 0, &text);
    assert_string_equal(text.bytes, "{\"a b\":[1.50,\" \\ud800 \",{}]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lays_out_values_with_their_text),
        cmocka_unit_test(takes_a_scalar_alone),
        cmocka_unit_test(refuses_what_is_not_one_value),
        cmocka_unit_test(bounds_depth),
        cmocka_unit_test(sorts_members_and_keeps_the_last_of_equal_keys),
        cmocka_unit_test(appends_without_white_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
