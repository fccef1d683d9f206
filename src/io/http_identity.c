/* SPDX-License-Identifier: Apache-2.0 */
#include "io/http_identity.h"

#include "base/base64.h"

#include <string.h>

static void append_password(const struct credential_set *set, struct text *out)
{
    cleanup_text struct text pair;
    text_init(&pair, HTTP_IDENTITY_BYTES_MAX);
    text_print(&pair, "%s:%s", set->username, set->password == NULL ? "" : set->password);
    text_append(out, "Authorization: Basic ");
    base64_append(out, pair.bytes, pair.length_bytes);
}

bool http_identity_append(const struct credential_set *set, struct text *out, struct error *error)
{
    if (set->token != NULL) {
        if (strpbrk(set->token, "\r\n") != NULL) {
            return error_set(error, ERROR_UNAUTHORIZED, "%s: the token has a line break in it",
                             set->server);
        }
        text_print(out, "Authorization: Bearer %s", set->token);
    } else if (set->username != NULL) {
        append_password(set, out);
    }
    return text_check(out, "the credentials", error);
}
