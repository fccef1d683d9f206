/* SPDX-License-Identifier: Apache-2.0 */
#include "kube/exec_plugin.h"

#include "kube/kubeconfig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define V1 "client.authentication.k8s.io/v1"
#define HEAD "\"kind\":\"ExecCredential\",\"apiVersion\":\"" V1 "\""

static const struct exec_plugin plugin = {.api_version = V1, .command = "login"};

static void tells_a_plugin_no_more_than_it_asked_for(void **state)
{
    (void)state;
    struct kubeconfig config = {.server = "https://dev", .token = "sesame"};
    cleanup_text struct text info;
    text_init(&info, 10000);
    exec_plugin_write_info(&plugin, &config, false, &info);
    assert_string_equal(info.bytes, "{" HEAD ",\"spec\":{\"interactive\":false}}");
}

static void tells_a_plugin_about_its_cluster(void **state)
{
    (void)state;
    struct exec_plugin asks = plugin;
    asks.provide_cluster_info = true;
    struct kubeconfig config = {.server = "https://dev"};
    cleanup_text struct text info;
    text_init(&info, 10000);
    exec_plugin_write_info(&asks, &config, true, &info);
    assert_string_equal(info.bytes, "{" HEAD ",\"spec\":{\"cluster\":{\"server\":\"https://dev\"},"
                                    "\"interactive\":true}}");
    text_clear(&info);
    config = (struct kubeconfig){.server = "https://dev",
                                 .tls_server_name = "kube",
                                 .insecure_skip_tls_verify = true,
                                 .authority_pem = "CA\n",
                                 .proxy_url = "http://proxy",
                                 .exec_extension_json = "{\"audience\":[1]}",
                                 .token = "sesame"};
    exec_plugin_write_info(&asks, &config, false, &info);
    assert_string_equal(info.bytes,
                        "{" HEAD ",\"spec\":{\"cluster\":{\"server\":\"https://dev\","
                        "\"tls-server-name\":\"kube\",\"insecure-skip-tls-verify\":true,"
                        "\"certificate-authority-data\":\"Q0EK\",\"proxy-url\":\"http://proxy\","
                        "\"config\":{\"audience\":[1]}},\"interactive\":false}}");
}

static void reads_a_token_with_its_expiry(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct exec_credential credential;
    struct error error;
    assert_true(exec_credential_read("{" HEAD ",\"spec\":{},\"status\":{\"token\":\"sesame\","
                                     "\"expirationTimestamp\":\"1970-01-01T00:01:00Z\"}}",
                                     &plugin, &arena, &credential, &error));
    assert_string_equal(credential.token, "sesame");
    assert_int_equal(credential.expiry_ms, 60 * 1000);
    assert_null(credential.certificate_pem);
    assert_null(credential.key_pem);
}

static void reads_a_certificate_that_never_expires(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct exec_credential credential;
    struct error error;
    assert_true(exec_credential_read("{" HEAD ",\"status\":{\"clientCertificateData\":\"C\\n\","
                                     "\"clientKeyData\":\"K\\n\",\"token\":\"\","
                                     "\"expirationTimestamp\":null}}",
                                     &plugin, &arena, &credential, &error));
    assert_string_equal(credential.certificate_pem, "C\n");
    assert_string_equal(credential.key_pem, "K\n");
    assert_null(credential.token);
    assert_int_equal(credential.expiry_ms, 0);
}

struct refusal {
    const char *printed, *reason;
};

static const struct refusal refusals[] = {
    {"sesame", "something else than JSON"},
    {"\"sesame\"", "no ExecCredential, but a list or a single value"},
    {"{\"kind\":\"Sesame\",\"apiVersion\":\"" V1 "\"}", "something else than an ExecCredential"},
    {"{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1beta1\","
     "\"status\":{\"token\":\"sesame\"}}",
     "another apiVersion than the configured " V1},
    {"{" HEAD "}", "an ExecCredential without a status"},
    {"{" HEAD ",\"status\":\"sesame\"}", "an ExecCredential without a status"},
    {"{" HEAD ",\"status\":{}}", "status has no token and no client certificate"},
    {"{" HEAD ",\"status\":{\"token\":17}}", "status: token is no string"},
    {"{" HEAD ",\"status\":{\"token\":\"sesame open\"}}",
     "status.token has a character that no token has"},
    {"{" HEAD ",\"status\":{\"token\":\"a\",\"clientKeyData\":\"sesame\"}}",
     "status has only one of clientCertificateData and "
     "clientKeyData"},
    {"{" HEAD ",\"status\":{\"token\":\"a\",\"expirationTimestamp\":\"sesame\"}}",
     "status.expirationTimestamp is no RFC 3339 time"},
};

static void refuses_anything_else_without_quoting_it(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        struct exec_credential credential = {.expiry_ms = 7};
        struct error error;
        assert_false(
            exec_credential_read(refusals[i].printed, &plugin, &arena, &credential, &error));
        assert_int_equal(error.class, ERROR_INVALID);
        assert_string_equal(error.message, refusals[i].reason);
        assert_null(strstr(error.message, "sesame"));
        assert_int_equal(credential.expiry_ms, 7);
    }
}

static void compares_every_field(void **state)
{
    (void)state;
    static const char *const one_argument[] = {"a"}, *const another_argument[] = {"b"};
    static const struct exec_variable one_variable[] = {{"A", "a"}}, another_value[] = {{"A", "b"}},
                                      another_name[] = {{"B", "a"}};
    const struct exec_plugin all[] = {
        plugin,
        {.api_version = "other", .command = "login"},
        {.api_version = V1, .command = "other"},
        {.api_version = V1, .command = "login", .install_hint = "hint"},
        {.api_version = V1, .command = "login", .provide_cluster_info = true},
        {.api_version = V1, .command = "login", .interactive = EXEC_INTERACTIVE_ALWAYS},
        {.api_version = V1, .command = "login", .argument_count = 1, .arguments = one_argument},
        {.api_version = V1, .command = "login", .argument_count = 1, .arguments = another_argument},
        {.api_version = V1, .command = "login", .variable_count = 1, .variables = one_variable},
        {.api_version = V1, .command = "login", .variable_count = 1, .variables = another_value},
        {.api_version = V1, .command = "login", .variable_count = 1, .variables = another_name},
    };
    enum { COUNT = sizeof(all) / sizeof(*all) };
    for (size_t i = 0; i < COUNT; i++) {
        assert_false(exec_plugin_equal(&all[i], NULL));
        for (size_t j = 0; j < COUNT; j++) {
            struct exec_plugin copy = all[j];
            assert_int_equal(exec_plugin_equal(&all[i], &copy), i == j);
        }
    }
    assert_true(exec_plugin_equal(NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_a_plugin_no_more_than_it_asked_for),
        cmocka_unit_test(tells_a_plugin_about_its_cluster),
        cmocka_unit_test(reads_a_token_with_its_expiry),
        cmocka_unit_test(reads_a_certificate_that_never_expires),
        cmocka_unit_test(refuses_anything_else_without_quoting_it),
        cmocka_unit_test(compares_every_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
