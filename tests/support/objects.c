/* SPDX-License-Identifier: Apache-2.0 */
#include "support/objects.h"

#include "api/kind.h"
#include "base/json_scan.h"
#include "base/limits.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct decoding {
    enum object_kind kind;
    struct object *object;
};

static bool decode_given(void *self, const char *text, size_t byte_count, struct error *error)
{
    struct decoding *decoding = self;
    assert_null(decoding->object);
    return object_decode(decoding->kind, text, byte_count, NULL, &decoding->object, error);
}

static bool decode(enum object_kind kind, const char *text, struct object **out,
                   struct error *error)
{
    struct decoding decoding = {.kind = kind};
    struct json_scan *scan = json_scan_new(JSON_SCAN_PLAIN, &kind_of(kind)->filter,
                                           LIMIT_OBJECT_BYTES, decode_given, &decoding);
    bool decoded = json_scan_feed(scan, text, strlen(text), error) && json_scan_end(scan, error);
    json_scan_free(scan);
    *out = decoding.object;
    return decoded;
}

static char *with_double_quotes(const char *json)
{
    char *text = memory_copy_text(json);
    for (char *at = strchr(text, '\''); at != NULL; at = strchr(at, '\'')) {
        *at = '"';
    }
    return text;
}

struct object *object_from_text(enum object_kind kind, const char *json)
{
    struct object *object = NULL;
    struct error error;
    if (!decode(kind, json, &object, &error)) {
        fail_msg("%s", error.message);
    }
    assert_non_null(object);
    return object;
}

struct object *object_from(enum object_kind kind, const char *json)
{
    cleanup_memory char *text = with_double_quotes(json);
    return object_from_text(kind, text);
}

void assert_object_refused(enum object_kind kind, const char *json, const char *message)
{
    cleanup_object struct object *object = NULL;
    struct error error;
    cleanup_memory char *text = with_double_quotes(json);
    assert_false(decode(kind, text, &object, &error));
    assert_int_equal(error.class, ERROR_INVALID);
    if (strstr(error.message, message) == NULL) {
        fail_msg("'%s' is not in '%s'", message, error.message);
    }
}
