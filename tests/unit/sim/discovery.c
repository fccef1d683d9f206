/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/discovery.h"

#include "support/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char definition[] =
    "{'metadata':{'name':'toys.example.dev'},'spec':{'group':'example.dev','scope':'Namespaced',"
    "'names':{'plural':'toys','singular':'toy','kind':'Toy','listKind':'ToyList',"
    "'shortNames':['ty'],'categories':['fun','all']},"
    "'versions':[{'name':'v1','served':true,'storage':true,"
    "'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.size',"
    "'statusReplicasPath':'.status.size'}},"
    "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
    "'properties':{'size':{'type':'integer'}}},'status':{'type':'object',"
    "'properties':{'size':{'type':'integer'}}}}}}}]}}";

static void post_definition(struct wire *wire)
{
    if (wire_ask(wire, METHOD_POST, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                 definition) != 201) {
        fail_msg("%s", wire->reply.body);
    }
}

static void the_core_group(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_get(wire, "/api"), 200);
    wire_assert_has(wire, "{'kind':'APIVersions','versions':['v1'],");
    assert_int_equal(wire_get(wire, "/api/v1"), 200);
    wire_assert_has(
        wire, "{'kind':'APIResourceList','apiVersion':'v1','groupVersion':'v1','resources':[");
    wire_assert_has(wire, "{'name':'persistentvolumes','singularName':'persistentvolume',"
                          "'namespaced':false,'kind':'PersistentVolume',"
                          "'verbs':['create','delete','deletecollection','get','list','patch',"
                          "'update','watch'],'shortNames':['pv']");
    wire_assert_has(wire, "{'name':'pods/status','singularName':'','namespaced':true,'kind':'Pod',"
                          "'verbs':['get','patch','update']}");
    wire_assert_has(wire, "{'name':'pods/binding','singularName':'','namespaced':true,"
                          "'kind':'Binding','verbs':['create']}");
    wire_assert_has(wire, "{'name':'namespaces/finalize','singularName':'','namespaced':false,"
                          "'kind':'Namespace','verbs':['update']}");
    assert_false(wire_has(wire, "'name':'nodes/finalize'"));
    assert_false(wire_has(wire, "storageclasses"));
}

static void groups_are_listed_once(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_get(wire, "/apis"), 200);
    static const char storage[] =
        "{'name':'storage.k8s.io','versions':[{'groupVersion':'storage.k8s.io/v1','version':'v1'}],"
        "'preferredVersion':{'groupVersion':'storage.k8s.io/v1','version':'v1'}}";
    wire_assert_has(wire, storage);
    const char *first = strstr(wire->reply.body, "\"name\":\"storage.k8s.io\"");
    assert_null(strstr(first + 1, "\"name\":\"storage.k8s.io\""));
    assert_false(wire_has(wire, "'name':''"));
    assert_int_equal(wire_get(wire, "/apis/storage.k8s.io"), 200);
    wire_assert_has(wire, "{'kind':'APIGroup','apiVersion':'v1','name':'storage.k8s.io',");
    assert_int_equal(wire_get(wire, "/apis/storage.k8s.io/v1"), 200);
    wire_assert_has(wire, "'groupVersion':'storage.k8s.io/v1'");
}

static void a_definition_adds_its_group(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_get(wire, "/apis/example.dev/v1"), 404);
    post_definition(wire);
    assert_int_equal(wire_get(wire, "/apis"), 200);
    wire_assert_has(wire, "'groupVersion':'example.dev/v1'");
    assert_int_equal(wire_get(wire, "/apis/example.dev/v1"), 200);
    wire_assert_has(wire, "'shortNames':['ty'],'categories':['fun','all']}");
    wire_assert_has(wire, "{'name':'toys/status',");
    wire_assert_has(wire, "{'name':'toys/scale','singularName':'','namespaced':true,"
                          "'group':'autoscaling','version':'v1','kind':'Scale',");
    assert_int_equal(wire_get(wire, "/openapi/v3/apis/example.dev/v1"), 200);
    wire_assert_has(wire, "'/apis/example.dev/v1/namespaces/{namespace}/toys/{name}'");
}

static void open_api_says_that_patch_takes_validation(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_get(wire, "/openapi/v3"), 200);
    wire_assert_has(wire, "'api/v1':{'serverRelativeURL':'/openapi/v3/api/v1'}");
    wire_assert_has(wire, "'apis/storage.k8s.io/v1':{'serverRelativeURL':"
                          "'/openapi/v3/apis/storage.k8s.io/v1'}");
    assert_int_equal(wire_get(wire, "/openapi/v3/api/v1"), 200);
    wire_assert_has(wire, "'/api/v1/persistentvolumes/{name}':{'patch':{'parameters':[");
    wire_assert_has(wire, "{'name':'fieldValidation','in':'query',");
    wire_assert_has(wire, "'x-kubernetes-group-version-kind':"
                          "{'group':'','version':'v1','kind':'PersistentVolume'}");
    wire_assert_has(wire, "'components':{'schemas':{}}");
}

static void version_and_health(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_get(wire, "/version"), 200);
    wire_assert_has(wire, "'major':'1','minor':'36','gitVersion':'v1.36.3");
    static const char *const paths[] = {"/healthz", "/livez", "/readyz?verbose", "/readyz/ping"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        assert_int_equal(wire_get(wire, paths[i]), 200);
        assert_string_equal(wire->reply.body, "ok");
        assert_true(strncmp(wire->reply.content_type, "text/plain", 10) == 0);
    }
}

#define WITH_WIRE(test) cmocka_unit_test_setup_teardown(test, wire_set_up, wire_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_WIRE(the_core_group),
        WITH_WIRE(groups_are_listed_once),
        WITH_WIRE(a_definition_adds_its_group),
        WITH_WIRE(open_api_says_that_patch_takes_validation),
        WITH_WIRE(version_and_health),
    };
    return cmocka_run_group_tests_name("sim/discovery", tests, NULL, NULL);
}
