/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of strings, as k8s.io/kube-openapi/pkg/validation/strfmt judges them. */
#include "sim/schema_judge.h"

#include "base/arena.h"
#include "base/base64.h"
#include "base/text.h"
#include "base/timestamp.h"

#include <string.h>

static const char hex[] = "0123456789abcdefABCDEF";

/* Groups of 8, 4, 4, 4 and 12 with or without hyphens between them. */
static bool is_uuid(const char *text)
{
    static const size_t groups[] = {8, 4, 4, 4, 12};
    for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
        text += i > 0 && *text == '-' ? 1 : 0;
        if (strnlen(text, groups[i]) < groups[i] || strspn(text, hex) < groups[i]) {
            return false;
        }
        text += groups[i];
    }
    return *text == '\0';
}

static bool is_date_time(const char *text)
{
    int64_t ignored = 0;
    struct error error;
    return timestamp_parse(text, &ignored, &error);
}

static bool is_date(const char *text)
{
    cleanup_text struct text midnight;
    text_init(&midnight, TIMESTAMP_BYTES);
    text_print(&midnight, "%sT00:00:00Z", text);
    return !midnight.overflowed && is_date_time(midnight.bytes);
}

static bool is_base64(const char *text)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    char *bytes = NULL;
    size_t byte_count = 0;
    struct error error;
    return base64_decode(text, &arena, &bytes, &byte_count, &error);
}

bool schema_format_holds(enum schema_format format, const char *text)
{
    switch (format) {
    case FORMAT_NONE:
    case FORMAT_INT32:
    case FORMAT_INT64:
        return true;
    case FORMAT_DATE:
        return is_date(text);
    case FORMAT_DATE_TIME:
        return is_date_time(text);
    case FORMAT_UUID:
        return is_uuid(text);
    case FORMAT_BYTE:
        return is_base64(text);
    }
    return false;
}
