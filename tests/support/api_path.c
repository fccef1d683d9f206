/* SPDX-License-Identifier: Apache-2.0 */
#include "support/api_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The next segment of *at, and *at behind it; false at the end. */
static bool segment(const char **at, char *out, size_t byte_count)
{
    if (**at != '/') {
        return false;
    }
    size_t length = strcspn(*at + 1, "/?");
    assert_true(length < byte_count);
    memcpy(out, *at + 1, length);
    out[length] = '\0';
    *at += length + 1;
    return true;
}

struct api_path api_path_parse(const char *path)
{
    for (int i = 0; i < KIND_COUNT; i++) {
        const struct kind *kind = kind_of((enum object_kind)i);
        struct api_path result = {.kind = (enum object_kind)i};
        char word[254];
        char last[64] = "";
        if (!text_starts_with(path, kind->prefix)) {
            continue;
        }
        const char *at = path + strlen(kind->prefix);
        bool some = segment(&at, word, sizeof(word));
        if (some && text_equal(word, "namespaces") && kind->namespaced) {
            (void)segment(&at, result.namespace, sizeof(result.namespace));
            some = segment(&at, word, sizeof(word));
        }
        if (!some || !text_equal(word, kind->plural)) {
            continue;
        }
        (void)segment(&at, result.name, sizeof(result.name));
        result.status = segment(&at, last, sizeof(last)) && text_equal(last, "status");
        if (last[0] != '\0' && !result.status) {
            continue; /* what is in a namespace, not the Namespace */
        }
        return result;
    }
    return (struct api_path){.kind = KIND_COUNT};
}
