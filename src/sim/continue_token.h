/* SPDX-License-Identifier: Apache-2.0 */
/* Where a list goes on: opaque to clients, and a promise by the server about which state its next
   page will show. */
#ifndef ADJOINT_SIM_CONTINUE_TOKEN_H
#define ADJOINT_SIM_CONTINUE_TOKEN_H

#include "base/text.h"

#include <stdint.h>

enum { CONTINUE_NAME_BYTES = 254, CONTINUE_TOKEN_BYTES_MAX = 1024 };

struct continue_token {
    uint64_t revision; /* of the list's first page; 0: whatever is the present then */
    /* The last object of the page before. */
    char namespace[CONTINUE_NAME_BYTES], name[CONTINUE_NAME_BYTES];
};

void continue_token_append(struct text *text, const struct continue_token *token);
MUST_CHECK bool continue_token_parse(const char *text, struct continue_token *out,
                                     struct error *error);

#endif
