/* SPDX-License-Identifier: Apache-2.0 */
/* Every parameter is written with an & before it; the first of them is made a ? at the end. Tokens
   and versions are opaque, hence encoded whatever they are; selectors come encoded. */
#include "kube/informer_path.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static void append_encoded(struct text *text, const char *value)
{
    for (const char *at = value; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (isalnum(byte) || strchr("-._~", byte) != NULL) {
            text_append_char(text, *at);
        } else {
            text_print(text, "%%%02X", byte);
        }
    }
}

static void append_selectors(enum object_kind kind, const struct informer_options *options,
                             struct text *out)
{
    const char *labels = options->label_selector;
    labels = labels == NULL ? kind_of(kind)->selector : labels;
    if (labels != NULL) {
        text_print(out, "&labelSelector=%s", labels);
    }
    if (options->field_selector != NULL) {
        text_print(out, "&fieldSelector=%s", options->field_selector);
    }
}

static void begin_query(struct text *out, size_t query_at)
{
    if (out->length_bytes > query_at) {
        out->bytes[query_at] = '?';
    }
}

void informer_path_list(enum object_kind kind, const struct informer_options *options,
                        const char *continue_token, struct text *out)
{
    kind_path(kind_of(kind), options->namespace, NULL, NULL, out);
    size_t query_at = out->length_bytes;
    append_selectors(kind, options, out);
    if (continue_token != NULL) {
        text_print(out, "&limit=%d", options->page_objects);
    }
    if (continue_token != NULL && continue_token[0] != '\0') {
        text_append(out, "&continue=");
        append_encoded(out, continue_token);
    }
    begin_query(out, query_at);
}

void informer_path_watch(enum object_kind kind, const struct informer_options *options,
                         const char *resource_version, int64_t seconds, struct text *out)
{
    kind_path(kind_of(kind), options->namespace, NULL, NULL, out);
    size_t query_at = out->length_bytes;
    append_selectors(kind, options, out);
    text_print(out, "&watch=1&allowWatchBookmarks=true&timeoutSeconds=%" PRId64, seconds);
    text_append(out, "&resourceVersion=");
    append_encoded(out, resource_version);
    begin_query(out, query_at);
}
