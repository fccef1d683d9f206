/* SPDX-License-Identifier: Apache-2.0 */
/* A selector decides whose namespace gets a copy of production data, so what is missing must not
   widen it: no selector becomes a requirement that no label meets. */
#include "api/selector.h"

#include "api/field.h"
#include "base/text.h"

#include <assert.h>

/* In the order of enum selector_operator. */
static const char *const OPERATORS[] = {"In", "NotIn", "Exists", "DoesNotExist", NULL};

static const struct selector_requirement NEVER = {.key = "", .operator= SELECTOR_IN };

static struct selector_requirement read_label(struct json_reader *reader, const struct json *labels,
                                              const char *key)
{
    const char **value = arena_new(reader->arena, 1, sizeof(*value));
    *value = field_string(reader, labels, key);
    return (struct selector_requirement){
        .key = arena_copy(reader->arena, key),
        .operator= SELECTOR_IN,
        .value_count = 1,
        .values = value,
    };
}

static struct selector_requirement read_expression(struct json_reader *reader,
                                                   const struct json *expression)
{
    struct selector_requirement requirement = {
        .key = field_string(reader, expression, "key"),
        .operator=(enum selector_operator)
            field_choice(reader, expression, "operator", OPERATORS, SELECTOR_IN),
    };
    requirement.values = field_strings(reader, expression, "values", &requirement.value_count);
    return requirement;
}

struct selector selector_read(struct json_reader *reader, const struct json *parent,
                              const char *key)
{
    const struct json *selector = field_object(reader, parent, key);
    if (selector == NULL) {
        return (struct selector){.requirement_count = 1, .requirements = &NEVER};
    }
    const struct json *labels = field_object(reader, selector, "matchLabels");
    const struct json *expressions = field_array(reader, selector, "matchExpressions");
    size_t count = json_count(labels) + json_count(expressions);
    struct selector_requirement *requirements =
        arena_new(reader->arena, count, sizeof(*requirements));
    size_t filled = 0;
    for (const struct json *at = json_first(labels); at != NULL; at = json_next(at)) {
        requirements[filled++] = read_label(reader, labels, json_key(at));
    }
    for (const struct json *at = json_first(expressions); at != NULL; at = json_next(at)) {
        requirements[filled++] = read_expression(reader, at);
    }
    assert(filled == count);
    return (struct selector){.requirement_count = count, .requirements = requirements};
}

static const char *find_label(const struct label *labels, size_t label_count, const char *key)
{
    for (size_t i = 0; i < label_count; i++) {
        if (text_equal(labels[i].key, key)) {
            return labels[i].value;
        }
    }
    return NULL;
}

static bool has_value(const struct selector_requirement *requirement, const char *value)
{
    for (size_t i = 0; i < requirement->value_count; i++) {
        if (text_equal(requirement->values[i], value)) {
            return true;
        }
    }
    return false;
}

static bool holds(const struct selector_requirement *requirement, const char *value)
{
    switch (requirement->operator) {
    case SELECTOR_IN:
        return value != NULL && has_value(requirement, value);
    case SELECTOR_NOT_IN:
        return value == NULL || !has_value(requirement, value);
    case SELECTOR_EXISTS:
        return value != NULL;
    case SELECTOR_ABSENT:
        return value == NULL;
    }
    return false;
}

bool selector_matches(const struct selector *selector, const struct label *labels,
                      size_t label_count)
{
    for (size_t i = 0; i < selector->requirement_count; i++) {
        const struct selector_requirement *requirement = &selector->requirements[i];
        if (!holds(requirement, find_label(labels, label_count, requirement->key))) {
            return false;
        }
    }
    return true;
}
