/* SPDX-License-Identifier: Apache-2.0 */
/* The expectations are what kube-apiserver 1.36.3 answered to the same objects of the same
   definition, schemas/thing.yaml. */
#include "sim/schema.h"

#include "base/limits.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/yaml.h"
#include "sim/schema_columns.h"
#include "sim/value.h"
#include "support/json_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKED                                                                                    \
    ", <nil>: Invalid value: null: some validation rules were not checked because the object was " \
    "invalid; correct the existing errors to complete validation]"

static bool keep_document(void *self, const char *json, struct error *error)
{
    return value_parse(json, self, error);
}

/* The caller's (cJSON_Delete). */
static cJSON *definition_of(const char *path)
{
    struct error error;
    char *bytes cleanup_memory = NULL;
    size_t byte_count = 0;
    cJSON *definition = NULL;
    if (!file_read(path, LIMIT_FILE_BYTES, &bytes, &byte_count, &error) ||
        !yaml_to_json(bytes, byte_count, keep_document, &definition, &error)) {
        fail_msg("%s: %s", path, error.message);
    }
    return definition;
}

static int set_up(void **state)
{
    cleanup_violations struct violations violations;
    violations_init(&violations);
    cJSON *definition = definition_of("tests/unit/sim/schemas/thing.yaml");
    const cJSON *version = value_at(definition, "spec", "versions", NULL)->child;
    *state = schema_new(version, "spec.versions[0]", &violations);
    cJSON_Delete(definition);
    assert_non_null(*state);
    return 0;
}

static int tear_down(void **state)
{
    schema_free(*state);
    return 0;
}

/* An object with that spec. */
static cJSON *thing(const char *spec)
{
    cJSON *object = json_value("{'apiVersion':'t.dev/v1','kind':'Thing','metadata':{'name':'x'}}");
    cJSON_AddItemToObject(object, "spec", json_value(spec));
    return object;
}

/* What is said of an object that replaces another (NULL: of a new one). */
static void assert_said(void **state, const char *spec, const char *old_spec, const char *expected)
{
    const struct schema *schema = *state;
    cleanup_violations struct violations violations;
    cleanup_text struct text said;
    violations_init(&violations);
    text_init(&said, 65536);
    cJSON *value = thing(spec);
    cJSON *old = old_spec != NULL ? thing(old_spec) : NULL;
    schema_prune(schema, value, NULL);
    schema_default(schema, value);
    schema_validate(schema, value, old, &violations);
    violations_say(&violations, &said);
    cJSON_Delete(value);
    cJSON_Delete(old);
    if (!text_equal(said.bytes, expected)) {
        fail_msg("%s: %s", spec, said.bytes);
    }
}

static void assert_created(void **state, const char *spec, const char *expected)
{
    assert_said(state, spec, NULL, expected);
}

/* What is stored of it. */
static void assert_stored(void **state, const char *spec, const char *expected)
{
    const struct schema *schema = *state;
    cJSON *value = thing(spec);
    schema_prune(schema, value, NULL);
    schema_default(schema, value);
    assert_json_value_take(cJSON_DetachItemFromObject(value, "spec"), expected);
    cJSON_Delete(value);
    assert_said(state, spec, NULL, "");
}

/* ---- values ---- */

static void integers_have_bounds(void **state)
{
    assert_created(state, "{'i':2}", "");
    assert_created(state, "{'i':0}",
                   "spec.i: Invalid value: 0: spec.i in body should be greater than or equal to 1");
    assert_created(state, "{'i':11}",
                   "[spec.i: Invalid value: 11: spec.i in body should be a multiple of 2, "
                   "spec.i: Invalid value: 11: spec.i in body should be less than or equal to 10]");
    assert_created(
        state, "{'i':4000000000}",
        "[<nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in "
        "spec.i, spec.i: Invalid value: 4000000000: spec.i in body should be less than or equal to "
        "10]");
    assert_created(state, "{'i':2.5}",
                   "[spec.i: Invalid value: \"float64\": spec.i in body must be of type int32: "
                   "\"float64\", <nil>: Invalid value: \"\": Checked value must be of type integer "
                   "with format int32 in spec.i, spec.i: Invalid value: 2.5: spec.i in body should "
                   "be a multiple of 2" BLOCKED);
}

static void numbers_have_bounds(void **state)
{
    assert_created(state, "{'nn':1}", "");
    assert_created(state, "{'nn':0.5}",
                   "spec.nn: Invalid value: 0.5: spec.nn in body should be greater than 0.5");
    assert_created(state, "{'nn':10.5}",
                   "spec.nn: Invalid value: 10.5: spec.nn in body should be less than 10.5");
    assert_created(state, "{'nn':20.25}",
                   "spec.nn: Invalid value: 20.25: spec.nn in body should be less than 10.5");
}

static void texts_have_lengths_and_patterns(void **state)
{
    assert_created(state, "{'s':'a\u00e9\u00e9z'}", "");
    assert_created(state, "{'s':'a'}",
                   "[spec.s: Invalid value: \"a\": spec.s in body should be at least 2 chars long, "
                   "spec.s: Invalid value: \"a\": spec.s in body should match '^a.*z$']");
    assert_created(state, "{'s':'aaaaaaaaaz'}",
                   "[spec.s: Too long: may not be more than 4 bytes" BLOCKED);
    assert_created(state, "{'s':'aab'}",
                   "spec.s: Invalid value: \"aab\": spec.s in body should match '^a.*z$'");
    assert_created(state, "{'x.y/z':'abc'}",
                   "[spec.x.y/z: Too long: may not be more than 2 bytes" BLOCKED);
}

static void lists_and_maps_have_sizes(void **state)
{
    assert_created(state, "{'a':[]}",
                   "spec.a: Invalid value: 0: spec.a in body should have at least 1 items");
    assert_created(state, "{'a':[1,2,3]}",
                   "[spec.a: Too many: 3: must have at most 2 items" BLOCKED);
    assert_created(state, "{'o':{}}",
                   "spec.o: Invalid value: 0: spec.o in body should have at least 1 properties");
    assert_created(state, "{'o':{'a':'1','b':'2','c':'3'}}",
                   "[spec.o: Too many: 3: must have at most 2 items" BLOCKED);
}

static void types_are_checked(void **state)
{
    static const struct {
        const char *spec, *path, *type, *found;
    } cases[] = {
        {"{'i':'x'}", "spec.i", "integer", "string"},
        {"{'nn':'x'}", "spec.nn", "number", "string"},
        {"{'nn':true}", "spec.nn", "number", "boolean"},
        {"{'s':3}", "spec.s", "string", "integer"},
        {"{'b':'true'}", "spec.b", "boolean", "string"},
        {"{'a':['x']}", "spec.a[0]", "integer", "string"},
        {"{'a':{}}", "spec.a", "array", "object"},
        {"{'o':{'a':1}}", "spec.o.a", "string", "integer"},
        {"{'q':1.5}", "spec.q", "integer,string", "number"},
        {"{'q':true}", "spec.q", "integer,string", "boolean"},
        {"'x'", "spec", "object", "string"},
        {"[]", "spec", "object", "array"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        cleanup_text struct text expected;
        text_init(&expected, 4096);
        text_print(&expected, "[%s: Invalid value: \"%s\": %s in body must be of type %s: \"%s\"%s",
                   cases[i].path, cases[i].found, cases[i].path, cases[i].type, cases[i].found,
                   BLOCKED);
        assert_created(state, cases[i].spec, expected.bytes);
    }
    assert_created(state, "{'q':1}", "");
    assert_created(state, "{'q':'x'}", "");
    assert_created(state, "{'i':2.0}", "");
}

static void values_may_be_enumerated(void **state)
{
    assert_created(state, "{'e':'w','ei':2}", "");
    assert_created(state, "{'e':'z'}",
                   "[spec.e: Unsupported value: \"z\": supported values: \"x\", \"w\"" BLOCKED);
    assert_created(state, "{'ei':3}",
                   "[spec.ei: Unsupported value: 3: supported values: \"1\", \"2\"" BLOCKED);
    assert_created(state, "{'e':3}",
                   "[spec.e: Invalid value: \"integer\": spec.e in body must be of type string: "
                   "\"integer\", spec.e: Unsupported value: 3: supported values: \"x\", "
                   "\"w\"" BLOCKED);
}

static void formats_are_checked(void **state)
{
    assert_created(state,
                   "{'dt':'2025-06-01T10:00:00.5Z','da':'2024-02-29',"
                   "'u':'5d8f5d9c-2c0b-4a0e-8f3e-8a1d0c5b7e42'}",
                   "");
    assert_created(state, "{'dt':'x'}",
                   "[spec.dt: Invalid value: \"x\": spec.dt in body must be of type date-time: "
                   "\"x\"" BLOCKED);
    assert_created(state, "{'da':'2025-02-29'}",
                   "[spec.da: Invalid value: \"2025-02-29\": spec.da in body must be of type date: "
                   "\"2025-02-29\"" BLOCKED);
    assert_created(
        state, "{'u':'x'}",
        "[spec.u: Invalid value: \"x\": spec.u in body must be of type uuid: \"x\"" BLOCKED);
}

static void members_may_be_required(void **state)
{
    assert_created(state, "{'r':{}}", "[spec.r.z: Required value" BLOCKED);
    assert_created(state, "{'r':{'z':{}}}", "[spec.r.z.yy: Required value" BLOCKED);
    assert_created(state, "{'emb':{}}",
                   "[spec.emb.apiVersion: Required value, spec.emb.kind: Required value" BLOCKED);
}

static void keys_of_lists_are_unique(void **state)
{
    assert_created(state, "{'m':[{'k':'a'},{'k':'b'}],'set':['a','b']}", "");
    assert_created(state, "{'m':[{'k':'a'},{'k':'a'}]}",
                   "spec.m[1]: Duplicate value: {\"k\":\"a\"}");
    assert_created(state, "{'m2':[{'k':'a'},{'k':'a'}]}",
                   "spec.m2[1]: Duplicate value: {\"k\":\"a\",\"p\":1}");
    assert_created(state, "{'m2':[{'k':'a'},{'k':'a','p':2}]}", "");
    assert_created(state, "{'set':['a','b','a','a']}", "spec.set[2]: Duplicate value: \"a\"");
}

/* ---- rules ---- */

static void rules_say_what_is_wrong(void **state)
{
    assert_created(state, "{'c':{'s':'b'}}",
                   "[spec.c.s: Invalid value: \"b\": failed rule: self.startsWith('a'), "
                   "spec.c.s: Duplicate value: \"b\"]");
    assert_created(state, "{'c':{'i':2}}", "spec.c.i: Required value: small");
    assert_created(state, "{'c':{'f':2.25}}", "spec.c.f: Invalid value: 2.25: got more");
    assert_created(state, "{'c':{'f':1}}", "spec.c.f: Invalid value: 1: got less");
    assert_created(state, "{'c':{'bo':false}}",
                   "spec.c.bo: Invalid value: false: failed rule: self");
    assert_created(state, "{'c':{'arr':['a']}}",
                   "spec.c.arr: Invalid value: failed rule: size(self) > 1");
}

static void rules_may_point_at_a_field_and_may_go_wrong(void **state)
{
    assert_created(
        state, "{'c':{'dep':{}}}",
        "[spec.c.dep: Invalid value: \"object\": no such key: a evaluating rule: a is x, "
        "spec.c.dep: Invalid value: \"object\": no such key: b evaluating rule: self.b.c == 'y']");
    assert_created(state, "{'c':{'dep':{'a':'w','b':{'c':'z'}}}}",
                   "[spec.c.dep.b.c: Invalid value: a is x, "
                   "spec.c.dep: Invalid value: failed rule: self.b.c == 'y']");
}

static void rules_run_beside_violations_that_do_not_block(void **state)
{
    assert_created(state, "{'c':{'bo':false},'i':0}",
                   "[spec.i: Invalid value: 0: spec.i in body should be greater than or equal to "
                   "1, spec.c.bo: Invalid value: false: failed rule: self]");
}

static void transitions_are_judged_on_updates_only(void **state)
{
    assert_created(state, "{'c':{'i':5}}", "");
    assert_said(state, "{'c':{'i':6}}", "{'c':{'i':5}}", "");
    assert_said(state, "{'c':{'i':5}}", "{'c':{'i':5}}", "spec.c.i: Invalid value: 5: must grow");
    assert_said(state, "{'c':{'i':4}}", "{'c':{}}", "");
    assert_said(state, "{'c':{'opt':'b'}}", "{'c':{'opt':'a'}}",
                "spec.c.opt: Invalid value: \"b\": immutable");
    assert_said(state, "{'c':{'opt':'b'}}", "{'c':{}}", "");
}

static void what_did_not_change_is_not_judged_again(void **state)
{
    assert_said(state, "{'i':0,'b':true}", "{'i':0}", "");
    assert_said(state, "{'c':{'bo':false},'b':true}", "{'c':{'bo':false}}", "");
    assert_said(state, "{'m':[{'k':'b','v':3},{'k':'a'}]}", "{'m':[{'k':'a'},{'k':'b','v':3}]}",
                "");
    assert_said(state, "{'i':11}", "{'i':0}",
                "[spec.i: Invalid value: 11: spec.i in body should be a multiple of 2, "
                "spec.i: Invalid value: 11: spec.i in body should be less than or equal to 10]");
}

/* ---- shape ---- */

static void defaults_are_filled_in_and_nulls_go(void **state)
{
    assert_stored(state, "{}", "{'nd':'dd','ndn':'dd'}");
    assert_stored(state, "{'nl':null,'nd':null,'ndn':null}", "{'nl':null,'nd':'dd','ndn':null}");
    assert_stored(state, "{'i':null}", "{'nd':'dd','ndn':'dd'}");
    assert_stored(state, "{'m2':[{'k':'a'}]}", "{'m2':[{'k':'a','p':1}],'nd':'dd','ndn':'dd'}");
}

static void unknown_members_are_pruned_and_told_of(void **state)
{
    const struct schema *schema = *state;
    cleanup_text struct text unknown;
    text_init(&unknown, 4096);
    cJSON *value =
        json_value("{'apiVersion':'t.dev/v1','kind':'Thing','foo':1,"
                   "'metadata':{'name':'x','foo':1,'labels':{'a':'b'}},"
                   "'spec':{'zz':1,'i':2,'m':[{'q':1},{'k':'a','p':1}],'c':{'zz':{}},'o':{'x':'a'},"
                   "'emb':{'apiVersion':'v1','kind':'x','metadata':{},'any':{'thing':1}}}}");
    schema_prune(schema, value, &unknown);
    assert_string_equal(unknown.bytes,
                        "unknown field \"metadata.foo\", unknown field \"foo\", "
                        "unknown field \"spec.c.zz\", unknown field \"spec.m[0].q\", "
                        "unknown field \"spec.m[1].p\", unknown field \"spec.zz\"");
    assert_json_value_take(value, "{'apiVersion':'t.dev/v1','kind':'Thing',"
                                  "'metadata':{'name':'x','labels':{'a':'b'}},"
                                  "'spec':{'i':2,'m':[{},{'k':'a'}],'c':{},'o':{'x':'a'},"
                                  "'emb':{'apiVersion':'v1','kind':'x','metadata':{},"
                                  "'any':{'thing':1}}}}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_have_bounds),
        cmocka_unit_test(numbers_have_bounds),
        cmocka_unit_test(texts_have_lengths_and_patterns),
        cmocka_unit_test(lists_and_maps_have_sizes),
        cmocka_unit_test(types_are_checked),
        cmocka_unit_test(values_may_be_enumerated),
        cmocka_unit_test(formats_are_checked),
        cmocka_unit_test(members_may_be_required),
        cmocka_unit_test(keys_of_lists_are_unique),
        cmocka_unit_test(rules_say_what_is_wrong),
        cmocka_unit_test(rules_may_point_at_a_field_and_may_go_wrong),
        cmocka_unit_test(rules_run_beside_violations_that_do_not_block),
        cmocka_unit_test(transitions_are_judged_on_updates_only),
        cmocka_unit_test(what_did_not_change_is_not_judged_again),
        cmocka_unit_test(defaults_are_filled_in_and_nulls_go),
        cmocka_unit_test(unknown_members_are_pruned_and_told_of),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
