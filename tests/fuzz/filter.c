/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the labelSelector and fieldSelector of a URL: asked for twice with a comma between, they
   choose as they do once. */
#include "sim/filter.h"

#include "base/memory.h"
#include "support/fuzz_input.h"

#include <string.h>

static struct record *new_pod(void)
{
    static const char text[] = "{\"metadata\":{\"name\":\"p\",\"namespace\":\"dev\",\"uid\":\"u\","
                               "\"labels\":{\"app\":\"db\",\"tier\":\"\",\"rank\":\"7\"}},"
                               "\"spec\":{\"nodeName\":\"n\"},\"status\":{\"phase\":\"Running\"}}";
    struct fuzz_input input = {(const unsigned char *)text, sizeof(text) - 1};
    return record_new(&resource_pods, fuzz_input_value(&input), 1);
}

/* false: refused. */
static bool choose(const char *labels, const char *fields, bool *out_chosen)
{
    struct record *pod = new_pod();
    struct filter filter;
    struct error error = {0};
    bool read = filter_parse(&filter, &resource_pods, labels, fields, &error);
    if (read) {
        *out_chosen = filter_matches(&filter, pod);
    }
    fuzz_require(read || error.message[0] != '\0', "a refusal says why");
    filter_release(&filter);
    record_release(pod);
    return read;
}

static char *doubled(const char *selector)
{
    cleanup_text struct text text;
    text_init(&text, FUZZ_TEXT_BYTES_MAX);
    bool is_empty = selector[strspn(selector, " \t\r\n")] == '\0';
    text_print(&text, "%s%s%s", selector, is_empty ? "" : ",", selector);
    return text_take(&text);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *labels = fuzz_input_text(&input);
    cleanup_memory char *fields = fuzz_input_text(&input);
    cleanup_memory char *labels_twice = doubled(labels);
    cleanup_memory char *fields_twice = doubled(fields);
    bool once = false;
    bool twice = false;
    if (choose(labels, fields, &once)) {
        fuzz_require(choose(labels_twice, fields_twice, &twice) && once == twice,
                     "twice is as good as once");
    }
    return 0;
}
