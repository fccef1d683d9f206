/* SPDX-License-Identifier: Apache-2.0 */
/* The longest common subsequence by its table: texts here have some hundred lines. */
#include "support/line_diff.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

struct lines {
    size_t count;
    const char **starts;
};

static struct lines split(const char *text)
{
    struct lines lines = {.starts = memory_new(strlen(text) + 1, sizeof(char *))};
    for (const char *at = text; *at != '\0';) {
        lines.starts[lines.count++] = at;
        const char *end = strchr(at, '\n');
        at = end == NULL ? at + strlen(at) : end + 1;
    }
    return lines;
}

static size_t length(const char *line)
{
    return strcspn(line, "\n");
}

static bool same(const char *one, const char *other)
{
    return length(one) == length(other) && memcmp(one, other, length(one)) == 0;
}

static void print(struct text *out, const char *mark, const char *line)
{
    text_append(out, mark);
    text_append_bytes(out, line, length(line));
    text_append_char(out, '\n');
}

void line_diff(const char *one, const char *other, struct text *out)
{
    struct lines left = split(one);
    struct lines right = split(other);
    size_t width = right.count + 1;
    size_t *common = memory_new((left.count + 1) * width, sizeof(size_t)); /* of what is behind */
    for (size_t i = left.count; i-- > 0;) {
        for (size_t j = right.count; j-- > 0;) {
            size_t skip = common[(i + 1) * width + j];
            size_t skip_other = common[i * width + j + 1];
            common[i * width + j] = same(left.starts[i], right.starts[j])
                                        ? common[(i + 1) * width + j + 1] + 1
                                        : (skip > skip_other ? skip : skip_other);
        }
    }
    size_t i = 0;
    size_t j = 0;
    while (i < left.count || j < right.count) {
        if (i < left.count && j < right.count && same(left.starts[i], right.starts[j])) {
            print(out, "  ", left.starts[i++]);
            j++;
        } else if (j == right.count ||
                   (i < left.count && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
            print(out, "- ", left.starts[i++]);
        } else {
            print(out, "+ ", right.starts[j++]);
        }
    }
    memory_free(common);
    memory_free(left.starts);
    memory_free(right.starts);
}
