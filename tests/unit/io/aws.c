/* SPDX-License-Identifier: Apache-2.0 */
#include "io/aws.h"

#include "base/digest.h"
#include "support/test_server.h"

#include <openssl/hmac.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TARGET "AWSSimbaAPIService_v20180301.DescribeVolumes"
#define THROTTLED "{\"__type\":\"com.amazonaws.fsx#ThrottlingException\",\"Message\":\"slower\"}"

enum { HASH_BYTES = 32, TEXT_BYTES_MAX = 16 * 1024 };

struct fixture {
    struct arena arena;
    struct test_server *server;
    struct aws_account account;
    struct text reply;
    struct error error;
};

static bool call(struct fixture *fixture, const struct test_step *script, const char *body)
{
    const struct test_step *const scripts[] = {script, NULL};
    struct test_server_options options = {.scripts = scripts};
    fixture->server = test_server_new(&options);
    fixture->account.endpoint = test_server_url(fixture->server);
    return aws_call(&fixture->account, TARGET, body, &fixture->reply, &fixture->error);
}

static int setup(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){.account = {.service = "fsx",
                                           .region = "eu-west-1",
                                           .access_key = "AKIDEXAMPLE",
                                           .secret_key = "secret",
                                           .session_token = "a+token/of=days"}};
    arena_init(&fixture.arena, 0);
    text_init(&fixture.reply, TEXT_BYTES_MAX);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    test_server_free(fixture->server);
    text_release(&fixture->reply);
    arena_release(&fixture->arena);
    return 0;
}

/* What stands behind `name: ` in the request. */
static const char *header(struct fixture *fixture, const char *name)
{
    const char *line = test_server_request(fixture->server, 0);
    size_t length = strlen(name);
    while ((line = strchr(line, '\n')) != NULL) {
        line++;
        if (strncasecmp(line, name, length) == 0 && line[length] == ':') {
            const char *value = line + length + 1;
            value += strspn(value, " ");
            return arena_copy_bytes(&fixture->arena, value, strcspn(value, "\r\n"));
        }
    }
    fail_msg("no header %s in\n%s", name, test_server_request(fixture->server, 0));
    return NULL;
}

/* The words between two others of the Authorization header. */
static const char *between(struct fixture *fixture, const char *text, const char *before,
                           const char *after)
{
    const char *from = strstr(text, before);
    assert_non_null(from);
    from += strlen(before);
    return arena_copy_bytes(&fixture->arena, from, strcspn(from, after));
}

static void sign(const unsigned char *key, size_t key_bytes, const char *text,
                 unsigned char out[HASH_BYTES])
{
    unsigned char hash[HASH_BYTES];
    unsigned int length = 0;
    HMAC(EVP_sha256(), key, (int)key_bytes, (const unsigned char *)text, strlen(text), hash,
         &length);
    assert_int_equal(length, HASH_BYTES);
    memcpy(out, hash, HASH_BYTES);
}

/* As AWS computes it of what arrived (Create a signed AWS API request, in the IAM User Guide). */
static const char *signature(struct fixture *fixture, const char *names, const char *scope,
                             const char *body)
{
    struct text canonical cleanup_text;
    text_init(&canonical, TEXT_BYTES_MAX);
    text_append(&canonical, "POST\n/\n\n");
    for (const char *at = names; *at != '\0';) {
        const char *name = arena_copy_bytes(&fixture->arena, at, strcspn(at, ";"));
        text_print(&canonical, "%s:%s\n", name, header(fixture, name));
        at += strlen(name);
        at += *at == ';' ? 1 : 0;
    }
    char hash[DIGEST_HEX_BYTES];
    digest_sha256(body, strlen(body), hash);
    text_print(&canonical, "\n%s\n%s", names, hash);
    digest_sha256(canonical.bytes, canonical.length_bytes, hash);

    unsigned char key[HASH_BYTES];
    sign((const unsigned char *)"AWS4secret", strlen("AWS4secret"),
         arena_copy_bytes(&fixture->arena, scope, strcspn(scope, "/")), key);
    sign(key, HASH_BYTES, "eu-west-1", key);
    sign(key, HASH_BYTES, "fsx", key);
    sign(key, HASH_BYTES, "aws4_request", key);
    sign(key, HASH_BYTES,
         arena_print(&fixture->arena, "AWS4-HMAC-SHA256\n%s\n%s\n%s", header(fixture, "X-Amz-Date"),
                     scope, hash),
         key);
    char *hex = arena_new(&fixture->arena, 1, DIGEST_HEX_BYTES);
    for (size_t i = 0; i < HASH_BYTES; i++) {
        snprintf(hex + 2 * i, 3, "%02x", key[i]);
    }
    return hex;
}

static void what_is_sent_is_signed(void **state)
{
    static const struct test_step script[] = {{.kind = TEST_SERVE, .text = "{\"Volumes\":[]}"}};
    struct fixture *fixture = *state;
    assert_true(call(fixture, script, "{\"MaxResults\":2}"));
    assert_string_equal(fixture->reply.bytes, "{\"Volumes\":[]}");
    assert_string_equal(header(fixture, "X-Amz-Target"), TARGET);
    assert_string_equal(header(fixture, "Content-Type"), "application/x-amz-json-1.1");
    assert_true(test_server_request_has(fixture->server, 0, "{\"MaxResults\":2}"));

    const char *sent = header(fixture, "Authorization");
    const char *names = between(fixture, sent, "SignedHeaders=", ",");
    assert_string_equal(names, "content-type;host;x-amz-date;x-amz-security-token;x-amz-target");
    const char *scope = between(fixture, sent, "Credential=AKIDEXAMPLE/", ",");
    assert_true(text_ends_with(scope, "/eu-west-1/fsx/aws4_request"));
    assert_string_equal(between(fixture, sent, "Signature=", ","),
                        signature(fixture, names, scope, "{\"MaxResults\":2}"));
}

static void what_is_throttled_is_repeated(void **state)
{
    static const struct test_step script[] = {
        {.kind = TEST_READ},
        {.kind = TEST_ANSWER, .text = THROTTLED, .count = 400},
        {.kind = TEST_END}};
    static const struct test_step second[] = {{.kind = TEST_SERVE, .text = "{}"}};
    struct fixture *fixture = *state;
    const struct test_step *const scripts[] = {script, second, NULL};
    struct test_server_options options = {.scripts = scripts};
    fixture->server = test_server_new(&options);
    fixture->account.endpoint = test_server_url(fixture->server);
    assert_true(aws_call(&fixture->account, TARGET, "{}", &fixture->reply, &fixture->error));
    assert_string_equal(fixture->reply.bytes, "{}");
    assert_int_equal(test_server_request_count(fixture->server), 2);
}

static void it_gives_up_on_what_stays_throttled(void **state)
{
    static const struct test_step script[] = {
        {.kind = TEST_SERVE, .text = THROTTLED, .count = 400}};
    struct fixture *fixture = *state;
    assert_false(call(fixture, script, "{}"));
    assert_int_equal(fixture->error.class, ERROR_THROTTLED);
    assert_non_null(strstr(fixture->error.message, "ThrottlingException: slower (HTTP 400)"));
    assert_int_equal(test_server_request_count(fixture->server), 5);
    assert_string_equal(fixture->reply.bytes, "");
}

static void who_may_not_is_told_so_at_once(void **state)
{
    static const struct test_step script[] = {
        {.kind = TEST_SERVE,
         .text = "{\"__type\":\"AccessDeniedException\",\"message\":\"not you\"}",
         .count = 400}};
    struct fixture *fixture = *state;
    assert_false(call(fixture, script, "{}"));
    assert_int_equal(fixture->error.class, ERROR_FORBIDDEN);
    assert_non_null(strstr(fixture->error.message, "AccessDeniedException: not you (HTTP 400)"));
    assert_int_equal(test_server_request_count(fixture->server), 1);
}

static void what_is_no_json_is_refused_without_its_words(void **state)
{
    static const struct test_step script[] = {{.kind = TEST_SERVE, .text = "<html>", .count = 404}};
    struct fixture *fixture = *state;
    assert_false(call(fixture, script, "{}"));
    assert_int_equal(fixture->error.class, ERROR_INVALID);
    assert_non_null(strstr(fixture->error.message, ": refused (HTTP 404)"));
}

static void a_reply_has_a_limit(void **state)
{
    static const struct test_step script[] = {{.kind = TEST_SERVE, .text = "{\"Volumes\":[]}"}};
    struct fixture *fixture = *state;
    fixture->reply.length_bytes_max = 4;
    assert_false(call(fixture, script, "{}"));
    assert_int_equal(fixture->error.class, ERROR_LIMIT);
}

static void nobody_there_is_said(void **state)
{
    static const struct test_step script[] = {{.kind = TEST_RESET}};
    struct fixture *fixture = *state;
    assert_false(call(fixture, script, "{}"));
    assert_int_equal(fixture->error.class, ERROR_UNAVAILABLE);
    assert_true(text_starts_with(fixture->error.message, "http://127.0.0.1:"));
}

static void the_environment_says_who_and_where(void **state)
{
    struct fixture *fixture = *state;
    static const char *const names[] = {
        "AWS_REGION",        "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID",   "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL",   "AWS_ENDPOINT_URL_FSX"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        unsetenv(names[i]);
    }
    struct aws_account account;
    assert_false(aws_account_read("fsx", &fixture->arena, &account, &fixture->error));
    assert_string_equal(fixture->error.message, "set AWS_REGION");
    setenv("AWS_DEFAULT_REGION", "cn-north-1", 1);
    assert_false(aws_account_read("fsx", &fixture->arena, &account, &fixture->error));
    assert_true(text_starts_with(fixture->error.message, "set AWS_ACCESS_KEY_ID and "));
    setenv("AWS_ACCESS_KEY_ID", "key", 1);
    setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
    assert_true(aws_account_read("fsx", &fixture->arena, &account, &fixture->error));
    assert_string_equal(account.endpoint, "https://fsx.cn-north-1.amazonaws.com.cn");
    assert_null(account.session_token);
    setenv("AWS_REGION", "us-east-2", 1);
    assert_true(aws_account_read("fsx", &fixture->arena, &account, &fixture->error));
    assert_string_equal(account.endpoint, "https://fsx.us-east-2.amazonaws.com");
    setenv("AWS_ENDPOINT_URL_FSX", "http://127.0.0.1:1", 1);
    assert_true(aws_account_read("fsx", &fixture->arena, &account, &fixture->error));
    assert_string_equal(account.endpoint, "http://127.0.0.1:1");
}

#define WITH_SERVER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SERVER(what_is_sent_is_signed),
        WITH_SERVER(what_is_throttled_is_repeated),
        WITH_SERVER(it_gives_up_on_what_stays_throttled),
        WITH_SERVER(who_may_not_is_told_so_at_once),
        WITH_SERVER(what_is_no_json_is_refused_without_its_words),
        WITH_SERVER(a_reply_has_a_limit),
        WITH_SERVER(nobody_there_is_said),
        WITH_SERVER(the_environment_says_who_and_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
