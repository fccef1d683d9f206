/* SPDX-License-Identifier: Apache-2.0 */
/* Files that change while they are in use. */
#include "io/access.h"

#include "support/test_access.h"
#include "support/test_authority.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FILE_WARNING "credentials cannot be read again; the last good ones stay in use"
#define CONFIG_WARNING "the kubeconfig cannot be read again; what it said stays in use"
#define OVER "this is over"

static void expect_token(struct test_access *test, const char *token, uint64_t generation)
{
    test_access_ready(test);
    assert_string_equal(test->set.token, token);
    assert_int_equal(test->set.generation, generation);
}

/* A volume as kubelet projects it: token -> ..data/token, ..data -> ..1. */
static void project(struct test_access *test, const char *version, const char *token)
{
    struct arena *arena = &test->folder.arena;
    test_folder_write(&test->folder, arena_print(arena, "%s/token", version), token);
    test_folder_link(&test->folder, "..data", version);
}

static void open_projected(struct test_access *test)
{
    test_access_write_config(test, "", "tokenFile: token");
    test_folder_link(&test->folder, "token", "..data/token");
    project(test, "..1", "first");
    test_access_open(test);
    expect_token(test, "first", 1);
}

static void follows_a_token_that_kubelet_swaps(void **state)
{
    struct test_access *test = *state;
    open_projected(test);
    project(test, "..2", "second");
    test_folder_remove(&test->folder, "..1");
    expect_token(test, "second", 2);
    expect_token(test, "second", 2);
    project(test, "..3", "second\n");
    expect_token(test, "second", 2);
    assert_string_equal(test->log.bytes, "");
}

static void keeps_the_token_while_its_file_is_bad(void **state)
{
    struct test_access *test = *state;
    open_projected(test);
    static const char *const bad[] = {"", " \n", "two words", "eyJhbGciOiJSUzI1NiJ9.eyJpc3M"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        test_folder_write(&test->folder, "..1/token", bad[i]);
        expect_token(test, "first", 1);
        expect_token(test, "first", 1);
        assert_int_equal(test_access_log_count(test, FILE_WARNING), i + 1);
        assert_int_equal(test_access_log_count(test, "words"), 0);
    }
    test_folder_remove(&test->folder, "..1");
    expect_token(test, "first", 1);
    test_folder_remove(&test->folder, "..data");
    test_folder_remove(&test->folder, "token");
    expect_token(test, "first", 1);
    assert_int_equal(test_access_log_count(test, FILE_WARNING), 5);
    assert_int_equal(test_access_log_count(test, OVER), 0);

    test_folder_link(&test->folder, "token", "..data/token");
    project(test, "..2", "second");
    expect_token(test, "second", 2);
    expect_token(test, "second", 2);
    assert_int_equal(test_access_log_count(test, OVER), 1);
}

static void reads_no_more_often_than_it_should(void **state)
{
    struct test_access *test = *state;
    test->options.reload_ms = 3600 * 1000;
    open_projected(test);
    project(test, "..2", "second");
    expect_token(test, "first", 1);
}

static void reads_at_once_after_a_401(void **state)
{
    struct test_access *test = *state;
    test->options.reload_ms = 3600 * 1000;
    open_projected(test);
    project(test, "..2", "second");
    test->credentials.invalidate(test->credentials.self, 1);
    expect_token(test, "second", 2);

    project(test, "..3", "third");
    test->credentials.invalidate(test->credentials.self, 1);
    expect_token(test, "second", 2);
    test->credentials.invalidate(test->credentials.self, 2);
    expect_token(test, "third", 3);
    test->credentials.invalidate(test->credentials.self, 3);
    expect_token(test, "third", 3);
}

static void follows_the_authority_but_not_into_garbage(void **state)
{
    struct test_access *test = *state;
    struct test_authority *old = test_authority_new("old");
    struct test_authority *new = test_authority_new("new");
    struct arena *arena = &test->folder.arena;
    const char *both =
        arena_print(arena, "# old\n%s# new\n%s", test_authority_pem(old), test_authority_pem(new));
    test_access_write_config(test, "certificate-authority: ca.crt", "token: a");
    test_folder_write(&test->folder, "ca.crt", test_authority_pem(old));
    test_access_open(test);
    expect_token(test, "a", 1);
    const char *const bad[] = {"", "no PEM", arena_copy_bytes(arena, both, strlen(both) - 30),
                               arena_copy_bytes(arena, both, strlen(both) / 4)};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        test_folder_write(&test->folder, "ca.crt", bad[i]);
        expect_token(test, "a", 1);
        assert_string_equal(test->set.authority_pem, test_authority_pem(old));
        assert_int_equal(test_access_log_count(test, FILE_WARNING), i + 1);
    }
    const char *without_line_break = arena_copy_bytes(arena, both, strlen(both) - 1);
    test_folder_write(&test->folder, "ca.crt", without_line_break);
    expect_token(test, "a", 2);
    assert_string_equal(test->set.authority_pem, without_line_break);
    test_authority_free(old);
    test_authority_free(new);
}

static void takes_a_good_token_beside_a_bad_authority(void **state)
{
    struct test_access *test = *state;
    struct test_authority *authority = test_authority_new("good");
    test_access_write_config(test, "certificate-authority: ca.crt", "tokenFile: token");
    test_folder_write(&test->folder, "ca.crt", test_authority_pem(authority));
    test_folder_write(&test->folder, "token", "first");
    test_access_open(test);
    test_folder_write(&test->folder, "ca.crt", "garbage");
    test_folder_write(&test->folder, "token", "second");
    expect_token(test, "second", 2);
    assert_string_equal(test->set.authority_pem, test_authority_pem(authority));
    test_authority_free(authority);
}

static void takes_a_client_certificate_only_with_its_key(void **state)
{
    struct test_access *test = *state;
    struct test_authority *authority = test_authority_new("clients");
    struct test_certificate old, new;
    test_authority_issue(authority, "old", NULL, 3600, &old);
    test_authority_issue(authority, "new", NULL, 3600, &new);
    test_access_write_config(test, "", "client-certificate: a.crt, client-key: a.key");
    test_folder_write(&test->folder, "a.crt", old.certificate_pem);
    test_folder_write(&test->folder, "a.key", old.key_pem);
    test_access_open(test);
    test_access_ready(test);
    assert_string_equal(test->set.certificate_pem, old.certificate_pem);
    assert_string_equal(test->set.key_pem, old.key_pem);

    test_folder_write(&test->folder, "a.crt", new.certificate_pem);
    test_access_ready(test);
    assert_string_equal(test->set.certificate_pem, old.certificate_pem);
    assert_int_equal(test->set.generation, 1);
    assert_int_equal(test_access_log_count(test, "do not belong together"), 1);
    test_folder_remove(&test->folder, "a.key");
    test_access_ready(test);
    assert_string_equal(test->set.certificate_pem, old.certificate_pem);

    test_folder_write(&test->folder, "a.key", new.key_pem);
    test_access_ready(test);
    assert_string_equal(test->set.certificate_pem, new.certificate_pem);
    assert_string_equal(test->set.key_pem, new.key_pem);
    assert_int_equal(test->set.generation, 2);
    test_certificate_release(&old);
    test_certificate_release(&new);
    test_authority_free(authority);
}

static void follows_the_kubeconfig(void **state)
{
    struct test_access *test = *state;
    test_access_write_config(test, "", "token: first");
    test_access_open(test);
    expect_token(test, "first", 1);
    test_access_write_config(test, "", "token: second");
    expect_token(test, "second", 2);

    test_folder_write(&test->folder, "config", "");
    expect_token(test, "second", 2);
    test_folder_remove(&test->folder, "config");
    expect_token(test, "second", 2);
    expect_token(test, "second", 2);
    test_access_write_config(test, "", "tokenFile: missing");
    expect_token(test, "second", 2);
    assert_int_equal(test_access_log_count(test, CONFIG_WARNING), 3);

    test_folder_write(&test->folder, "missing", "third");
    expect_token(test, "third", 3);
    assert_int_equal(test_access_log_count(test, OVER), 1);
}

static void stays_with_its_context_and_server(void **state)
{
    struct test_access *test = *state;
    static const char rest[] = "contexts: [{name: a, context: {cluster: a, user: u}}, "
                               "{name: b, context: {cluster: b, user: u}}]\n"
                               "clusters: [{name: a, cluster: {server: 'https://%s'}}, "
                               "{name: b, cluster: {server: 'https://b'}}]\n"
                               "users: [{name: u, user: {token: t}}]\n";
    cleanup_text struct text config;
    text_init(&config, 10000);
    text_append(&config, "current-context: a\n");
    text_print(&config, rest, "a");
    test_folder_write(&test->folder, "config", config.bytes);
    test_access_open(test);

    config.bytes[strlen("current-context: ")] = 'b';
    test_folder_write(&test->folder, "config", config.bytes);
    expect_token(test, "t", 1);
    assert_string_equal(test->set.server, "https://a");
    assert_string_equal(test->log.bytes, "");

    text_clear(&config);
    text_append(&config, "current-context: a\n");
    text_print(&config, rest, "other");
    test_folder_write(&test->folder, "config", config.bytes);
    expect_token(test, "t", 1);
    assert_string_equal(test->set.server, "https://a");
    assert_int_equal(test_access_log_count(test, "it names another server now, https://other"), 1);
}

#define access_test(function)                                                                      \
    cmocka_unit_test_setup_teardown(function, test_access_setup, test_access_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        access_test(follows_a_token_that_kubelet_swaps),
        access_test(keeps_the_token_while_its_file_is_bad),
        access_test(reads_no_more_often_than_it_should),
        access_test(reads_at_once_after_a_401),
        access_test(follows_the_authority_but_not_into_garbage),
        access_test(takes_a_good_token_beside_a_bad_authority),
        access_test(takes_a_client_certificate_only_with_its_key),
        access_test(follows_the_kubeconfig),
        access_test(stays_with_its_context_and_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
