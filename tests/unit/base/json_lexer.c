/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_lexer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { DEPTH_MAX = 8 };

/* Every token, until an error or the end, in chunks of chunk_bytes; how many bytes were taken. */
static enum json_token lex(const char *text, size_t chunk_bytes, size_t *out_taken,
                           bool *out_may_end)
{
    struct json_lexer lexer;
    json_lexer_init(&lexer, DEPTH_MAX, false);
    const char *end = text + strlen(text);
    const char *at = text;
    enum json_token token = JSON_MORE;
    *out_taken = 0;
    while (at < end && token < JSON_INVALID) {
        const char *chunk_end = (size_t)(end - at) < chunk_bytes ? end : at + chunk_bytes;
        do {
            const char *before = at;
            token = json_lexer_next(&lexer, &at, chunk_end);
            assert_true(at >= before && at <= chunk_end);
            *out_taken += (size_t)(at - before);
        } while (token != JSON_MORE && token < JSON_INVALID);
    }
    *out_may_end = json_lexer_may_end(&lexer);
    return token;
}

static bool accepts(const char *text)
{
    size_t length = strlen(text);
    size_t taken = 0;
    size_t taken_bytewise = 0;
    bool may_end = false;
    bool may_end_bytewise = false;
    enum json_token token = lex(text, length + 1, &taken, &may_end);
    enum json_token bytewise = lex(text, 1, &taken_bytewise, &may_end_bytewise);
    assert_int_equal(token, bytewise);
    assert_int_equal(may_end, may_end_bytewise);
    assert_int_equal(taken, taken_bytewise);
    return token < JSON_INVALID && may_end;
}

static void accepts_the_grammar(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "[]",
        " [ ] ",
        "\"\"",
        "null",
        "true",
        "false",
        "0 ",
        "-0 ",
        "10.25 ",
        "1e5 ",
        "1E+5 ",
        "-1.0e-10 ",
        "[1,2]",
        "[[],{}]",
        "{\"a\":1}",
        "{\"a\":{\"b\":[]},\"c\":\"\"}",
        "\t\r\n [\t1\r,\n2 ]",
        "[[[[[[[[]]]]]]]]",
        "[\"\\u00e9\\/\"]",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (!accepts(texts[i])) {
            fail_msg("refused: %s", texts[i]);
        }
    }
}

static const char *const broken_structures[] = {
    "",
    " ",
    "{",
    "[",
    "}",
    "]",
    "[}",
    "{]",
    "[1,]",
    "[,1]",
    "[1 2]",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{,}",
    "{1:2}",
    "[1]]",
    "{}{}",
    "[] []",
    "[1]x",
    ":",
    ",",
    "/**/{}",
    "'a'",
    "{\"a\" 1}",
    "{\"a\"::1}",
    "{\"a\":1 \"b\":2}",
    "\xef\xbb\xbf{}",
};

static const char *const broken_scalars[] = {
    "nul",       "nulL ",       "True",   "tru",    "truex",    "falsey", "NaN",    "Infinity",
    "01 ",       "-",           "- ",     "+1 ",    ".5 ",      "1. ",    "1.e5 ",  "1e ",
    "1e+ ",      "1e5.5 ",      "--1 ",   "0x10 ",  "1a ",      "\"a",    "\"\\\"", "\"\\x\"",
    "\"\\u12\"", "\"\\u12g4\"", "\"\n\"", "\"\t\"", "\"\x1f\"",
};

static void refuse_all(const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (accepts(texts[i])) {
            fail_msg("accepted: %s", texts[i]);
        }
    }
}

static void refuses_what_is_not_the_grammar(void **state)
{
    (void)state;
    refuse_all(broken_structures, sizeof(broken_structures) / sizeof(broken_structures[0]));
    refuse_all(broken_scalars, sizeof(broken_scalars) / sizeof(broken_scalars[0]));
}

static void bounds_depth(void **state)
{
    (void)state;
    size_t taken = 0;
    bool may_end = false;
    assert_int_equal(lex("[[[[[[[[[", 100, &taken, &may_end), JSON_TOO_DEEP);
    assert_int_equal(lex("[[[{\"a\":[[[[[", 1, &taken, &may_end), JSON_TOO_DEEP);
}

/* Linear work: however the text is cut, no byte is taken by two calls. */
static void takes_every_byte_once(void **state)
{
    (void)state;
    const char *text =
        "{\"key\\n\":[\"caf\xc3\xa9 \\ud83d\\ude00\",-12.5e3, true ,null],\"b\":{}} ";
    for (size_t chunk_bytes = 1; chunk_bytes <= strlen(text); chunk_bytes++) {
        size_t taken = 0;
        bool may_end = false;
        assert_int_equal(lex(text, chunk_bytes, &taken, &may_end), JSON_MORE);
        assert_int_equal(taken, strlen(text));
        assert_true(may_end);
    }
}

static void gives_the_tokens_in_order(void **state)
{
    (void)state;
    static const enum json_token expected[] = {
        JSON_OBJECT_BEGIN, JSON_KEY,   JSON_COLON,  JSON_SPACE, JSON_ARRAY_BEGIN,
        JSON_NUMBER,       JSON_COMMA, JSON_STRING, JSON_COMMA, JSON_TRUE,
        JSON_COMMA,        JSON_FALSE, JSON_COMMA,  JSON_NULL,  JSON_ARRAY_END,
        JSON_OBJECT_END,   JSON_MORE,
    };
    const char *text = "{\"a\": [1,\"b\",true,false,null]}";
    const char *at = text;
    struct json_lexer lexer;
    json_lexer_init(&lexer, DEPTH_MAX, false);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        assert_int_equal(json_lexer_next(&lexer, &at, text + strlen(text)), expected[i]);
    }
}

static void skips_a_value(void **state)
{
    (void)state;
    const char *text = "{\"a\":{\"b\":[1,{}]},\"c\":2}";
    const char *at = text;
    const char *end = text + strlen(text);
    struct json_lexer lexer;
    json_lexer_init(&lexer, DEPTH_MAX, false);
    assert_int_equal(json_lexer_next(&lexer, &at, end), JSON_OBJECT_BEGIN);
    assert_int_equal(json_lexer_next(&lexer, &at, end), JSON_KEY);
    assert_int_equal(json_lexer_skip(&lexer, 1, &at, text + 10), JSON_MORE);
    assert_int_equal(json_lexer_skip(&lexer, 1, &at, end), JSON_OBJECT_END);
    assert_string_equal(at, ",\"c\":2}");
    assert_int_equal(json_lexer_skip(&lexer, 1, &at, end), JSON_NUMBER);
    assert_string_equal(at, "}");
}

static void keeps_a_key_that_is_cut(void **state)
{
    (void)state;
    const char *parts[] = {"{\"", "met", "a\\u0064", "ata\":"};
    struct json_lexer lexer;
    json_lexer_init(&lexer, DEPTH_MAX, false);
    const char *at = parts[0];
    assert_int_equal(json_lexer_next(&lexer, &at, parts[0] + 2), JSON_OBJECT_BEGIN);
    assert_int_equal(json_lexer_next(&lexer, &at, parts[0] + 2), JSON_MORE);
    for (size_t i = 1; i < 3; i++) {
        at = parts[i];
        assert_int_equal(json_lexer_next(&lexer, &at, parts[i] + strlen(parts[i])), JSON_MORE);
    }
    at = parts[3];
    assert_int_equal(json_lexer_next(&lexer, &at, parts[3] + strlen(parts[3])), JSON_KEY);
    assert_int_equal(lexer.key_byte_count, strlen("meta\\u0064ata"));
    assert_memory_equal(lexer.key, "meta\\u0064ata", lexer.key_byte_count);
    assert_true(lexer.characters.has_escape);
}

static void knows_only_the_length_of_a_long_key_that_is_cut(void **state)
{
    (void)state;
    char key[JSON_LEXER_KEY_BYTES_MAX + 1];
    memset(key, 'k', sizeof(key));
    struct json_lexer lexer;
    json_lexer_init(&lexer, DEPTH_MAX, false);
    const char *begin = "{\"";
    const char *at = begin;
    assert_int_equal(json_lexer_next(&lexer, &at, begin + 2), JSON_OBJECT_BEGIN);
    assert_int_equal(json_lexer_next(&lexer, &at, begin + 2), JSON_MORE);
    at = key;
    assert_int_equal(json_lexer_next(&lexer, &at, key + sizeof(key)), JSON_MORE);
    const char *end = "\"";
    at = end;
    assert_int_equal(json_lexer_next(&lexer, &at, end + 1), JSON_KEY);
    assert_null(lexer.key);
    assert_int_equal(lexer.key_byte_count, sizeof(key));
}

static void tells_integers_from_other_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_integer;
        size_t digit_count;
    } cases[] = {
        {"0,", true, 1},      {"-0,", true, 1},   {"-123,", true, 3},
        {"12.50,", false, 2}, {"7e2,", false, 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct json_lexer lexer;
        json_lexer_init(&lexer, DEPTH_MAX, true);
        const char *at = cases[i].text;
        enum json_token token = json_lexer_next(&lexer, &at, at + strlen(at));
        assert_int_equal(token, JSON_NUMBER);
        assert_int_equal(lexer.is_integer, cases[i].is_integer);
        assert_int_equal(lexer.digit_count, cases[i].digit_count);
        assert_int_equal(lexer.number_byte_count, strlen(cases[i].text) - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_the_grammar),
        cmocka_unit_test(refuses_what_is_not_the_grammar),
        cmocka_unit_test(bounds_depth),
        cmocka_unit_test(takes_every_byte_once),
        cmocka_unit_test(gives_the_tokens_in_order),
        cmocka_unit_test(skips_a_value),
        cmocka_unit_test(keeps_a_key_that_is_cut),
        cmocka_unit_test(knows_only_the_length_of_a_long_key_that_is_cut),
        cmocka_unit_test(tells_integers_from_other_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
