/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/rendering.h"

#include "support/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define TABLE "application/json;as=Table;v=v1;g=meta.k8s.io"

static void accept_chooses_the_first_that_can_be_had(void **state)
{
    (void)state;
    static const struct {
        const char *accept;
        bool can_be_had;
        enum form form;
    } rows[] = {
        {NULL, true, FORM_OBJECT},
        {"", true, FORM_OBJECT},
        {"application/json", true, FORM_OBJECT},
        {"application/json; charset=utf-8", true, FORM_OBJECT},
        {"*/*", true, FORM_OBJECT},
        {"application/*", true, FORM_OBJECT},
        {TABLE, true, FORM_TABLE},
        {"application/json; as=Table; g=meta.k8s.io; v=v1", true, FORM_TABLE},
        {TABLE "," TABLE "beta1,application/json", true, FORM_TABLE},
        {"application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json", true, FORM_OBJECT},
        {"application/json,application/json;as=Table;v=v1;g=meta.k8s.io", true, FORM_OBJECT},
        {"application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", true, FORM_METADATA},
        {"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", true, FORM_METADATA},
        {"application/json;as=Pod;g=meta.k8s.io;v=v1", false, FORM_OBJECT},
        {"application/vnd.kubernetes.protobuf, application/json", true, FORM_OBJECT},
        {"application/vnd.kubernetes.protobuf", false, FORM_OBJECT},
        {"application/yaml", false, FORM_OBJECT},
        {"application/jsonp", false, FORM_OBJECT},
    };
    cleanup_url struct url url;
    struct error error;
    assert_true(url_parse(&url, "/", &error));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct rendering rendering = {0};
        bool can_be_had = rendering_choose(rows[i].accept, &url, 0, &rendering);
        if (can_be_had != rows[i].can_be_had || rendering.form != rows[i].form) {
            fail_msg("%s: %d %d", rows[i].accept, can_be_had, (int)rendering.form);
        }
    }
}

static void what_cannot_be_had_is_a_406(void **state)
{
    struct wire *wire = *state;
    assert_int_equal(wire_send(wire, METHOD_GET, WIRE_MAPS, NULL, "application/yaml", NULL), 406);
    wire_assert_has(wire, "'reason':'NotAcceptable'");
    assert_int_equal(wire_send(wire, METHOD_POST, WIRE_MAPS, "application/json",
                               "application/vnd.kubernetes.protobuf", "{'metadata':{'name':'a'}}"),
                     406);
    assert_int_equal(wire_get(wire, WIRE_MAPS "/a"), 404);
}

static void metadata_alone(void **state)
{
    struct wire *wire = *state;
    static const char accept[] = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    wire_ask(wire, METHOD_POST, WIRE_MAPS, "{'metadata':{'name':'a'},'data':{'x':'1'}}");
    assert_int_equal(wire_send(wire, METHOD_GET, WIRE_MAPS "/a", NULL, accept, NULL), 200);
    wire_assert_has(wire, "{'kind':'PartialObjectMetadata','apiVersion':'meta.k8s.io/v1',"
                          "'metadata':{'name':'a',");
    assert_false(wire_has(wire, "'data'"));
    assert_int_equal(wire_send(wire, METHOD_GET, WIRE_MAPS, NULL, accept, NULL), 200);
    wire_assert_has(wire, "{'kind':'PartialObjectMetadataList','apiVersion':'meta.k8s.io/v1',");
    wire_assert_has(wire, "'items':[{'kind':'PartialObjectMetadata',");
}

static void items_of_built_in_kinds_do_not_say_what_they_are(void **state)
{
    struct wire *wire = *state;
    static const char clusters[] = "/apis/postgresql.cnpg.io/v1/namespaces/dev/clusters";
    wire_put_map(wire, "a", "");
    assert_int_equal(wire_get(wire, WIRE_MAPS), 200);
    wire_assert_has(wire, "'items':[{'metadata':{'name':'a',");
    assert_int_equal(wire_ask(wire, METHOD_POST, clusters,
                              "{'kind':'Cluster','apiVersion':'postgresql.cnpg.io/v1',"
                              "'metadata':{'name':'c'},'spec':{'instances':1}}"),
                     201);
    assert_int_equal(wire_get(wire, clusters), 200);
    wire_assert_has(wire, "'items':[{'kind':'Cluster','apiVersion':'postgresql.cnpg.io/v1',");
}

#define WITH_WIRE(test) cmocka_unit_test_setup_teardown(test, wire_set_up, wire_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accept_chooses_the_first_that_can_be_had),
        WITH_WIRE(what_cannot_be_had_is_a_406),
        WITH_WIRE(metadata_alone),
        WITH_WIRE(items_of_built_in_kinds_do_not_say_what_they_are),
    };
    return cmocka_run_group_tests_name("sim/rendering", tests, NULL, NULL);
}
