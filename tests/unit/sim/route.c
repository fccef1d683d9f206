/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/route.h"

#include "base/text.h"
#include "support/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MAP_A WIRE_MAPS "/a"
#define CLAIMS "/api/v1/namespaces/dev/persistentvolumeclaims"
#define CLUSTERS "/apis/postgresql.cnpg.io/v1/namespaces/dev/clusters"
#define CLUSTER_TYPE "'kind':'Cluster','apiVersion':'postgresql.cnpg.io/v1'"
#define MERGE "application/merge-patch+json"

static const char claim[] =
    "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'s',"
    "'resources':{'requests':{'storage':'1Gi'}}}}";

/* ---- verbs ---- */

static void an_object_is_made_read_changed_and_deleted(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(
        wire_ask(wire, METHOD_POST, WIRE_MAPS, "{'metadata':{'name':'a'},'data':{'x':'1'}}"), 201);
    wire_assert_has(wire, "'data':{'x':'1'}");
    wire_assert_has(wire, "'kind':'ConfigMap'");
    wire_assert_has(wire, "'apiVersion':'v1'");
    assert_int_equal(wire_get(wire, MAP_A), 200);
    wire_assert_has(wire, "'namespace':'dev'");
    assert_string_equal(wire->reply.content_type, "application/json");
    assert_int_equal(wire_ask(wire, METHOD_PATCH, MAP_A, "{'data':{'y':'2'}}"), 200);
    wire_assert_has(wire, "'data':{'x':'1','y':'2'}");
    assert_int_equal(
        wire_ask(wire, METHOD_PUT, MAP_A, "{'metadata':{'name':'a'},'data':{'z':'3'}}"), 200);
    wire_assert_has(wire, "'data':{'z':'3'}");
    assert_int_equal(wire_ask(wire, METHOD_DELETE, MAP_A, NULL), 200);
    assert_int_equal(wire_get(wire, MAP_A), 404);
}

static void patches_go_by_their_content_type(void **state)
{
    struct wire *wire = *state;
    wire_put_map(wire, "a", "'l':'1'");
    static const struct {
        const char *content_type, *patch;
        int http_status;
    } rows[] = {
        {"application/json-patch+json",
         "[{'op':'test','path':'/metadata/labels/l','value':'1'},"
         "{'op':'replace','path':'/metadata/labels/l','value':'2'}]",
         200},
        {"application/json-patch+json", "[{'op':'test','path':'/metadata/labels/l','value':'1'}]",
         422},
        {MERGE, "{'metadata':{'labels':{'l':'3'}}}", 200},
        {MERGE "; charset=utf-8", "{'metadata':{'labels':{'l':'4'}}}", 200},
        {"application/strategic-merge-patch+json", "{'metadata':{'labels':{'l':'5'}}}", 200},
        {"application/apply-patch+yaml", "{'metadata':{'name':'a'}}", 415},
        {"application/json", "{'metadata':{'labels':{'l':'6'}}}", 415},
        {MERGE, "{'metadata'", 400},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int http_status =
            wire_send(wire, METHOD_PATCH, MAP_A, rows[i].content_type, NULL, rows[i].patch);
        if (http_status != rows[i].http_status) {
            fail_msg("%s: %d %s", rows[i].patch, http_status, wire->reply.body);
        }
    }
    wire_get(wire, MAP_A);
    wire_assert_has(wire, "'labels':{'l':'5'}");
}

static void bodies_must_fit_their_path(void **state)
{
    struct wire *wire = *state;
    static const struct {
        const char *content_type, *body;
        int http_status;
    } rows[] = {
        {"application/json", "{'kind':'Secret','metadata':{'name':'a'}}", 400},
        {"application/json", "{'apiVersion':'v2','metadata':{'name':'a'}}", 400},
        {"application/json", "[]", 400},
        {"application/json", "", 400},
        {"application/json", "{'metadata':", 400},
        {"application/json", "{'metadata':{'name':'a','namespace':'other'}}", 400},
        {"application/yaml", "metadata: {name: a}", 415},
        {"application/vnd.kubernetes.protobuf", "k8s", 415},
        {"application/json", "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'a'}}", 201},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int http_status =
            wire_send(wire, METHOD_POST, WIRE_MAPS, rows[i].content_type, NULL, rows[i].body);
        if (http_status != rows[i].http_status) {
            fail_msg("%s: %d %s", rows[i].body, http_status, wire->reply.body);
        }
    }
}

static void subresources_have_paths_of_their_own(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_ask(wire, METHOD_POST, CLUSTERS,
                              "{" CLUSTER_TYPE ",'metadata':{'name':'a'},'spec':{'instances':1}}"),
                     201);
    assert_int_equal(wire_ask(wire, METHOD_POST, CLUSTERS, "{'metadata':{'name':'b'}}"), 400);
    wire_assert_has(wire, "'message':'Object ");
    assert_int_equal(wire_ask(wire, METHOD_PATCH, CLUSTERS "/a/status",
                              "{'spec':{'instances':2},'status':{'phase':'x'}}"),
                     200);
    wire_assert_has(wire, "'phase':'x'");
    wire_assert_has(wire, "'instances':1");
    assert_int_equal(wire_get(wire, CLUSTERS "/a/status"), 200);
    wire_assert_has(wire, "'kind':'Cluster'");
    assert_int_equal(wire_get(wire, MAP_A "/status"), 404);
    assert_int_equal(wire_ask(wire, METHOD_DELETE, CLUSTERS "/a/status", NULL), 405);
    assert_int_equal(wire_get(wire, "/api/v1/namespaces/dev/status"), 200);
    wire_assert_has(wire, "'kind':'Namespace'");
}

static void scale_is_read_and_written(void **state)
{
    struct wire *wire = *state;
    wire_ask(wire, METHOD_POST, CLUSTERS,
             "{" CLUSTER_TYPE ",'metadata':{'name':'a'},'spec':{'instances':1},"
             "'status':{'instances':0}}");
    assert_int_equal(wire_get(wire, CLUSTERS "/a/scale"), 200);
    wire_assert_has(wire, "'kind':'Scale'");
    wire_assert_has(wire, "'spec':{'replicas':1}");
    assert_int_equal(wire_ask(wire, METHOD_PATCH, CLUSTERS "/a/scale", "{'spec':{'replicas':3}}"),
                     200);
    wire_assert_has(wire, "'kind':'Scale'");
    wire_assert_has(wire, "'spec':{'replicas':3}");
    wire_get(wire, CLUSTERS "/a");
    wire_assert_has(wire, "'instances':3");
    assert_int_equal(wire_get(wire, MAP_A "/scale"), 404);
}

static void what_a_delete_gives_back_differs(void **state)
{
    struct wire *wire = *state;
    wire_put_map(wire, "a", "");
    assert_int_equal(wire_ask(wire, METHOD_DELETE, MAP_A, NULL), 200);
    wire_assert_has(wire, "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Success',"
                          "'details':{'name':'a','kind':'configmaps','uid':'");
    assert_int_equal(wire_ask(wire, METHOD_POST, CLAIMS, claim), 201);
    assert_int_equal(wire_ask(wire, METHOD_DELETE, CLAIMS "/c", NULL), 200);
    wire_assert_has(wire, "'kind':'PersistentVolumeClaim'");
    wire_assert_has(wire, "deletionTimestamp"); /* kubernetes.io/pvc-protection holds it */
}

static void a_collection_is_deleted_by_selector(void **state)
{
    struct wire *wire = *state;
    wire_put_map(wire, "a", "'go':''");
    wire_put_map(wire, "b", "");
    wire_put_map(wire, "c", "'go':''");
    assert_int_equal(wire_ask(wire, METHOD_DELETE, WIRE_MAPS "?labelSelector=go&dryRun=All", NULL),
                     200);
    assert_int_equal(wire_ask(wire, METHOD_DELETE, WIRE_MAPS "?labelSelector=go", NULL), 200);
    wire_assert_has(wire, "'kind':'ConfigMapList'");
    assert_string_equal(wire_names(wire), "a c");
    wire_get(wire, WIRE_MAPS);
    assert_string_equal(wire_names(wire), "b");
}

/* ---- refusals ---- */

static void refusals_are_statuses(void **state)
{
    struct wire *wire = *state;
    wire_put_map(wire, "a", "");
    assert_int_equal(wire_get(wire, WIRE_MAPS "/x"), 404);
    wire_assert_has(wire, "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure',"
                          "'message':'configmaps \\'x\\' not found','reason':'NotFound',"
                          "'details':{'name':'x','kind':'configmaps'},'code':404}");
    assert_int_equal(wire_ask(wire, METHOD_POST, WIRE_MAPS, "{'metadata':{'name':'a'}}"), 409);
    wire_assert_has(wire, "'reason':'AlreadyExists'");
    wire_assert_has(wire, "'details':{'name':'a','kind':'configmaps'}");
    assert_int_equal(
        wire_ask(wire, METHOD_PUT, MAP_A, "{'metadata':{'name':'a','resourceVersion':'1'}}"), 409);
    wire_assert_has(wire, "'reason':'Conflict'");
    assert_int_equal(wire_ask(wire, METHOD_POST, WIRE_MAPS, "{'metadata':{'name':'A_'}}"), 422);
    wire_assert_has(wire, "'reason':'Invalid'");
    wire_assert_has(wire, "'details':{'name':'A_','kind':'ConfigMap','causes':[{'reason':'");
    assert_int_equal(wire_get(wire, "/apis/storage.k8s.io/v1/storageclasses/x"), 404);
    wire_assert_has(wire,
                    "'details':{'name':'x','group':'storage.k8s.io','kind':'storageclasses'}");
}

static void paths_that_are_not_served(void **state)
{
    struct wire *wire = *state;
    static const char *const in_a_group[] = {
        "/api/v1/nothings",
        "/api/v1/pods/a",
        "/api/v1/namespaces/dev/nodes",
        "/api/v1/namespaces/dev/pods/a/status/b",
        "/apis/storage.k8s.io/v1/pods",
        "/api/v1/namespaces/dev/pod",
    };
    static const char *const nowhere[] = {
        "/",
        "/foo",
        "/apis/none.example/v1/pods",
        "/apis/postgresql.cnpg.io/v1/namespaces/dev/nothings",
        "/apis/storage.k8s.io/v7/storageclasses",
        "/openapi/v2",
        "/apis/none.example",
        "/api/v2",
        "/openapi/v3/apis/none.example/v1",
    };
    for (size_t i = 0; i < sizeof(in_a_group) / sizeof(in_a_group[0]); i++) {
        assert_int_equal(wire_get(wire, in_a_group[i]), 404);
        wire_assert_has(wire, "'message':'the server could not find the requested resource'");
    }
    for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
        assert_int_equal(wire_get(wire, nowhere[i]), 404);
        assert_string_equal(wire->reply.body, "404 page not found\n");
    }
    assert_int_equal(wire_get(wire, "/api/v1/%zz"), 400);
}

static void details_name_what_is_meant(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_ask(wire, METHOD_POST, "/api/v1/namespaces/none/configmaps",
                              "{'metadata':{'name':'a'}}"),
                     404);
    wire_assert_has(wire, "'details':{'name':'none','kind':'namespaces'}");
    wire_put_map(wire, "a", "");
    assert_int_equal(wire_ask(wire, METHOD_DELETE, MAP_A, "{'preconditions':{'uid':'b'}}"), 409);
    wire_assert_has(wire, "'details':{'name':'a','kind':'ConfigMap'}");
    assert_int_equal(wire_ask(wire, METHOD_PATCH, MAP_A, "{'metadata':{'resourceVersion':'1'}}"),
                     409);
    wire_assert_has(wire, "'details':{'name':'a','kind':'configmaps'}");
}

static void methods_that_do_not_fit(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_ask(wire, METHOD_PUT, WIRE_MAPS, "{}"), 405);
    wire_assert_has(wire, "'reason':'MethodNotAllowed'");
    assert_int_equal(wire_ask(wire, METHOD_POST, MAP_A, "{}"), 405);
    assert_int_equal(wire_ask(wire, METHOD_POST, "/api/v1/configmaps", "{}"), 405);
    assert_int_equal(wire_ask(wire, METHOD_DELETE, "/api/v1/configmaps", NULL), 405);
    assert_int_equal(wire_ask(wire, METHOD_POST, "/version", "{}"), 404);
}

static void watches_are_known_by_their_query(void **state)
{
    (void)state;
    static const struct {
        enum method method;
        const char *path;
        bool is_watch;
    } rows[] = {
        {METHOD_GET, WIRE_MAPS "?watch=true", true},
        {METHOD_GET, WIRE_MAPS "?limit=5&watch=1", true},
        {METHOD_GET, WIRE_MAPS "?watch", true},
        {METHOD_GET, WIRE_MAPS "?watch=false", false},
        {METHOD_GET, WIRE_MAPS "?watch=0", false},
        {METHOD_GET, WIRE_MAPS "?labelSelector=watch%3Dtrue", false},
        {METHOD_GET, "/api/v1/watch", false},
        {METHOD_POST, WIRE_MAPS "?watch=true", false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request request = {.method = rows[i].method, .path = rows[i].path};
        assert_int_equal(route_is_watch(&request), rows[i].is_watch);
    }
}

#define WITH_WIRE(test) cmocka_unit_test_setup_teardown(test, wire_set_up, wire_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_WIRE(an_object_is_made_read_changed_and_deleted),
        WITH_WIRE(patches_go_by_their_content_type),
        WITH_WIRE(bodies_must_fit_their_path),
        WITH_WIRE(subresources_have_paths_of_their_own),
        WITH_WIRE(scale_is_read_and_written),
        WITH_WIRE(what_a_delete_gives_back_differs),
        WITH_WIRE(a_collection_is_deleted_by_selector),
        WITH_WIRE(refusals_are_statuses),
        WITH_WIRE(paths_that_are_not_served),
        WITH_WIRE(details_name_what_is_meant),
        WITH_WIRE(methods_that_do_not_fit),
        cmocka_unit_test(watches_are_known_by_their_query),
    };
    return cmocka_run_group_tests_name("sim/route", tests, NULL, NULL);
}
