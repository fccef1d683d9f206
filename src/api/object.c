/* SPDX-License-Identifier: Apache-2.0 */
/* A store holds thousands of these, so one object is one allocation of just its size: the struct
   and its arena live in the arena's own first block. Neither its size nor its words are known
   before, so an object is decoded twice, first into a block that is large enough for all but the
   largest; decoding costs microseconds, slack would cost a third of the store. */
#include "api/object.h"

#include "api/kind.h"
#include "api/object_meta.h"
#include "base/common.h"
#include "base/text.h"

#include <assert.h>
#include <string.h>

enum { FIRST_TRY_BYTES = 8 * 1024 };

/* common: the words that need no copy; NULL: words is given what they are. Takes common. */
static bool decode_take(enum object_kind kind, const struct json *root, size_t block_bytes,
                        struct common *common, struct text *words, struct object **out,
                        struct error *error)
{
    struct arena arena;
    arena_init(&arena, block_bytes);
    cleanup_object struct object *object = arena_new(&arena, 1, sizeof(*object));
    object->arena = arena;
    object->kind = kind;
    object->common = common;

    struct json_reader reader;
    json_reader_init(&reader, &object->arena);
    reader.new_words = words;
    if (common != NULL) {
        common_lend(common, &reader);
    }
    object_meta_read(&reader, root, object);
    const struct kind *row = kind_of(kind);
    if (row->decode != NULL) {
        row->decode(&reader, root, object);
    }
    if (!json_reader_check(&reader, row->kind, error)) {
        if (object->meta.name[0] != '\0') {
            error_wrap(error, "%s/%s", object->meta.namespace, object->meta.name);
        }
        return false;
    }
    *out = object;
    object = NULL;
    return true;
}

/* What is shared is not in the first try, which tells its size and its words. */
bool object_decode_json(enum object_kind kind, const struct json *root, struct commons *commons,
                        struct object **out, struct error *error)
{
    cleanup_object struct object *object = NULL;
    cleanup_text struct text words;
    text_init(&words, FIRST_TRY_BYTES);
    if (!decode_take(kind, root, FIRST_TRY_BYTES, NULL, commons == NULL ? NULL : &words, &object,
                     error)) {
        return false;
    }
    size_t used_bytes = object->arena.used_bytes;
    if (used_bytes > FIRST_TRY_BYTES || words.length_bytes == 0) {
        return decode_take(kind, root, used_bytes, NULL, NULL, out, error);
    }
    return decode_take(kind, root, used_bytes - words.length_bytes,
                       commons_take(commons, words.bytes), NULL, out, error);
}

bool object_decode(enum object_kind kind, const char *text, size_t byte_count,
                   struct commons *commons, struct object **out, struct error *error)
{
    cleanup_json struct json_document *document = NULL;
    if (!json_parse(text, byte_count, &document, error)) {
        return error_wrap(error, "%s", kind_of(kind)->kind);
    }
    return object_decode_json(kind, json_root(document), commons, out, error);
}

void object_free(struct object *object)
{
    if (object != NULL) {
        struct arena arena = object->arena;
        common_drop(object->common);
        arena_release(&arena);
    }
}

void object_cleanup(struct object **object)
{
    object_free(*object);
    *object = NULL;
}

static const char *find(const struct label *labels, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++) {
        if (labels[i].key == key || strcmp(labels[i].key, key) == 0) {
            return labels[i].value;
        }
    }
    return NULL;
}

const char *object_label(const struct object *object, const char *key)
{
    const struct object_alike *alike = object->meta.alike;
    const char *value = find(object->meta.labels, object->meta.label_count, key);
    return value != NULL || alike == NULL ? value : find(alike->labels, alike->label_count, key);
}

const char *object_annotation(const struct object *object, const char *key)
{
    const struct object_alike *alike = object->meta.alike;
    const char *value = find(object->meta.annotations, object->meta.annotation_count, key);
    return value != NULL || alike == NULL ? value
                                          : find(alike->annotations, alike->annotation_count, key);
}

static const struct label *next(const struct label *own, size_t own_count,
                                const struct label *alike, size_t alike_count, size_t *at)
{
    size_t index = (*at)++;
    if (index < own_count) {
        return &own[index];
    }
    return index - own_count < alike_count ? &alike[index - own_count] : NULL;
}

const struct label *object_next_label(const struct object *object, size_t *at)
{
    const struct object_meta *meta = &object->meta;
    return next(meta->labels, meta->label_count, meta->alike == NULL ? NULL : meta->alike->labels,
                meta->alike == NULL ? 0 : meta->alike->label_count, at);
}

const struct label *object_next_annotation(const struct object *object, size_t *at)
{
    const struct object_meta *meta = &object->meta;
    return next(meta->annotations, meta->annotation_count,
                meta->alike == NULL ? NULL : meta->alike->annotations,
                meta->alike == NULL ? 0 : meta->alike->annotation_count, at);
}

size_t object_label_count(const struct object *object)
{
    const struct object_meta *meta = &object->meta;
    return meta->label_count + (meta->alike == NULL ? 0 : meta->alike->label_count);
}

bool object_has_finalizer(const struct object *object, const char *finalizer)
{
    for (size_t i = 0; i < object->meta.finalizer_count; i++) {
        if (text_equal(object->meta.finalizers[i], finalizer)) {
            return true;
        }
    }
    return false;
}

int object_compare_age(const struct object *one, const struct object *other)
{
    int64_t created_ms = one->meta.created_ms;
    int64_t other_created_ms = other->meta.created_ms;
    if (created_ms != other_created_ms) {
        return created_ms < other_created_ms ? -1 : 1;
    }
    return strcmp(one->meta.uid, other->meta.uid);
}
