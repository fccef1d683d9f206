/* SPDX-License-Identifier: Apache-2.0 */
/* By hand instead of by regular expression: these run for each write. */
#include "sim/name_rules.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

enum { LABEL_BYTES_MAX = 63, SUBDOMAIN_BYTES_MAX = 253 };

#define LABEL_WORDS                                                                                \
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "   \
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex "     \
    "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
#define LABEL_1035_WORDS                                                                           \
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "   \
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or "           \
    "'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
#define SUBDOMAIN_WORDS                                                                            \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "   \
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "  \
    "for validation is "                                                                           \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define QUALIFIED_WORDS                                                                            \
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "  \
    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for " \
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define VALUE_WORDS                                                                                \
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "    \
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value', " \
    " or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

static bool is_lower(char byte)
{
    return byte >= 'a' && byte <= 'z';
}

static bool is_alphanumeric(char byte)
{
    return is_lower(byte) || (byte >= '0' && byte <= '9');
}

/* A DNS-1123 label, or as many as there are with dots between. */
static bool is_dns(const char *name, bool dots)
{
    char before = '.';
    for (const char *at = name; *at != '\0'; before = *at++) {
        bool inside = is_alphanumeric(*at) || (*at == '-' && before != '.') ||
                      (dots && *at == '.' && is_alphanumeric(before));
        if (!inside) {
            return false;
        }
    }
    return is_alphanumeric(before);
}

static bool is_word_byte(char byte)
{
    return is_alphanumeric(byte) || (byte >= 'A' && byte <= 'Z');
}

static bool is_word(const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i < length; i++) {
        if (!is_word_byte(word[i]) && strchr("-_.", word[i]) == NULL) {
            return false;
        }
    }
    return length > 0 && is_word_byte(word[0]) && is_word_byte(word[length - 1]);
}

static void refuse(struct violations *violations, const char *field, const char *name,
                   const char *words)
{
    cJSON *value = cJSON_CreateString(name);
    violations_add(violations, VIOLATION_INVALID, field, value, "%s", words);
    cJSON_Delete(value);
}

static void check_length(const char *name, size_t bytes_max, const char *field,
                         struct violations *violations)
{
    if (strlen(name) > bytes_max) {
        refuse(violations, field, name,
               bytes_max == LABEL_BYTES_MAX ? "must be no more than 63 characters"
                                            : "must be no more than 253 characters");
    }
}

/* name keeps the rule or not; said is what is called wrong then. */
static void check(const char *name, const char *said, enum name_rule rule, const char *field,
                  struct violations *violations)
{
    check_length(said, rule == NAME_SUBDOMAIN ? SUBDOMAIN_BYTES_MAX : LABEL_BYTES_MAX, field,
                 violations);
    switch (rule) {
    case NAME_SUBDOMAIN:
        if (!is_dns(name, true)) {
            refuse(violations, field, said, SUBDOMAIN_WORDS);
        }
        break;
    case NAME_LABEL:
        if (!is_dns(name, false)) {
            refuse(violations, field, said,
                   is_dns(name, true) ? "must not contain dots" : LABEL_WORDS);
        }
        break;
    case NAME_LABEL_1035:
        if (!is_dns(name, false) || !is_lower(name[0])) {
            refuse(violations, field, said, LABEL_1035_WORDS);
        }
        break;
    }
}

void name_check(const char *name, enum name_rule rule, const char *field,
                struct violations *violations)
{
    if (name == NULL || name[0] == '\0') {
        violations_add(violations, VIOLATION_REQUIRED, field, NULL,
                       "name or generateName is required");
        return;
    }
    check(name, name, rule, field, violations);
}

void name_check_beginning(const char *beginning, enum name_rule rule, const char *field,
                          struct violations *violations)
{
    cleanup_memory char *name = memory_copy_text(beginning);
    size_t length = strlen(name);
    if (length > 1 && name[length - 1] == '-') {
        name[length - 2] = 'a';
        name[length - 1] = '\0';
    }
    check(name, beginning, rule, field, violations);
}

void name_check_qualified(const char *name, const char *field, struct violations *violations)
{
    const char *slash = strchr(name, '/');
    const char *word = slash == NULL ? name : slash + 1;
    if (slash != NULL) {
        char prefix[SUBDOMAIN_BYTES_MAX + 1] = "";
        size_t length = (size_t)(slash - name);
        if (length > SUBDOMAIN_BYTES_MAX) {
            refuse(violations, field, name, "prefix part must be no more than 253 characters");
            return;
        }
        memcpy(prefix, name, length);
        if (!is_dns(prefix, true)) {
            refuse(violations, field, name, "prefix part " SUBDOMAIN_WORDS);
        }
    }
    if (strlen(word) > LABEL_BYTES_MAX) {
        refuse(violations, field, name, "name part must be no more than 63 characters");
    }
    if (!is_word(word)) {
        refuse(violations, field, name, QUALIFIED_WORDS);
    }
}

void name_check_label_value(const char *value, const char *field, struct violations *violations)
{
    check_length(value, LABEL_BYTES_MAX, field, violations);
    if (value[0] != '\0' && !is_word(value)) {
        refuse(violations, field, value, VALUE_WORDS);
    }
}
