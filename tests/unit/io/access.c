/* SPDX-License-Identifier: Apache-2.0 */
/* Where credentials are looked for, and what opening refuses. */
#include "io/access.h"

#include "support/test_access.h"
#include "support/test_authority.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void reads_the_file_it_is_told_to(void **state)
{
    struct test_access *test = *state;
    test_folder_write(&test->folder, "config",
                      "current-context: dev\n"
                      "contexts: [{name: dev, context: {cluster: c, user: u, namespace: team-a}}]\n"
                      "clusters: [{name: c, cluster: {server: 'https://[fd00::1]:6443', "
                      "tls-server-name: kube, insecure-skip-tls-verify: true, "
                      "proxy-url: 'socks5://proxy'}}]\n"
                      "users: [{name: u, user: {username: ann, password: sesame}}]\n");
    test_access_open(test);
    test_access_ready(test);
    assert_string_equal(access_namespace(test->access), "team-a");
    assert_string_equal(access_description(test->access),
                        arena_print(&test->folder.arena,
                                    "context dev of %s/config, server https://[fd00::1]:6443",
                                    test->folder.path));
    assert_string_equal(test->set.server, "https://[fd00::1]:6443");
    assert_string_equal(test->set.username, "ann");
    assert_string_equal(test->set.password, "sesame");
    assert_string_equal(test->set.tls_server_name, "kube");
    assert_string_equal(test->set.proxy_url, "socks5://proxy");
    assert_true(test->set.insecure_skip_tls_verify);
    assert_null(test->set.token);
    assert_null(test->set.authority_pem);
}

static void takes_the_context_it_is_told_to(void **state)
{
    struct test_access *test = *state;
    test_folder_write(&test->folder, "config",
                      "contexts: [{name: a, context: {cluster: a}}, "
                      "{name: b, context: {cluster: b}}]\n"
                      "clusters: [{name: a, cluster: {server: 'https://a'}}, "
                      "{name: b, cluster: {server: 'https://b'}}]\n");
    test->options.context = "b";
    test_access_open(test);
    test_access_ready(test);
    assert_string_equal(test->set.server, "https://b");
}

static void merges_a_list_and_passes_over_missing_files(void **state)
{
    struct test_access *test = *state;
    test_access_write_config(test, "tls-server-name: second", "token: second");
    test_folder_write(&test->folder, "first", "users: [{name: ann, user: {token: first}}]\n");
    test_folder_write(&test->folder, "empty", "");
    test->options.kubeconfig = NULL;
    const char *folder = test->folder.path;
    setenv("KUBECONFIG",
           arena_print(&test->folder.arena, "%s/missing:%s/empty:%s/first::%s/config", folder,
                       folder, folder, folder),
           1);
    test_access_open(test);
    test_access_ready(test);
    assert_string_equal(test->set.token, "first");
    assert_string_equal(test->set.tls_server_name, "second");
}

static void refuses_a_list_of_missing_files(void **state)
{
    struct test_access *test = *state;
    test->options.kubeconfig = "/nowhere/a:/nowhere/b";
    test_access_refuse(test, "there is no kubeconfig /nowhere/a:/nowhere/b");
}

static void finds_files_beside_the_kubeconfig(void **state)
{
    struct test_access *test = *state;
    struct test_authority *authority = test_authority_new("beside");
    test_access_write_config(test, "certificate-authority: ca.crt", "tokenFile: ./ann.token");
    test_folder_write(&test->folder, "ca.crt", test_authority_pem(authority));
    test_folder_write(&test->folder, "ann.token", " sesame\n\n");
    char *here = realpath(".", NULL);
    assert_int_equal(chdir(test->folder.path), 0);
    test->options.kubeconfig = "config";
    test_access_open(test);
    assert_int_equal(chdir(here), 0);
    free(here);
    assert_int_equal(test->credentials.get(test->credentials.self, &test->set, &test->error),
                     CREDENTIALS_READY);
    assert_string_equal(test->set.token, "sesame");
    assert_string_equal(test->set.authority_pem, test_authority_pem(authority));
    test_authority_free(authority);
}

static void write_account(struct test_access *test, const struct test_authority *authority)
{
    test_folder_write(&test->folder, "account/token", "pod-token");
    test_folder_write(&test->folder, "account/ca.crt", test_authority_pem(authority));
    test_folder_write(&test->folder, "account/namespace", "holding");
    test->options.kubeconfig = NULL;
    setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1", 1);
    setenv("KUBERNETES_SERVICE_PORT", "443", 1);
}

static void finds_the_service_account_of_a_pod(void **state)
{
    struct test_access *test = *state;
    struct test_authority *authority = test_authority_new("pod");
    write_account(test, authority);
    test_access_open(test);
    test_access_ready(test);
    assert_string_equal(test->set.server, "https://10.96.0.1:443");
    assert_string_equal(test->set.token, "pod-token");
    assert_string_equal(test->set.authority_pem, test_authority_pem(authority));
    assert_string_equal(access_namespace(test->access), "holding");
    assert_string_equal(access_description(test->access),
                        "in-cluster, server https://10.96.0.1:443");
    test_authority_free(authority);
}

static void puts_brackets_around_an_ipv6_service(void **state)
{
    struct test_access *test = *state;
    struct test_authority *authority = test_authority_new("pod");
    write_account(test, authority);
    setenv("KUBERNETES_SERVICE_HOST", "fd00::1", 1);
    test_folder_remove(&test->folder, "account/namespace");
    test_access_open(test);
    test_access_ready(test);
    assert_string_equal(test->set.server, "https://[fd00::1]:443");
    assert_string_equal(access_namespace(test->access), "default");
    test_authority_free(authority);
}

static void refuses_a_pod_that_is_half_there(void **state)
{
    struct test_access *test = *state;
    struct test_authority *authority = test_authority_new("pod");
    write_account(test, authority);
    test_authority_free(authority);
    setenv("KUBERNETES_SERVICE_PORT", "https", 1);
    test_access_refuse(test, "KUBERNETES_SERVICE_PORT is no port");
    setenv("KUBERNETES_SERVICE_PORT", "443", 1);
    setenv("KUBERNETES_SERVICE_HOST", "kube/../a", 1);
    test_access_refuse(test, "KUBERNETES_SERVICE_HOST is no host");
    setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1", 1);
    test_folder_write(&test->folder, "account/token", "");
    test_access_refuse(
        test, arena_print(&test->folder.arena, "%s/account/token: it is empty", test->folder.path));
    test_folder_write(&test->folder, "account/token", "pod-token");
    test_folder_remove(&test->folder, "account/ca.crt");
    test_access_refuse(test, arena_print(&test->folder.arena,
                                         "%s/account/ca.crt: No such file or directory",
                                         test->folder.path));
}

static void looks_in_order(void **state)
{
    struct test_access *test = *state;
    test->options.kubeconfig = NULL;
    test_access_refuse(test, "no cluster is configured: KUBECONFIG is not set, this is no pod with "
                             "a service account, and there is no ~/.kube/config");

    struct test_authority *authority = test_authority_new("pod");
    write_account(test, authority);
    test_authority_free(authority);
    test_folder_write(&test->folder, ".kube/config", "");
    unsetenv("KUBERNETES_SERVICE_HOST"); /* a token alone is no pod */
    test_access_refuse(test, "the kubeconfig is empty");
    setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1", 1); /* nor is a pod without a token */
    test_folder_remove(&test->folder, "account/token");
    test_access_refuse(test, "the kubeconfig is empty");
    test_folder_write(&test->folder, "account/token", "pod-token");
    test_access_open(test);
    assert_string_equal(access_description(test->access),
                        "in-cluster, server https://10.96.0.1:443");
    access_free(test->access);
    test->access = NULL;

    setenv("KUBECONFIG", "/nowhere/config", 1);
    test_access_refuse(test, "there is no kubeconfig /nowhere/config");
}

static void falls_back_to_the_token_beside_a_token_file(void **state)
{
    struct test_access *test = *state;
    test_access_write_config(test, "", "token: fallback, tokenFile: ann.token");
    test_access_open(test);
    test_access_ready(test);
    assert_string_equal(test->set.token, "fallback");
    uint64_t generation = test->set.generation;
    test_folder_write(&test->folder, "ann.token", "from-file");
    test_access_ready(test);
    assert_string_equal(test->set.token, "from-file");
    assert_int_equal(test->set.generation, generation + 1);
}

static void refuses_inline_data_that_tls_cannot_use(void **state)
{
    struct test_access *test = *state;
    test_access_write_config(test, "certificate-authority-data: c2VzYW1l", "token: a");
    test_access_refuse(test, "certificate-authority-data of the cluster dev: there is no PEM "
                             "certificate in it");
    test_access_write_config(test, "",
                             "client-certificate-data: c2VzYW1l, client-key-data: c2VzYW1l");
    test_access_refuse(test, "client-certificate-data of the user ann: client certificate: there "
                             "is no PEM certificate in it");
}

static void refuses_client_certificates_that_tls_cannot_use(void **state)
{
    struct test_access *test = *state;
    struct test_authority *authority = test_authority_new("clients");
    struct test_certificate one, other;
    test_authority_issue(authority, "one", NULL, 3600, &one);
    test_authority_issue(authority, "other", NULL, 3600, &other);
    test_access_write_config(test, "", "client-certificate: a.crt, client-key: a.key");
    test_folder_write(&test->folder, "a.crt", one.certificate_pem);
    test_folder_write(&test->folder, "a.key", other.key_pem);
    const char *folder = test->folder.path;
    struct arena *arena = &test->folder.arena;
    test_access_refuse(test, arena_print(arena,
                                         "%s/a.crt: the client's key and certificate do not belong "
                                         "together",
                                         folder));
    test_folder_write(&test->folder, "a.key", "sesame");
    test_access_refuse(
        test, arena_print(arena, "%s/a.crt: client key: there is no whole PEM key in it", folder));
    test_folder_write(&test->folder, "a.key",
                      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nc2VzYW1l\n"
                      "-----END ENCRYPTED PRIVATE KEY-----\n");
    test_access_refuse(test, arena_print(arena,
                                         "%s/a.crt: client key: it is encrypted, which is not "
                                         "supported",
                                         folder));
    test_certificate_release(&one);
    test_certificate_release(&other);
    test_authority_free(authority);
}

static void knows_the_clock_of_a_simulated_cluster(void **state)
{
    struct test_access *test = *state;
    test_access_write_config(test,
                             "extensions: [{name: adjoint.dev/clock, extension: "
                             "{speed: 60, from: '2026-12-01T08:00:00.250Z'}}]",
                             "token: sesame");
    test_access_open(test);
    struct clock clock = access_clock(test->access);
    assert_int_equal(clock.speed, 60);
    assert_int_equal(clock.from_wall_ms, 1796112000250);
}

static void takes_the_real_clock_without_one(void **state)
{
    struct test_access *test = *state;
    test_access_write_config(test, "", "token: sesame");
    test_access_open(test);
    struct clock clock = access_clock(test->access);
    assert_int_equal(clock_now(&clock, (struct now){.wall_ms = 7}).wall_ms, 7);
}

#define access_test(function)                                                                      \
    cmocka_unit_test_setup_teardown(function, test_access_setup, test_access_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        access_test(reads_the_file_it_is_told_to),
        access_test(takes_the_context_it_is_told_to),
        access_test(merges_a_list_and_passes_over_missing_files),
        access_test(refuses_a_list_of_missing_files),
        access_test(finds_files_beside_the_kubeconfig),
        access_test(finds_the_service_account_of_a_pod),
        access_test(puts_brackets_around_an_ipv6_service),
        access_test(refuses_a_pod_that_is_half_there),
        access_test(looks_in_order),
        access_test(falls_back_to_the_token_beside_a_token_file),
        access_test(refuses_inline_data_that_tls_cannot_use),
        access_test(refuses_client_certificates_that_tls_cannot_use),
        access_test(knows_the_clock_of_a_simulated_cluster),
        access_test(takes_the_real_clock_without_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
