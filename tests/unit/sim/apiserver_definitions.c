/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/apiserver.h"

#include "support/simulated_api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, simulated_api_set_up, simulated_api_tear_down)

#define DEFINITION(more)                                                                           \
    "{'metadata':{'name':'things.a.dev'},'spec':{'group':'a.dev','scope':'Namespaced',"            \
    "'names':{'plural':'things','kind':'Thing','shortNames':['th'],'categories':['adj']},"         \
    "'versions':[{'name':'v1','served':true,'storage':true,'subresources':{'status':{},"           \
    "'scale':{'specReplicasPath':'.spec.size','statusReplicasPath':'.status.size'}},"              \
    "'schema':{'openAPIV3Schema':{'type':'object','properties':{"                                  \
    "'spec':{'type':'object','required':['size'],'properties':{"                                   \
    "'size':{'type':'integer','minimum':0" more "},'mode':{'type':'string','default':'Fast'}}},"   \
    "'status':{'type':'object','properties':{'size':{'type':'integer'}}}}}}}]}}"
#define THING(name, spec)                                                                          \
    "{'apiVersion':'a.dev/v1','kind':'Thing','metadata':{'name':'" name "'},'spec':" spec "}"

static const struct resource *define(struct simulated_api *api)
{
    assert_created(api_post(api, &resource_definitions, NULL, DEFINITION("")));
    const struct resource *things = apiserver_resource(api->server, "a.dev", "v1", "things");
    assert_non_null(things);
    return things;
}

static void a_definition_brings_a_resource(void **state)
{
    struct simulated_api *api = *state;
    assert_null(apiserver_resource(api->server, "a.dev", "v1", "things"));
    const struct resource *things = define(api);
    assert_ptr_equal(apiserver_resource(api->server, "a.dev", "v1", "thing"), things);
    assert_string_equal(things->short_names, "th");
    assert_string_equal(things->categories, "adj");
    assert_string_equal(things->scale_replicas_path, ".spec.size");
    assert_true(things->is_namespaced && things->has_status && things->has_generation);
    struct outcome outcome = api_get(api, &resource_definitions, NULL, "things.a.dev");
    assert_has(outcome.record, "{'spec':{'names':{'singular':'thing','listKind':'ThingList'}},"
                               "'status':{'storedVersions':['v1'],"
                               "'acceptedNames':{'kind':'Thing'}}}");
    assert_non_null(
        strstr(record_text(outcome.record), "\"type\":\"Established\",\"status\":\"True\""));
    outcome_release(&outcome);
    const struct resource *at = NULL;
    size_t count = 0;
    while ((at = apiserver_next_resource(api->server, at)) != NULL) {
        count += at == things ? 1 : 0;
    }
    assert_int_equal(count, 1);
}

static void its_schema_is_at_work(void **state)
{
    struct simulated_api *api = *state;
    const struct resource *things = define(api);
    struct outcome outcome = api_post(api, things, "dev", THING("a", "{'size':1,'x':2}"));
    assert_has(outcome.record, "{'metadata':{'generation':1},"
                               "'spec':{'size':1,'mode':'Fast','x':null}}");
    outcome_release(&outcome);
    outcome = api_post(api, things, "dev", THING("b", "{'size':-1}"));
    assert_non_null(strstr(outcome.causes, "\"field\":\"spec.size\""));
    assert_refused_like(outcome, 422, "Invalid",
                        "Thing.a.dev \"b\" is invalid: [spec.size: Invalid value: -1");
    assert_refused_like(api_patch(api, things, "dev", "a", PATCH_MERGE, "{'spec':{'size':null}}"),
                        422, "Invalid", "Thing.a.dev \"a\" is invalid: spec.size: Required value");
    api->options.strict = true;
    assert_refused(api_post(api, things, "dev", THING("b", "{'size':1,'x':2}")), 400, "BadRequest",
                   "Thing in version \"v1\" cannot be handled as a Thing: strict decoding error: "
                   "unknown field \"spec.x\"");
}

static void a_scale_follows_the_definitions_paths(void **state)
{
    struct simulated_api *api = *state;
    const struct resource *things = define(api);
    assert_created(api_post(api, things, "dev", THING("a", "{'size':1}")));
    api->options.subresource = "scale";
    struct outcome scale =
        api_patch(api, things, "dev", "a", PATCH_MERGE, "{'spec':{'replicas':5}}");
    assert_has(scale.record, "{'kind':'Scale','spec':{'replicas':5},'status':{'replicas':0}}");
    outcome_release(&scale);
    struct outcome thing = api_get(api, things, "dev", "a");
    assert_has(thing.record, "{'kind':'Thing','spec':{'size':5}}");
    outcome_release(&thing);
}

static void a_changed_definition_is_the_same_resource(void **state)
{
    struct simulated_api *api = *state;
    const struct resource *things = define(api);
    assert_fine(api_patch(api, &resource_definitions, NULL, "things.a.dev", PATCH_JSON,
                          "[{'op':'add','path':'/spec/versions/0/schema/openAPIV3Schema/properties/"
                          "spec/properties/size/maximum','value':3}]"));
    assert_ptr_equal(apiserver_resource(api->server, "a.dev", "v1", "things"), things);
    assert_refused_like(api_post(api, things, "dev", THING("a", "{'size':4}")), 422, "Invalid",
                        "Thing.a.dev \"a\" is invalid: spec.size: Invalid value: 4");
}

static void a_bad_definition_is_refused(void **state)
{
    struct simulated_api *api = *state;
    assert_refused_like(
        api_post(api, &resource_definitions, NULL, DEFINITION(",'oneOf':3")), 422, "Invalid",
        "CustomResourceDefinition.apiextensions.k8s.io \"things.a.dev\" is invalid: ");
    assert_refused_like(api_post(api, &resource_definitions, NULL,
                                 "{'metadata':{'name':'x.a.dev'},'spec':{'group':'a.dev',"
                                 "'scope':'Cluster','names':{'plural':'things','kind':'T'},"
                                 "'versions':[{'name':'v1','served':true,'storage':true}]}}"),
                        422, "Invalid",
                        "CustomResourceDefinition.apiextensions.k8s.io \"x.a.dev\" is invalid: "
                        "metadata.name: Invalid value: \"x.a.dev\": must be spec.names.plural+");
    assert_null(apiserver_resource(api->server, "a.dev", "v1", "things"));
}

static void a_definition_takes_its_objects_along(void **state)
{
    struct simulated_api *api = *state;
    const struct resource *things = define(api);
    assert_created(api_post(api, things, "dev", THING("a", "{'size':1}")));
    assert_created(api_post(api, things, "default", THING("b", "{'size':1}")));
    struct outcome outcome = api_delete(api, &resource_definitions, NULL, "things.a.dev");
    assert_true(outcome.is_gone);
    outcome_release(&outcome);
    assert_null(objects_next(apiserver_objects(api->server), things, NULL, NULL));
    assert_null(apiserver_resource(api->server, "a.dev", "v1", "things"));
    /* It comes back as the same one. */
    assert_ptr_equal(define(api), things);
    assert_created(api_post(api, things, "dev", THING("a", "{'size':1}")));
}

static void a_definition_waits_for_objects_with_finalizers(void **state)
{
    struct simulated_api *api = *state;
    const struct resource *things = define(api);
    assert_created(api_post(api, things, "dev", THING("a", "{'size':1}")));
    assert_fine(
        api_patch(api, things, "dev", "a", PATCH_MERGE, "{'metadata':{'finalizers':['a/b']}}"));
    struct outcome outcome = api_delete(api, &resource_definitions, NULL, "things.a.dev");
    assert_false(outcome.is_gone);
    outcome_release(&outcome);
    assert_refused_like(api_post(api, things, "dev", THING("b", "{'size':1}")), 403, "Forbidden",
                        "things.a.dev \"b\" is forbidden: create not allowed while");
    assert_fine(
        api_patch(api, things, "dev", "a", PATCH_MERGE, "{'metadata':{'finalizers':null}}"));
    assert_refused_like(api_get(api, &resource_definitions, NULL, "things.a.dev"), 404, "NotFound",
                        "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_definition_brings_a_resource),
        TEST(its_schema_is_at_work),
        TEST(a_scale_follows_the_definitions_paths),
        TEST(a_changed_definition_is_the_same_resource),
        TEST(a_bad_definition_is_refused),
        TEST(a_definition_takes_its_objects_along),
        TEST(a_definition_waits_for_objects_with_finalizers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
