/* SPDX-License-Identifier: Apache-2.0 */
#include "api/template.h"

#include "api/kind.h"
#include "api/pool.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_references(const struct references *references, const char *expected)
{
    struct text found cleanup_text;
    text_init(&found, 10000);
    for (size_t i = 0; i < references->count; i++) {
        text_print(&found, "%s%s %s", i == 0 ? "" : ", ", kind_of(references->items[i].kind)->kind,
                   references->items[i].name);
    }
    assert_string_equal(found.bytes, expected);
}

static struct object *pool_with(const char *cluster, const char *requires)
{
    struct arena arena cleanup_arena;
    arena_init(&arena, 0);
    return object_from(KIND_POOL,
                       arena_print(&arena,
                                   "{'metadata':{'name':'p'},'spec':{'cluster':%s,'requires':%s}}",
                                   cluster, requires));
}

static void references_are_found_wherever_they_are(void **state)
{
    (void)state;
    cleanup_object struct object *pool =
        pool_with("{'imagePullSecrets':[{'name':'registry'}],'superuserSecret':{'name':'root'},"
                  "'certificates':{'serverCASecret':'ca'},'serviceAccountName':'runner',"
                  "'env':[{'name':'A','valueFrom':{'secretKeyRef':{'name':'env','key':'a'}}},"
                  "{'name':'B','valueFrom':{'configMapKeyRef':{'name':'plain','key':'b'}}}],"
                  "'projectedVolumeTemplate':{'sources':[{'configMap':{'name':'files'}},"
                  "{'secret':{'name':'registry'}}]},"
                  "'managed':{'roles':[{'name':'x','passwordSecret':{'name':'x-password'}}]},"
                  "'monitoring':{'customQueriesConfigMap':[{'name':'queries','key':'q'}]}}",
                  "{}");
    assert_references(&pool->pool->named,
                      "Secret registry, Secret root, Secret ca, ServiceAccount runner, Secret env, "
                      "ConfigMap plain, ConfigMap files, Secret x-password, ConfigMap queries");
}

static void what_is_optional_or_nameless_is_none(void **state)
{
    (void)state;
    cleanup_object struct object *pool =
        pool_with("{'envFrom':[{'secretRef':{'name':'maybe','optional':true}},{'configMapRef':{}}],"
                  "'secret':'','imageName':'postgresql:15','postgresql':{'parameters':{'a':'b'}}}",
                  "{}");
    assert_references(&pool->pool->named, "");
}

static void requires_is_read_list_by_list(void **state)
{
    (void)state;
    cleanup_object struct object *pool = pool_with(
        "{}", "{'secrets':['a','b','a'],'configMaps':['a'],'serviceAccounts':['runner']}");
    assert_references(&pool->pool->required,
                      "ConfigMap a, Secret a, Secret b, ServiceAccount runner");
    cleanup_object struct object *none = object_from(KIND_POOL, "{'metadata':{'name':'p'}}");
    assert_references(&none->pool->required, "");
    assert_references(&none->pool->named, "");
}

static void there_is_a_most(void **state)
{
    (void)state;
    struct arena arena cleanup_arena;
    arena_init(&arena, 0);
    struct text template cleanup_text;
    text_init(&template, 10000);
    for (int i = 0; i <= REFERENCES_MAX; i++) {
        text_print(&template, "%s{\"secret\":{\"name\":\"s%d\"}}", i == 0 ? "[" : ",", i);
    }
    text_append(&template, "]");
    struct json_reader reader;
    json_reader_init(&reader, &arena);
    struct references references = template_named(&reader, template.bytes);
    struct error error;
    assert_int_equal(references.count, REFERENCES_MAX);
    assert_false(json_reader_check(&reader, "a Pool", &error));
    assert_non_null(strstr(error.message, "too many"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_are_found_wherever_they_are),
        cmocka_unit_test(what_is_optional_or_nameless_is_none),
        cmocka_unit_test(requires_is_read_list_by_list),
        cmocka_unit_test(there_is_a_most),
    };
    return cmocka_run_group_tests_name("template", tests, NULL, NULL);
}
