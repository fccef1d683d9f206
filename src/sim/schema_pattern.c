/* SPDX-License-Identifier: Apache-2.0 */
/* POSIX' extended expressions are RE2's but for escapes, (?...), the dot, and what is wrong in one
   of the two alone. \d and its kind are rewritten, what would mean another thing is refused, and
   the rest is passed on. Both match the leftmost text; whether there is one does not depend on
   greediness.

   The C library writes a repetition out, those inside it included, so ((a{200}){200}){200} would be
   eight million of them. RE2 refuses more than a thousand, and so it is here. */
#include "sim/schema_pattern.h"

#include "base/memory.h"
#include "base/text.h"

#include <regex.h>
#include <string.h>

enum {
    EXPRESSION_BYTES_MAX = 16 * 1024,
    REASON_BYTES = 128,
    GROUPS_MAX = 100, /* inside each other */
    REPEATS_MAX = 1000,
    WRITTEN_OUT_BYTES_MAX = 20 * 1000,
};

struct pattern {
    regex_t compiled;
};

/* An expression on its way to POSIX. */
struct translation {
    const char *at;
    struct text *out;
    struct error *error;
    size_t depth;
    int most[GROUPS_MAX + 1]; /* by depth: how often something in that group is there */
    int last;                 /* the same of what a quantifier here would repeat; 0: nothing */
    bool is_repeated;         /* that has a quantifier already */
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

/* In brackets: behind the backslash. A hyphen that is escaped goes to the end, where it is one, and
   must not leave a range behind. */
static bool is_escape_in_brackets(const char *first, const char *at)
{
    if (*at == '\0' || strchr("-.(){}*+?$|/", *at) == NULL) {
        return false;
    }
    bool range_before = at - 2 > first && at[-2] == '-';
    bool range_behind = at[1] == '-' && at[2] != ']';
    return *at != '-' || (!range_before && !range_behind);
}

/* From '[' to behind its ']'. POSIX knows no escapes in it, and takes bytes where RE2 takes
   characters. */
static bool copy_brackets(struct translation *translation)
{
    const char *at = translation->at;
    struct text *out = translation->out;
    bool is_negated = at[1] == '^';
    bool has_hyphen = false;
    text_append(out, is_negated ? "[^" : "[");
    const char *first = at + (is_negated ? 2 : 1);
    for (at = first; *at != '\0' && (*at != ']' || at == first); at++) {
        if (*at == '[' || (unsigned char)*at > 0x7F) {
            return refuse(*at == '[' ? "'[' in brackets" : "more than ASCII in brackets",
                          translation->error);
        }
        if (*at != '\\') {
            text_append_char(out, *at);
            continue;
        }
        at++;
        if (!is_escape_in_brackets(first, at)) {
            return refuse("this escape in brackets", translation->error);
        }
        has_hyphen = has_hyphen || *at == '-';
        text_append(out, *at == '-' ? "" : (char[]){*at, '\0'});
    }
    if (*at != ']') {
        return error_set(translation->error, ERROR_INVALID, "missing closing ]");
    }
    text_append(out, has_hyphen ? "-]" : "]");
    translation->at = at + 1;
    return true;
}

/* What a quantifier here would repeat has something so often. */
static void set_last(struct translation *translation, int most)
{
    int *group = &translation->most[translation->depth];
    translation->last = most;
    *group = most > *group ? most : *group;
}

static bool open_group(struct translation *translation)
{
    bool is_plain = strncmp(translation->at, "(?:", 3) == 0;
    if (translation->at[1] == '?' && !is_plain) {
        return refuse("(?", translation->error);
    }
    if (translation->depth == GROUPS_MAX) {
        return error_set(translation->error, ERROR_INVALID, "expression nests too deeply");
    }
    text_append_char(translation->out, '(');
    translation->at += is_plain ? 3 : 1;
    translation->most[++translation->depth] = 1;
    translation->last = 0;
    return true;
}

static bool close_group(struct translation *translation)
{
    if (translation->depth == 0) {
        return error_set(translation->error, ERROR_INVALID, "unexpected )");
    }
    text_append_char(translation->out, ')');
    translation->at++;
    translation->depth--;
    set_last(translation, translation->most[translation->depth + 1]);
    return true;
}

/* {n}, {n,} or {n,m} of counts up to REPEATS_MAX: how often that is at most (for {n,} at least) and
   where it ends; NULL: another thing, or more. */
static const char *read_count(const char *at, int *out_most)
{
    int counts[2] = {0, 0};
    size_t which = 0;
    bool has_digits = false;
    for (at++; *at != '}'; at++) {
        if (*at == ',' && which == 0 && has_digits) {
            which = 1;
            has_digits = false;
            continue;
        }
        if (*at < '0' || *at > '9' || counts[which] > REPEATS_MAX) {
            return NULL;
        }
        counts[which] = counts[which] * 10 + (*at - '0');
        has_digits = true;
    }
    bool is_open = which == 1 && !has_digits;
    if (which == 1 && !is_open && counts[1] < counts[0]) {
        return NULL;
    }
    *out_most = which == 0 || is_open ? counts[0] : counts[1];
    return which == 1 || has_digits ? at + 1 : NULL;
}

/* From *, +, ? or { to behind it. */
static bool copy_quantifier(struct translation *translation)
{
    const char *begin = translation->at;
    const char *end = begin + 1;
    int most = 1;
    if (translation->is_repeated) {
        return refuse("lazy or repeated quantifiers", translation->error);
    }
    if (translation->last == 0) {
        return error_set(translation->error, ERROR_INVALID,
                         "missing argument to repetition operator");
    }
    if (*begin == '{') {
        end = read_count(begin, &most);
    }
    if (end == NULL) {
        return refuse("a { that is no count up to 1000", translation->error);
    }
    set_last(translation, translation->last * (most > 0 ? most : 1));
    if (translation->last > REPEATS_MAX) {
        return error_set(translation->error, ERROR_INVALID, "invalid repeat count");
    }
    text_append_bytes(translation->out, begin, (size_t)(end - begin));
    translation->at = end;
    translation->is_repeated = true;
    return true;
}

/* A character, or a dot. */
static bool copy_character(struct translation *translation)
{
    char byte = *translation->at++;
    text_append(translation->out, byte == '.' ? "[^\n]" : (char[]){byte, '\0'});
    bool is_whole =
        (unsigned char)*translation->at < 0x80 || (unsigned char)*translation->at > 0xBF;
    bool is_last = (unsigned char)byte > 0x7F && is_whole;
    return !is_last || *translation->at == '\0' || strchr("*+?{", *translation->at) == NULL ||
           refuse("a repeated character beyond ASCII", translation->error);
}

static bool copy_part(struct translation *translation)
{
    char byte = *translation->at;
    if (strchr("*+?{", byte) != NULL) {
        return copy_quantifier(translation);
    }
    translation->is_repeated = false;
    if (byte == '(') {
        return open_group(translation);
    }
    if (byte == ')') {
        return close_group(translation);
    }
    translation->last = strchr("|^$", byte) != NULL ? 0 : 1;
    if (byte == '[') {
        return copy_brackets(translation);
    }
    if (byte == '\\') {
        char escaped = translation->at[1];
        translation->at += escaped == '\0' ? 1 : 2;
        return copy_escape(escaped, translation->out, translation->error);
    }
    return copy_character(translation);
}

/* RE2's expression as POSIX'. */
static bool translate(const char *expression, struct text *out, struct error *error)
{
    struct translation translation = {.at = expression, .out = out, .error = error};
    translation.most[0] = 1;
    while (*translation.at != '\0') {
        if (!copy_part(&translation)) {
            return false;
        }
    }
    if (translation.depth > 0) {
        return error_set(error, ERROR_INVALID, "missing closing )");
    }
    if (out->length_bytes * (size_t)translation.most[0] > WRITTEN_OUT_BYTES_MAX) {
        return refuse("as much to repeat as often", error);
    }
    return text_check(out, "the pattern", error);
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
