/* SPDX-License-Identifier: Apache-2.0 */
/* Whole kubeconfig files, from bytes to what is made of them. NAME.yaml (and NAME.2.yaml behind it,
   as in KUBECONFIG=NAME.yaml:NAME.2.yaml) has to become NAME.expected. */
#include "io/file.h"
#include "io/yaml.h"
#include "kube/exec_plugin.h"
#include "kube/kubeconfig.h"

#include "base/limits.h"
#include "base/memory.h"

#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FOLDER "tests/unit/kube/kubeconfigs"

enum { CASE_COUNT_MIN = 40, CASE_COUNT_MAX = 400, DOCUMENT_COUNT_MAX = 2 };

struct first_document {
    struct arena *arena;
    const char *json;
};

static bool keep_first(void *self, const char *json, struct error *error)
{
    (void)error;
    struct first_document *first = self;
    if (first->json == NULL) {
        first->json = arena_copy(first->arena, json);
    }
    return true;
}

/* *out_count stays when there is no such file, or nothing in it. */
static bool read_document(const char *name, struct arena *arena, struct kubeconfig_document *out,
                          size_t *out_count, struct error *error)
{
    const char *path = arena_print(arena, FOLDER "/%s", name);
    cleanup_memory char *bytes = NULL;
    size_t byte_count = 0;
    struct error ignored;
    if (!file_read(path, LIMIT_FILE_BYTES, &bytes, &byte_count, &ignored)) {
        return true;
    }
    struct first_document first = {.arena = arena};
    if (!yaml_to_json(bytes, byte_count, keep_first, &first, error)) {
        return error_wrap(error, "%s", name);
    }
    if (first.json != NULL) {
        out[(*out_count)++] = (struct kubeconfig_document){
            .json = first.json, .folder = "/folder", .path = arena_copy(arena, name)};
    }
    return true;
}

/* On one line. */
static void print(struct text *out, const char *key, const char *value)
{
    if (value == NULL) {
        return;
    }
    text_print(out, "%s: ", key);
    for (const char *at = value; *at != '\0'; at++) {
        if (*at == '\n') {
            text_append(out, "\\n");
        } else {
            text_append_char(out, *at);
        }
    }
    text_append_char(out, '\n');
}

static void print_exec(struct text *out, const struct exec_plugin *plugin)
{
    static const char *const modes[] = {"Never", "IfAvailable", "Always"};
    if (plugin == NULL) {
        return;
    }
    print(out, "exec", plugin->command);
    for (size_t i = 0; i < plugin->argument_count; i++) {
        print(out, "exec argument", plugin->arguments[i]);
    }
    for (size_t i = 0; i < plugin->variable_count; i++) {
        text_print(out, "exec variable: %s=%s\n", plugin->variables[i].name,
                   plugin->variables[i].value);
    }
    print(out, "exec version", plugin->api_version);
    print(out, "exec interactive", modes[plugin->interactive]);
    print(out, "exec install hint", plugin->install_hint);
    print(out, "exec cluster info", plugin->provide_cluster_info ? "yes" : NULL);
}

static void print_config(struct text *out, const struct kubeconfig *config)
{
    print(out, "context", config->context);
    print(out, "cluster", config->cluster);
    print(out, "user", config->user);
    print(out, "namespace", config->namespace);
    print(out, "server", config->server);
    print(out, "tls server name", config->tls_server_name);
    print(out, "proxy", config->proxy_url);
    print(out, "insecure", config->insecure_skip_tls_verify ? "yes" : NULL);
    print(out, "exec extension", config->exec_extension_json);
    if (config->clock_speed != 0) {
        text_print(out, "clock: %" PRId64 " from %" PRId64 "\n", config->clock_speed,
                   config->clock_from_ms);
    }
    print(out, "authority file", config->authority_file);
    print(out, "authority", config->authority_pem);
    print(out, "token", config->token);
    print(out, "token file", config->token_file);
    print(out, "username", config->username);
    print(out, "password", config->password);
    print(out, "certificate file", config->certificate_file);
    print(out, "certificate", config->certificate_pem);
    print(out, "key file", config->key_file);
    print(out, "key", config->key_pem);
    print_exec(out, config->exec);
}

static void make_of_files(const char *name, struct arena *arena, struct text *out)
{
    struct kubeconfig_document documents[DOCUMENT_COUNT_MAX];
    size_t count = 0;
    struct kubeconfig config;
    struct error error;
    bool went_well =
        read_document(arena_print(arena, "%s.yaml", name), arena, documents, &count, &error) &&
        read_document(arena_print(arena, "%s.2.yaml", name), arena, documents, &count, &error) &&
        kubeconfig_resolve(documents, count, NULL, arena, &config, &error);
    if (went_well) {
        print_config(out, &config);
    } else {
        text_print(out, "%s: %s\n", error_class_name(error.class), error.message);
    }
}

static void becomes_what_is_expected(void **state)
{
    const char *name = *state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    cleanup_text struct text made;
    text_init(&made, LIMIT_FILE_BYTES);
    make_of_files(name, &arena, &made);

    cleanup_memory char *expected = NULL;
    struct error error;
    if (!file_read(arena_print(&arena, FOLDER "/%s.expected", name), LIMIT_FILE_BYTES, &expected,
                   NULL, &error)) {
        fail_msg("%s; it was made\n%s", error.message, made.bytes);
    }
    assert_string_equal(made.bytes, expected);
}

static int is_case(const struct dirent *entry)
{
    return text_ends_with(entry->d_name, ".yaml") && !text_ends_with(entry->d_name, ".2.yaml");
}

int main(void)
{
    struct dirent **entries = NULL;
    int count = scandir(FOLDER, &entries, is_case, alphasort);
    assert_in_range(count, CASE_COUNT_MIN, CASE_COUNT_MAX);
    struct CMUnitTest tests[CASE_COUNT_MAX] = {0};
    for (int i = 0; i < count; i++) {
        char *name = memory_copy_text(entries[i]->d_name);
        name[strlen(name) - strlen(".yaml")] = '\0';
        tests[i] = (struct CMUnitTest){
            .name = name, .test_func = becomes_what_is_expected, .initial_state = name};
        free(entries[i]);
    }
    free(entries);
    int failed = _cmocka_run_group_tests("kubeconfigs", tests, (size_t)count, NULL, NULL);
    for (int i = 0; i < count; i++) {
        memory_free(tests[i].initial_state);
    }
    return failed;
}
