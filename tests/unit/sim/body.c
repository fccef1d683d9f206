/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/body.h"

#include "support/simulated_api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MAPS &resource_config_maps

static void a_wrong_type_is_a_bad_request(void **state)
{
    struct simulated_api *api = *state;
    static const char *const bodies[] = {
        "{'metadata':{'name':'a'},'data':{'x':1}}",
        "{'metadata':{'name':'a'},'data':['x']}",
        "{'metadata':{'name':'a','labels':'x'}}",
        "{'metadata':{'name':'a','annotations':{'x':true}}}",
        "{'metadata':{'name':'a','finalizers':{}}}",
        "{'metadata':{'name':'a','ownerReferences':'x'}}",
    };
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        assert_refused_like(api_post(api, MAPS, "dev", bodies[i]), 400, "BadRequest",
                            "json: cannot unmarshal ");
    }
    assert_refused(api_post(api, MAPS, "dev", bodies[0]), 400, "BadRequest",
                   "json: cannot unmarshal number into Go struct field ConfigMap.data");
}

static void a_patch_that_makes_one_is_invalid(void **state)
{
    struct simulated_api *api = *state;
    assert_created(api_post(api, MAPS, "dev", "{'metadata':{'name':'a'}}"));
    struct outcome outcome = api_patch(api, MAPS, "dev", "a", PATCH_MERGE, "{'data':{'x':1}}");
    assert_non_null(strstr(outcome.causes, "\"field\":\"patch\""));
    assert_refused_like(outcome, 422, "Invalid", " \"\" is invalid: patch: Invalid value: \"{");
    assert_refused_like(api_patch(api, MAPS, "dev", "a", PATCH_MERGE, "{'kind':'Secret'}"), 422,
                        "Invalid", " \"\" is invalid: patch: ");
    assert_refused_like(api_put(api, MAPS, "dev", "a", "{'metadata':{'name':'a','labels':1}}"), 400,
                        "BadRequest", "json: cannot unmarshal number");
}

static void what_is_empty_is_left_out(void **state)
{
    struct simulated_api *api = *state;
    struct outcome outcome = api_post(api, MAPS, "dev",
                                      "{'metadata':{'name':'a','labels':{},'annotations':{},"
                                      "'finalizers':[],'ownerReferences':[]},'data':{}}");
    assert_has(outcome.record, "{'metadata':{'labels':null,'annotations':null,'finalizers':null,"
                               "'ownerReferences':null},'data':null}");
    uint64_t revision = outcome.record->revision;
    outcome_release(&outcome);
    outcome =
        api_patch(api, MAPS, "dev", "a", PATCH_JSON, "[{'op':'add','path':'/data','value':{}}]");
    assert_int_equal(outcome.record->revision, revision);
    outcome_release(&outcome);
}

static void kind_and_version_come_first(void **state)
{
    struct simulated_api *api = *state;
    struct outcome outcome =
        api_post(api, MAPS, "dev", "{'data':{'x':'1'},'metadata':{'name':'a'}}");
    const char *text = record_text(outcome.record);
    assert_ptr_equal(strstr(text, "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"data\""), text);
    outcome_release(&outcome);
}

static void custom_objects_say_what_they_are(void **state)
{
    struct simulated_api *api = *state;
    assert_refused_like(api_post(api, &resource_clusters, "dev",
                                 "{'metadata':{'name':'a'},'spec':{'instances':1}}"),
                        400, "BadRequest", "Object 'Kind' is missing in '{");
    assert_refused_like(
        api_post(api, &resource_clusters, "dev", "{'kind':'Cluster','metadata':{'name':'a'}}"), 400,
        "BadRequest", "Object 'apiVersion' is missing in '{");
}

#define TEST(function)                                                                             \
    cmocka_unit_test_setup_teardown(function, simulated_api_set_up, simulated_api_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_wrong_type_is_a_bad_request),    TEST(a_patch_that_makes_one_is_invalid),
        TEST(what_is_empty_is_left_out),        TEST(kind_and_version_come_first),
        TEST(custom_objects_say_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
