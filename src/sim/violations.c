/* SPDX-License-Identifier: Apache-2.0 */
/* The causes are all there is; the text for people is made of them, so that the two cannot
   differ. */
#include "sim/violations.h"

#include "sim/value.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>

enum { DETAIL_BYTES_MAX = 4096, CAUSE_BYTES_MAX = 64 * 1024 };

static const struct kind {
    const char *reason, *words;
    bool shows_value, blocks_rules;
} kinds[] = {
    [VIOLATION_REQUIRED] = {"FieldValueRequired", "Required value", false, true},
    [VIOLATION_INVALID] = {"FieldValueInvalid", "Invalid value", true, false},
    [VIOLATION_TYPE] = {"FieldValueTypeInvalid", "Invalid value", true, true},
    [VIOLATION_UNSUPPORTED] = {"FieldValueNotSupported", "Unsupported value", true, true},
    [VIOLATION_DUPLICATE] = {"FieldValueDuplicate", "Duplicate value", true, false},
    [VIOLATION_FORBIDDEN] = {"FieldValueForbidden", "Forbidden", false, false},
    [VIOLATION_TOO_LONG] = {"FieldValueTooLong", "Too long", false, true},
    [VIOLATION_TOO_MANY] = {"FieldValueTooMany", "Too many", true, true},
};

void violations_init(struct violations *violations)
{
    *violations = (struct violations){.causes = cJSON_CreateArray()};
}

void violations_release(struct violations *violations)
{
    cJSON_Delete(violations->causes);
    violations->causes = NULL;
}

void violations_add(struct violations *violations, enum violation kind, const char *field,
                    const cJSON *value, const char *detail_format, ...)
{
    char detail[DETAIL_BYTES_MAX];
    va_list arguments;
    va_start(arguments, detail_format);
    (void)vsnprintf(detail, sizeof(detail), detail_format, arguments);
    va_end(arguments);

    cleanup_text struct text message;
    text_init(&message, CAUSE_BYTES_MAX);
    text_append(&message, kinds[kind].words);
    if (value != NULL && kinds[kind].shows_value) {
        cleanup_memory char *shown = value_print(value);
        text_print(&message, ": %s", shown);
    }
    if (detail[0] != '\0') {
        text_print(&message, ": %s", detail);
    }

    cJSON *cause = cJSON_CreateObject();
    cJSON_AddStringToObject(cause, "reason", kinds[kind].reason);
    cJSON_AddStringToObject(cause, "message", message.bytes);
    cJSON_AddStringToObject(cause, "field", field);
    cJSON_AddItemToArray(violations->causes, cause);
    violations->blocks_rules = violations->blocks_rules || kinds[kind].blocks_rules;
}

/* cJSON links a list's first item back to its last. */
static cJSON *last_of(const struct violations *violations)
{
    cJSON *first = violations->causes->child;
    return first != NULL ? first->prev : NULL;
}

struct violations_mark violations_mark(const struct violations *violations)
{
    return (struct violations_mark){last_of(violations), violations->blocks_rules};
}

void violations_back(struct violations *violations, struct violations_mark mark)
{
    while (last_of(violations) != mark.last) {
        cJSON_Delete(cJSON_DetachItemViaPointer(violations->causes, last_of(violations)));
    }
    violations->blocks_rules = mark.blocks_rules;
}

bool violations_none(const struct violations *violations)
{
    return violations->causes->child == NULL;
}

void violations_say(const struct violations *violations, struct text *out)
{
    const cJSON *first = violations->causes->child;
    bool many = first != NULL && first->next != NULL;
    text_append(out, many ? "[" : "");
    for (const cJSON *cause = first; cause != NULL; cause = cause->next) {
        text_print(out, "%s%s: %s", cause == first ? "" : ", ", value_text(cause, "field", NULL),
                   value_text(cause, "message", NULL));
    }
    text_append(out, many ? "]" : "");
}
