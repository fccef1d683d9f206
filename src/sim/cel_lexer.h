/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a rule. */
#ifndef ADJOINT_SRC_SIM_CEL_LEXER_H
#define ADJOINT_SRC_SIM_CEL_LEXER_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum cel_token_kind {
    TOKEN_END,
    TOKEN_IDENTIFIER,
    TOKEN_INTEGER,
    TOKEN_DOUBLE,
    TOKEN_STRING,
    TOKEN_MARK, /* an operator or a bracket */
};

struct cel_token {
    enum cel_token_kind kind;
    const char *text; /* as it is meant: a string's without quotes */
    double number;
    size_t at;
};

struct cel_lexer {
    const char *source;
    size_t at;
    struct arena *arena;
};

/* ERROR_INVALID for what is no word. After the last one TOKEN_END, again and again. */
MUST_CHECK bool cel_lexer_next(struct cel_lexer *lexer, struct cel_token *out_token,
                               struct error *error);

#endif
