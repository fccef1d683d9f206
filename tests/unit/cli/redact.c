/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/redact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_BYTES_MAX = 64 * 1024 };

static void assert_text(const char *text, const char *expected)
{
    cleanup_text struct text out;
    text_init(&out, TEXT_BYTES_MAX);
    redact_text(text, &out);
    assert_string_equal(out.bytes, expected);
}

/* ' is written for ". */
static void assert_json(const char *json, const char *expected)
{
    cleanup_text struct text in;
    cleanup_text struct text wanted;
    cleanup_text struct text out;
    cleanup_json struct json_document *document = NULL;
    struct error error;
    text_init(&in, TEXT_BYTES_MAX);
    text_init(&wanted, TEXT_BYTES_MAX);
    text_init(&out, TEXT_BYTES_MAX);
    for (const char *at = json; *at != '\0'; at++) {
        text_append_char(&in, *at == '\'' ? '"' : *at);
    }
    for (const char *at = expected; *at != '\0'; at++) {
        text_append_char(&wanted, *at == '\'' ? '"' : *at);
    }
    assert_true(json_parse(in.bytes, in.length_bytes, &document, &error));
    redact_json(json_root(document), &out);
    assert_string_equal(out.bytes, wanted.bytes);
}

static void credentials_in_texts_are_taken_away(void **state)
{
    (void)state;
    assert_text("Authorization: Bearer abc.def\n", "Authorization: REDACTED\n");
    assert_text("sent bearer abc.def, again", "sent bearer REDACTED again");
    assert_text("postgres://shop:hunter2@db/shop", "postgres://REDACTED@db/shop");
    assert_text("host=db password=hunter2 user=shop", "host=db password=REDACTED user=shop");
    assert_text("{\"db_password\": \"hunter2\", \"n\": 1}",
                "{\"db_password\": \"REDACTED\", \"n\": 1}");
    assert_text("--token=abc --client-secret=x", "--token=REDACTED --client-secret=REDACTED");
    assert_text("eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrIn0.c2ln!", "REDACTED!");
    assert_text("Mock authentication nonce: 00ff\n", "Mock authentication nonce: REDACTED\n");
}

static void what_a_report_is_for_stays(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "https://127.0.0.1:6443/api?a=b",
        "ghcr.io/cloudnative-pg/postgresql:15",
        "Secret: alice-adjoint is there",
        "claim dev/alice-1 bound to pv-1; fsvol-0123456789abcdef0",
        "the token was refused (401)",
        "a@b.example: see https://x/y",
        "",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_text(texts[i], texts[i]);
    }
}

static void objects_keep_their_names_and_lose_their_secrets(void **state)
{
    (void)state;
    assert_json("{'env':[{'name':'A','value':'x'},{'name':'B','valueFrom':{'k':1}}]}",
                "{'env':[{'name':'A','value':'REDACTED'},{'name':'B','valueFrom':{'k':1}}]}");
    assert_json("{'sanitize':{'sql':'update'},'postInitSQL':['a','b'],'postgresql':'15'}",
                "{'sanitize':{'sql':'REDACTED'},'postInitSQL':'REDACTED','postgresql':'15'}");
    assert_json("{'args':['--token','x','--log','y','-p=1'],'command':['a','--password=x']}",
                "{'args':['--token','REDACTED','--log','y','-p=1'],'command':['a','--password="
                "REDACTED']}");
    assert_json("{'kind':'Secret','data':{'p':'eA=='},'stringData':{'q':'x'}}",
                "{'kind':'Secret','data':'REDACTED','stringData':'REDACTED'}");
    assert_json("{'metadata':{'name':'a','managedFields':[1]},'n':1.5,'t':true,'z':null}",
                "{'metadata':{'name':'a'},'n':1.5,'t':true,'z':null}");
    assert_json(
        "{'connection':{'secret':'alice-adjoint'},'token':'x','tokenReview':{'a':1}}",
        "{'connection':{'secret':'alice-adjoint'},'token':'REDACTED','tokenReview':{'a':1}}");
}

static void json_inside_of_a_string_is_gone_through(void **state)
{
    (void)state;
    assert_json("{'last':'{\\'spec\\':{\\'password\\':\\'x\\',\\'size\\':1}}'}",
                "{'last':'{\\'spec\\':{\\'password\\':\\'REDACTED\\',\\'size\\':1}}'}");
    assert_json("{'last':'{no JSON password=x'}", "{'last':'{no JSON password=REDACTED'}");
}

static void what_is_too_deep_is_not_gone_through(void **state)
{
    (void)state;
    cleanup_text struct text deep;
    cleanup_text struct text out;
    cleanup_json struct json_document *document = NULL;
    struct error error;
    text_init(&deep, TEXT_BYTES_MAX);
    text_init(&out, TEXT_BYTES_MAX);
    for (int i = 0; i < 60; i++) {
        text_append(&deep, i % 2 == 0 ? "{\"env\":[" : "[[");
    }
    text_append(&deep, "\"hunter2\"");
    for (int i = 59; i >= 0; i--) {
        text_append(&deep, i % 2 == 0 ? "]}" : "]]");
    }
    assert_true(json_parse(deep.bytes, deep.length_bytes, &document, &error));
    redact_json(json_root(document), &out);
    assert_null(strstr(out.bytes, "hunter2"));
    assert_non_null(strstr(out.bytes, REDACTED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(credentials_in_texts_are_taken_away),
        cmocka_unit_test(what_a_report_is_for_stays),
        cmocka_unit_test(objects_keep_their_names_and_lose_their_secrets),
        cmocka_unit_test(json_inside_of_a_string_is_gone_through),
        cmocka_unit_test(what_is_too_deep_is_not_gone_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
