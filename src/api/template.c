/* SPDX-License-Identifier: Apache-2.0 */
/* The template passes through as text, so that a field CloudNativePG has since yesterday works
   today. What it refers to is therefore known by the names of fields alone, as its types and those
   of pods have them (api/v1/cluster_types.go; EnvVarSource, EnvFromSource, projected volumes). */
#include "api/template.h"

#include "api/field.h"
#include "base/text.h"

#include <string.h>

struct collector {
    struct json_reader *reader;
    struct reference *items;
    size_t count;
};

static const struct {
    const char *key;
    enum object_kind kind;
} FIELDS[] = {
    {"imagePullSecrets", KIND_SECRET},
    {"superuserSecret", KIND_SECRET},
    {"passwordSecret", KIND_SECRET},
    {"serverCASecret", KIND_SECRET},
    {"serverTLSSecret", KIND_SECRET},
    {"replicationTLSSecret", KIND_SECRET},
    {"clientCASecret", KIND_SECRET},
    {"customQueriesSecret", KIND_SECRET},
    {"bindPassword", KIND_SECRET},
    {"secretKeyRef", KIND_SECRET},
    {"secretRef", KIND_SECRET},
    {"secret", KIND_SECRET},
    {"customQueriesConfigMap", KIND_CONFIG_MAP},
    {"configMapKeyRef", KIND_CONFIG_MAP},
    {"configMapRef", KIND_CONFIG_MAP},
    {"configMap", KIND_CONFIG_MAP},
    {"serviceAccountName", KIND_SERVICE_ACCOUNT},
};

static void add(struct collector *collector, enum object_kind kind, const char *name)
{
    for (size_t i = 0; i < collector->count; i++) {
        if (collector->items[i].kind == kind && text_equal(collector->items[i].name, name)) {
            return;
        }
    }
    if (name == NULL || name[0] == '\0') {
        return;
    }
    if (collector->count == REFERENCES_MAX) {
        field_wrong(collector->reader, "cluster", "refers to too many objects");
        return;
    }
    collector->items[collector->count++] =
        (struct reference){kind, arena_copy(collector->reader->arena, name)};
}

static void add_object(struct collector *collector, enum object_kind kind, const struct json *value)
{
    struct json_reader lenient;
    json_reader_init(&lenient, collector->reader->arena);
    if (json_is_object(value) && !json_bool(&lenient, value, "optional", false)) {
        add(collector, kind, json_text(json_member(value, "name")));
    }
}

/* The name itself, an object with the name, or several of these. */
static void add_value(struct collector *collector, enum object_kind kind, const struct json *value)
{
    add(collector, kind, json_text(value));
    add_object(collector, kind, value);
    for (const struct json *at = json_is_array(value) ? json_first(value) : NULL; at != NULL;
         at = json_next(at)) {
        add_object(collector, kind, at);
    }
}

static void add_member(struct collector *collector, const struct json *member)
{
    for (size_t i = 0; i < sizeof(FIELDS) / sizeof(FIELDS[0]); i++) {
        if (text_equal(json_key(member), FIELDS[i].key)) {
            add_value(collector, FIELDS[i].kind, member);
        }
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): a JSON tree, its depth bounded by the parser */
static void collect(struct collector *collector, const struct json *value)
{
    bool has_keys = json_is_object(value);
    if (!has_keys && !json_is_array(value)) {
        return;
    }
    for (const struct json *at = json_first(value); at != NULL; at = json_next(at)) {
        if (has_keys) {
            add_member(collector, at);
        }
        collect(collector, at);
    }
}

static struct collector begin(struct json_reader *reader)
{
    return (struct collector){
        reader, arena_new(reader->arena, REFERENCES_MAX, sizeof(struct reference)), 0};
}

struct references template_named(struct json_reader *reader, const char *text)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    if (text == NULL || !json_parse(text, strlen(text), &document, &error)) {
        return (struct references){0, NULL};
    }
    struct collector collector = begin(reader);
    collect(&collector, json_root(document));
    return (struct references){collector.count, collector.items};
}

struct references template_required(struct json_reader *reader, const struct json *requires)
{
    static const struct {
        const char *key;
        enum object_kind kind;
    } lists[] = {
        {"configMaps", KIND_CONFIG_MAP},
        {"secrets", KIND_SECRET},
        {"serviceAccounts", KIND_SERVICE_ACCOUNT},
    };
    struct collector collector = begin(reader);
    for (size_t i = 0; requires != NULL && i < sizeof(lists) / sizeof(lists[0]); i++) {
        size_t count = 0;
        const char *const *names = field_strings(reader, requires, lists[i].key, &count);
        for (size_t at = 0; at < count; at++) {
            add(&collector, lists[i].kind, names[at]);
        }
    }
    return (struct references){collector.count, collector.items};
}
