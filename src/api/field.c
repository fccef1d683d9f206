/* SPDX-License-Identifier: Apache-2.0 */
/* A wrong type below an object is not to read as absent: a Pool whose spec is a string must not
   become a Pool with every default. So containers are checked here, one by one, and the decoders
   stay lists of fields. */
#include "api/field.h"

#include "base/duration.h"
#include "base/text.h"
#include "base/timestamp.h"

#include <assert.h>
#include <string.h>

void field_wrong(struct json_reader *reader, const char *key, const char *problem)
{
    if (reader->error.class == ERROR_NONE) {
        error_set(&reader->error, ERROR_INVALID, "%s %s", key, problem);
    }
}

const struct json *field_object(struct json_reader *reader, const struct json *parent,
                                const char *key)
{
    const struct json *value = json_member(parent, key);
    if (value == NULL || json_is_object(value)) {
        return value;
    }
    field_wrong(reader, key, "is no object");
    return NULL;
}

const struct json *field_array(struct json_reader *reader, const struct json *parent,
                               const char *key)
{
    const struct json *value = json_member(parent, key);
    if (value == NULL || json_is_array(value)) {
        return value;
    }
    field_wrong(reader, key, "is no array");
    return NULL;
}

const char *field_string(struct json_reader *reader, const struct json *parent, const char *key)
{
    const char *string = json_string(reader, parent, key);
    return string == NULL ? "" : string;
}

const char *field_word(struct json_reader *reader, const struct json *parent, const char *key)
{
    const char *word = json_word(reader, parent, key);
    return word == NULL ? "" : word;
}

/* Borrowed, for what is looked at and not kept. */
static const char *peek(struct json_reader *reader, const struct json *parent, const char *key)
{
    const struct json *value = json_member(parent, key);
    const char *text = json_text(value);
    if (value != NULL && text == NULL) {
        field_wrong(reader, key, "is no string");
    }
    return text;
}

int64_t field_time(struct json_reader *reader, const struct json *parent, const char *key)
{
    const char *text = peek(reader, parent, key);
    if (text == NULL) {
        return 0;
    }
    int64_t wall_ms = 0;
    struct error error;
    if (!timestamp_parse(text, &wall_ms, &error)) {
        field_wrong(reader, key, error.message);
    }
    return wall_ms;
}

int64_t field_duration(struct json_reader *reader, const struct json *parent, const char *key,
                       int64_t fallback_ms)
{
    const char *text = peek(reader, parent, key);
    int64_t ms = fallback_ms;
    struct error error;
    if (text != NULL && !duration_parse(text, &ms, &error)) {
        field_wrong(reader, key, error.message);
    }
    return ms;
}

const char *const *field_strings(struct json_reader *reader, const struct json *parent,
                                 const char *key, size_t *out_count)
{
    const struct json *array = field_array(reader, parent, key);
    size_t count = json_count(array);
    *out_count = 0;
    if (count == 0) {
        return NULL;
    }
    const char **strings = arena_new(reader->arena, count, sizeof(*strings));
    size_t filled = 0;
    for (const struct json *at = json_first(array); at != NULL; at = json_next(at)) {
        if (json_text(at) == NULL) {
            field_wrong(reader, key, "has an element that is no string");
            return NULL;
        }
        strings[filled++] = json_keep_word(reader, json_text(at));
    }
    assert(filled == count);
    *out_count = count;
    return strings;
}

const struct label *field_map(struct json_reader *reader, const struct json *parent,
                              const char *key, size_t *out_count)
{
    const struct json *map = field_object(reader, parent, key);
    size_t count = json_count(map);
    *out_count = 0;
    if (count == 0) {
        return NULL;
    }
    struct label *labels = arena_new(reader->arena, count, sizeof(*labels));
    for (const struct json *at = json_first(map); at != NULL; at = json_next(at)) {
        labels[*out_count] = (struct label){.key = arena_copy(reader->arena, json_key(at)),
                                            .value = field_string(reader, map, json_key(at))};
        *out_count += 1;
    }
    return labels;
}

static bool find(const char *const *names, const char *name, size_t *out_index)
{
    for (size_t i = 0; names[i] != NULL; i++) {
        if (text_equal(names[i], name)) {
            *out_index = i;
            return true;
        }
    }
    return false;
}

size_t field_choice(struct json_reader *reader, const struct json *parent, const char *key,
                    const char *const *names, size_t fallback)
{
    const char *text = peek(reader, parent, key);
    size_t index = fallback;
    if (text != NULL && !find(names, text, &index)) {
        field_wrong(reader, key, "has a value that this version does not know");
    }
    return index;
}

size_t field_choice_or(struct json_reader *reader, const struct json *parent, const char *key,
                       const char *const *names, size_t fallback)
{
    const char *text = peek(reader, parent, key);
    size_t index = fallback;
    if (text != NULL) {
        (void)find(names, text, &index);
    }
    return index;
}
