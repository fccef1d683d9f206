/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of apimachinery's labels.Parse: requirements with commas between, each of them KEY,
   !KEY, KEY = VALUE (==, !=, <, >), KEY in (VALUE, ...) or KEY notin (...). A value may be empty.
 */
#include "base/text.h"
#include "sim/filter.h"

#include <string.h>

struct reader {
    struct filter *filter;
    const char *at;
    struct error *error;
};

static void skip_spaces(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

/* Empty when a sign or the end comes next. */
static const char *take_word(struct reader *reader)
{
    skip_spaces(reader);
    size_t length = strcspn(reader->at, " \t\r\n=!<>(),");
    const char *word = arena_copy_bytes(&reader->filter->arena, reader->at, length);
    reader->at += length;
    skip_spaces(reader);
    return word;
}

static bool take_sign(struct reader *reader, const char *sign)
{
    bool is_next = text_starts_with(reader->at, sign);
    reader->at += is_next ? strlen(sign) : 0;
    return is_next;
}

static bool fail(struct reader *reader, const char *expected)
{
    return error_set(reader->error, ERROR_INVALID,
                     "unable to parse requirement: found '%s', expected: %s", reader->at, expected);
}

static const char **new_values(struct reader *reader, size_t count)
{
    return arena_new(&reader->filter->arena, count + 1, sizeof(const char *));
}

static bool take_set(struct reader *reader, struct requirement *requirement)
{
    if (!take_sign(reader, "(")) {
        return fail(reader, "'('");
    }
    size_t count_max = 1; /* one more than there are commas */
    for (const char *at = reader->at; *at != '\0' && *at != ')'; at++) {
        count_max += *at == ',' ? 1 : 0;
    }
    requirement->values = new_values(reader, count_max);
    size_t count = 0;
    do {
        requirement->values[count++] = take_word(reader);
    } while (take_sign(reader, ","));
    return take_sign(reader, ")") || fail(reader, "',' or ')'");
}

static bool take_operator(struct reader *reader, enum requirement_kind *out_kind)
{
    static const struct {
        const char *sign;
        enum requirement_kind kind;
    } signs[] = {
        {"==", REQUIRE_ONE_OF}, {"=", REQUIRE_ONE_OF}, {"!=", REQUIRE_NONE_OF},
        {"<", REQUIRE_LESS},    {">", REQUIRE_MORE},
    };
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        if (take_sign(reader, signs[i].sign)) {
            *out_kind = signs[i].kind;
            return true;
        }
    }
    return false;
}

static bool take_condition(struct reader *reader, struct requirement *requirement)
{
    if (take_operator(reader, &requirement->kind)) {
        requirement->values = new_values(reader, 1);
        requirement->values[0] = take_word(reader);
        bool is_order = requirement->kind == REQUIRE_LESS || requirement->kind == REQUIRE_MORE;
        int64_t ignored;
        return !is_order || text_parse_int64(requirement->values[0], &ignored, reader->error);
    }
    const char *word = take_word(reader);
    bool is_in = strcmp(word, "in") == 0;
    if (!is_in && strcmp(word, "notin") != 0) {
        return fail(reader, "in, notin, =, ==, !=, <, >");
    }
    requirement->kind = is_in ? REQUIRE_ONE_OF : REQUIRE_NONE_OF;
    return take_set(reader, requirement);
}

static bool take_requirement(struct reader *reader, struct requirement *requirement)
{
    skip_spaces(reader);
    bool is_negated = take_sign(reader, "!");
    requirement->kind = is_negated ? REQUIRE_ABSENT : REQUIRE_PRESENT;
    requirement->key = take_word(reader);
    if (requirement->key[0] == '\0') {
        return fail(reader, "!, identifier");
    }
    bool is_over = *reader->at == '\0' || *reader->at == ',';
    return is_over || is_negated || take_condition(reader, requirement);
}

bool filter_parse_labels(struct filter *filter, const char *labels, struct error *error)
{
    struct reader reader = {.filter = filter, .at = labels};
    reader.error = error;
    skip_spaces(&reader);
    if (*reader.at == '\0') {
        return true;
    }
    do {
        struct requirement *requirement = arena_new(&filter->arena, 1, sizeof(*requirement));
        if (!take_requirement(&reader, requirement)) {
            return false;
        }
        requirement->next = filter->requirements;
        filter->requirements = requirement;
    } while (take_sign(&reader, ","));
    return *reader.at == '\0' || fail(&reader, "',' or 'end of string'");
}
