/* SPDX-License-Identifier: Apache-2.0 */
/* Property names that are no identifiers of CEL, or words of it, are written in rules with
   underscores. (k8s.io/apiserver/pkg/cel/escaping.go) */
#include "sim/cel_tree.h"

#include "base/text.h"

#include <string.h>

enum { NAME_BYTES_MAX = 1024 };

static const char *const reserved[] = {
    "true",     "false",   "null",      "in",       "as",  "break",  "const",
    "continue", "else",    "for",       "function", "if",  "import", "let",
    "loop",     "package", "namespace", "return",   "var", "void",   "while",
};

static const struct escape {
    const char *written, *meant;
} escapes[] = {
    {"__underscores__", "__"},
    {"__dot__", "."},
    {"__dash__", "-"},
    {"__slash__", "/"},
};

bool cel_is_reserved(const char *word)
{
    for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++) {
        if (text_equal(reserved[i], word)) {
            return true;
        }
    }
    return false;
}

/* name without the two underscores at both ends is a reserved word. */
static bool is_escaped_word(const char *name, struct text *out)
{
    size_t byte_count = strlen(name);
    if (byte_count <= 4 || !text_starts_with(name, "__") || !text_ends_with(name, "__")) {
        return false;
    }
    text_append_bytes(out, name + 2, byte_count - 4);
    bool is_word = cel_is_reserved(out->bytes);
    if (!is_word) {
        text_clear(out);
    }
    return is_word;
}

const char *cel_unescape(const char *name, struct arena *arena)
{
    cleanup_text struct text meant;
    text_init(&meant, NAME_BYTES_MAX);
    if (is_escaped_word(name, &meant)) {
        return arena_copy(arena, meant.bytes);
    }
    for (const char *at = name; *at != '\0';) {
        const struct escape *escape = NULL;
        for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes) && escape == NULL; i++) {
            escape = text_starts_with(at, escapes[i].written) ? &escapes[i] : NULL;
        }
        text_append_bytes(&meant, escape != NULL ? escape->meant : at,
                          escape != NULL ? strlen(escape->meant) : 1);
        at += escape != NULL ? strlen(escape->written) : 1;
    }
    return arena_copy(arena, meant.bytes);
}
