/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/table.h"

#include "support/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define AS_TABLE "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
#define PODS "/api/v1/namespaces/dev/pods"
#define CLAIMS "/api/v1/namespaces/dev/persistentvolumeclaims"
#define VOLUMES "/api/v1/persistentvolumes"

static void make(struct wire *wire, const char *path, const char *json)
{
    if (wire_ask(wire, METHOD_POST, path, json) != 201) {
        fail_msg("%s", wire->reply.body);
    }
}

static void set_status(struct wire *wire, const char *path, const char *json)
{
    if (wire_ask(wire, METHOD_PATCH, path, json) != 200) {
        fail_msg("%s", wire->reply.body);
    }
}

static void get_table(struct wire *wire, const char *path)
{
    if (wire_send(wire, METHOD_GET, path, NULL, AS_TABLE, NULL) != 200) {
        fail_msg("%s", wire->reply.body);
    }
}

static void run_s(struct wire *wire, int64_t seconds)
{
    world_run_next(wire->world, world_now(wire->world).mono_ms + seconds * 1000);
}

static void a_list_is_one_table(void **state)
{
    struct wire *wire = *state;
    wire_put_map(wire, "a", "");
    run_s(wire, 90);
    make(wire, WIRE_MAPS, "{'metadata':{'name':'b'},'data':{'x':'1','y':'2'}}");
    get_table(wire, WIRE_MAPS "?limit=10");
    wire_assert_has(wire, "{'kind':'Table','apiVersion':'meta.k8s.io/v1',"
                          "'metadata':{'resourceVersion':'");
    wire_assert_has(wire, "'columnDefinitions':[{'name':'Name','type':'string','format':'name',"
                          "'description':'','priority':0},{'name':'Data',");
    wire_assert_has(wire, "{'cells':['a',0,'90s'],'object':{'kind':'PartialObjectMetadata',"
                          "'apiVersion':'meta.k8s.io/v1','metadata':{'name':'a',");
    wire_assert_has(wire, "{'cells':['b',2,'0s'],");
    get_table(wire, WIRE_MAPS "?limit=1");
    wire_assert_has(wire, "'remainingItemCount':1},'columnDefinitions'");
    assert_string_not_equal(wire_text(wire, "continue"), "");
}

static void one_object_is_a_table_of_one_row(void **state)
{
    struct wire *wire = *state;
    wire_put_map(wire, "a", "");
    get_table(wire, WIRE_MAPS "/a");
    wire_assert_has(wire, "'rows':[{'cells':['a',0,'0s'],");
}

static void rows_carry_what_is_asked(void **state)
{
    struct wire *wire = *state;
    make(wire, WIRE_MAPS, "{'metadata':{'name':'b'},'data':{'x':'1'}}");
    get_table(wire, WIRE_MAPS "?includeObject=None");
    wire_assert_has(wire, "'rows':[{'cells':['b',1,'0s']}]}");
    get_table(wire, WIRE_MAPS "?includeObject=Object");
    wire_assert_has(wire, "'data':{'x':'1'}}}]}");
}

static void pods_show_how_they_are(void **state)
{
    struct wire *wire = *state;
    make(wire, PODS,
         "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'a','image':'i'},"
         "{'name':'b','image':'i'}]}}");
    get_table(wire, PODS);
    wire_assert_has(wire, "{'cells':['p','0/2','Pending',0,'0s',");
    set_status(wire, PODS "/p/status",
               "{'status':{'phase':'Running','containerStatuses':[{'name':'a','ready':true,"
               "'restartCount':2},{'name':'b','ready':false,'restartCount':1,"
               "'state':{'waiting':{'reason':'CrashLoopBackOff'}}}]}}");
    get_table(wire, PODS);
    wire_assert_has(wire, "{'cells':['p','1/2','CrashLoopBackOff',3,'0s',");
}

static void volumes_and_claims_show_their_binding(void **state)
{
    struct wire *wire = *state;
    make(wire, VOLUMES,
         "{'metadata':{'name':'v'},'spec':{'capacity':{'storage':'1Gi'},"
         "'accessModes':['ReadWriteOnce','ReadOnlyMany'],"
         "'persistentVolumeReclaimPolicy':'Retain','storageClassName':'s',"
         "'claimRef':{'namespace':'dev','name':'c'},"
         "'csi':{'driver':'d','volumeHandle':'h'}}}");
    set_status(wire, VOLUMES "/v/status", "{'status':{'phase':'Bound'}}");
    get_table(wire, VOLUMES);
    wire_assert_has(wire, "{'cells':['v','1Gi','RWO,ROX','Retain','Bound','dev/c','s',");
    make(wire, CLAIMS,
         "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],'volumeName':'v',"
         "'storageClassName':'s','resources':{'requests':{'storage':'1Gi'}}}}");
    set_status(wire, CLAIMS "/c/status",
               "{'status':{'phase':'Bound','capacity':{'storage':'1Gi'},"
               "'accessModes':['ReadWriteOnce']}}");
    get_table(wire, CLAIMS);
    wire_assert_has(wire, "{'cells':['c','Bound','v','1Gi','RWO','s','<unset>','0s',");
    wire_ask(wire, METHOD_DELETE, CLAIMS "/c", NULL);
    get_table(wire, CLAIMS);
    wire_assert_has(wire, "{'cells':['c','Terminating','v',");
}

static void a_definitions_columns_are_used(void **state)
{
    struct wire *wire = *state;
    make(wire, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
         "{'metadata':{'name':'toys.example.dev'},'spec':{'group':'example.dev',"
         "'scope':'Namespaced','names':{'plural':'toys','kind':'Toy'},"
         "'versions':[{'name':'v1','served':true,'storage':true,"
         "'additionalPrinterColumns':[{'name':'Size','type':'integer','jsonPath':'.spec.size'},"
         "{'name':'Maker','type':'string','jsonPath':'.spec.maker','priority':1}],"
         "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
         "'properties':{'size':{'type':'integer'},'maker':{'type':'string'}}}}}}}]}}");
    make(wire, "/apis/example.dev/v1/namespaces/dev/toys",
         "{'apiVersion':'example.dev/v1','kind':'Toy','metadata':{'name':'t'},'spec':{'size':3}}");
    get_table(wire, "/apis/example.dev/v1/namespaces/dev/toys");
    wire_assert_has(wire, "{'name':'Size','type':'integer',");
    wire_assert_has(wire, "{'name':'Maker','type':'string','format':'','description':'',"
                          "'priority':1}");
    wire_assert_has(wire, "{'cells':['t',3,null],");
}

/* As kubectl shows them: when and what, not what they are called. */
static void events_begin_with_when(void **state)
{
    struct wire *wire = *state;
    make(wire, "/api/v1/namespaces/dev/events",
         "{'metadata':{'name':'e','namespace':'dev'},'involvedObject':{'kind':'Pod','name':'p',"
         "'namespace':'dev'},'type':'Warning','reason':'BackOff','message':'m',"
         "'lastTimestamp':'2026-07-01T12:00:00Z'}");
    get_table(wire, "/api/v1/namespaces/dev/events");
    wire_assert_has(wire, "{'cells':['0s','Warning','BackOff','pod/p','m',");
}

static void every_kind_has_columns(void **state)
{
    (void)state;
    for (size_t i = 0; resources_built_in[i] != NULL; i++) {
        const struct table_column *column = table_columns_of(resources_built_in[i]);
        assert_non_null(column->column.name);
        for (; column->column.name != NULL; column++) {
            assert_true((column->cell == NULL) == (column->column.json_path != NULL));
        }
    }
}

#define WITH_WIRE(test) cmocka_unit_test_setup_teardown(test, wire_set_up, wire_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_WIRE(a_list_is_one_table),
        WITH_WIRE(one_object_is_a_table_of_one_row),
        WITH_WIRE(rows_carry_what_is_asked),
        WITH_WIRE(pods_show_how_they_are),
        WITH_WIRE(volumes_and_claims_show_their_binding),
        WITH_WIRE(a_definitions_columns_are_used),
        WITH_WIRE(events_begin_with_when),
        cmocka_unit_test(every_kind_has_columns),
    };
    return cmocka_run_group_tests_name("sim/table", tests, NULL, NULL);
}
