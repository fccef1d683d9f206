/* SPDX-License-Identifier: Apache-2.0 */
/* A token with a line break in it would write headers of its own. And one that a file rotation
   cut short would only be found out by the server's 401; service account tokens are JWTs, so most
   cuts can be seen here: three parts, none empty. */
#include "kube/bearer_token.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

static bool looks_like_jwt(const char *token)
{
    return text_starts_with(token, "eyJ"); /* {" in base64 */
}

static bool has_three_parts(const char *token)
{
    size_t header = strcspn(token, ".");
    const char *rest = token + header;
    if (*rest == '\0') {
        return false;
    }
    size_t claims = strcspn(++rest, ".");
    rest += claims;
    return *rest != '\0' && claims > 0 && rest[1] != '\0' && strchr(rest + 1, '.') == NULL;
}

const char *bearer_token_problem(const char *token)
{
    assert(token != NULL);

    if (*token == '\0') {
        return "is empty";
    }
    for (const char *at = token; *at != '\0'; at++) {
        if (*at <= ' ' || *at >= 0x7F) {
            return "has a character that no token has";
        }
    }
    if (looks_like_jwt(token) && !has_three_parts(token)) {
        return "is cut short";
    }
    return NULL;
}
