/* SPDX-License-Identifier: Apache-2.0 */
#include "api/selector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct label DEV[] = {{.key = "team", .value = "red"},
                                   {.key = "stage", .value = "dev"}};

/* parent is an object with the selector at "selector"; ' stands for ". */
static bool matches(const char *parent, const struct label *labels, size_t label_count)
{
    cleanup_text struct text json;
    text_init(&json, 4096);
    for (const char *at = parent; *at != '\0'; at++) {
        text_append_char(&json, *at == '\'' ? '"' : *at);
    }
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(json.bytes, json.length_bytes, &document, &error));
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct json_reader reader;
    json_reader_init(&reader, &arena);
    struct selector selector = selector_read(&reader, json_root(document), "selector");
    if (!json_reader_check(&reader, "selector", &error)) {
        fail_msg("%s", error.message);
    }
    return selector_matches(&selector, labels, label_count);
}

static bool matches_dev(const char *parent)
{
    return matches(parent, DEV, 2);
}

static void one_that_is_absent_matches_nothing(void **state)
{
    (void)state;
    assert_false(matches_dev("{}"));
    assert_false(matches_dev("{'selector':null}"));
    assert_false(matches("{}", NULL, 0));
    struct label empty = {.key = "", .value = ""};
    assert_false(matches("{}", &empty, 1));
}

static void an_empty_one_matches_everything(void **state)
{
    (void)state;
    assert_true(matches_dev("{'selector':{}}"));
    assert_true(matches("{'selector':{'matchLabels':{},'matchExpressions':[]}}", NULL, 0));
}

static void every_label_must_match(void **state)
{
    (void)state;
    assert_true(matches_dev("{'selector':{'matchLabels':{'team':'red'}}}"));
    assert_true(matches_dev("{'selector':{'matchLabels':{'team':'red','stage':'dev'}}}"));
    assert_false(matches_dev("{'selector':{'matchLabels':{'team':'red','stage':'prod'}}}"));
    assert_false(matches_dev("{'selector':{'matchLabels':{'region':'red'}}}"));
}

#define EXPRESSION(key, operator, values)                                                          \
    "{'selector':{'matchExpressions':[{'key':'" key "','operator':'" operator"','values':" values  \
                                                                             "}]}}"

static void expressions_have_four_operators(void **state)
{
    (void)state;
    assert_true(matches_dev(EXPRESSION("team", "In", "['blue','red']")));
    assert_false(matches_dev(EXPRESSION("team", "In", "['blue']")));
    assert_false(matches_dev(EXPRESSION("region", "In", "['blue']")));

    assert_false(matches_dev(EXPRESSION("team", "NotIn", "['blue','red']")));
    assert_true(matches_dev(EXPRESSION("team", "NotIn", "['blue']")));
    assert_true(matches_dev(EXPRESSION("region", "NotIn", "['blue']")));

    assert_true(matches_dev(EXPRESSION("team", "Exists", "[]")));
    assert_false(matches_dev(EXPRESSION("region", "Exists", "[]")));

    assert_false(matches_dev(EXPRESSION("team", "DoesNotExist", "[]")));
    assert_true(matches_dev(EXPRESSION("region", "DoesNotExist", "[]")));
}

static void labels_and_expressions_are_both_asked(void **state)
{
    (void)state;
    assert_false(matches_dev("{'selector':{'matchLabels':{'team':'red'},'matchExpressions':["
                             "{'key':'stage','operator':'NotIn','values':['dev']}]}}"));
}

static void an_unknown_operator_is_refused(void **state)
{
    (void)state;
    static const char json[] =
        "{\"selector\":{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Gt\"}]}}";
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(json, strlen(json), &document, &error));
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct json_reader reader;
    json_reader_init(&reader, &arena);
    (void)selector_read(&reader, json_root(document), "selector");
    assert_false(json_reader_check(&reader, "selector", &error));
    assert_non_null(strstr(error.message, "operator"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_is_absent_matches_nothing),
        cmocka_unit_test(an_empty_one_matches_everything),
        cmocka_unit_test(every_label_must_match),
        cmocka_unit_test(expressions_have_four_operators),
        cmocka_unit_test(labels_and_expressions_are_both_asked),
        cmocka_unit_test(an_unknown_operator_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
