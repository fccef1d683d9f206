/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/key.h"

#include "base/text.h"

#include <string.h>

enum { NAMESPACE_BYTES_MAX = 63, NAME_BYTES_MAX = 253 };

static const struct {
    enum object_kind kind;
    const char *word;
} words[] = {{KIND_POOL, "pool"},
             {KIND_INSTANCE, "instance"},
             {KIND_VOLUME, "volume"},
             {KIND_VOLUME_CLAIM, "claim"},
             {KIND_CLUSTER, "cluster"}};

/* Returns the end; NULL is nothing. */
static char *append(char *at, const char *text, size_t byte_count_max)
{
    size_t byte_count = text == NULL ? 0 : strnlen(text, byte_count_max);
    memcpy(at, text == NULL ? "" : text, byte_count);
    return at + byte_count;
}

void key_write(enum object_kind kind, const char *namespace, const char *name, char out[KEY_BYTES])
{
    const char *word = "unknown";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].kind == kind) {
            word = words[i].word;
        }
    }
    char *at = append(out, word, strlen(word));
    *at++ = '/';
    at = append(at, namespace, NAMESPACE_BYTES_MAX);
    *at++ = '/';
    *append(at, name, NAME_BYTES_MAX) = '\0';
}

bool key_read(const char *text, struct key *out)
{
    const char *namespace = strchr(text, '/');
    const char *name = namespace == NULL ? NULL : strchr(namespace + 1, '/');
    if (name == NULL) {
        return false;
    }
    size_t namespace_bytes = (size_t)(name - namespace - 1);
    size_t name_bytes = strlen(name + 1);
    if (namespace_bytes >= sizeof out->namespace || name_bytes >= sizeof out->name) {
        return false;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t word_bytes = strlen(words[i].word);
        if ((size_t)(namespace - text) != word_bytes ||
            memcmp(text, words[i].word, word_bytes) != 0) {
            continue;
        }
        out->kind = words[i].kind;
        memcpy(out->namespace, namespace + 1, namespace_bytes);
        out->namespace[namespace_bytes] = '\0';
        memcpy(out->name, name + 1, name_bytes + 1);
        return true;
    }
    return false;
}
