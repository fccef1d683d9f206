/* SPDX-License-Identifier: Apache-2.0 */
/* POSIX' extended expressions are RE2's but for escapes, (?...) and the dot. \d and its kind are
   rewritten, what would mean another thing is refused, and the rest is passed on. Both match the
   leftmost text; whether there is one does not depend on greediness. */
#include "sim/schema_pattern.h"

#include "base/memory.h"
#include "base/text.h"

#include <regex.h>
#include <string.h>

enum { EXPRESSION_BYTES_MAX = 16 * 1024, REASON_BYTES = 128 };

struct pattern {
    regex_t compiled;
};

static bool refuse(const char *what, struct error *error)
{
    return error_set(error, ERROR_INVALID, "regular expressions with %s are not supported here",
                     what);
}

static bool copy_escape(char escaped, struct text *out, struct error *error)
{
    switch (escaped) {
    case 'd':
        text_append(out, "[0-9]");
        return true;
    case 'D':
        text_append(out, "[^0-9]");
        return true;
    case 'w':
        text_append(out, "[0-9A-Za-z_]");
        return true;
    case 'W':
        text_append(out, "[^0-9A-Za-z_]");
        return true;
    case 's':
        text_append(out, "[\t\n\f\r ]");
        return true;
    case 'S':
        text_append(out, "[^\t\n\f\r ]");
        return true;
    default:
        if (escaped == '\0' || strchr(".[](){}*+?^$|\\/-", escaped) == NULL) {
            return refuse("this escape", error);
        }
        text_print(out, strchr("/-", escaped) != NULL ? "%c" : "\\%c", escaped);
        return true;
    }
}

/* A bracket expression from its '[' to behind its ']'; NULL: refused. POSIX knows no escapes in it;
   an escaped hyphen goes to the end, where it is one. */
static const char *copy_brackets(const char *at, struct text *out, struct error *error)
{
    bool is_negated = at[1] == '^';
    bool has_hyphen = false;
    text_append(out, is_negated ? "[^" : "[");
    const char *first = at + (is_negated ? 2 : 1);
    for (at = first; *at != '\0' && (*at != ']' || at == first); at++) {
        if (*at == '[') {
            (void)refuse("'[' in brackets", error);
            return NULL;
        }
        if (*at != '\\') {
            text_append_char(out, *at);
            continue;
        }
        at++;
        if (*at == '\0' || strchr("-.(){}*+?$|/", *at) == NULL) {
            (void)refuse("this escape in brackets", error);
            return NULL;
        }
        has_hyphen = has_hyphen || *at == '-';
        text_append(out, *at == '-' ? "" : (char[]){*at, '\0'});
    }
    if (*at != ']') {
        (void)error_set(error, ERROR_INVALID, "missing closing ]");
        return NULL;
    }
    text_append(out, has_hyphen ? "-]" : "]");
    return at + 1;
}

/* Copies what begins at `at`; returns what is behind it, NULL: refused. */
static const char *copy_part(const char *at, struct text *out, struct error *error)
{
    if (*at == '[') {
        return copy_brackets(at, out, error);
    }
    if (*at == '\\') {
        return copy_escape(at[1], out, error) ? at + 2 : NULL;
    }
    if (strncmp(at, "(?:", 3) == 0) {
        text_append(out, "(");
        return at + 3;
    }
    bool is_lazy = strchr("*+?}", *at) != NULL && at[1] != '\0' && strchr("*+?", at[1]) != NULL;
    if (is_lazy || (*at == '(' && at[1] == '?')) {
        (void)refuse(is_lazy ? "lazy or repeated quantifiers" : "(?", error);
        return NULL;
    }
    text_append(out, *at == '.' ? "[^\n]" : (char[]){*at, '\0'});
    return at + 1;
}

/* RE2's expression as POSIX'. */
static bool translate(const char *expression, struct text *out, struct error *error)
{
    const char *at = expression;
    while (at != NULL && *at != '\0') {
        at = copy_part(at, out, error);
    }
    return at != NULL && text_check(out, "the pattern", error);
}

bool pattern_new(const char *expression, struct pattern **out_pattern, struct error *error)
{
    cleanup_text struct text posix;
    text_init(&posix, EXPRESSION_BYTES_MAX);
    if (!translate(expression, &posix, error)) {
        return false;
    }
    struct pattern *pattern = memory_new(1, sizeof(*pattern));
    int status = regcomp(&pattern->compiled, posix.bytes, REG_EXTENDED | REG_NOSUB);
    if (status != 0) {
        char reason[REASON_BYTES];
        (void)regerror(status, &pattern->compiled, reason, sizeof(reason));
        memory_free(pattern);
        return error_set(error, ERROR_INVALID, "%s", reason);
    }
    *out_pattern = pattern;
    return true;
}

void pattern_free(struct pattern *pattern)
{
    if (pattern != NULL) {
        regfree(&pattern->compiled);
        memory_free(pattern);
    }
}

bool pattern_found(const struct pattern *pattern, const char *text)
{
    return regexec(&pattern->compiled, text, 0, NULL, 0) == 0;
}
