/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the path: taken apart and written anew, with every byte escaped, it comes apart the same
   way. */
#include "sim/url.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

static void append_escaped(struct text *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        text_print(out, "%%%02x", (unsigned)(unsigned char)*at);
    }
}

static void write(struct text *out, const struct url *url)
{
    for (size_t i = 0; i < url->segment_count; i++) {
        text_append_char(out, '/');
        append_escaped(out, url->segments[i]);
    }
    for (size_t i = 0; i < url->parameter_count; i++) {
        text_append_char(out, i == 0 ? '?' : '&');
        append_escaped(out, url->parameters[i].name);
        text_append_char(out, '=');
        append_escaped(out, url->parameters[i].value);
    }
}

static void require_same(const struct url *url, const struct url *again)
{
    fuzz_require(url->segment_count == again->segment_count &&
                     url->parameter_count == again->parameter_count,
                 "there are as many parts");
    for (size_t i = 0; i < url->segment_count; i++) {
        fuzz_require(url_segment_is(again, i, url->segments[i]), "the segments are the same");
    }
    for (size_t i = 0; i < url->parameter_count; i++) {
        fuzz_require(text_equal(url->parameters[i].name, again->parameters[i].name) &&
                         text_equal(url->parameters[i].value, again->parameters[i].value),
                     "the parameters are the same");
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *path = fuzz_input_text(&input);
    cleanup_text struct text written;
    text_init(&written, FUZZ_TEXT_BYTES_MAX);
    cleanup_url struct url url = {0};
    cleanup_url struct url again = {0};
    struct error error;
    if (url_parse(&url, path, &error)) {
        write(&written, &url);
        fuzz_require(url_parse(&again, written.bytes, &error),
                     "what was taken apart can be written");
        require_same(&url, &again);
    }
    return 0;
}
