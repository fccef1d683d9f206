/* SPDX-License-Identifier: Apache-2.0 */
/* What needs more than one call; what a file becomes is in kubeconfigs/ and the test of io that
   reads it. */
#include "kube/kubeconfig.h"

#include "base/text.h"
#include "kube/exec_plugin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char two_contexts[] =
    "{\"current-context\":\"dev\",\"contexts\":["
    "{\"name\":\"dev\",\"context\":{\"cluster\":\"dev\",\"user\":\"ann\"}},"
    "{\"name\":\"prod\",\"context\":{\"cluster\":\"prod\",\"user\":\"ann\",\"namespace\":\"a\"}}],"
    "\"clusters\":[{\"name\":\"dev\",\"cluster\":{\"server\":\"https://dev\"}},"
    "{\"name\":\"prod\",\"cluster\":{\"server\":\"https://prod\"}}],"
    "\"users\":[{\"name\":\"ann\",\"user\":{\"token\":\"sesame\"}}]}";

static bool resolve(const char *json, const char *context, struct arena *arena,
                    struct kubeconfig *out, struct error *error)
{
    struct kubeconfig_document document = {.json = json, .folder = "/folder", .path = "config"};
    return kubeconfig_resolve(&document, 1, context, arena, out, error);
}

/* One user `ann` and its cluster, both as JSON members. */
static struct kubeconfig config_of(const char *cluster, const char *user, struct arena *arena)
{
    const char *json = arena_print(
        arena,
        "{\"current-context\":\"c\",\"contexts\":[{\"name\":\"c\",\"context\":{\"cluster\":\"c\","
        "\"user\":\"ann\"}}],\"clusters\":[{\"name\":\"c\",\"cluster\":{\"server\":\"https://"
        "c\"%s}}"
        "],\"users\":[{\"name\":\"ann\",\"user\":{%s}}]}",
        cluster, user);
    struct kubeconfig config = {0};
    struct error error = {0};
    if (!resolve(json, NULL, arena, &config, &error)) {
        fail_msg("%s", error.message);
    }
    return config;
}

static void takes_the_context_that_is_asked_for(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct kubeconfig config;
    struct error error;
    assert_true(resolve(two_contexts, "prod", &arena, &config, &error));
    assert_string_equal(config.context, "prod");
    assert_string_equal(config.server, "https://prod");
    assert_string_equal(config.namespace, "a");
    assert_true(resolve(two_contexts, NULL, &arena, &config, &error));
    assert_string_equal(config.server, "https://dev");
}

static void leaves_out_alone_on_failure(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct kubeconfig config = {.server = "before"};
    struct error error;
    assert_false(resolve(two_contexts, "other", &arena, &config, &error));
    assert_int_equal(error.class, ERROR_INVALID);
    assert_string_equal(error.message, "the context other is not in config");
    assert_string_equal(config.server, "before");
    assert_false(resolve("{\"contexts\":", NULL, &arena, &config, &error));
    assert_true(text_starts_with(error.message, "config: "));
}

static void needs_nothing_of_the_text_afterwards(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    char json[sizeof(two_contexts)];
    memcpy(json, two_contexts, sizeof(json));
    char context[] = "dev";
    struct kubeconfig config;
    struct error error;
    assert_true(resolve(json, context, &arena, &config, &error));
    memset(json, 'x', sizeof(json));
    memset(context, 'x', sizeof(context));
    assert_string_equal(config.context, "dev");
    assert_string_equal(config.token, "sesame");
}

static void is_equal_to_itself_written_differently(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    static const char exec[] = "\"exec\":{\"apiVersion\":\"client.authentication.k8s.io/v1beta1\","
                               "\"command\":\"a\",\"args\":[\"b\"],\"env\":[{\"name\":\"C\","
                               "\"value\":\"d\"}]}";
    struct kubeconfig one = config_of("", exec, &arena);
    struct kubeconfig other = config_of(",\"colour\":\"blue\"", exec, &arena);
    other.context = "another name";
    other.namespace = "another";
    assert_true(kubeconfig_equal(&one, &other));
}

static void differs_by_every_field_that_is_used(void **state)
{
    (void)state;
    static const char *const clusters[] = {
        "",
        ",\"tls-server-name\":\"a\"",
        ",\"proxy-url\":\"http://a\"",
        ",\"insecure-skip-tls-verify\":true",
        ",\"certificate-authority\":\"a\"",
        ",\"certificate-authority-data\":\"YQ==\"",
        ",\"extensions\":[{\"name\":\"client.authentication.k8s.io/exec\",\"extension\":1}]"};
    static const char *const users[] = {
        "",
        "\"token\":\"a\"",
        "\"token\":\"b\"",
        "\"tokenFile\":\"a\"",
        "\"username\":\"a\",\"password\":\"b\"",
        "\"username\":\"a\",\"password\":\"c\"",
        "\"client-certificate\":\"a\",\"client-key\":\"b\"",
        "\"client-certificate\":\"a\",\"client-key\":\"c\"",
        "\"client-certificate\":\"a\",\"client-key-data\":\"YQ==\"",
        "\"client-certificate-data\":\"YQ==\",\"client-key-data\":\"YQ==\""};
    enum {
        CLUSTERS = sizeof(clusters) / sizeof(*clusters),
        USERS = sizeof(users) / sizeof(*users)
    };
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct kubeconfig all[CLUSTERS + USERS];
    for (size_t i = 0; i < CLUSTERS; i++) {
        all[i] = config_of(clusters[i], "\"token\":\"sesame\"", &arena);
    }
    for (size_t i = 0; i < USERS; i++) {
        all[CLUSTERS + i] = config_of("", users[i], &arena);
    }
    for (size_t i = 0; i < CLUSTERS + USERS; i++) {
        for (size_t j = 0; j < CLUSTERS + USERS; j++) {
            assert_int_equal(kubeconfig_equal(&all[i], &all[j]), i == j);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_context_that_is_asked_for),
        cmocka_unit_test(leaves_out_alone_on_failure),
        cmocka_unit_test(needs_nothing_of_the_text_afterwards),
        cmocka_unit_test(is_equal_to_itself_written_differently),
        cmocka_unit_test(differs_by_every_field_that_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
