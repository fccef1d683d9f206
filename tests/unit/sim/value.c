/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/value.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static cJSON *parsed(const char *text)
{
    cJSON *value = NULL;
    struct error error = {0};
    if (!value_parse(text, &value, &error)) {
        fail_msg("%s: %s", text, error.message);
    }
    return value;
}

static void names_are_shared_by_all_trees(void **state)
{
    (void)state;
    struct error error;
    cJSON *read = NULL;
    assert_true(value_parse("{\"shared\":1,\"sh\\u0061red2\":{}}", &read, &error));
    cJSON *made = cJSON_CreateObject();
    value_set_text(made, "shared", "x");
    assert_ptr_equal(read->child->string, made->child->string);
    value_rename(made->child, "shared2");
    assert_ptr_equal(read->child->next->string, made->child->string);
    assert_string_equal(value_text(made, "shared2", NULL), "x");
    cJSON_Delete(read);
    assert_string_equal(made->child->string, "shared2");
    cJSON_Delete(made);
}

static void a_name_too_long_to_be_shared_is_the_trees_own(void **state)
{
    (void)state;
    char name[300] = "";
    memset(name, 'n', sizeof(name) - 1);
    cJSON *made = cJSON_CreateObject();
    value_set_text(made, name, "x");
    value_set_text(made, name, "y");
    cJSON *copy = cJSON_Duplicate(made, true);
    value_rename(made->child, "short");
    assert_string_equal(value_text(copy, name, NULL), "y");
    assert_string_equal(value_text(made, "short", NULL), "y");
    cJSON_Delete(made);
    cJSON_Delete(copy);
}

static void assert_prints(const cJSON *value, const char *expected)
{
    char *text cleanup_memory = value_print(value);
    assert_string_equal(text, expected);
}

/* ---- paths ---- */

static const char OBJECT[] =
    "{\"metadata\":{\"name\":\"a\",\"namespace\":\"dev\",\"uid\":\"u-1\","
    "\"labels\":{\"adjoint.dev/state\":\"warm\"},\"annotations\":{\"x/y\":\"z\"},"
    "\"finalizers\":[\"kubernetes.io/pv-protection\"],\"generation\":3,\"empty\":null,"
    "\"ownerReferences\":[{\"uid\":\"1\"},{\"uid\":\"2\",\"controller\":true}]},"
    "\"spec\":{\"paused\":true,\"half\":0.5,\"off\":false,\"text\":\"7\"}}";

static int set_up(void **state)
{
    *state = parsed(OBJECT);
    return 0;
}

static int tear_down(void **state)
{
    cJSON_Delete(*state);
    return 0;
}

static void getters_follow_paths(void **state)
{
    const cJSON *object = *state;
    assert_true(cJSON_IsObject(value_at(object, "metadata", "labels", NULL)));
    assert_string_equal(value_text(object, "metadata", "name", NULL), "a");
    assert_int_equal(value_int64(object, 0, "metadata", "generation", NULL), 3);
    assert_true(value_true(object, "spec", "paused", NULL));
    assert_true(value_equal_text(object, "a", "metadata", "name", NULL));
    assert_ptr_equal(value_at(object, NULL), object);
}

static void what_is_missing_null_or_something_else_is_absent(void **state)
{
    const cJSON *object = *state;
    assert_null(value_at(object, "metadata", "none", "deeper", NULL));
    assert_null(value_at(object, "metadata", "empty", NULL));
    assert_null(value_at(object, "metadata", "empty", "deeper", NULL));
    assert_null(value_at(object, "metadata", "name", "deeper", NULL));
    assert_null(value_at(object, "metadata", "Name", NULL));
    assert_null(value_at(NULL, "metadata", NULL));
    assert_null(value_text(object, "metadata", "generation", NULL));
    assert_null(value_text(object, "metadata", NULL));
    assert_int_equal(value_int64(object, -5, "spec", "text", NULL), -5);
    assert_int_equal(value_int64(object, -5, "spec", "half", NULL), -5);
    assert_false(value_true(object, "spec", "off", NULL));
    assert_false(value_true(object, "spec", "text", NULL));
    assert_false(value_equal_text(object, "3", "metadata", "generation", NULL));
    assert_true(value_equal_text(object, NULL, "metadata", "none", NULL));
}

static void make_makes_what_is_absent(void **state)
{
    (void)state;
    cJSON *object = parsed("{\"a\":{\"x\":1},\"b\":null,\"c\":\"text\"}");
    value_set_int64(value_make(object, "a", NULL), "y", 2);
    value_set_int64(value_make(object, "a", "deep", NULL), "z", 3);
    (void)value_make(object, "b", "in", NULL);
    (void)value_make(object, "c", NULL);
    assert_ptr_equal(value_make(object, NULL), object);
    assert_prints(object,
                  "{\"a\":{\"x\":1,\"y\":2,\"deep\":{\"z\":3}},\"b\":{\"in\":{}},\"c\":{}}");
    cJSON_Delete(object);
}

static void set_adds_replaces_in_place_and_removes(void **state)
{
    (void)state;
    cJSON *object = parsed("{\"a\":1,\"A\":2,\"b\":3}");
    value_set_text(object, "a", "one");
    value_set_true(object, "c", false);
    value_set(object, "b", cJSON_CreateArray());
    assert_prints(object, "{\"a\":\"one\",\"A\":2,\"b\":[],\"c\":false}");
    value_set_text(object, "a", NULL);
    value_set(object, "b", NULL);
    value_set(object, "none", NULL);
    assert_prints(object, "{\"A\":2,\"c\":false}");
    cJSON_Delete(object);
}

/* ---- comparing ---- */

static bool equal_texts(const char *left, const char *right)
{
    cJSON *one = parsed(left);
    cJSON *other = parsed(right);
    bool equal = value_equal(one, other);
    assert_int_equal(equal, value_equal(other, one));
    cJSON_Delete(one);
    cJSON_Delete(other);
    return equal;
}

static void equal_is_by_value_in_any_order_of_members(void **state)
{
    (void)state;
    assert_true(
        equal_texts("{\"a\":1,\"b\":[1,{\"c\":null}]}", "{\"b\":[1,{\"c\":null}],\"a\":1}"));
    assert_true(equal_texts("1.0", "1"));
    assert_true(equal_texts("\"\\u0041\"", "\"A\""));
    assert_false(equal_texts("[1,2]", "[2,1]"));
    assert_false(equal_texts("[1]", "[1,2]"));
    assert_false(equal_texts("{\"a\":1}", "{\"a\":1,\"b\":2}"));
    assert_false(equal_texts("{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}"));
    assert_false(equal_texts("{\"a\":null}", "{}"));
    assert_false(equal_texts("true", "false"));
    assert_false(equal_texts("1", "\"1\""));
    assert_false(equal_texts("9007199254740991", "9007199254740992"));
    assert_true(value_equal(NULL, NULL));
}

static void lists_of_texts_have_each_once(void **state)
{
    (void)state;
    cJSON *list = parsed("[\"a\",1,\"b\"]");
    value_list_add(list, "c");
    value_list_add(list, "a");
    assert_prints(list, "[\"a\",1,\"b\",\"c\"]");
    assert_true(value_list_has(list, "c"));
    assert_false(value_list_has(list, "1"));
    assert_true(value_list_remove(list, "a"));
    assert_false(value_list_remove(list, "a"));
    assert_prints(list, "[1,\"b\",\"c\"]");
    assert_false(value_list_has(NULL, "a"));
    assert_false(value_list_remove(NULL, "a"));
    cJSON_Delete(list);
}

static void an_object_says_who_it_is(void **state)
{
    cJSON *object = *state;
    assert_string_equal(value_name(object), "a");
    assert_string_equal(value_namespace(object), "dev");
    assert_string_equal(value_uid(object), "u-1");
    assert_string_equal(value_label(object, "adjoint.dev/state"), "warm");
    assert_string_equal(value_annotation(object, "x/y"), "z");
    assert_true(value_has_finalizer(object, "kubernetes.io/pv-protection"));
    assert_string_equal(value_text(value_controller(object), "uid", NULL), "2");
    assert_false(value_is_deleting(object));
    value_set_text(value_make(object, "metadata", NULL), "deletionTimestamp",
                   "2026-01-01T00:00:00Z");
    assert_true(value_is_deleting(object));
}

static void an_empty_object_says_nothing(void **state)
{
    (void)state;
    cJSON *object = parsed("{}");
    assert_string_equal(value_name(object), "");
    assert_string_equal(value_namespace(object), "");
    assert_string_equal(value_uid(object), "");
    assert_null(value_label(object, "a"));
    assert_null(value_annotation(object, "a"));
    assert_false(value_has_finalizer(object, "a"));
    assert_null(value_controller(object));
    cJSON_Delete(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define WITH_OBJECT(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        WITH_OBJECT(getters_follow_paths),
        WITH_OBJECT(what_is_missing_null_or_something_else_is_absent),
        cmocka_unit_test(names_are_shared_by_all_trees),
        cmocka_unit_test(a_name_too_long_to_be_shared_is_the_trees_own),
        cmocka_unit_test(make_makes_what_is_absent),
        cmocka_unit_test(set_adds_replaces_in_place_and_removes),
        cmocka_unit_test(equal_is_by_value_in_any_order_of_members),
        cmocka_unit_test(lists_of_texts_have_each_once),
        WITH_OBJECT(an_object_says_who_it_is),
        cmocka_unit_test(an_empty_object_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
