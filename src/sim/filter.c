/* SPDX-License-Identifier: Apache-2.0 */
/* Parsed once for a request, asked for every object of a list and every change of a watch, so a
   filter that is empty costs nothing and the rest walks a list of ready-made words. */
#include "sim/filter.h"

#include "base/text.h"
#include "sim/value.h"

#include <string.h>

bool filter_parse(struct filter *filter, const struct resource *resource, const char *labels,
                  const char *fields, struct error *error)
{
    *filter = (struct filter){0};
    arena_init(&filter->arena, 0);
    return (labels == NULL || filter_parse_labels(filter, labels, error)) &&
           (fields == NULL || filter_parse_fields(filter, resource, fields, error));
}

void filter_release(struct filter *filter)
{
    arena_release(&filter->arena);
    filter->requirements = NULL;
}

/* key: member names with dots between. NULL: nothing there, or nothing that has a text. */
static const char *field_text(const cJSON *object, const char *key)
{
    const cJSON *value = object;
    const char *rest = key;
    while (rest != NULL && value != NULL) {
        char name[64];
        size_t length = strcspn(rest, ".");
        if (length >= sizeof(name)) {
            return NULL;
        }
        memcpy(name, rest, length);
        name[length] = '\0';
        rest = rest[length] == '.' ? rest + length + 1 : NULL;
        value = value_at(value, name, NULL);
    }
    if (value == NULL) {
        return NULL;
    }
    if (cJSON_IsBool(value)) {
        return cJSON_IsTrue(value) ? "true" : "false";
    }
    return cJSON_IsString(value) ? value->valuestring : NULL;
}

static const char *text_of(const struct requirement *requirement, const struct record *record)
{
    if (!requirement->is_field) {
        return value_label(record->value, requirement->key);
    }
    const char *text = field_text(record->value, requirement->key);
    return text == NULL ? "" : text;
}

static bool is_one_of(const char *text, const char *const *values)
{
    for (size_t i = 0; values[i] != NULL; i++) {
        if (strcmp(text, values[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool compares(const char *text, const char *value, bool less)
{
    struct error ignored; /* no number: no match */
    int64_t number;
    int64_t bound;
    return text_parse_int64(text, &number, &ignored) && text_parse_int64(value, &bound, &ignored) &&
           (less ? number < bound : number > bound);
}

static bool satisfies(const struct requirement *requirement, const struct record *record)
{
    const char *text = text_of(requirement, record);
    switch (requirement->kind) {
    case REQUIRE_ONE_OF:
        return text != NULL && is_one_of(text, requirement->values);
    case REQUIRE_NONE_OF:
        return text == NULL || !is_one_of(text, requirement->values);
    case REQUIRE_PRESENT:
        return text != NULL;
    case REQUIRE_ABSENT:
        return text == NULL;
    case REQUIRE_LESS:
    case REQUIRE_MORE:
        return text != NULL &&
               compares(text, requirement->values[0], requirement->kind == REQUIRE_LESS);
    }
    return false;
}

bool filter_matches(const struct filter *filter, const struct record *record)
{
    for (const struct requirement *requirement = filter->requirements; requirement != NULL;
         requirement = requirement->next) {
        if (!satisfies(requirement, record)) {
            return false;
        }
    }
    return true;
}
