/* SPDX-License-Identifier: Apache-2.0 */
/* A table of all keywords that are done here, so that one which is not in it can be refused: a
   schema that judges less than a real server would be worse than none. */
#include "sim/schema_build.h"
#include "sim/value.h"

#include <stddef.h>

enum keyword_kind {
    KEYWORD_PROSE, /* for readers */
    KEYWORD_ELSEWHERE /* read by schema_build.c */,
    KEYWORD_FLAG,
    KEYWORD_BOUND,
    KEYWORD_TEXT,
    KEYWORD_ARRAY,
    KEYWORD_JSON,
};

#define AT(member) offsetof(struct schema_node, member)

static const struct keyword {
    const char *name;
    enum keyword_kind kind;
    size_t offset;
} keywords[] = {
    {"description", KEYWORD_PROSE, 0},
    {"title", KEYWORD_PROSE, 0},
    {"example", KEYWORD_PROSE, 0},
    {"externalDocs", KEYWORD_PROSE, 0},
    {"x-kubernetes-map-type", KEYWORD_PROSE, 0}, /* for server-side apply */
    {"type", KEYWORD_ELSEWHERE, 0},
    {"properties", KEYWORD_ELSEWHERE, 0},
    {"additionalProperties", KEYWORD_ELSEWHERE, 0},
    {"items", KEYWORD_ELSEWHERE, 0},
    {"anyOf", KEYWORD_ELSEWHERE, 0},
    {"x-kubernetes-int-or-string", KEYWORD_ELSEWHERE, 0},
    {"x-kubernetes-list-type", KEYWORD_ELSEWHERE, 0},
    {"x-kubernetes-validations", KEYWORD_ELSEWHERE, 0},
    {"nullable", KEYWORD_FLAG, AT(is_nullable)},
    {"x-kubernetes-preserve-unknown-fields", KEYWORD_FLAG, AT(keeps_unknown)},
    {"x-kubernetes-embedded-resource", KEYWORD_FLAG, AT(is_resource)},
    {"exclusiveMinimum", KEYWORD_FLAG, AT(minimum.is_exclusive)},
    {"exclusiveMaximum", KEYWORD_FLAG, AT(maximum.is_exclusive)},
    {"minimum", KEYWORD_BOUND, AT(minimum)},
    {"maximum", KEYWORD_BOUND, AT(maximum)},
    {"multipleOf", KEYWORD_BOUND, AT(multiple_of)},
    {"minLength", KEYWORD_BOUND, AT(length_min)},
    {"maxLength", KEYWORD_BOUND, AT(length_max)},
    {"minItems", KEYWORD_BOUND, AT(items_min)},
    {"maxItems", KEYWORD_BOUND, AT(items_max)},
    {"minProperties", KEYWORD_BOUND, AT(properties_min)},
    {"maxProperties", KEYWORD_BOUND, AT(properties_max)},
    {"pattern", KEYWORD_TEXT, AT(pattern_text)},
    {"format", KEYWORD_TEXT, AT(format_text)},
    {"required", KEYWORD_ARRAY, AT(required)},
    {"enum", KEYWORD_ARRAY, AT(enumeration)},
    {"x-kubernetes-list-map-keys", KEYWORD_ARRAY, AT(list_keys)},
    {"default", KEYWORD_JSON, AT(fallback)},
};

/* What a format is judged by; the others that a real server judges by are refused, and what it
   does not know it ignores, too. (apiextensions-apiserver validation/formats.go) */
static const struct format {
    const char *name;
    enum schema_format format;
} formats[] = {
    {"int32", FORMAT_INT32},         {"int64", FORMAT_INT64}, {"date", FORMAT_DATE},
    {"date-time", FORMAT_DATE_TIME}, {"uuid", FORMAT_UUID},   {"byte", FORMAT_BYTE},
};
static const char *const formats_not_done[] = {
    "bsonobjectid", "uri",      "email",          "hostname",      "ipv4",     "ipv6",
    "cidr",         "mac",      "uuid3",          "uuid4",         "uuid5",    "isbn",
    "isbn10",       "isbn13",   "creditcard",     "ssn",           "hexcolor", "rgbcolor",
    "duration",     "datetime", "k8s-short-name", "k8s-long-name",
};

static bool fits(enum keyword_kind kind, const cJSON *value)
{
    switch (kind) {
    case KEYWORD_FLAG:
        return cJSON_IsBool(value) != 0;
    case KEYWORD_BOUND:
        return cJSON_IsNumber(value) != 0;
    case KEYWORD_TEXT:
        return cJSON_IsString(value) != 0;
    case KEYWORD_ARRAY:
        return cJSON_IsArray(value) != 0;
    case KEYWORD_PROSE:
    case KEYWORD_ELSEWHERE:
    case KEYWORD_JSON:
        break;
    }
    return true;
}

static void set(struct schema_node *node, const struct keyword *keyword, const cJSON *value)
{
    void *member = (char *)node + keyword->offset;
    switch (keyword->kind) {
    case KEYWORD_FLAG:
        *(bool *)member = cJSON_IsTrue(value) != 0;
        break;
    case KEYWORD_BOUND:
        ((struct schema_bound *)member)->is_set = true;
        ((struct schema_bound *)member)->number = value->valuedouble;
        break;
    case KEYWORD_TEXT:
        *(const char **)member = value->valuestring;
        break;
    case KEYWORD_ARRAY:
    case KEYWORD_JSON:
        *(const cJSON **)member = value;
        break;
    case KEYWORD_PROSE:
    case KEYWORD_ELSEWHERE:
        break;
    }
}

static void read_keyword(struct schema_node *node, const cJSON *member,
                         const struct schema_path *path, const struct schema_builder *builder)
{
    for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++) {
        if (!text_equal(keywords[i].name, member->string)) {
            continue;
        }
        if (fits(keywords[i].kind, member)) {
            set(node, &keywords[i], member);
        } else {
            schema_refuse(builder, path, member->string, VIOLATION_INVALID, member, "wrong type");
        }
        return;
    }
    schema_refuse(builder, path, member->string, VIOLATION_FORBIDDEN, NULL,
                  "not supported by this simulated API server");
}

static void read_format(struct schema_node *node, const struct schema_path *path,
                        const struct schema_builder *builder)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
        if (text_equal(formats[i].name, node->format_text)) {
            node->format = formats[i].format;
        }
    }
    for (size_t i = 0; i < sizeof(formats_not_done) / sizeof(*formats_not_done); i++) {
        if (text_equal(formats_not_done[i], node->format_text)) {
            schema_refuse(builder, path, "format", VIOLATION_FORBIDDEN, NULL,
                          "%s is not supported by this simulated API server", node->format_text);
        }
    }
}

void schema_read_keywords(struct schema_node *node, const cJSON *open_api,
                          const struct schema_path *path, const struct schema_builder *builder)
{
    const cJSON *member = NULL;
    cJSON_ArrayForEach(member, open_api)
    {
        read_keyword(node, member, path, builder);
    }
    if (node->format_text != NULL) {
        read_format(node, path, builder);
    }
    struct error error;
    if (node->pattern_text != NULL && !pattern_new(node->pattern_text, &node->pattern, &error)) {
        schema_refuse(builder, path, "pattern", VIOLATION_INVALID,
                      value_member(open_api, "pattern"),
                      "must be a valid regular expression, but isn't: %s", error.message);
    }
}
