/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/words.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz_";

void words_init(struct words *words)
{
    *words = (struct words){0};
    arena_init(&words->arena, 0);
}

void words_release(struct words *words)
{
    arena_release(&words->arena);
}

void words_set(struct words *words, const char *name, const char *value)
{
    size_t row = 0;
    while (row < words->count && !text_equal(words->rows[row].name, name)) {
        row++;
    }
    if (row == words->count) {
        assert(words->count < WORDS_MAX);
        words->rows[words->count++].name = arena_copy(&words->arena, name);
    }
    words->rows[row].value = arena_copy(&words->arena, value);
}

static const char *get(const struct words *words, const char *name, size_t name_bytes)
{
    for (size_t i = 0; i < words->count; i++) {
        if (strlen(words->rows[i].name) == name_bytes &&
            strncmp(words->rows[i].name, name, name_bytes) == 0) {
            return words->rows[i].value;
        }
    }
    return NULL;
}

const char *words_get(const struct words *words, const char *name)
{
    return get(words, name, strlen(name));
}

static const char *fill_gap(const struct words *words, const char *at, struct text *out)
{
    size_t name_bytes = strspn(at + 1, LETTERS);
    const char *value = get(words, at + 1, name_bytes);
    if (value == NULL) {
        text_append_char(out, '$');
        return at + 1;
    }
    text_append(out, value);
    return at + 1 + name_bytes;
}

void words_fill(const struct words *words, const char *text, struct text *out)
{
    const char *at = text;
    while (*at != '\0') {
        if (*at == '$') {
            at = fill_gap(words, at, out);
            continue;
        }
        if (*at == '`') {
            text_append(out, "\\\"");
        } else {
            text_append_char(out, (char)(*at == '\'' ? '"' : *at));
        }
        at++;
    }
}
