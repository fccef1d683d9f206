/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the checks is kube-openapi's, and the words are: people look for them, and tests
   compare them with a real server's. (kube-openapi pkg/validation/validate, errors/schema.go) */
#include "sim/schema_judge.h"

#include "sim/value.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { WORDS_BYTES = 512, PATH_BYTES_MAX = 4096, NUMBER_BYTES = 32 };

/* One value under judgement. */
struct subject {
    const struct schema_node *node;
    const cJSON *value;
    const struct schema_path *path;
    struct violations *violations;
};

/* "PATH in body WORDS", with `shown` as the bad value. */
static void complain(const struct subject *subject, enum violation kind, const cJSON *shown,
                     const char *format, ...) PRINTF_LIKE(4, 5);
static void complain(const struct subject *subject, enum violation kind, const cJSON *shown,
                     const char *format, ...)
{
    char words[WORDS_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof(words), format, arguments);
    va_end(arguments);
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    schema_path_say(subject->path, &path);
    schema_path_violation(subject->path, subject->violations, kind, shown, "%s in body %s",
                          path.bytes, words);
}

static void complain_of_text(const struct subject *subject, enum violation kind, const char *shown,
                             const char *words)
{
    cJSON *value = cJSON_CreateString(shown);
    complain(subject, kind, value, "%s: \"%s\"", words, shown);
    cJSON_Delete(value);
}

static void complain_of_count(const struct subject *subject, size_t count, double least,
                              const char *unit)
{
    cJSON *value = cJSON_CreateNumber((double)count);
    complain(subject, VIOLATION_INVALID, value, "should have at least %.0f %s", least, unit);
    cJSON_Delete(value);
}

static void complain_of_many(const struct subject *subject, size_t count, double most)
{
    cJSON *value = cJSON_CreateNumber((double)count);
    schema_path_violation(subject->path, subject->violations, VIOLATION_TOO_MANY, value,
                          "must have at most %.0f items", most);
    cJSON_Delete(value);
}

/* As Go prints a float64. */
static const char *print_number(double number, char out[NUMBER_BYTES])
{
    (void)snprintf(out, NUMBER_BYTES, number == floor(number) ? "%.0f" : "%.15g", number);
    return out;
}

/* ---- type ---- */

static bool is_integral(const cJSON *value)
{
    return cJSON_IsNumber(value) && value->valuedouble == floor(value->valuedouble);
}

static const char *name_of_value(const cJSON *value)
{
    if (cJSON_IsNumber(value)) {
        return is_integral(value) ? "integer" : "number";
    }
    if (cJSON_IsString(value)) {
        return "string";
    }
    if (cJSON_IsBool(value)) {
        return "boolean";
    }
    if (cJSON_IsNull(value)) {
        return "null";
    }
    return cJSON_IsArray(value) ? "array" : "object";
}

static bool is_of_type(const struct schema_node *node, const cJSON *value)
{
    switch (node->type) {
    case SCHEMA_ANYTHING:
        return true;
    case SCHEMA_OBJECT:
        return cJSON_IsObject(value) != 0;
    case SCHEMA_ARRAY:
        return cJSON_IsArray(value) != 0;
    case SCHEMA_STRING:
        return cJSON_IsString(value) != 0;
    case SCHEMA_INTEGER:
        return is_integral(value);
    case SCHEMA_NUMBER:
        return cJSON_IsNumber(value) != 0;
    case SCHEMA_BOOLEAN:
        return cJSON_IsBool(value) != 0;
    case SCHEMA_INT_OR_STRING:
        return is_integral(value) || cJSON_IsString(value);
    }
    return false;
}

static void judge_type(const struct subject *subject)
{
    const struct schema_node *node = subject->node;
    char words[WORDS_BYTES];
    bool is_nullable = node->is_nullable || node->type == SCHEMA_ANYTHING;
    if (is_of_type(node, subject->value) || (cJSON_IsNull(subject->value) && is_nullable)) {
        return;
    }
    bool is_fraction = cJSON_IsNumber(subject->value) && node->type == SCHEMA_INTEGER &&
                       (node->format == FORMAT_INT32 || node->format == FORMAT_INT64);
    (void)snprintf(words, sizeof(words), "must be of type %s",
                   is_fraction ? node->format_text : schema_type_name(node->type));
    complain_of_text(subject, VIOLATION_TYPE,
                     is_fraction ? "float64" : name_of_value(subject->value), words);
}

/* ---- scalars ---- */

static size_t character_count(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xC0U) != 0x80U ? 1 : 0;
    }
    return count;
}

static void judge_text(const struct subject *subject)
{
    const struct schema_node *node = subject->node;
    const char *text = subject->value->valuestring;
    double length = (double)character_count(text);
    if (node->length_max.is_set && length > node->length_max.number) {
        schema_path_violation(subject->path, subject->violations, VIOLATION_TOO_LONG, NULL,
                              "may not be more than %.0f bytes", node->length_max.number);
    }
    if (node->length_min.is_set && length < node->length_min.number) {
        complain(subject, VIOLATION_INVALID, subject->value, "should be at least %.0f chars long",
                 node->length_min.number);
    }
    if (node->pattern != NULL && !pattern_found(node->pattern, text)) {
        complain(subject, VIOLATION_INVALID, subject->value, "should match '%s'",
                 node->pattern_text);
    }
    if (node->type == SCHEMA_STRING && !schema_format_holds(node->format, text)) {
        char words[WORDS_BYTES];
        (void)snprintf(words, sizeof(words), "must be of type %s", node->format_text);
        complain_of_text(subject, VIOLATION_TYPE, text, words);
    }
}

/* Integers beyond 2^53 have been refused at the door, so int64 always holds. */
static bool fits_format(const struct subject *subject)
{
    enum schema_format format = subject->node->format;
    double number = subject->value->valuedouble;
    bool is_int32 = number >= INT32_MIN && number <= INT32_MAX && number == floor(number);
    return (format != FORMAT_INT32 || is_int32) &&
           (format != FORMAT_INT64 || number == floor(number));
}

static void complain_of_format(const struct subject *subject)
{
    cleanup_text struct text path;
    text_init(&path, PATH_BYTES_MAX);
    schema_path_say(subject->path, &path);
    cJSON *nothing = cJSON_CreateString("");
    schema_path_violation(NULL, subject->violations, VIOLATION_INVALID, nothing,
                          "Checked value must be of type integer with format %s in %s",
                          subject->node->format_text, path.bytes);
    cJSON_Delete(nothing);
}

static void judge_number(const struct subject *subject)
{
    const struct schema_node *node = subject->node;
    double number = subject->value->valuedouble;
    char bound[NUMBER_BYTES];
    if (!fits_format(subject)) {
        complain_of_format(subject);
    }
    if (node->multiple_of.is_set && fmod(number, node->multiple_of.number) != 0) {
        complain(subject, VIOLATION_INVALID, subject->value, "should be a multiple of %s",
                 print_number(node->multiple_of.number, bound));
    }
    const struct schema_bound *most = &node->maximum;
    if (most->is_set && (number > most->number || (most->is_exclusive && number == most->number))) {
        complain(subject, VIOLATION_INVALID, subject->value, "should be less than %s%s",
                 most->is_exclusive ? "" : "or equal to ", print_number(most->number, bound));
    }
    const struct schema_bound *least = &node->minimum;
    if (least->is_set &&
        (number < least->number || (least->is_exclusive && number == least->number))) {
        complain(subject, VIOLATION_INVALID, subject->value, "should be greater than %s%s",
                 least->is_exclusive ? "" : "or equal to ", print_number(least->number, bound));
    }
}

static bool is_enumerated(const struct subject *subject)
{
    const cJSON *one = subject->node->enumeration->child;
    while (one != NULL && !value_equal(one, subject->value)) {
        one = one->next;
    }
    return one != NULL;
}

static void judge_enumeration(const struct subject *subject)
{
    if (is_enumerated(subject)) {
        return;
    }
    cleanup_text struct text known;
    text_init(&known, WORDS_BYTES);
    const cJSON *one = NULL;
    cJSON_ArrayForEach(one, subject->node->enumeration)
    {
        cleanup_memory char *shown = value_print(one);
        text_print(&known, cJSON_IsString(one) ? "%s%s" : "%s\"%s\"",
                   known.length_bytes == 0 ? "" : ", ", shown);
    }
    schema_path_violation(subject->path, subject->violations, VIOLATION_UNSUPPORTED, subject->value,
                          "supported values: %s", known.bytes);
}

/* ---- what has parts ---- */

/* NOLINTBEGIN(misc-no-recursion): as deep as the object, which has a limit */

static void judge_items(const struct subject *subject, const cJSON *old)
{
    const struct schema_node *node = subject->node;
    size_t count = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, subject->value)
    {
        struct schema_path at = {.parent = subject->path, .kind = PATH_INDEX, .index = count++};
        if (node->items != NULL) {
            schema_judge_value(node->items, item, schema_old_item(node, old, item), &at,
                               subject->violations);
        }
    }
    if (node->items_min.is_set && (double)count < node->items_min.number) {
        complain_of_count(subject, count, node->items_min.number, "items");
    }
    if (node->items_max.is_set && (double)count > node->items_max.number) {
        complain_of_many(subject, count, node->items_max.number);
    }
}

static void require(const struct subject *subject, const char *name)
{
    struct schema_path at = {.parent = subject->path, .kind = PATH_MEMBER, .name = name};
    if (value_member(subject->value, name) == NULL) {
        schema_path_violation(&at, subject->violations, VIOLATION_REQUIRED, NULL, "%s", "");
    }
}

static void judge_required(const struct subject *subject)
{
    const cJSON *name = NULL;
    cJSON_ArrayForEach(name, subject->node->required)
    {
        require(subject, name->valuestring);
    }
    if (subject->node->is_resource && subject->path != NULL) { /* an embedded one */
        require(subject, "apiVersion");
        require(subject, "kind");
    }
}

static void judge_members(const struct subject *subject, const cJSON *old)
{
    const struct schema_node *node = subject->node;
    size_t count = (size_t)cJSON_GetArraySize(subject->value);
    if (node->properties_min.is_set && (double)count < node->properties_min.number) {
        complain_of_count(subject, count, node->properties_min.number, "properties");
    }
    if (node->properties_max.is_set && (double)count > node->properties_max.number) {
        complain_of_many(subject, count, node->properties_max.number);
    }
    const cJSON *member = NULL;
    cJSON_ArrayForEach(member, subject->value)
    {
        struct schema_path at = {
            .parent = subject->path, .kind = PATH_MEMBER, .name = member->string};
        const struct schema_node *known = schema_node_member(node, member->string);
        if (known != NULL) {
            schema_judge_value(known, member, value_member(old, member->string), &at,
                               subject->violations);
        }
    }
    judge_required(subject);
}

void schema_judge_value(const struct schema_node *node, const cJSON *value, const cJSON *old,
                        const struct schema_path *path, struct violations *violations)
{
    struct subject subject = {node, value, path, violations};
    struct violations_mark before = violations_mark(violations);
    judge_type(&subject);
    if (cJSON_IsString(value)) {
        judge_text(&subject);
    } else if (cJSON_IsNumber(value)) {
        judge_number(&subject);
    } else if (cJSON_IsArray(value)) {
        judge_items(&subject, old);
    }
    if (node->enumeration != NULL && !cJSON_IsNull(value)) {
        judge_enumeration(&subject);
    }
    if (cJSON_IsObject(value)) {
        judge_members(&subject, old);
    }
    bool was_broken = violations_mark(violations).last != before.last;
    if (was_broken && old != NULL && value_equal(value, old)) {
        violations_back(violations, before);
    }
}

/* NOLINTEND(misc-no-recursion) */
