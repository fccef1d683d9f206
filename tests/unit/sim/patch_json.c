/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/patch_json.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/value.h"
#include "support/simulated_api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char DOCUMENT[] = "{'a':{'b':[1,2,3],'c':null,'d/e':'x','f~g':'y'},'n':0}";

/* The document after the patch, or NULL in expected: it does not apply. */
static void assert_patched(const char *patch, const char *expected)
{
    struct error error;
    cJSON *document = simulated_json(DOCUMENT);
    cJSON *operations = simulated_json(patch);
    bool applied = patch_json_apply(document, operations, &error);
    if (expected == NULL) {
        assert_false(applied);
        assert_int_equal(error.class, ERROR_TEST_FAILED);
    } else {
        cJSON *wanted = simulated_json(expected);
        cleanup_memory char *text = value_print(document);
        if (!applied || !value_equal(document, wanted)) {
            fail_msg("%s: %s", patch, applied ? text : error.message);
        }
        cJSON_Delete(wanted);
    }
    cJSON_Delete(document);
    cJSON_Delete(operations);
}

static const char SAME[] = "{'a':{'b':[1,2,3],'c':null,'d/e':'x','f~g':'y'},'n':0}";

static void a_test_holds_for_what_is_there(void **state)
{
    (void)state;
    assert_patched("[{'op':'test','path':'/n','value':0}]", SAME);
    assert_patched("[{'op':'test','path':'/a/b','value':[1,2,3]}]", SAME);
    assert_patched("[{'op':'test','path':'/a/b/1','value':2}]", SAME);
    assert_patched("[{'op':'test','path':'/a/d~1e','value':'x'}]", SAME);
    assert_patched("[{'op':'test','path':'/a/f~0g','value':'y'}]", SAME);
    assert_patched("[{'op':'test','path':'/n','value':1}]", NULL);
    assert_patched("[{'op':'test','path':'/n','value':'0'}]", NULL);
    assert_patched("[{'op':'test','path':'/a/b','value':[1,2]}]", NULL);
}

static void an_array_takes_a_value_anywhere(void **state)
{
    (void)state;
    static const struct {
        const char *patch, *array;
    } rows[] = {
        {"[{'op':'add','path':'/a/b/0','value':9}]", "[9,1,2,3]"},
        {"[{'op':'add','path':'/a/b/1','value':9}]", "[1,9,2,3]"},
        {"[{'op':'add','path':'/a/b/3','value':9}]", "[1,2,3,9]"},
        {"[{'op':'add','path':'/a/b/-','value':9}]", "[1,2,3,9]"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char expected[100];
        (void)snprintf(expected, sizeof(expected),
                       "{'a':{'b':%s,'c':null,'d/e':'x','f~g':'y'},'n':0}", rows[i].array);
        assert_patched(rows[i].patch, expected);
    }
}

static void a_test_for_null_holds_for_what_is_not_there(void **state)
{
    (void)state;
    assert_patched("[{'op':'test','path':'/missing','value':null}]", SAME);
    assert_patched("[{'op':'test','path':'/a/c','value':null}]", SAME);
    assert_patched("[{'op':'test','path':'/missing'}]", SAME);
    assert_patched("[{'op':'test','path':'/missing','value':1}]", NULL);
    assert_patched("[{'op':'test','path':'/n','value':null}]", NULL);
    /* Only the last part may be missing. */
    assert_patched("[{'op':'test','path':'/missing/more','value':null}]", NULL);
    assert_patched("[{'op':'test','path':'/a/c/more','value':null}]", NULL);
    assert_patched("[{'op':'test','path':'/n/more','value':null}]", NULL);
}

static void replace_adds_a_member_that_is_missing(void **state)
{
    (void)state;
    assert_patched(
        "[{'op':'replace','path':'/n','value':5},{'op':'replace','path':'/m','value':6}]",
        "{'a':{'b':[1,2,3],'c':null,'d/e':'x','f~g':'y'},'n':5,'m':6}");
    assert_patched("[{'op':'replace','path':'/x/y','value':5}]", NULL);
    assert_patched("[{'op':'replace','path':'/a/b/2','value':9},{'op':'remove','path':'/a/c'},"
                   "{'op':'remove','path':'/a/d~1e'},{'op':'remove','path':'/a/f~0g'}]",
                   "{'a':{'b':[1,2,9]},'n':0}");
    assert_patched("[{'op':'replace','path':'/a/b/3','value':9}]", NULL);
}

static void add_inserts_into_arrays(void **state)
{
    (void)state;
    assert_patched(
        "[{'op':'replace','path':'/a','value':{}},{'op':'add','path':'/a/b','value':[]},"
        "{'op':'add','path':'/a/b/-','value':2},{'op':'add','path':'/a/b/0','value':1},"
        "{'op':'add','path':'/a/b/2','value':3},{'op':'add','path':'/a/b/-1','value':4}]",
        "{'a':{'b':[1,2,3,4]},'n':0}");
    assert_patched("[{'op':'add','path':'/a/b/4','value':1}]", NULL);
    assert_patched("[{'op':'add','path':'/a/b/x','value':1}]", NULL);
    assert_patched("[{'op':'add','path':'/x/y','value':1}]", NULL);
}

static void remove_needs_what_it_removes(void **state)
{
    (void)state;
    assert_patched("[{'op':'remove','path':'/a'}]", "{'n':0}");
    assert_patched("[{'op':'remove','path':'/m'}]", NULL);
    assert_patched("[{'op':'remove','path':'/a/b/3'}]", NULL);
    assert_patched("[{'op':'remove','path':''}]", NULL);
}

static void move_and_copy(void **state)
{
    (void)state;
    assert_patched("[{'op':'move','from':'/a/b','path':'/n'},{'op':'remove','path':'/a'}]",
                   "{'n':[1,2,3]}");
    assert_patched("[{'op':'copy','from':'/a/b','path':'/n'},{'op':'remove','path':'/a'}]",
                   "{'n':[1,2,3]}");
    assert_patched("[{'op':'copy','from':'/m','path':'/a'}]", "{'a':null,'n':0}");
    assert_patched("[{'op':'move','from':'/m','path':'/a'}]", NULL);
    assert_patched("[{'op':'move','from':'/n','path':'/x/y'}]", NULL);
}

static void later_operations_see_earlier_ones(void **state)
{
    (void)state;
    assert_patched("[{'op':'remove','path':'/a'},{'op':'test','path':'/a','value':null}]",
                   "{'n':0}");
    assert_patched("[{'op':'replace','path':'/n','value':1},{'op':'test','path':'/n','value':0}]",
                   NULL);
}

static void what_is_no_patch_is_told_apart(void **state)
{
    struct error error;
    cJSON *document = simulated_json(DOCUMENT);
    static const char *const BAD[] = {"{}", "'x'", "[1]"};
    (void)state;
    for (size_t i = 0; i < sizeof(BAD) / sizeof(BAD[0]); i++) {
        cJSON *patch = simulated_json(BAD[i]);
        assert_false(patch_json_apply(document, patch, &error));
        assert_int_equal(error.class, ERROR_INVALID);
        cJSON_Delete(patch);
    }
    assert_patched("[{'op':'frobnicate','path':'/n'}]", NULL);
    assert_patched("[{'op':'test','value':0}]", NULL);
    cJSON *many = cJSON_CreateArray();
    for (int i = 0; i <= PATCH_JSON_OPERATIONS_MAX; i++) {
        cJSON_AddItemToArray(many, cJSON_CreateObject());
    }
    assert_false(patch_json_apply(document, many, &error));
    assert_int_equal(error.class, ERROR_LIMIT);
    cJSON_Delete(many);
    cJSON_Delete(document);
}

/* count operations with commas between, each `operation`. */
static cJSON *repeated(const char *operation, size_t count)
{
    cleanup_text struct text patch;
    text_init(&patch, 1000 * 1000);
    for (size_t i = 0; i < count; i++) {
        text_print(&patch, "%s%s", i == 0 ? "[" : ",", operation);
    }
    text_append_char(&patch, ']');
    return simulated_json(patch.bytes);
}

static void copies_have_a_limit_together(void **state)
{
    struct error error;
    cJSON *document = simulated_json(DOCUMENT);
    cJSON *doubling = repeated("{'op':'copy','from':'/a','path':'/a/b/-'}", 40);
    (void)state;
    assert_false(patch_json_apply(document, doubling, &error));
    assert_int_equal(error.class, ERROR_TEST_FAILED);
    assert_non_null(strstr(error.message, "Unable to complete the copy"));
    cJSON_Delete(doubling);
    cJSON_Delete(document);
}

static void a_document_does_not_grow_too_deep(void **state)
{
    static const char nesting[] = "{'op':'add','path':'/w','value':{}},"
                                  "{'op':'move','from':'/a','path':'/w/a'},"
                                  "{'op':'move','from':'/w','path':'/a'}";
    struct error error;
    cJSON *document = simulated_json(DOCUMENT);
    cJSON *deep_enough = repeated(nesting, LIMIT_JSON_DEPTH - 3); /* a and b are levels, too */
    cJSON *one_more = repeated(nesting, 1);
    (void)state;
    assert_true(patch_json_apply(document, deep_enough, &error));
    cleanup_memory char *text = value_print(document);
    cJSON_Delete(simulated_json(text));
    assert_false(patch_json_apply(document, one_more, &error));
    assert_int_equal(error.class, ERROR_LIMIT);
    cJSON_Delete(deep_enough);
    cJSON_Delete(one_more);
    cJSON_Delete(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_test_holds_for_what_is_there),
        cmocka_unit_test(an_array_takes_a_value_anywhere),
        cmocka_unit_test(a_test_for_null_holds_for_what_is_not_there),
        cmocka_unit_test(replace_adds_a_member_that_is_missing),
        cmocka_unit_test(add_inserts_into_arrays),
        cmocka_unit_test(remove_needs_what_it_removes),
        cmocka_unit_test(move_and_copy),
        cmocka_unit_test(later_operations_see_earlier_ones),
        cmocka_unit_test(what_is_no_patch_is_told_apart),
        cmocka_unit_test(copies_have_a_limit_together),
        cmocka_unit_test(a_document_does_not_grow_too_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
