/* SPDX-License-Identifier: Apache-2.0 */
/* The Cluster's spec, whose three layers plans show only one of. */
#include "plan/desired.h"

#include "base/json.h"
#include "base/json_merge.h"
#include "plan/instance.h"
#include "support/handoff_fixture.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
    static struct handoff_fixture fixture;
    handoff_fixture_init(
        &fixture,
        "{'metadata':{'name':'pvc-0','annotations':{'adjoint.dev/database':'shop',"
        "'adjoint.dev/owner':'clerk'}},'spec':{'storageClassName':'old-class','capacity':{"
        "'storage':'2Gi'},'accessModes':['ReadWriteOnce']}}",
        "{}");
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    handoff_fixture_release(*state);
    return 0;
}

static struct handoff handoff(struct handoff_fixture *fixture, const char *pool_spec)
{
    handoff_fixture_set_pool(
        fixture,
        arena_print(&fixture->arena, "{'storage':{'storageClassName':'fsx-clone'}%s}", pool_spec));
    return handoff_fixture_get(fixture);
}

/* A member of the Cluster's spec as text. */
static const char *spec(struct handoff_fixture *fixture, const char *pool_spec, const char *path)
{
    struct handoff made_of = handoff(fixture, pool_spec);
    const char *body = NULL;
    struct error error;
    if (!desired_cluster(&made_of, &fixture->arena, &body, &error)) {
        fail_msg("%s", error.message);
    }
    cleanup_text struct text out;
    text_init(&out, 100000);
    bool found = false;
    assert_true(
        json_extract(body, arena_print(&fixture->arena, "spec.%s", path), &out, &found, &error));
    return found ? arena_copy(&fixture->arena, out.bytes) : "";
}

static void a_template_may_change_our_defaults(void **state)
{
    struct handoff_fixture *fixture = *state;
    const char *template = ",'cluster':{'stopDelay':5,'probes':{'readiness':{'periodSeconds':3}}}";
    assert_string_equal(spec(fixture, template, "stopDelay"), "5");
    assert_string_equal(spec(fixture, template, "probes.readiness.periodSeconds"), "3");
    assert_string_equal(spec(fixture, template, "probes.startup.periodSeconds"), "1");
    assert_string_equal(spec(fixture, template, "enablePDB"), "false");
}

static void without_a_template_the_defaults_stand(void **state)
{
    struct handoff_fixture *fixture = *state;
    assert_string_equal(spec(fixture, "", "stopDelay"), "30");
    assert_string_equal(spec(fixture, "", "instances"), "1");
}

static void no_template_changes_what_adoption_needs(void **state)
{
    struct handoff_fixture *fixture = *state;
    const char *template =
        ",'cluster':{'instances':3,'storage':{'size':'9Gi','storageClass':'x'},"
        "'bootstrap':{'recovery':{'volumeSnapshots':{'storage':{'name':'theirs'}}}}}";
    assert_string_equal(spec(fixture, template, "instances"), "1");
    assert_string_equal(spec(fixture, template, "storage.size"), "\"2Gi\"");
    assert_string_equal(spec(fixture, template, "storage.storageClass"), "\"old-class\"");
    assert_string_equal(spec(fixture, template, "storage.resizeInUseVolumes"), "false");
    assert_string_equal(spec(fixture, template, "bootstrap.recovery.volumeSnapshots.storage.name"),
                        "\"adopt-only-never-create-this\"");
    assert_string_equal(spec(fixture, template, "bootstrap.recovery.database"), "\"shop\"");
    assert_string_equal(spec(fixture, template, "bootstrap.recovery.owner"), "\"clerk\"");
}

static void what_passes_through_keeps_its_spelling(void **state)
{
    struct handoff_fixture *fixture = *state;
    const char *template = ",'cluster':{'big':9007199254740993,'ratio':1.10}";
    assert_string_equal(spec(fixture, template, "big"), "9007199254740993");
    assert_string_equal(spec(fixture, template, "ratio"), "1.10");
}

static void bootstrap_none_leaves_the_guard_out(void **state)
{
    struct handoff_fixture *fixture = *state;
    assert_string_equal(spec(fixture, ",'claim':{'bootstrap':'None'}", "bootstrap"), "");
}

static void a_claim_is_of_the_volumes_measure(void **state)
{
    struct handoff_fixture *fixture = *state;
    struct handoff made_of = handoff(fixture, "");
    const char *swap = desired_data_claim(&made_of, &fixture->arena);
    assert_non_null(strstr(swap, "\"storage\":\"2Gi\""));
    assert_non_null(strstr(swap, "\"accessModes\":[\"ReadWriteOnce\"]"));
    assert_non_null(strstr(swap, "\"storageClassName\":\"adjoint-handoff\""));
    assert_null(strstr(swap, "volumeName"));
    assert_null(strstr(swap, "ownerReferences"));

    made_of = handoff(fixture, ",'claim':{'order':'Release'}");
    const char *release = desired_data_claim(&made_of, &fixture->arena);
    assert_non_null(strstr(release, "\"storageClassName\":\"old-class\""));
    assert_non_null(strstr(release, "\"volumeName\":\"pvc-0\""));
}

static void a_probe_has_nothing_but_its_name(void **state)
{
    struct handoff_fixture *fixture = *state;
    assert_string_equal(desired_probe(KIND_SECRET, "alice-app", &fixture->arena),
                        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":"
                        "\"alice-app\"}}");
}

/* The collector deletes an object whose owner it does not find in the object's own namespace, and
   one with its owner: neither may ever happen to data. What belongs together says so by labels. */
static void nothing_with_data_has_an_owner(void **state)
{
    struct handoff_fixture *fixture = *state;
    static const char *const orders[] = {"", ",'claim':{'order':'Release'}"};
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        struct handoff made_of = handoff(fixture, orders[i]);
        struct golden golden = {.name = "g", .uid = "ug", .system_id = "74"};
        const char *cluster = NULL;
        struct error error;
        assert_true(desired_cluster(&made_of, &fixture->arena, &cluster, &error));
        assert_null(strstr(cluster, "ownerReferences"));
        assert_null(strstr(desired_data_claim(&made_of, &fixture->arena), "ownerReferences"));
        assert_null(
            strstr(desired_holding_claim(fixture->pool, &golden, "orders-0", &fixture->arena),
                   "ownerReferences"));
    }
}

static void names_are_encoded_in_a_secrets_uris_alone(void **state)
{
    struct handoff_fixture *fixture = *state;
    static const unsigned char bytes[SECRET_BYTES] = {0xfe};
    handoff_fixture_set_volume(
        fixture, "{'metadata':{'name':'pvc-0','annotations':{'adjoint.dev/database':'my/db',"
                 "'adjoint.dev/owner':'o@x'}}}");
    cleanup_object struct object *claim = object_from(
        KIND_VOLUME_CLAIM, "{'metadata':{'name':'alice-1','namespace':'dev','uid':'uc'}}");
    struct handoff made_of = handoff(fixture, "");
    const char *secret = desired_secret(&made_of, claim, bytes, &fixture->arena);
    assert_non_null(strstr(secret, "\"username\":\"o@x\""));
    assert_non_null(strstr(secret, "\"database\":\"my/db\""));
    assert_non_null(strstr(secret, "\"uri\":\"postgresql://o%40x:fe0000"));
    assert_non_null(strstr(secret, "@alice-rw.dev.svc:5432/my%2Fdb\""));
    assert_non_null(strstr(secret, "5432/my%2Fdb?user=o%40x&password=fe0000"));
}

#define WITH_OBJECTS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OBJECTS(a_template_may_change_our_defaults),
        WITH_OBJECTS(without_a_template_the_defaults_stand),
        WITH_OBJECTS(no_template_changes_what_adoption_needs),
        WITH_OBJECTS(what_passes_through_keeps_its_spelling),
        WITH_OBJECTS(bootstrap_none_leaves_the_guard_out),
        WITH_OBJECTS(a_claim_is_of_the_volumes_measure),
        WITH_OBJECTS(a_probe_has_nothing_but_its_name),
        WITH_OBJECTS(names_are_encoded_in_a_secrets_uris_alone),
        WITH_OBJECTS(nothing_with_data_has_an_owner),
    };
    return cmocka_run_group_tests_name("desired", tests, NULL, NULL);
}
