/* SPDX-License-Identifier: Apache-2.0 */
/* People grep for these messages and programs for the reasons, so both are the real server's,
   letter by letter. */
#include "sim/outcome.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/value.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_BYTES_MAX = 64 * 1024 }; /* of which the message keeps the beginning */

/* Puts the message together: what outcome->message begins with already, then the rest. */
static bool refuse_list(struct outcome *outcome, int http_status, const char *reason,
                        const char *format, va_list arguments) PRINTF_LIKE(4, 0);

static bool refuse_list(struct outcome *outcome, int http_status, const char *reason,
                        const char *format, va_list arguments)
{
    size_t length = strlen(outcome->message);
    outcome->http_status = http_status;
    outcome->reason = reason;
    (void)vsnprintf(outcome->message + length, sizeof(outcome->message) - length, format,
                    arguments);
    return false;
}

static void begin(struct outcome *outcome, const char *format, ...) PRINTF_LIKE(2, 3);

static void begin(struct outcome *outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(outcome->message, sizeof(outcome->message), format, arguments);
    va_end(arguments);
}

bool outcome_refuse(struct outcome *outcome, int http_status, const char *reason,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin(outcome, "%s", "");
    refuse_list(outcome, http_status, reason, format, arguments);
    va_end(arguments);
    return false;
}

struct resource_text resource_qualified(const struct resource *resource)
{
    struct resource_text qualified;
    (void)snprintf(qualified.text, sizeof(qualified.text), "%s%s%s", resource->plural,
                   resource->group[0] == '\0' ? "" : ".", resource->group);
    return qualified;
}

bool outcome_bad_request(struct outcome *outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin(outcome, "%s", "");
    refuse_list(outcome, 400, "BadRequest", format, arguments);
    va_end(arguments);
    return false;
}

bool outcome_not_found(struct outcome *outcome, const struct resource *resource, const char *name)
{
    return outcome_refuse(outcome, 404, "NotFound", "%s \"%s\" not found",
                          resource_qualified(resource).text, name);
}

bool outcome_not_served(struct outcome *outcome)
{
    return outcome_refuse(outcome, 404, "NotFound",
                          "the server could not find the requested resource");
}

bool outcome_no_namespace(struct outcome *outcome, const char *namespace)
{
    (void)snprintf(outcome->absent_namespace, sizeof(outcome->absent_namespace), "%s", namespace);
    return outcome_not_found(outcome, &resource_namespaces, namespace);
}

bool outcome_exists(struct outcome *outcome, const struct record *record)
{
    return outcome_refuse(outcome, 409, "AlreadyExists", "%s%s \"%s\" already exists",
                          value_is_deleting(record->value) ? "object is being deleted: " : "",
                          resource_qualified(record->resource).text, record->name);
}

bool outcome_conflict(struct outcome *outcome, const struct resource *resource, const char *name,
                      const char *format, ...)
{
    va_list arguments;
    begin(outcome,
          "Operation cannot be fulfilled on %s \"%s\": ", resource_qualified(resource).text, name);
    va_start(arguments, format);
    refuse_list(outcome, 409, "Conflict", format, arguments);
    va_end(arguments);
    return false;
}

bool outcome_forbidden(struct outcome *outcome, const struct resource *resource, const char *name,
                       const char *format, ...)
{
    va_list arguments;
    begin(outcome, "%s \"%s\" is forbidden: ", resource_qualified(resource).text, name);
    va_start(arguments, format);
    refuse_list(outcome, 403, "Forbidden", format, arguments);
    va_end(arguments);
    return false;
}

bool outcome_invalid(struct outcome *outcome, const struct resource *resource, const char *name,
                     const struct violations *violations)
{
    cleanup_text struct text words;
    text_init(&words, WORDS_BYTES_MAX);
    violations_say(violations, &words);
    memory_free(outcome->causes);
    outcome->causes = value_print(violations->causes);
    return outcome_refuse(outcome, 422, "Invalid", "%s%s%s \"%s\" is invalid: %s", resource->kind,
                          resource->group[0] == '\0' ? "" : ".", resource->group, name,
                          words.bytes);
}

void outcome_add_cause(struct outcome *outcome, const char *reason, const char *message,
                       const char *field)
{
    cJSON *causes = outcome->causes == NULL ? cJSON_CreateArray() : cJSON_Parse(outcome->causes);
    cJSON *cause = cJSON_CreateObject();
    value_set_text(cause, "reason", reason);
    value_set_text(cause, "message", message);
    value_set_text(cause, "field", field);
    cJSON_AddItemToArray(causes, cause);
    memory_free(outcome->causes);
    outcome->causes = value_print(causes);
    cJSON_Delete(causes);
}

void outcome_release(struct outcome *outcome)
{
    record_release(outcome->record);
    outcome->record = NULL;
    memory_free(outcome->causes);
    outcome->causes = NULL;
}

bool outcome_ok(const struct outcome *outcome)
{
    return outcome->http_status >= 200 && outcome->http_status < 300;
}
