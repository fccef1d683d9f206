/* SPDX-License-Identifier: Apache-2.0 */
/* A store holds thousands of these, so one object is one allocation of just its size: the struct
   and its arena live in the arena's own first block. The size is not known before, so an object
   is decoded twice, first into a block that is large enough for all but the largest; decoding
   costs microseconds, slack would cost a third of the store. */
#include "api/object.h"

#include "api/kind.h"
#include "api/object_meta.h"
#include "base/text.h"

#include <assert.h>
#include <string.h>

enum { FIRST_TRY_BYTES = 8 * 1024 };

static bool decode(enum object_kind kind, const struct json *root, size_t block_bytes,
                   struct object **out, struct error *error)
{
    struct arena arena;
    arena_init(&arena, block_bytes);
    cleanup_object struct object *object = arena_new(&arena, 1, sizeof(*object));
    object->arena = arena;
    object->kind = kind;

    struct json_reader reader;
    json_reader_init(&reader, &object->arena);
    object_meta_read(&reader, root, kind, &object->meta);
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

bool object_decode_json(enum object_kind kind, const struct json *root, struct object **out,
                        struct error *error)
{
    struct object *object = NULL;
    if (!decode(kind, root, FIRST_TRY_BYTES, &object, error)) {
        return false;
    }
    size_t used_bytes = object->arena.used_bytes;
    if (used_bytes <= FIRST_TRY_BYTES) {
        object_free(object);
        return decode(kind, root, used_bytes, out, error);
    }
    *out = object;
    return true;
}

bool object_decode(enum object_kind kind, const char *text, size_t byte_count, struct object **out,
                   struct error *error)
{
    cleanup_json struct json_document *document = NULL;
    if (!json_parse(text, byte_count, &document, error)) {
        return error_wrap(error, "%s", kind_of(kind)->kind);
    }
    return object_decode_json(kind, json_root(document), out, error);
}

void object_free(struct object *object)
{
    if (object != NULL) {
        struct arena arena = object->arena;
        arena_release(&arena);
    }
}

void object_cleanup(struct object **object)
{
    object_free(*object);
    *object = NULL;
}

/* Ours all begin alike, and few are as long. */
static const char *find(const struct label *labels, size_t count, const char *key)
{
    size_t key_bytes = count == 0 ? 0 : strlen(key);
    for (size_t i = 0; i < count; i++) {
        if (labels[i].key_bytes == key_bytes && memcmp(labels[i].key, key, key_bytes) == 0) {
            return labels[i].value;
        }
    }
    return NULL;
}

const char *object_label(const struct object *object, const char *key)
{
    return find(object->meta.labels, object->meta.label_count, key);
}

const char *object_annotation(const struct object *object, const char *key)
{
    return find(object->meta.annotations, object->meta.annotation_count, key);
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
