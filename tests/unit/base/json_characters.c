/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_characters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The result for `inside` with its closing quote, in chunks of up to chunk_bytes. */
static enum json_characters_result run(const char *inside, size_t chunk_bytes)
{
    char text[256];
    size_t byte_count = strlen(inside);
    assert_true(byte_count + 1 < sizeof(text));
    memcpy(text, inside, byte_count);
    text[byte_count] = '"';
    const char *end = text + byte_count + 1;
    const char *at = text;
    struct json_characters characters;
    json_characters_init(&characters);
    enum json_characters_result result = JSON_CHARACTERS_MORE;
    while (result == JSON_CHARACTERS_MORE && at < end) {
        const char *chunk_end = (size_t)(end - at) < chunk_bytes ? end : at + chunk_bytes;
        result = json_characters_next(&characters, &at, chunk_end);
    }
    assert_true(result != JSON_CHARACTERS_END || at == end);
    return result;
}

static void expect(const char *inside, enum json_characters_result expected)
{
    for (size_t chunk_bytes = 1; chunk_bytes < 20; chunk_bytes++) {
        enum json_characters_result result = run(inside, chunk_bytes);
        if (result != expected) {
            fail_msg("%s in chunks of %zu: %d", inside, chunk_bytes, (int)result);
        }
    }
}

static void accepts_utf8(void **state)
{
    (void)state;
    static const char *const strings[] = {
        "",
        " !#[]~\x7f",
        "\xc2\x80",                 /* U+0080 */
        "\xdf\xbf",                 /* U+07FF */
        "\xe0\xa0\x80",             /* U+0800 */
        "\xed\x9f\xbf",             /* U+D7FF */
        "\xee\x80\x80\xef\xbf\xbf", /* U+E000, U+FFFF */
        "\xf0\x90\x80\x80",         /* U+10000 */
        "\xf4\x8f\xbf\xbf",         /* U+10FFFF */
        "long enough for a word, then \xea\xb0\x92 and more of it",
    };
    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
        expect(strings[i], JSON_CHARACTERS_END);
    }
}

static void refuses_what_is_not_utf8(void **state)
{
    (void)state;
    static const char *const strings[] = {
        "\x80",             /* a continuation alone */
        "\xc0\xaf",         /* overlong */
        "\xc1\xbf",         /* overlong */
        "\xe0\x9f\xbf",     /* overlong */
        "\xf0\x8f\xbf\xbf", /* overlong */
        "\xed\xa0\x80",     /* a surrogate, U+D800 */
        "\xed\xbf\xbf",     /* a surrogate, U+DFFF */
        "\xf4\x90\x80\x80", /* U+110000 */
        "\xf5\x80\x80\x80",
        "\xff",
        "\xc3",         /* ends early */
        "\xe2\x82",     /* ends early */
        "\xf0\x9f\x98", /* ends early */
        "\xc3(",
        "\xe2\x82(",
        "\xe2(\xac",
        "eight b.\xc3\xa9\xa9",
    };
    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
        expect(strings[i], JSON_CHARACTERS_INVALID);
    }
}

/* At each place of an eight-byte word, in front of each length of what follows. */
static void finds_every_special_byte(void **state)
{
    (void)state;
    for (int byte = 1; byte < 256; byte++) {
        bool is_plain = byte >= ' ' && byte < 0x80 && byte != '"' && byte != '\\';
        for (size_t length = 1; length <= 20; length++) {
            for (size_t place = 0; place < length; place++) {
                char text[20];
                memset(text, 'a', sizeof(text));
                text[place] = (char)byte;
                const char *found = json_characters_skip_plain(text, text + length);
                assert_int_equal(found - text, is_plain ? length : place);
            }
        }
    }
}

static void knows_the_escapes(void **state)
{
    (void)state;
    expect("\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uABCD\\uefef", JSON_CHARACTERS_END);
    static const char *const strings[] = {
        "\\x41", "\\'", "\\a", "\\U0041", "\\0", "\\u", "\\u004", "\\u00g0", "\\u 041", "\\u-041",
    };
    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
        expect(strings[i], JSON_CHARACTERS_INVALID);
    }
}

static void refuses_control_characters(void **state)
{
    (void)state;
    for (char byte = 1; byte < ' '; byte++) {
        const char string[] = {'a', byte, '\0'};
        expect(string, JSON_CHARACTERS_INVALID);
    }
}

static void points_out_lone_surrogates(void **state)
{
    (void)state;
    expect("\\ud83d\\ude00", JSON_CHARACTERS_END);
    static const struct {
        const char *inside;
        size_t back;
    } cases[] = {
        {"\\ude00", 6},    {"\\ud83d", 6},         {"\\ud83d!", 6},
        {"\\ud83d\\n", 7}, {"\\ud83d\\u0041", 12}, {"\\ud83d\\ud83d\\ude00", 12},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect(cases[i].inside, JSON_CHARACTERS_LONE_SURROGATE);
        char text[32] = "";
        size_t byte_count = strlen(cases[i].inside);
        memcpy(text, cases[i].inside, byte_count);
        text[byte_count] = '"';
        const char *at = text;
        struct json_characters characters;
        json_characters_init(&characters);
        assert_int_equal(json_characters_next(&characters, &at, text + byte_count + 1),
                         JSON_CHARACTERS_LONE_SURROGATE);
        assert_int_equal(characters.surrogate_back, cases[i].back);
        assert_ptr_equal(at - characters.surrogate_back, text);
        assert_int_equal(json_characters_next(&characters, &at, text + byte_count + 1),
                         JSON_CHARACTERS_END);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_utf8),
        cmocka_unit_test(refuses_what_is_not_utf8),
        cmocka_unit_test(finds_every_special_byte),
        cmocka_unit_test(knows_the_escapes),
        cmocka_unit_test(refuses_control_characters),
        cmocka_unit_test(points_out_lone_surrogates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
