/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 of `REVISION NAMESPACE/NAME`: a client that looks into it or makes one up is to fail, so
   it is not the plain text. */
#include "sim/continue_token.h"

#include "base/base64.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void continue_token_append(struct text *text, const struct continue_token *token)
{
    cleanup_text struct text plain;
    text_init(&plain, CONTINUE_TOKEN_BYTES_MAX);
    text_print(&plain, "%" PRIu64 " %s/%s", token->revision, token->namespace, token->name);
    base64_append(text, plain.bytes, plain.length_bytes);
}

static bool split(char *plain, struct continue_token *out)
{
    char *namespace = strchr(plain, ' ');
    char *name = namespace == NULL ? NULL : strchr(namespace, '/');
    if (name == NULL) {
        return false;
    }
    *namespace ++ = '\0';
    *name++ = '\0';
    int64_t revision;
    struct error ignored; /* the caller has words of its own */
    if (!text_parse_int64(plain, &revision, &ignored) || revision < 0 ||
        strlen(namespace) >= CONTINUE_NAME_BYTES || strlen(name) >= CONTINUE_NAME_BYTES) {
        return false;
    }
    out->revision = (uint64_t)revision;
    (void)snprintf(out->namespace, CONTINUE_NAME_BYTES, "%s", namespace);
    (void)snprintf(out->name, CONTINUE_NAME_BYTES, "%s", name);
    return true;
}

bool continue_token_parse(const char *text, struct continue_token *out, struct error *error)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    char *plain;
    size_t length;
    if (!base64_decode(text, &arena, &plain, &length, error)) {
        return error_set(error, ERROR_INVALID, "continue key is not valid: not one of this server");
    }
    return split(plain, out) || error_set(error, ERROR_INVALID,
                                          "continue key is not valid: incorrect encoded start key");
}
