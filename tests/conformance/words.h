/* SPDX-License-Identifier: Apache-2.0 */
/* Words that are known only when a scene is played, and texts with gaps for them. In a text $name
   stands for a word, ' for ", and ` for \": so JSON reads well in a C string. */
#ifndef ADJOINT_CONFORMANCE_WORDS_H
#define ADJOINT_CONFORMANCE_WORDS_H

#include "base/arena.h"
#include "base/text.h"

enum { WORDS_MAX = 24 };

struct words {
    struct arena arena;
    struct {
        const char *name, *value;
    } rows[WORDS_MAX];
    size_t count;
};

void words_init(struct words *words);
void words_release(struct words *words);

/* Copies both; a word that is there gets the new value. */
void words_set(struct words *words, const char *name, const char *value);
/* NULL: there is none. */
const char *words_get(const struct words *words, const char *name);

/* Appends the text with its gaps filled. $ before what is no word stays as it is. */
void words_fill(const struct words *words, const char *text, struct text *out);

#endif
