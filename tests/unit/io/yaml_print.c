/* SPDX-License-Identifier: Apache-2.0 */
#include "io/yaml_print.h"

#include "io/yaml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BYTES_MAX = 64 * 1024 };

static void assert_prints(const char *json, const char *yaml)
{
    cleanup_text struct text out;
    text_init(&out, BYTES_MAX);
    struct error error;
    if (!yaml_print(json, &out, &error)) {
        fail_msg("%s", error.message);
    }
    assert_string_equal(out.bytes, yaml);
}

static bool keep(void *self, const char *json, struct error *error)
{
    (void)error;
    text_append(self, json);
    return true;
}

static void an_object_prints_as_kubectl_prints_it(void **state)
{
    (void)state;
    assert_prints("{\"kind\":\"Pool\",\"spec\":{\"size\":3,\"list\":[{\"a\":1,\"b\":[]},\"x\"],"
                  "\"none\":null,\"all\":true,\"empty\":{}}}",
                  "kind: Pool\n"
                  "spec:\n"
                  "  size: 3\n"
                  "  list:\n"
                  "  - a: 1\n"
                  "    b: []\n"
                  "  - x\n"
                  "  none: null\n"
                  "  all: true\n"
                  "  empty: {}\n");
}

static void strings_stay_strings(void **state)
{
    (void)state;
    assert_prints("[\"true\",\"No\",\"null\",\"~\",\"\",\"y\"]",
                  "- \"true\"\n- \"No\"\n- \"null\"\n- \"~\"\n- \"\"\n- \"y\"\n");
    assert_prints("[\"10\",\"1.5\",\"-1\",\".5\",\"0x10\",\"1e3\",\"12:30\",\".inf\","
                  "\"2026-01-02T03:04:05Z\"]",
                  "- \"10\"\n- \"1.5\"\n- \"-1\"\n- \".5\"\n- \"0x10\"\n- \"1e3\"\n- \"12:30\"\n"
                  "- \".inf\"\n- \"2026-01-02T03:04:05Z\"\n");
    assert_prints("[\"a: b\",\"- x\",\" x\",\"#x\",\"it's\"]",
                  "- 'a: b'\n- '- x'\n- ' x'\n- '#x'\n- it's\n");
}

static void numbers_keep_their_spelling(void **state)
{
    (void)state;
    assert_prints("[12345678901234567890,1.10,-0]", "- 12345678901234567890\n- 1.10\n- -0\n");
}

static void long_texts_are_blocks(void **state)
{
    (void)state;
    assert_prints("{\"a\":\"one\\ntwo\\n\"}", "a: |\n  one\n  two\n");
}

static void what_is_printed_reads_back_as_it_was(void **state)
{
    (void)state;
    static const char *const documents[] = {
        "{\"a\":[\"x\\ty\",\"\\n lead\",\"trail \\nx\",\"a\\u0001b\",\"tab\\t\\n\"]}",
        "[\"yes\",\"1_000\",\"0o7\",\"+1\",\"=\",\"<<\",\"!x\",\"&x\",\"*x\",\"%x\",\"@x\",\"`x\"]",
        "{\"with space\":1,\"n\":2,\"1\":3,\"a: b\":{\"c\":[[],[[1]]]}}",
        "\"a\\\\b\\\"c\"",
        "\"caf\xc3\xa9\"",
    };
    for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
        cleanup_text struct text yaml;
        cleanup_text struct text json;
        text_init(&yaml, BYTES_MAX);
        text_init(&json, BYTES_MAX);
        struct error error;
        assert_true(yaml_print(documents[i], &yaml, &error));
        assert_true(yaml_to_json(yaml.bytes, yaml.length_bytes, keep, &json, &error));
        assert_string_equal(json.bytes, documents[i]);
    }
}

static void what_is_no_json_is_refused(void **state)
{
    (void)state;
    cleanup_text struct text out;
    text_init(&out, BYTES_MAX);
    struct error error;
    assert_false(yaml_print("{\"a\":\"b", &out, &error));
    assert_int_equal(error.class, ERROR_INVALID);
}

static void more_than_fits_is_an_error(void **state)
{
    (void)state;
    cleanup_text struct text out;
    text_init(&out, 4);
    struct error error;
    assert_false(yaml_print("{\"kind\":\"Pool\"}", &out, &error));
    assert_int_equal(error.class, ERROR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_prints_as_kubectl_prints_it),
        cmocka_unit_test(strings_stay_strings),
        cmocka_unit_test(numbers_keep_their_spelling),
        cmocka_unit_test(long_texts_are_blocks),
        cmocka_unit_test(what_is_printed_reads_back_as_it_was),
        cmocka_unit_test(what_is_no_json_is_refused),
        cmocka_unit_test(more_than_fits_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
