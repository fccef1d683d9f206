/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/garbage.h"

#include "support/storage_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MAPS (&resource_config_maps)

static void start(struct storage_world *storage)
{
    storage->garbage = garbage_new(storage->server, &storage->pace);
}

static struct record *make(struct storage_world *storage, const char *name)
{
    return storage_world_make(storage, MAPS, draft("{'metadata':{'name':'$1'}}", name, NULL));
}

/* owners: members of the array of ownerReferences, $1 and $2 the uids. */
static void make_owned(struct storage_world *storage, const char *name, const char *owners,
                       const char *first, const char *second)
{
    cJSON *value = draft("{'metadata':{'name':'$1'}}", name, NULL);
    char shape[1024];
    (void)snprintf(shape, sizeof(shape), "[%s]", owners);
    value_set(value_at(value, "metadata", NULL), "ownerReferences",
              draft(shape, first, second, NULL));
    record_release(storage_world_make(storage, MAPS, value));
}

#define OWNER(name, uid) "{'apiVersion':'v1','kind':'ConfigMap','name':'" name "','uid':'" uid "'}"
#define BLOCKING_OWNER(name, uid)                                                                  \
    "{'apiVersion':'v1','kind':'ConfigMap','name':'" name "','uid':'" uid                          \
    "','blockOwnerDeletion':true}"

static bool exists(struct storage_world *storage, const char *name)
{
    return storage_world_get(storage, MAPS, name) != NULL;
}

static void delete_by(struct storage_world *storage, const char *name, const char *propagation)
{
    const struct preconditions preconditions = {.propagation = propagation, .grace_s = -1};
    assert_fine(apiserver_delete(storage->server, MAPS, "dev", name, &preconditions,
                                 &storage->api->options));
}

static void dependents_follow_their_owner_to_any_depth(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    struct record *owner = make(storage, "owner");
    make_owned(storage, "child", OWNER("owner", "$1"), owner->uid, NULL);
    make_owned(storage, "grandchild", OWNER("child", "$1"),
               storage_world_get(storage, MAPS, "child")->uid, NULL);
    storage_world_run(storage, SECOND_MS);
    assert_true(exists(storage, "child") && exists(storage, "grandchild"));
    delete_by(storage, "owner", "Background");
    assert_false(exists(storage, "owner"));
    storage_world_run(storage, SECOND_MS);
    assert_false(exists(storage, "child") || exists(storage, "grandchild"));
    record_release(owner);
}

static void an_absent_owner_is_no_owner(void **state)
{
    static const struct {
        const char *what, *owners;
        bool stays;
    } ROWS[] = {
        {"never existed", OWNER("nobody", "none"), false},
        {"another incarnation", OWNER("owner", "older"), false},
        {"it exists", OWNER("owner", "$1"), true},
        {"one of two does", OWNER("owner", "$1") "," OWNER("nobody", "none"), true},
        {"in another namespace", OWNER("elsewhere", "$2"), false},
        {"its kind is not served",
         "{'apiVersion':'x.y/v1','kind':'Thing','name':'owner','uid':'$1'}", true},
    };
    struct storage_world *storage = *state;
    start(storage);
    struct record *owner = make(storage, "owner");
    struct outcome elsewhere =
        apiserver_create(storage->server, MAPS, "default",
                         draft("{'metadata':{'name':'elsewhere'}}", NULL), &storage->api->options);
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "child-%zu", i);
        make_owned(storage, name, ROWS[i].owners, owner->uid, elsewhere.record->uid);
        storage_world_run(storage, SECOND_MS);
        if (exists(storage, name) != ROWS[i].stays) {
            fail_msg("%s", ROWS[i].what);
        }
    }
    assert_int_equal(cJSON_GetArraySize(value_at(storage_world_get(storage, MAPS, "child-3")->value,
                                                 "metadata", "ownerReferences", NULL)),
                     1);
    record_release(owner);
    outcome_release(&elsewhere);
}

static void an_object_without_namespace_is_not_collected_by_one_with(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    record_release(storage_world_make(
        storage, &resource_persistent_volumes,
        draft("{'metadata':{'name':'v','ownerReferences':[" OWNER(
                  "nobody",
                  "none") "]},"
                          "'spec':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'},"
                          "'csi':{'driver':'d','volumeHandle':'h'}}}",
              NULL)));
    storage_world_run(storage, MINUTE_MS);
    assert_false(
        value_is_deleting(storage_world_get(storage, &resource_persistent_volumes, "v")->value));
}

static void in_the_foreground_the_owner_waits(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    struct record *owner = make(storage, "owner");
    make_owned(storage, "child", BLOCKING_OWNER("owner", "$1"), owner->uid, NULL);
    storage_world_change(storage, MAPS, "child",
                         draft("{'metadata':{'finalizers':['x.y/held']}}", NULL));
    storage_world_run(storage, SECOND_MS);
    delete_by(storage, "owner", "Foreground");
    storage_world_run(storage, MINUTE_MS);
    assert_true(exists(storage, "owner"));
    assert_true(value_is_deleting(storage_world_get(storage, MAPS, "child")->value));
    storage_world_change(storage, MAPS, "child", draft("{'metadata':{'finalizers':null}}", NULL));
    storage_world_run(storage, SECOND_MS);
    assert_false(exists(storage, "child") || exists(storage, "owner"));
    record_release(owner);
}

static void in_the_foreground_only_blocking_dependents_are_waited_for(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    struct record *owner = make(storage, "owner");
    make_owned(storage, "child", OWNER("owner", "$1"), owner->uid, NULL);
    storage_world_change(storage, MAPS, "child",
                         draft("{'metadata':{'finalizers':['x.y/held']}}", NULL));
    storage_world_run(storage, SECOND_MS);
    delete_by(storage, "owner", "Foreground");
    storage_world_run(storage, SECOND_MS);
    assert_false(exists(storage, "owner"));
    assert_true(exists(storage, "child"));
    record_release(owner);
}

static void orphans_stay_without_the_reference(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    struct record *owner = make(storage, "owner");
    make_owned(storage, "a", OWNER("owner", "$1"), owner->uid, NULL);
    make_owned(storage, "b", OWNER("owner", "$1"), owner->uid, NULL);
    storage_world_run(storage, SECOND_MS);
    delete_by(storage, "owner", "Orphan");
    assert_true(exists(storage, "owner"));
    storage_world_run(storage, MINUTE_MS);
    assert_false(exists(storage, "owner"));
    assert_true(exists(storage, "a") && exists(storage, "b"));
    assert_int_equal(cJSON_GetArraySize(value_at(storage_world_get(storage, MAPS, "a")->value,
                                                 "metadata", "ownerReferences", NULL)),
                     0);
    record_release(owner);
}

static void an_owner_that_goes_before_the_dependent_is_known_is_not_missed(void **state)
{
    struct storage_world *storage = *state;
    start(storage);
    struct record *owner = make(storage, "owner");
    storage_world_run(storage, SECOND_MS);
    make_owned(storage, "child", OWNER("owner", "$1"), owner->uid, NULL);
    delete_by(storage, "owner", "Background");
    storage_world_run(storage, SECOND_MS);
    assert_false(exists(storage, "child"));
    record_release(owner);
}

static void a_new_process_collects_what_is_left(void **state)
{
    struct storage_world *storage = *state;
    struct record *owner = make(storage, "owner");
    make_owned(storage, "child", OWNER("owner", "$1"), owner->uid, NULL);
    delete_by(storage, "owner", "Background");
    start(storage);
    storage_world_run(storage, SECOND_MS);
    assert_false(exists(storage, "child"));
    record_release(owner);
}

#define STORAGE_TEST(test)                                                                         \
    cmocka_unit_test_setup_teardown(test, storage_world_set_up, storage_world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORAGE_TEST(dependents_follow_their_owner_to_any_depth),
        STORAGE_TEST(an_absent_owner_is_no_owner),
        STORAGE_TEST(an_object_without_namespace_is_not_collected_by_one_with),
        STORAGE_TEST(in_the_foreground_the_owner_waits),
        STORAGE_TEST(in_the_foreground_only_blocking_dependents_are_waited_for),
        STORAGE_TEST(orphans_stay_without_the_reference),
        STORAGE_TEST(an_owner_that_goes_before_the_dependent_is_known_is_not_missed),
        STORAGE_TEST(a_new_process_collects_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
