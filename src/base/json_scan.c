/* SPDX-License-Identifier: Apache-2.0 */
/* Three layers, each knowing nothing of the next: base/json_lexer has the grammar, base/json_copy
   makes one object's text, and here is which values of a body are objects. The text handed out is
   the scan's own and used again, so a list of any length costs one object's memory.

   A list without `items` is refused rather than taken for an empty one: whoever compares it with
   what he knows would conclude that everything has been deleted. */
#include "base/json_scan.h"

#include "base/json_copy.h"
#include "base/json_filter.h"
#include "base/json_lexer.h"
#include "base/json_spelling.h"
#include "base/limits.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

_Static_assert(LIMIT_JSON_DEPTH <= JSON_LEXER_DEPTH_MAX, "the lexer has a bit for each level");

enum { LIST_DEPTH = 1 }; /* of the lexer, at the list's members */

enum place {
    AT_TOP,
    IN_OBJECT,        /* one that is given out */
    IN_LIST,          /* directly in the list's own object */
    IN_LIST_METADATA, /* copied like an object */
    IN_LIST_ITEMS,    /* directly in the array */
    IN_LIST_OTHER,    /* in a value of the list that nobody asked for */
};

enum list_member { MEMBER_OTHER, MEMBER_METADATA, MEMBER_ITEMS };

struct json_scan {
    enum json_scan_shape shape;
    json_scan_give give;
    void *self;
    struct error error;
    uint64_t byte_count; /* of the chunks before this one */

    struct json_lexer lexer;
    struct json_filter filter;
    struct json_copy copy;
    enum place place;

    enum list_member list_member;
    bool has_items;
    struct text list_metadata;
};

struct json_scan *json_scan_new(enum json_scan_shape shape, const struct json_scan_filter *filter,
                                size_t object_bytes_max, json_scan_give give, void *self)
{
    assert(give != NULL);
    struct json_scan *scan = memory_new(1, sizeof(*scan));
    scan->shape = shape;
    scan->give = give;
    scan->self = self;
    json_lexer_init(&scan->lexer, LIMIT_JSON_DEPTH, shape == JSON_SCAN_WATCH);
    json_filter_init(&scan->filter, filter, shape == JSON_SCAN_WATCH ? "object" : NULL);
    json_copy_init(&scan->copy, &scan->filter, object_bytes_max);
    text_init(&scan->list_metadata, object_bytes_max);
    return scan;
}

void json_scan_free(struct json_scan *scan)
{
    if (scan == NULL) {
        return;
    }
    json_filter_release(&scan->filter);
    json_copy_release(&scan->copy);
    text_release(&scan->list_metadata);
    memory_free(scan);
}

const char *json_scan_list_metadata(const struct json_scan *scan)
{
    return scan->list_metadata.length_bytes == 0 ? "{}" : scan->list_metadata.bytes;
}

static bool is_copying(const struct json_scan *scan)
{
    return scan->place == IN_OBJECT || scan->place == IN_LIST_METADATA;
}

static bool refuse(struct json_scan *scan, const char *problem)
{
    return error_set(&scan->error, ERROR_INVALID, "JSON: %s", problem);
}

static bool refuse_size(struct json_scan *scan)
{
    return error_set(&scan->error, ERROR_LIMIT, "JSON: an object of more than %zu bytes",
                     scan->copy.output.byte_count_max);
}

static bool begin_object(struct json_scan *scan, enum place place)
{
    uint64_t paths = place == IN_OBJECT ? json_filter_all(&scan->filter) : 0;
    json_copy_begin(&scan->copy, &scan->lexer, paths);
    scan->place = place;
    return true;
}

static bool end_object(struct json_scan *scan)
{
    const struct text *text = &scan->copy.output.text;
    if (json_output_is_too_large(&scan->copy.output)) {
        return refuse_size(scan);
    }
    if (scan->place == IN_LIST_METADATA) {
        text_clear(&scan->list_metadata);
        text_append_bytes(&scan->list_metadata, text->bytes, text->length_bytes);
        scan->place = IN_LIST;
        return true;
    }
    scan->place = scan->shape == JSON_SCAN_LIST ? IN_LIST_ITEMS : AT_TOP;
    if (!scan->give(scan->self, text->bytes, text->length_bytes, &scan->error)) {
        assert(scan->error.class != ERROR_NONE);
        return false;
    }
    return true;
}

static bool take_at_top(struct json_scan *scan, enum json_token token)
{
    if (token == JSON_SPACE) {
        return true;
    }
    if (token != JSON_OBJECT_BEGIN) {
        return refuse(scan, "a body that is no object");
    }
    if (scan->shape != JSON_SCAN_LIST) {
        return begin_object(scan, IN_OBJECT);
    }
    scan->place = IN_LIST;
    return true;
}

static bool key_is(const struct json_lexer *lexer, const char *name)
{
    return lexer->key_byte_count <= JSON_LEXER_KEY_BYTES_MAX &&
           json_spelling_is(lexer->key, lexer->key_byte_count, name, strlen(name));
}

static bool take_items(struct json_scan *scan, enum json_token token)
{
    if (token != JSON_ARRAY_BEGIN && token != JSON_NULL) {
        return refuse(scan, "a list whose items are no array");
    }
    scan->has_items = true;
    scan->place = token == JSON_NULL ? IN_LIST : IN_LIST_ITEMS;
    return true;
}

static bool take_list_metadata(struct json_scan *scan, enum json_token token)
{
    if (token == JSON_OBJECT_BEGIN) {
        return begin_object(scan, IN_LIST_METADATA);
    }
    return token == JSON_NULL || refuse(scan, "a list whose metadata is no object");
}

static bool take_list_value(struct json_scan *scan, enum json_token token)
{
    switch (scan->list_member) {
    case MEMBER_ITEMS:
        return take_items(scan, token);
    case MEMBER_METADATA:
        return take_list_metadata(scan, token);
    case MEMBER_OTHER:
        break;
    }
    if (token == JSON_OBJECT_BEGIN || token == JSON_ARRAY_BEGIN) {
        scan->place = IN_LIST_OTHER;
    }
    return true;
}

static bool take_in_list(struct json_scan *scan, enum json_token token)
{
    if (token == JSON_KEY) {
        scan->list_member = key_is(&scan->lexer, "items")      ? MEMBER_ITEMS
                            : key_is(&scan->lexer, "metadata") ? MEMBER_METADATA
                                                               : MEMBER_OTHER;
        return true;
    }
    if (token == JSON_SPACE || token == JSON_COMMA || token == JSON_COLON ||
        token == JSON_LONE_SURROGATE) {
        return true;
    }
    if (token == JSON_OBJECT_END) {
        scan->place = AT_TOP;
        return true;
    }
    return take_list_value(scan, token);
}

static bool take_in_items(struct json_scan *scan, enum json_token token)
{
    if (token == JSON_SPACE || token == JSON_COMMA) {
        return true;
    }
    if (token == JSON_ARRAY_END) {
        scan->place = IN_LIST;
        return true;
    }
    if (token != JSON_OBJECT_BEGIN) {
        return refuse(scan, "a list with an item that is no object");
    }
    return begin_object(scan, IN_OBJECT);
}

static bool take_token(struct json_scan *scan, enum json_token token, const char *at)
{
    switch (scan->place) {
    case IN_OBJECT:
    case IN_LIST_METADATA:
        return !json_copy_token(&scan->copy, &scan->lexer, token, at) || end_object(scan);
    case AT_TOP:
        return take_at_top(scan, token);
    case IN_LIST:
        return take_in_list(scan, token);
    case IN_LIST_ITEMS:
        return take_in_items(scan, token);
    case IN_LIST_OTHER:
        scan->place = IN_LIST;
        break;
    }
    return true;
}

/* What is too large stays so however its text goes on: then that is the error, whether or not the
   chunk that brought the other one had been cut before it. */
static bool refuse_token(struct json_scan *scan, enum json_token token, uint64_t offset)
{
    if (is_copying(scan) && json_output_is_too_large(&scan->copy.output)) {
        return refuse_size(scan);
    }
    if (token == JSON_TOO_DEEP) {
        return error_set(&scan->error, ERROR_LIMIT, "JSON: more than %d levels at byte %" PRIu64,
                         LIMIT_JSON_DEPTH, offset);
    }
    return error_set(&scan->error, ERROR_INVALID, "JSON: %s at byte %" PRIu64, scan->lexer.problem,
                     offset);
}

/* What nobody wants comes as one token: that of its end. */
static enum json_token next_token(struct json_scan *scan, const char **at, const char *end)
{
    if (scan->place == IN_LIST_OTHER) {
        return json_lexer_skip(&scan->lexer, LIST_DEPTH, at, end);
    }
    if (is_copying(scan) && scan->copy.mode == JSON_COPY_NONE) {
        return json_lexer_skip(&scan->lexer, scan->copy.mode_depth, at, end);
    }
    return json_lexer_next(&scan->lexer, at, end);
}

static bool scan_chunk(struct json_scan *scan, const char *bytes, size_t byte_count)
{
    const char *at = bytes;
    const char *end = bytes + byte_count;
    enum json_token token;
    if (is_copying(scan)) {
        json_copy_resume(&scan->copy, bytes);
    }
    while ((token = next_token(scan, &at, end)) < JSON_INVALID && token != JSON_MORE) {
        if (!take_token(scan, token, at)) {
            return false;
        }
    }
    if (is_copying(scan)) {
        json_copy_pause(&scan->copy, at);
    }
    if (token != JSON_MORE) {
        return refuse_token(scan, token, scan->byte_count + (uint64_t)(at - bytes));
    }
    scan->byte_count += byte_count;
    return !scan->copy.output.text.overflowed || refuse_size(scan);
}

static bool report(const struct json_scan *scan, struct error *error)
{
    if (scan->error.class == ERROR_NONE) {
        return true;
    }
    *error = scan->error;
    return false;
}

bool json_scan_feed(struct json_scan *scan, const char *bytes, size_t byte_count,
                    struct error *error)
{
    if (scan->error.class == ERROR_NONE && byte_count > 0) {
        (void)scan_chunk(scan, bytes, byte_count);
    }
    return report(scan, error);
}

bool json_scan_end(struct json_scan *scan, struct error *error)
{
    if (scan->error.class != ERROR_NONE) {
        return report(scan, error);
    }
    if (is_copying(scan) && json_output_is_too_large(&scan->copy.output)) {
        refuse_size(scan);
    } else if (!json_lexer_may_end(&scan->lexer)) {
        refuse(scan, "the body ended inside a value");
    } else if (scan->shape == JSON_SCAN_LIST && !scan->has_items) {
        refuse(scan, "a list without items");
    }
    return report(scan, error);
}
