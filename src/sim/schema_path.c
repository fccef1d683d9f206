/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/schema_path.h"

#include <stdarg.h>
#include <stdio.h>

enum { PATH_BYTES_MAX = 4096, DETAIL_BYTES_MAX = 4096 };

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the object, which has a limit */
void schema_path_say(const struct schema_path *path, struct text *out)
{
    if (path == NULL) {
        return;
    }
    schema_path_say(path->parent, out);
    switch (path->kind) {
    case PATH_MEMBER:
        text_print(out, "%s%s", out->length_bytes == 0 ? "" : ".", path->name);
        break;
    case PATH_KEY:
        text_print(out, "[%s]", path->name);
        break;
    case PATH_INDEX:
        text_print(out, "[%zu]", path->index);
        break;
    }
}

void schema_path_violation(const struct schema_path *path, struct violations *violations,
                           enum violation kind, const cJSON *value, const char *detail_format, ...)
{
    char detail[DETAIL_BYTES_MAX];
    va_list arguments;
    va_start(arguments, detail_format);
    (void)vsnprintf(detail, sizeof(detail), detail_format, arguments);
    va_end(arguments);
    cleanup_text struct text said;
    text_init(&said, PATH_BYTES_MAX);
    schema_path_say(path, &said);
    violations_add(violations, kind, path == NULL ? "<nil>" : said.bytes, value, "%s", detail);
}
