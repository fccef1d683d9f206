/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a plugin prints: what is taken can be sent as it is, and a refusal quotes nothing of
   it. */
#include "kube/exec_plugin.h"

#include "base/json.h"
#include "base/memory.h"
#include "kube/bearer_token.h"
#include "support/fuzz_input.h"

#include <string.h>

/* Our own words have none of these. */
static void require_own_words(const char *message)
{
    for (const char *at = message; *at != '\0'; at++) {
        fuzz_require(*at >= ' ' && *at <= 'z' && strchr("!#$%&*+;<=>?@[\\]^_`\"", *at) == NULL,
                     "a refusal quotes nothing");
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as cJSON reads */
static void require_no_value(const struct json *value, const char *message)
{
    const char *text = json_text(value);
    bool is_telling = text != NULL && strpbrk(text, "0123456789") != NULL && strlen(text) > 3 &&
                      strstr("client.authentication.k8s.io/v1", text) == NULL &&
                      strstr("RFC 3339", text) == NULL;
    fuzz_require(!is_telling || strstr(message, text) == NULL, "a refusal quotes no value");
    if (text != NULL) {
        return;
    }
    for (const struct json *at = json_first(value); at != NULL; at = json_next(at)) {
        require_no_value(at, message);
    }
}

static void require_quiet(const char *json, const char *message)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    require_own_words(message);
    if (json_parse(json, strlen(json), &document, &error)) {
        require_no_value(json_root(document), message);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    static const struct exec_plugin plugin = {.api_version = "client.authentication.k8s.io/v1"};
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *json = fuzz_input_text(&input);
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct exec_credential credential = {0};
    struct error error;
    if (!exec_credential_read(json, &plugin, &arena, &credential, &error)) {
        require_quiet(json, error.message);
        return 0;
    }
    fuzz_require((credential.certificate_pem == NULL) == (credential.key_pem == NULL),
                 "a certificate has its key");
    fuzz_require(credential.token != NULL || credential.certificate_pem != NULL,
                 "there is something to log in with");
    fuzz_require(credential.token == NULL || bearer_token_problem(credential.token) == NULL,
                 "the token fits into a header");
    return 0;
}
