/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/overrides.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Why the first of them is refused; "": none is. */
static const char *judge(struct arena *arena, const char *durability, const char *parameters,
                         const char *labels)
{
    struct object *object = object_from(
        KIND_INSTANCE,
        arena_print(arena,
                    "{'metadata':{'name':'a','namespace':'dev'},'spec':{'durability':'%s',"
                    "'cluster':{'postgresql':{'parameters':{%s}},'labels':{%s}}}}",
                    durability, parameters, labels));
    struct verdict verdict = overrides_check(object->instance, arena);
    object_free(object);
    if (verdict.reason == NULL) {
        return "";
    }
    assert_string_equal(verdict.reason, "OverrideRefused");
    return verdict.message;
}

static void assert_refused(const char *parameters, const char *why)
{
    struct arena arena cleanup_arena;
    arena_init(&arena, 0);
    const char *message = judge(&arena, "Standard", parameters, "");
    if (strstr(message, why) == NULL) {
        fail_msg("%s: %s", parameters, message);
    }
}

static void assert_taken(const char *durability, const char *parameters, const char *labels)
{
    struct arena arena cleanup_arena;
    arena_init(&arena, 0);
    assert_string_equal(judge(&arena, durability, parameters, labels), "");
}

static void what_tunes_is_taken(void **state)
{
    (void)state;
    assert_taken("Standard",
                 "'work_mem':'64MB','shared_buffers':'1GB','synchronous_commit':'off',"
                 "'log_min_duration_statement':'250','pg_stat_statements.max':'100',"
                 "'search_path':'\\\"$user\\\", public','wal_init_zero':'off','jit':'off'",
                 "'team':'shop','example.com/cost':'42','mycnpg.io/x':'y'");
}

static void what_could_break_the_data_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"fsync", "full_page_writes", "zero_damaged_pages",
                                        "ignore_checksum_failure", "data_sync_retry"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct arena arena cleanup_arena;
        arena_init(&arena, 0);
        assert_refused(arena_print(&arena, "'%s':'off'", names[i]), "broken database");
    }
}

static void what_runs_or_loads_code_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"shared_preload_libraries", "session_preload_libraries",
                                        "local_preload_libraries",  "archive_command",
                                        "ssl_passphrase_command",   "restore_command",
                                        "archive_library",          "dynamic_library_path",
                                        "extension_control_path",   "jit_provider",
                                        "plperl.on_init",           "pltcl.start_proc"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct arena arena cleanup_arena;
        arena_init(&arena, 0);
        assert_refused(arena_print(&arena, "'%s':'x'", names[i]), "loads code");
    }
}

static void what_cloudnativepg_sets_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"port",         "data_directory", "hba_file",
                                        "include_dir",  "archive_mode",   "primary_conninfo",
                                        "ssl_key_file", "log_directory",  "recovery_target_time"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct arena arena cleanup_arena;
        arena_init(&arena, 0);
        assert_refused(arena_print(&arena, "'%s':'x'", names[i]), "CloudNativePG sets it");
    }
}

/* Postgres does not mind the case of a name, and a name goes into its file as it is. */
static void a_name_cannot_hide_another(void **state)
{
    (void)state;
    assert_refused("'Fsync':'off'", "in lower case");
    assert_refused("'':'off'", "in lower case");
    assert_refused("'.fsync':'off'", "in lower case");
    assert_refused("'x = 1\\nfsync':'off'", "in lower case");
    assert_refused("'work_mem':'1MB\\nfsync = off'", "one line");
    assert_refused("'work_mem':'1MB\\u007f'", "one line");
}

static void ordered_has_the_last_word_on_its_own(void **state)
{
    (void)state;
    struct arena arena cleanup_arena;
    arena_init(&arena, 0);
    assert_taken("Ordered", "'work_mem':'1MB'", "");
    assert_non_null(strstr(judge(&arena, "Ordered", "'synchronous_commit':'on'", ""),
                           "durability Ordered sets it"));
}

static void labels_by_which_tools_find_their_own_are_refused(void **state)
{
    (void)state;
    static const char *const keys[] = {"role",
                                       "adjoint.dev/role",
                                       "cnpg.io/cluster",
                                       "x.cnpg.io/y",
                                       "app.kubernetes.io/instance",
                                       "kubernetes.io/metadata.name",
                                       "argocd.argoproj.io/instance"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        struct arena arena cleanup_arena;
        arena_init(&arena, 0);
        const char *message =
            judge(&arena, "Standard", "", arena_print(&arena, "'%s':'x'", keys[i]));
        assert_non_null(strstr(message, arena_print(&arena, "label \"%s\"", keys[i])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_tunes_is_taken),
        cmocka_unit_test(what_could_break_the_data_is_refused),
        cmocka_unit_test(what_runs_or_loads_code_is_refused),
        cmocka_unit_test(what_cloudnativepg_sets_is_refused),
        cmocka_unit_test(a_name_cannot_hide_another),
        cmocka_unit_test(ordered_has_the_last_word_on_its_own),
        cmocka_unit_test(labels_by_which_tools_find_their_own_are_refused),
    };
    return cmocka_run_group_tests_name("overrides", tests, NULL, NULL);
}
