/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/patch_merge.h"

#include "sim/value.h"
#include "support/simulated_api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* RFC 7386, appendix A, as far as both sides are objects. */
static void merges_as_the_rfc_lists(void **state)
{
    static const char *const ROWS[][3] = {
        {"{'a':'b'}", "{'a':'c'}", "{'a':'c'}"},
        {"{'a':'b'}", "{'b':'c'}", "{'a':'b','b':'c'}"},
        {"{'a':'b'}", "{'a':null}", "{}"},
        {"{'a':'b','b':'c'}", "{'a':null}", "{'b':'c'}"},
        {"{'a':['b']}", "{'a':'c'}", "{'a':'c'}"},
        {"{'a':'c'}", "{'a':['b']}", "{'a':['b']}"},
        {"{'a':{'b':'c'}}", "{'a':{'b':'d','c':null}}", "{'a':{'b':'d'}}"},
        {"{'a':[{'b':'c'}]}", "{'a':[1]}", "{'a':[1]}"},
        {"{'e':null}", "{'a':1}", "{'e':null,'a':1}"},
        {"{}", "{'a':{'bb':{'ccc':null}}}", "{'a':{'bb':{}}}"},
        {"{'a':1}", "{'a':[1,null]}", "{'a':[1,null]}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        struct error error;
        cJSON *document = simulated_json(ROWS[i][0]);
        cJSON *patch = simulated_json(ROWS[i][1]);
        cJSON *expected = simulated_json(ROWS[i][2]);
        assert_true(patch_merge_apply(document, patch, &error));
        if (!value_equal(document, expected)) {
            fail_msg("%s with %s", ROWS[i][0], ROWS[i][1]);
        }
        cJSON_Delete(document);
        cJSON_Delete(patch);
        cJSON_Delete(expected);
    }
}

static void a_patch_is_an_object(void **state)
{
    struct error error;
    cJSON *document = simulated_json("{}");
    cJSON *patch = simulated_json("[]");
    (void)state;
    assert_false(patch_merge_apply(document, patch, &error));
    assert_int_equal(error.class, ERROR_INVALID);
    cJSON_Delete(document);
    cJSON_Delete(patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merges_as_the_rfc_lists),
        cmocka_unit_test(a_patch_is_an_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
