/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/write_options.h"

#include "support/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MAP_A WIRE_MAPS "/a"

static void a_dry_run_changes_nothing(void **state)
{
    struct wire *wire = *state;
    uint64_t before = objects_revision(apiserver_objects(wire->server));
    assert_int_equal(wire_ask(wire, METHOD_POST, WIRE_MAPS "?dryRun=All&fieldManager=x",
                              "{'metadata':{'name':'a'}}"),
                     201);
    assert_int_equal(wire_get(wire, MAP_A), 404);
    assert_int_equal(objects_revision(apiserver_objects(wire->server)), before);
    wire_put_map(wire, "a", "");
    before = objects_revision(apiserver_objects(wire->server));
    assert_int_equal(wire_ask(wire, METHOD_PATCH, MAP_A "?dryRun=All", "{'data':{'x':'1'}}"), 200);
    wire_assert_has(wire, "'data':{'x':'1'}");
    assert_int_equal(wire_ask(wire, METHOD_DELETE, MAP_A "?dryRun=All", NULL), 200);
    assert_int_equal(wire_ask(wire, METHOD_DELETE, MAP_A, "{'dryRun':['All']}"), 200);
    assert_int_equal(wire_get(wire, MAP_A), 200);
    assert_int_equal(objects_revision(apiserver_objects(wire->server)), before);
}

static void values_nobody_knows_are_refused(void **state)
{
    struct wire *wire = *state;
    wire_put_map(wire, "a", "");
    uint64_t before = objects_revision(apiserver_objects(wire->server));
    static const struct {
        enum method method;
        const char *path, *body, *kind;
    } rows[] = {
        {METHOD_POST, WIRE_MAPS "?dryRun=all", "{'metadata':{'name':'b'}}", "CreateOptions"},
        {METHOD_PUT, MAP_A "?dryRun=true", "{'metadata':{'name':'a'}}", "UpdateOptions"},
        {METHOD_PATCH, MAP_A "?fieldValidation=strict", "{}", "PatchOptions"},
        {METHOD_DELETE, MAP_A "?propagationPolicy=Never", NULL, "DeleteOptions"},
        {METHOD_DELETE, MAP_A, "{'propagationPolicy':'foreground'}", "DeleteOptions"},
        {METHOD_DELETE, MAP_A, "{'dryRun':['Some']}", "DeleteOptions"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(wire_ask(wire, rows[i].method, rows[i].path, rows[i].body), 422);
        wire_assert_has(wire, "'reason':'Invalid'");
        assert_string_equal(wire_text(wire, "kind"), "Status");
        assert_non_null(strstr(wire->reply.body, rows[i].kind));
    }
    assert_int_equal(objects_revision(apiserver_objects(wire->server)), before);
}

static void all_ways_of_field_validation_are_taken(void **state)
{
    struct wire *wire = *state;
    wire_put_map(wire, "a", "");
    static const char *const paths[] = {
        MAP_A "?fieldValidation=Strict",
        MAP_A "?fieldValidation=Warn",
        MAP_A "?fieldValidation=Ignore",
        MAP_A "?fieldValidation=",
    };
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        assert_int_equal(wire_ask(wire, METHOD_PATCH, paths[i], "{'data':{'x':'1'}}"), 200);
    }
}

static void a_delete_has_preconditions(void **state)
{
    struct wire *wire = *state;
    wire_put_map(wire, "a", "");
    assert_int_equal(wire_ask(wire, METHOD_DELETE, MAP_A, "{'preconditions':{'uid':'other'}}"),
                     409);
    wire_assert_has(wire, "'reason':'Conflict'");
    assert_int_equal(
        wire_ask(wire, METHOD_DELETE, MAP_A, "{'preconditions':{'resourceVersion':'1'}}"), 409);
    assert_int_equal(wire_ask(wire, METHOD_DELETE, MAP_A, "{'kind':'ConfigMap'}"), 400);
    assert_int_equal(wire_ask(wire, METHOD_DELETE, MAP_A, "{'kind"), 400);
    assert_int_equal(wire_ask(wire, METHOD_DELETE, MAP_A "?gracePeriodSeconds=x", NULL), 400);
    assert_int_equal(wire_ask(wire, METHOD_DELETE, MAP_A,
                              "{'kind':'DeleteOptions','apiVersion':'v1','preconditions':{}}"),
                     200);
}

/* Foreground shows itself by its finalizer, Orphan by another. */
static void propagation_may_come_either_way(void **state)
{
    struct wire *wire = *state;
    static const struct {
        const char *path, *body, *finalizer;
    } rows[] = {
        {MAP_A "?propagationPolicy=Foreground", NULL, "'foregroundDeletion'"},
        {MAP_A, "{'propagationPolicy':'Foreground'}", "'foregroundDeletion'"},
        {MAP_A "?propagationPolicy=Orphan", NULL, "'orphan'"},
        {MAP_A, "{'propagationPolicy':'Orphan'}", "'orphan'"},
        {MAP_A, "{'orphanDependents':true}", "'orphan'"},
        {MAP_A "?orphanDependents=true", NULL, "'orphan'"},
        /* The body counts when there is one. */
        {MAP_A "?propagationPolicy=Orphan", "{'propagationPolicy':'Foreground'}",
         "'foregroundDeletion'"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        wire_put_map(wire, "a", "");
        assert_int_equal(wire_ask(wire, METHOD_DELETE, rows[i].path, rows[i].body), 200);
        wire_assert_has(wire, rows[i].finalizer);
        wire_ask(wire, METHOD_PATCH, MAP_A, "{'metadata':{'finalizers':null}}");
        assert_int_equal(wire_get(wire, MAP_A), 404);
    }
}

#define WITH_WIRE(test) cmocka_unit_test_setup_teardown(test, wire_set_up, wire_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_WIRE(a_dry_run_changes_nothing),
        WITH_WIRE(values_nobody_knows_are_refused),
        WITH_WIRE(all_ways_of_field_validation_are_taken),
        WITH_WIRE(a_delete_has_preconditions),
        WITH_WIRE(propagation_may_come_either_way),
    };
    return cmocka_run_group_tests_name("sim/write_options", tests, NULL, NULL);
}
