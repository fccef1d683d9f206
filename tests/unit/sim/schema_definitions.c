/* SPDX-License-Identifier: Apache-2.0 */
/* What is refused when a definition is posted. */
#include "sim/schema.h"

#include "support/json_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_refused(const char *properties, const char *expected)
{
    cleanup_violations struct violations violations;
    cleanup_text struct text said;
    cleanup_text struct text version;
    violations_init(&violations);
    text_init(&said, 65536);
    text_init(&version, 65536);
    text_print(&version, "{'schema':{'openAPIV3Schema':{'type':'object','properties':{%s}}}}",
               properties);
    cJSON *value = json_value(version.bytes);
    if (schema_new(value, "v", &violations) != NULL) {
        fail_msg("%s was taken", properties);
    }
    violations_say(&violations, &said);
    cJSON_Delete(value);
    if (strstr(said.bytes, expected) == NULL) {
        fail_msg("%s: %s", properties, said.bytes);
    }
}

static void what_is_not_done_here_is_refused(void **state)
{
    (void)state;
    static const char *const keywords[] = {
        "allOf", "oneOf", "not", "anyOf", "uniqueItems", "patternProperties", "$ref"};
    for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++) {
        cleanup_text struct text properties;
        cleanup_text struct text expected;
        text_init(&properties, 1024);
        text_init(&expected, 1024);
        text_print(&properties, "'a':{'type':'string','%s':[]}", keywords[i]);
        text_print(&expected,
                   "v.schema.openAPIV3Schema.properties[a].%s: Forbidden: not supported by this "
                   "simulated API server",
                   keywords[i]);
        assert_refused(properties.bytes, expected.bytes);
    }
    assert_refused("'a':{'type':'string','format':'ipv4'}", "ipv4 is not supported");
    assert_refused("'a':{'type':'string','pattern':'a(?i)b'}", "properties[a].pattern: Invalid");
    assert_refused("'a':{'type':'object','additionalProperties':true}", "not supported");
    assert_refused("'a':{'type':'string','x-kubernetes-validations':[{'rule':'self.all(x, x)'}]}",
                   "properties[a].x-kubernetes-validations[0].rule: Invalid value: "
                   "\"self.all(x, x)\": compilation failed: all() is not supported here");
}

static void what_is_no_structural_schema_is_refused(void **state)
{
    (void)state;
    assert_refused("'a':{}", "properties[a].type: Required value");
    assert_refused("'a':{'type':'text'}", "properties[a].type: Unsupported value: \"text\"");
    assert_refused("'a':{'type':'array'}", "properties[a].items: Required value");
    assert_refused("'a':{'type':'object','properties':{'b':{'type':'string'}},"
                   "'additionalProperties':{'type':'string'}}",
                   "properties[a].additionalProperties: Forbidden");
    assert_refused("'a':{'type':'string','minLength':'3'}", "minLength: Invalid value: \"3\"");
    assert_refused("'a':{'type':'string','pattern':'['}", "must be a valid regular expression");
    assert_refused("'a':{'type':'string','x-kubernetes-list-type':'set'}", "must be array");
    assert_refused("'a':{'type':'array','x-kubernetes-list-type':'map',"
                   "'items':{'type':'object','properties':{'k':{'type':'string'}}}}",
                   "x-kubernetes-list-map-keys");
    assert_refused("'a':{'type':'array','x-kubernetes-list-type':'map',"
                   "'x-kubernetes-list-map-keys':['k'],"
                   "'items':{'type':'object','properties':{'k':{'type':'string'}}}}",
                   "be required or have a default");
    assert_refused("'a':{'type':'integer','default':'x'}", "properties[a].default: Invalid value");
    assert_refused("'a':{'type':'integer','minimum':3,'default':2}", "default: Invalid value: 2");
}

static void rules_are_checked_with_their_definition(void **state)
{
    (void)state;
    assert_refused("'a':{'type':'string','x-kubernetes-validations':[{'message':'x'}]}",
                   "rule: Required value");
    assert_refused("'a':{'type':'string','x-kubernetes-validations':[{'rule':'self.b'}]}",
                   "compilation failed");
    assert_refused("'a':{'type':'string','x-kubernetes-validations':"
                   "[{'rule':'true','reason':'Because'}]}",
                   "reason: Unsupported value: \"Because\"");
    assert_refused("'a':{'type':'object','x-kubernetes-validations':"
                   "[{'rule':'true','fieldPath':'.b'}]}",
                   "fieldPath: Invalid value: \".b\"");
    assert_refused("'a':{'type':'string','x-kubernetes-validations':"
                   "[{'rule':'true','optionalOldSelf':true}]}",
                   "may not be set if oldSelf is not used in rule");
    assert_refused("'a':{'type':'array','items':{'type':'string','x-kubernetes-validations':"
                   "[{'rule':'self == oldSelf'}]}}",
                   "oldSelf cannot be used on the uncorrelatable portion");
    assert_refused("'a':{'type':'string','x-kubernetes-validations':[{'rule':'true','when':1}]}",
                   "x-kubernetes-validations[0].when: Forbidden");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_done_here_is_refused),
        cmocka_unit_test(what_is_no_structural_schema_is_refused),
        cmocka_unit_test(rules_are_checked_with_their_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
