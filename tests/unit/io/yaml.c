/* SPDX-License-Identifier: Apache-2.0 */
#include "io/yaml.h"

#include "base/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Documents one a line. */
static bool collect(void *self, const char *json, struct error *error)
{
    (void)error;
    struct text *all = self;
    if (all->length_bytes > 0) {
        text_append_char(all, '\n');
    }
    text_append(all, json);
    return true;
}

static void bytes_become(const char *yaml, size_t byte_count, const char *json)
{
    cleanup_text struct text all;
    text_init(&all, 1000 * 1000);
    struct error error = {0};
    if (!yaml_to_json(yaml, byte_count, collect, &all, &error)) {
        fail_msg("%s: %s", yaml, error.message);
    }
    assert_string_equal(all.bytes, json);
}

static void becomes(const char *yaml, const char *json)
{
    bytes_become(yaml, strlen(yaml), json);
}

static void bytes_are_refused(const char *yaml, size_t byte_count, enum error_class class,
                              const char *reason)
{
    cleanup_text struct text all;
    text_init(&all, 1000 * 1000);
    struct error error = {0};
    if (yaml_to_json(yaml, byte_count, collect, &all, &error)) {
        fail_msg("%s became %s", yaml, all.bytes);
    }
    assert_int_equal(error.class, class);
    assert_string_equal(error.message, reason);
}

static void is_refused(const char *yaml, const char *reason)
{
    bytes_are_refused(yaml, strlen(yaml), ERROR_INVALID, reason);
}

static void reads_mappings_lists_and_blocks(void **state)
{
    (void)state;
    becomes("a: 1\nb:\n- x\n- {y: z}\nc: {}\nd: []\n",
            "{\"a\":1,\"b\":[\"x\",{\"y\":\"z\"}],\"c\":{},\"d\":[]}");
    becomes("a: |\n  one\n  two\nb: >-\n  one\n  two\n",
            "{\"a\":\"one\\ntwo\\n\",\"b\":\"one two\"}");
    becomes("a: 'it''s'\nb: \"tab\\t \\u00e9\"\n", "{\"a\":\"it's\",\"b\":\"tab\\t \xC3\xA9\"}");
    becomes("\"\": 1\n1: one\ntrue: yes\n", "{\"\":1,\"1\":\"one\",\"true\":\"yes\"}");
}

static void reads_carriage_returns(void **state)
{
    (void)state;
    becomes("a: 1\r\nb: |\r\n  x\r\n  y\r\n", "{\"a\":1,\"b\":\"x\\ny\\n\"}");
}

static void reads_json(void **state)
{
    (void)state;
    becomes("{\"a\": [1, -2.5e3, true, null, \"x\\/\\n\"],\n\t\"b\": {}}\n",
            "{\"a\":[1,-2.5e3,true,null,\"x/\\n\"],\"b\":{}}");
}

static void resolves_plain_scalars(void **state)
{
    (void)state;
    becomes("[null, Null, NULL, ~, ]", "[null,null,null,null]");
    becomes("a:\nb: ~\n", "{\"a\":null,\"b\":null}");
    becomes("[true, True, TRUE, false, False, FALSE]", "[true,true,true,false,false,false]");
    becomes("[yes, no, on, off, y, n, tRUE, nULL]",
            "[\"yes\",\"no\",\"on\",\"off\",\"y\",\"n\",\"tRUE\",\"nULL\"]");
    becomes("[2001-12-14, 12:30, 1.2.3, 1_000, '', 1e, ., '.', -, +, 0x, 0xg, e3]",
            "[\"2001-12-14\",\"12:30\",\"1.2.3\",\"1_000\",\"\",\"1e\",\".\",\".\",\"-\",\"+\","
            "\"0x\",\"0xg\",\"e3\"]");
}

static void keeps_the_digits_of_numbers(void **state)
{
    (void)state;
    becomes(
        "[0, -0, 7, +7, 9007199254740993, -9223372036854775808, 123456789012345678901234567890]",
        "[0,-0,7,7,9007199254740993,-9223372036854775808,123456789012345678901234567890]");
    becomes("[1.10, .5, -.5, 1., 1e3, 1E+3, 1.5e-7]", "[1.10,0.5,-0.5,1,1e3,1e+3,1.5e-7]");
    becomes("[0644, -0644, 0o17, 0x1F, -0x1f, 0b101, 08, 00, 007.5]",
            "[420,-420,15,31,-31,5,8,0,7.5]");
    becomes("[0xFFFFFFFFFFFFFFFF, 0x10000000000000000]",
            "[18446744073709551615,\"0x10000000000000000\"]");
    becomes("[1e308, 1e309, 1e99999999999999999999, 1e-99999]",
            "[\"1e308\",\"1e309\",\"1e99999999999999999999\",1e-99999]");
}

static void keeps_quoted_scalars_strings(void **state)
{
    (void)state;
    becomes("['1', \"true\", 'null', '~', \"\"]", "[\"1\",\"true\",\"null\",\"~\",\"\"]");
    becomes("a: |-\n  12\n", "{\"a\":\"12\"}");
}

static void follows_tags(void **state)
{
    (void)state;
    becomes("[!!str 1, ! 1, !!int '2', !!float 2, !!bool \"true\", !!null '', !!str ]",
            "[\"1\",\"1\",2,2,true,null,\"\"]");
    becomes("!!map {a: !!seq [1]}", "{\"a\":[1]}");
    is_refused("a: !secret x", "line 1, column 4: the tag !secret is not supported here");
    is_refused("a: !!int x",
               "line 1, column 4: the tag tag:yaml.org,2002:int is not supported here");
    is_refused("!!set {a, b}", "line 1, column 1: the tag tag:yaml.org,2002:set is not supported");
}

static void gives_every_document_but_empty_ones(void **state)
{
    (void)state;
    becomes("", "");
    becomes("# only a comment\n", "");
    becomes("---\n---\n---\na: 1\n...\n---\n[2]\n---\n", "{\"a\":1}\n[2]");
    becomes("%YAML 1.1\n---\na: 1\n", "{\"a\":1}");
}

static bool refuse_second(void *self, const char *json, struct error *error)
{
    int *count = self;
    (void)json;
    return ++*count < 2 || error_set(error, ERROR_CONFLICT, "enough");
}

static void stops_when_the_taker_refuses(void **state)
{
    (void)state;
    int count = 0;
    struct error error;
    assert_false(yaml_to_json("1\n--- 2\n--- 3\n", 13, refuse_second, &count, &error));
    assert_int_equal(count, 2);
    assert_int_equal(error.class, ERROR_CONFLICT);
}

static void follows_aliases(void **state)
{
    (void)state;
    becomes("a: &x {k: [1]}\nb: *x\nc: &y 5\nd: [*y, *x]\n",
            "{\"a\":{\"k\":[1]},\"b\":{\"k\":[1]},\"c\":5,\"d\":[5,{\"k\":[1]}]}");
    becomes("[&a 1, *a, &a 2, *a]", "[1,1,2,2]");
    is_refused("a: *nobody", "line 1, column 4: no anchor is named nobody");
    is_refused("--- &a 1\n--- *a\n", "line 2, column 5: no anchor is named a");
    is_refused("&a [1, *a]", "line 1, column 8: the alias a is inside of what it names");
}

static void merges_below_the_own_keys(void **state)
{
    (void)state;
    becomes("a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3\n  z: 4\n",
            "{\"a\":{\"x\":1,\"y\":2},\"b\":{\"y\":3,\"z\":4,\"x\":1}}");
    becomes("- &a {x: 1}\n- &b {x: 2, y: 2}\n- {<<: [*a, *b]}\n- {<<: *b, '<<': q}\n",
            "[{\"x\":1},{\"x\":2,\"y\":2},{\"x\":1,\"y\":2},{\"<<\":\"q\",\"x\":2,\"y\":2}]");
    is_refused("<<: 1", "line 1, column 5: << takes a mapping or a list of mappings");
    is_refused("<<: [1]", "line 1, column 6: << takes mappings only");
    is_refused("<<: {}\n<<: {}", "line 2, column 1: the key << is there twice");
}

static void bounds_the_expansion_of_aliases(void **state)
{
    (void)state;
    static const char laughs[] = "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
                                 "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                                 "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
                                 "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                                 "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n"
                                 "f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
                                 "g: [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]\n";
    bytes_are_refused(laughs, strlen(laughs), ERROR_LIMIT,
                      "line 1, column 14: the document is too large with its aliases expanded");

    cleanup_text struct text long_one;
    text_init(&long_one, 1000 * 1000);
    text_append(&long_one, "- &a ");
    for (int i = 0; i < 100 * 1000; i++) {
        text_append_char(&long_one, 'x');
    }
    for (int i = 0; i < 50; i++) {
        text_append(&long_one, "\n- *a");
    }
    bytes_are_refused(long_one.bytes, long_one.length_bytes, ERROR_LIMIT,
                      "line 1, column 3: the document is too large with its aliases expanded");
}

/* Nothing is written by these merges, and yet each level is ten times the work of the one below. */
static void bounds_merges_that_write_nothing(void **state)
{
    (void)state;
    cleanup_text struct text yaml;
    text_init(&yaml, 1000 * 1000);
    text_append(&yaml, "- &m0 {x: 1}\n");
    for (int i = 1; i <= 7; i++) {
        text_print(&yaml, "- &m%d {x: 1, <<: [", i);
        for (int j = 0; j < 10; j++) {
            text_print(&yaml, "*m%d,", i - 1);
        }
        text_append(&yaml, "]}\n");
    }
    bytes_are_refused(yaml.bytes, yaml.length_bytes, ERROR_LIMIT,
                      "line 1, column 3: the document is too large with its aliases expanded");
}

static void append_repeated(struct text *text, const char *piece, int count)
{
    for (int i = 0; i < count; i++) {
        text_append(text, piece);
    }
}

static void bounds_depth(void **state)
{
    (void)state;
    cleanup_text struct text yaml;
    text_init(&yaml, 1000 * 1000);
    append_repeated(&yaml, "[", LIMIT_JSON_DEPTH);
    append_repeated(&yaml, "]", LIMIT_JSON_DEPTH);
    becomes(yaml.bytes, yaml.bytes);

    text_clear(&yaml);
    append_repeated(&yaml, "[", 100 * 1000);
    bytes_are_refused(yaml.bytes, yaml.length_bytes, ERROR_LIMIT,
                      "line 1, column 65: deeper than 64 levels");

    text_clear(&yaml);
    text_append(&yaml, "- &a ");
    append_repeated(&yaml, "[", 40);
    append_repeated(&yaml, "]", 40);
    text_append(&yaml, "\n- ");
    append_repeated(&yaml, "[", 40);
    text_append(&yaml, "*a");
    append_repeated(&yaml, "]", 40);
    bytes_are_refused(yaml.bytes, yaml.length_bytes, ERROR_LIMIT,
                      "line 1, column 30: deeper than 64 levels");
}

static void refuses_keys_that_json_has_not(void **state)
{
    (void)state;
    is_refused("a: 1\nb: 2\na: 3\n", "line 3, column 1: the key a is there twice");
    is_refused("{1: a, '1': b}", "line 1, column 8: the key 1 is there twice");
    is_refused("? [a]\n: 1\n", "line 1, column 3: a key must be a string");
    is_refused("~: 1\n", "line 1, column 1: a key must be a string");
}

static void refuses_what_json_cannot_say(void **state)
{
    (void)state;
    is_refused("a: .inf", "line 1, column 4: JSON has no infinite numbers");
    is_refused("a: -.Inf", "line 1, column 4: JSON has no infinite numbers");
    is_refused("a: .NaN", "line 1, column 4: JSON has no infinite numbers");
    is_refused("a: \"x\\0y\"", "line 1, column 4: a string has a NUL character in it");
}

static void says_where_the_syntax_is_wrong(void **state)
{
    (void)state;
    is_refused("a: 1\n\tb: 2\n",
               "line 2, column 1: found a tab character that violates indentation while scanning a "
               "plain scalar");
    is_refused("a: [1,\nb: 2\n",
               "line 3, column 1: did not find expected ',' or ']' while parsing a flow sequence");
    is_refused("a: \"x\n", "line 2, column 1: found unexpected end of stream while scanning a "
                           "quoted scalar");
    bytes_are_refused("a: 1\nb: \x01\n", 10, ERROR_INVALID,
                      "line 2: control characters are not allowed");
    bytes_are_refused("a: \xFFz\n", 6, ERROR_INVALID, "line 1: invalid leading UTF-8 octet");
}

static void reads_utf_16_with_a_byte_order_mark(void **state)
{
    (void)state;
    static const char little[] = "\xFF\xFE"
                                 "a\0:\0 \0\xE9\0"
                                 "\x3D\xD8\x00\xDE";
    static const char big[] = "\xFE\xFF"
                              "\0a\0:\0 \0\xE9"
                              "\xD8\x3D\xDE\x00";
    bytes_become(little, sizeof(little) - 1, "{\"a\":\"\xC3\xA9\xF0\x9F\x98\x80\"}");
    bytes_become(big, sizeof(big) - 1, "{\"a\":\"\xC3\xA9\xF0\x9F\x98\x80\"}");
    bytes_become("\xEF\xBB\xBF"
                 "a: 1",
                 7, "{\"a\":1}");
    bytes_are_refused("a\0:\0 \0b\0", 8, ERROR_INVALID,
                      "line 1: control characters are not allowed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_mappings_lists_and_blocks),
        cmocka_unit_test(reads_carriage_returns),
        cmocka_unit_test(reads_json),
        cmocka_unit_test(resolves_plain_scalars),
        cmocka_unit_test(keeps_the_digits_of_numbers),
        cmocka_unit_test(keeps_quoted_scalars_strings),
        cmocka_unit_test(follows_tags),
        cmocka_unit_test(gives_every_document_but_empty_ones),
        cmocka_unit_test(stops_when_the_taker_refuses),
        cmocka_unit_test(follows_aliases),
        cmocka_unit_test(merges_below_the_own_keys),
        cmocka_unit_test(bounds_the_expansion_of_aliases),
        cmocka_unit_test(bounds_merges_that_write_nothing),
        cmocka_unit_test(bounds_depth),
        cmocka_unit_test(refuses_keys_that_json_has_not),
        cmocka_unit_test(refuses_what_json_cannot_say),
        cmocka_unit_test(says_where_the_syntax_is_wrong),
        cmocka_unit_test(reads_utf_16_with_a_byte_order_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
