/* SPDX-License-Identifier: Apache-2.0 */
/* A table of messages instead of generated code. A field that is not in it may be there as long as
   it says nothing (Go writes zero values, too). */
#include "sim/front_protobuf.h"

#include "sim/value.h"

#include "base/base64.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdint.h>
#include <string.h>

enum wire { WIRE_VARINT = 0, WIRE_BYTES = 2 };
enum { DEPTH_MAX = 8 };

enum field_kind {
    FIELD_TEXT,
    FIELD_TEXTS, /* repeated */
    FIELD_TRUTH,
    FIELD_BASE64,
    FIELD_MESSAGE,
    FIELD_MAP, /* repeated entries: 1 the key, 2 the value, whose field the message has */
};

struct message;

struct field {
    uint64_t number; /* 0 ends a message */
    const char *name;
    enum field_kind kind;
    const struct message *message;
};

struct message {
    const struct field *fields;
};

/* ---- the messages ---- */

static const struct field text_value[] = {{2, "value", FIELD_TEXT, NULL}, {0}};
static const struct field bytes_value[] = {{2, "value", FIELD_BASE64, NULL}, {0}};
static const struct message text_entry = {text_value};
static const struct message bytes_entry = {bytes_value};

static const struct field metadata_fields[] = {
    {1, "name", FIELD_TEXT, NULL},
    {2, "generateName", FIELD_TEXT, NULL},
    {3, "namespace", FIELD_TEXT, NULL},
    {5, "uid", FIELD_TEXT, NULL},
    {6, "resourceVersion", FIELD_TEXT, NULL},
    {11, "labels", FIELD_MAP, &text_entry},
    {12, "annotations", FIELD_MAP, &text_entry},
    {14, "finalizers", FIELD_TEXTS, NULL},
    {0},
};
static const struct message metadata = {metadata_fields};

static const struct field namespace_fields[] = {{1, "metadata", FIELD_MESSAGE, &metadata}, {0}};
static const struct field config_map_fields[] = {
    {1, "metadata", FIELD_MESSAGE, &metadata},
    {2, "data", FIELD_MAP, &text_entry},
    {3, "binaryData", FIELD_MAP, &bytes_entry},
    {4, "immutable", FIELD_TRUTH, NULL},
    {0},
};
static const struct field secret_fields[] = {
    {1, "metadata", FIELD_MESSAGE, &metadata},
    {2, "data", FIELD_MAP, &bytes_entry},
    {3, "type", FIELD_TEXT, NULL},
    {4, "stringData", FIELD_MAP, &text_entry},
    {5, "immutable", FIELD_TRUTH, NULL},
    {0},
};

static const struct kind {
    const char *name;
    struct message message;
} kinds[] = {
    {"Namespace", {namespace_fields}},
    {"ServiceAccount", {namespace_fields}},
    {"ConfigMap", {config_map_fields}},
    {"Secret", {secret_fields}},
};

/* ---- the wire ---- */

struct reader {
    const char *at, *end;
};

/* One field of a message. */
struct piece {
    uint64_t number, varint;
    struct reader bytes;
    bool is_bytes;
};

static bool read_varint(struct reader *reader, uint64_t *out)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (reader->at == reader->end) {
            return false;
        }
        uint64_t byte = (unsigned char)*reader->at++;
        value |= (byte & 0x7fU) << shift;
        if ((byte & 0x80U) == 0) {
            *out = value;
            return true;
        }
    }
    return false;
}

static bool read_piece(struct reader *reader, struct piece *out)
{
    uint64_t key = 0;
    uint64_t length = 0;
    *out = (struct piece){0};
    if (!read_varint(reader, &key)) {
        return false;
    }
    out->number = key >> 3U;
    if ((key & 7U) == WIRE_VARINT) {
        return read_varint(reader, &out->varint);
    }
    if ((key & 7U) != WIRE_BYTES || !read_varint(reader, &length) ||
        length > (uint64_t)(reader->end - reader->at)) {
        return false;
    }
    out->is_bytes = true;
    out->bytes = (struct reader){reader->at, reader->at + length};
    reader->at += length;
    return true;
}

static size_t length_of(const struct piece *piece)
{
    return (size_t)(piece->bytes.end - piece->bytes.at);
}

/* Empty, zero, or a message of nothing but such. */
static bool says_nothing(const struct piece *piece)
{
    if (!piece->is_bytes) {
        return piece->varint == 0;
    }
    struct reader inner = piece->bytes;
    struct piece part;
    while (inner.at < inner.end) {
        if (!read_piece(&inner, &part) ||
            (part.is_bytes ? length_of(&part) > 0 : part.varint != 0)) {
            return false;
        }
    }
    return true;
}

/* ---- to a tree ---- */

static cJSON *text_of(const struct piece *piece, bool as_base64)
{
    cleanup_text struct text text;
    text_init(&text, (size_t)LIMIT_BODY_BYTES * 2);
    if (as_base64) {
        base64_append(&text, piece->bytes.at, length_of(piece));
    } else {
        text_append_bytes(&text, piece->bytes.at, length_of(piece));
    }
    return cJSON_CreateString(text.bytes);
}

static bool read_message(struct reader reader, const struct message *message, int depth,
                         cJSON *out);

/* NOLINTBEGIN(misc-no-recursion): counted */

static bool add_entry(const struct piece *piece, const struct message *entry, int depth, cJSON *map)
{
    static const struct field key = {1, "key", FIELD_TEXT, NULL};
    const struct field fields[] = {key, entry->fields[0], {0}};
    const struct message both = {fields};
    cJSON *pair = cJSON_CreateObject();
    bool read = read_message(piece->bytes, &both, depth, pair);
    const char *name = value_text(pair, "key", NULL);
    const char *value = value_text(pair, "value", NULL);
    if (read) {
        value_set_text(map, name != NULL ? name : "", value != NULL ? value : "");
    }
    cJSON_Delete(pair);
    return read;
}

static bool add_field(const struct piece *piece, const struct field *field, int depth, cJSON *out)
{
    if (field->kind == FIELD_TRUTH) {
        value_set_true(out, field->name, piece->varint != 0);
        return !piece->is_bytes;
    }
    if (!piece->is_bytes) {
        return false;
    }
    switch (field->kind) {
    case FIELD_TEXT:
    case FIELD_BASE64:
        if (length_of(piece) > 0 || field->kind == FIELD_BASE64) {
            value_set(out, field->name, text_of(piece, field->kind == FIELD_BASE64));
        }
        return true;
    case FIELD_TEXTS:
        if (value_at(out, field->name, NULL) == NULL) {
            cJSON_AddArrayToObject(out, field->name);
        }
        cJSON_AddItemToArray(value_at(out, field->name, NULL), text_of(piece, false));
        return true;
    case FIELD_MESSAGE:
        return read_message(piece->bytes, field->message, depth + 1,
                            value_make(out, field->name, NULL));
    case FIELD_MAP:
        return add_entry(piece, field->message, depth + 1, value_make(out, field->name, NULL));
    case FIELD_TRUTH:
        break;
    }
    return false;
}

static bool read_message(struct reader reader, const struct message *message, int depth, cJSON *out)
{
    if (depth == DEPTH_MAX) {
        return false;
    }
    while (reader.at < reader.end) {
        struct piece piece;
        if (!read_piece(&reader, &piece)) {
            return false;
        }
        const struct field *field = message->fields;
        while (field->number != 0 && field->number != piece.number) {
            field++;
        }
        if (field->number == 0 ? !says_nothing(&piece) : !add_field(&piece, field, depth, out)) {
            return false;
        }
    }
    return true;
}

/* NOLINTEND(misc-no-recursion) */

/* ---- the envelope ---- */

static const struct field type_fields[] = {
    {1, "apiVersion", FIELD_TEXT, NULL}, {2, "kind", FIELD_TEXT, NULL}, {0}};
static const struct message type_meta = {type_fields};

static bool read_object(struct reader envelope, cJSON *out)
{
    struct piece type = {0};
    struct piece raw = {0};
    if (!read_piece(&envelope, &type) || type.number != 1 ||
        !read_message(type.bytes, &type_meta, 0, out) || !read_piece(&envelope, &raw) ||
        raw.number != 2 || !value_equal_text(out, "v1", "apiVersion", NULL)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (value_equal_text(out, kinds[i].name, "kind", NULL)) {
            return read_message(raw.bytes, &kinds[i].message, 0, out);
        }
    }
    return false;
}

char *front_protobuf_to_json(const char *bytes, size_t byte_count)
{
    static const char magic[] = {'k', '8', 's', '\0'};
    if (byte_count < sizeof(magic) || memcmp(bytes, magic, sizeof(magic)) != 0) {
        return NULL;
    }
    cJSON *object = cJSON_CreateObject();
    char *json = NULL;
    if (read_object((struct reader){bytes + sizeof(magic), bytes + byte_count}, object)) {
        json = value_print(object);
    }
    cJSON_Delete(object);
    return json;
}
