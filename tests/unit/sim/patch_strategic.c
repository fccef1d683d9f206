/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/patch_strategic.h"

#include "base/memory.h"
#include "sim/value.h"
#include "support/simulated_api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_merged_as(const struct resource *resource, const char *document,
                             const char *patch, const char *expected)
{
    struct error error = {0};
    cJSON *value = simulated_json(document);
    cJSON *change = simulated_json(patch);
    bool applied = patch_strategic_apply(value, resource, change, &error);
    if (expected == NULL) {
        assert_false(applied);
        assert_int_equal(error.class, ERROR_INVALID);
    } else {
        cJSON *wanted = simulated_json(expected);
        cleanup_memory char *text = value_print(value);
        if (!applied || !value_equal(value, wanted)) {
            fail_msg("%s gave %s", patch, applied ? text : error.message);
        }
        cJSON_Delete(wanted);
    }
    cJSON_Delete(value);
    cJSON_Delete(change);
}

static void assert_merged(const char *document, const char *patch, const char *expected)
{
    assert_merged_as(&resource_pods, document, patch, expected);
}

static void members_merge_and_null_removes(void **state)
{
    (void)state;
    assert_merged("{'metadata':{'labels':{'a':'1','b':'2'}}}",
                  "{'metadata':{'labels':{'a':null,'c':'3'}}}",
                  "{'metadata':{'labels':{'b':'2','c':'3'}}}");
    assert_merged("{'spec':{'args':[1,2]}}", "{'spec':{'args':[3]}}", "{'spec':{'args':[3]}}");
}

static void lists_with_a_key_merge_by_it(void **state)
{
    (void)state;
    assert_merged("{'spec':{'containers':[{'name':'a','image':'1'},{'name':'b','image':'1'}]}}",
                  "{'spec':{'containers':[{'name':'b','image':'2'},{'name':'c'}]}}",
                  "{'spec':{'containers':[{'name':'a','image':'1'},{'name':'b','image':'2'},"
                  "{'name':'c'}]}}");
    assert_merged("{'metadata':{'ownerReferences':[{'uid':'1','kind':'A'}]}}",
                  "{'metadata':{'ownerReferences':[{'uid':'2','kind':'B'}]}}",
                  "{'metadata':{'ownerReferences':[{'uid':'2','kind':'B'},"
                  "{'uid':'1','kind':'A'}]}}");
    assert_merged("{'spec':{'containers':[{'name':'a','env':[{'name':'X','value':'1'}]}]}}",
                  "{'spec':{'containers':[{'name':'a','env':[{'name':'Y','value':'2'}]}]}}",
                  "{'spec':{'containers':[{'name':'a','env':[{'name':'Y','value':'2'},"
                  "{'name':'X','value':'1'}]}]}}");
    assert_merged("{'spec':{}}", "{'spec':{'containers':[{'image':'2'}]}}", NULL);
}

static void ports_have_another_key_in_services(void **state)
{
    (void)state;
    assert_merged_as(&resource_services, "{'spec':{'ports':[{'port':1,'name':'a'},{'port':2}]}}",
                     "{'spec':{'ports':[{'port':1,'name':'b'}]}}",
                     "{'spec':{'ports':[{'port':1,'name':'b'},{'port':2}]}}");
}

static void finalizers_are_a_set(void **state)
{
    (void)state;
    assert_merged("{'metadata':{'finalizers':['a','b']}}", "{'metadata':{'finalizers':['b','c']}}",
                  "{'metadata':{'finalizers':['a','b','c']}}");
    assert_merged("{'metadata':{'finalizers':['a','b']}}",
                  "{'metadata':{'$deleteFromPrimitiveList/finalizers':['a'],"
                  "'$setElementOrder/finalizers':['b']}}",
                  "{'metadata':{'finalizers':['b']}}");
    /* A namespace's own are no set. */
    assert_merged_as(&resource_namespaces, "{'spec':{'finalizers':['kubernetes']}}",
                     "{'spec':{'finalizers':['a']}}", "{'spec':{'finalizers':['a']}}");
}

static void items_and_objects_can_be_deleted_or_replaced(void **state)
{
    (void)state;
    assert_merged("{'spec':{'containers':[{'name':'a'},{'name':'b'}]}}",
                  "{'spec':{'containers':[{'name':'a','$patch':'delete'}]}}",
                  "{'spec':{'containers':[{'name':'b'}]}}");
    assert_merged("{'spec':{'containers':[{'name':'a'},{'name':'b'}]}}",
                  "{'spec':{'containers':[{'name':'c'},{'$patch':'replace'}]}}",
                  "{'spec':{'containers':[{'name':'c'}]}}");
    assert_merged("{'spec':{'x':{'a':1}}}", "{'spec':{'x':{'$patch':'replace','b':2}}}",
                  "{'spec':{'x':{'b':2}}}");
    assert_merged("{'spec':{'x':{'a':1}}}", "{'spec':{'x':{'$patch':'delete'}}}", "{'spec':{}}");
    assert_merged("{'spec':{'volumes':[{'name':'a','emptyDir':{}}]}}",
                  "{'spec':{'volumes':[{'name':'a','$retainKeys':['name','hostPath'],"
                  "'hostPath':{'path':'/'}}]}}",
                  "{'spec':{'volumes':[{'name':'a','hostPath':{'path':'/'}}]}}");
}

static void element_order_is_kept(void **state)
{
    (void)state;
    assert_merged("{'spec':{'containers':[{'name':'a'},{'name':'x'},{'name':'b'}]}}",
                  "{'spec':{'$setElementOrder/containers':[{'name':'b'},{'name':'c'},"
                  "{'name':'a'}],'containers':[{'name':'c'}]}}",
                  "{'spec':{'containers':[{'name':'x'},{'name':'b'},{'name':'c'},{'name':'a'}]}}");
    assert_merged("{'spec':{'containers':[{'name':'a'},{'name':'b'}]}}",
                  "{'spec':{'$setElementOrder/containers':[{'name':'b'},{'name':'a'}]}}",
                  "{'spec':{'containers':[{'name':'b'},{'name':'a'}]}}");
}

static void unknown_directives_are_refused(void **state)
{
    (void)state;
    assert_merged("{}", "{'$frobnicate':1}", NULL);
    assert_merged("{}", "{'$patch':'frobnicate'}", NULL);
    assert_merged("{}", "[]", NULL);
    assert_merged("{'spec':{}}", "{'spec':{'$retainKeys':1}}", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_merge_and_null_removes),
        cmocka_unit_test(lists_with_a_key_merge_by_it),
        cmocka_unit_test(ports_have_another_key_in_services),
        cmocka_unit_test(finalizers_are_a_set),
        cmocka_unit_test(items_and_objects_can_be_deleted_or_replaced),
        cmocka_unit_test(element_order_is_kept),
        cmocka_unit_test(unknown_directives_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
