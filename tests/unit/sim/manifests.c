/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/manifests.h"

#include "sim/apiserver.h"
#include "sim/value.h"
#include "support/test_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct world *world;
    struct apiserver *server;
    struct test_folder folder;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture.world = world_new(1, 0);
    fixture.server = apiserver_new(fixture.world);
    test_folder_init(&fixture.folder);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    test_folder_release(&fixture->folder);
    apiserver_free(fixture->server);
    world_free(fixture->world);
    return 0;
}

static bool is_there(const struct fixture *fixture, const char *namespace, const char *name)
{
    return objects_get(apiserver_objects(fixture->server), &resource_config_maps, namespace,
                       name) != NULL;
}

static void assert_refused(struct fixture *fixture, const char *yaml, const char *part)
{
    struct error error;
    assert_false(manifests_create(fixture->server, yaml, strlen(yaml), &error));
    assert_int_equal(error.class, ERROR_INVALID);
    if (strstr(error.message, part) == NULL) {
        fail_msg("%s", error.message);
    }
}

static void each_document_is_an_object(void **state)
{
    struct fixture *fixture = *state;
    static const char yaml[] = "apiVersion: v1\nkind: Namespace\nmetadata: {name: dev}\n---\n"
                               "apiVersion: v1\nkind: ConfigMap\n"
                               "metadata: {name: a, namespace: dev}\n";
    struct error error;
    assert_true(manifests_create(fixture->server, yaml, strlen(yaml), &error));
    assert_true(is_there(fixture, "dev", "a"));
}

static void what_the_server_refuses_is_said(void **state)
{
    struct fixture *fixture = *state;
    assert_refused(fixture, "kind: ConfigMap\nmetadata: {name: a}\n", "a is of a kind");
    assert_refused(fixture, "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: t}\n",
                   "t is of a kind that is not served");
    assert_refused(fixture,
                   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: nowhere}\n",
                   "namespaces \"nowhere\" not found");
}

static void a_folder_is_read_by_name(void **state)
{
    struct fixture *fixture = *state;
    struct error error;
    test_folder_write(&fixture->folder, "all/2.yaml",
                      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: dev}\n");
    test_folder_write(&fixture->folder, "all/1.yaml",
                      "apiVersion: v1\nkind: Namespace\nmetadata: {name: dev}\n");
    test_folder_write(&fixture->folder, "all/notes.txt", "kind: [");
    const char *path = test_folder_path(&fixture->folder, "all");
    if (!manifests_create_folder(fixture->server, path, &error)) {
        fail_msg("%s", error.message);
    }
    assert_true(is_there(fixture, "dev", "a"));
    assert_false(manifests_create_folder(fixture->server, path, &error));
    assert_non_null(strstr(error.message, "all/1.yaml: namespaces \"dev\" already exists"));
}

static void a_folder_without_any_is_an_error(void **state)
{
    struct fixture *fixture = *state;
    struct error error;
    assert_false(manifests_create_folder(fixture->server, fixture->folder.path, &error));
    assert_int_equal(error.class, ERROR_SYSTEM);
    assert_non_null(strstr(error.message, "has no *.yaml"));
    assert_false(manifests_create_folder(fixture->server,
                                         test_folder_path(&fixture->folder, "none"), &error));
    assert_int_equal(error.class, ERROR_SYSTEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_document_is_an_object, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_the_server_refuses_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_is_read_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_without_any_is_an_error, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
