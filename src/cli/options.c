/* SPDX-License-Identifier: Apache-2.0 */
/* getopt_long keeps global state, reorders argv and does not know what its options mean; with rows
   that carry types, a parser of our own is as long as the code around getopt would be. */
#include "cli/options.h"

#include "base/duration.h"
#include "cli/nearest.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES_MAX = 64 };

/* ---- the tables ---- */

/* The row after `row`, the first one after NULL; NULL: there are no more. Moves *tables on. */
static const struct option_row *next_row(const struct option_row *const **tables,
                                         const struct option_row *row)
{
    if (row != NULL && (++row)->name != NULL) {
        return row;
    }
    if (row != NULL) {
        ++*tables;
    }
    while (**tables != NULL && (**tables)->name == NULL) {
        ++*tables;
    }
    return **tables;
}

/* ---- a value into the target ---- */

static void *member_of(const struct option_row *row, void *target)
{
    return (char *)target + row->offset;
}

static bool parse_bool(const char *value, bool *out)
{
    bool is_true = text_equal(value, "true") || text_equal(value, "1");
    if (!is_true && !text_equal(value, "false") && !text_equal(value, "0")) {
        return false;
    }
    *out = is_true;
    return true;
}

static bool set_bool(const struct option_row *row, const char *value, void *target,
                     struct error *error)
{
    bool is_true = false;
    if (!parse_bool(value, &is_true)) {
        return error_set(error, ERROR_INVALID, "\"%s\" is neither true nor false", value);
    }
    if (row->kind == OPTION_SWITCH) {
        *(enum option_switch *)member_of(row, target) = is_true ? SWITCH_ON : SWITCH_OFF;
    } else {
        *(bool *)member_of(row, target) = is_true;
    }
    return true;
}

bool option_check_choice(const char *const *choices, const char *value, struct error *error)
{
    cleanup_text struct text known;
    text_init(&known, ERROR_MESSAGE_BYTES);
    const char *const *choice = choices;
    for (; choice != NULL && *choice != NULL && !text_equal(*choice, value); choice++) {
        text_print(&known, "%s%s", choice == choices ? "" : ", ", *choice);
    }
    return choices == NULL || *choice != NULL ||
           error_set(error, ERROR_INVALID, "\"%s\" is none of %s", value, known.bytes);
}

static bool set_text(const struct option_row *row, const char *value, void *target,
                     struct error *error)
{
    if (!option_check_choice(row->choices, value, error)) {
        return false;
    }
    *(const char **)member_of(row, target) = value;
    return true;
}

static bool check_range(const struct option_row *row, int64_t number, const char *value,
                        struct error *error)
{
    bool bounded = row->minimum != 0 || row->maximum != 0;
    int64_t maximum = bounded ? row->maximum : INT64_MAX;
    if (number >= row->minimum && number <= maximum) {
        return true;
    }
    const char *unit = row->kind == OPTION_DURATION ? " ms" : "";
    if (!bounded) {
        return error_set(error, ERROR_INVALID, "\"%s\" is less than 0", value);
    }
    return error_set(error, ERROR_INVALID, "\"%s\" is not from %" PRId64 " to %" PRId64 "%s", value,
                     row->minimum, maximum, unit);
}

static bool set_number(const struct option_row *row, const char *value, void *target,
                       struct error *error)
{
    int64_t number = 0;
    bool parsed = row->kind == OPTION_DURATION ? duration_parse(value, &number, error)
                                               : text_parse_int64(value, &number, error);
    if (!parsed || !check_range(row, number, value, error)) {
        return false;
    }
    *(int64_t *)member_of(row, target) = number;
    return true;
}

bool option_set(const struct option_row *row, const char *value, void *target, struct error *error)
{
    switch (row->kind) {
    case OPTION_FLAG:
    case OPTION_SWITCH:
        return set_bool(row, value, target, error);
    case OPTION_TEXT:
        return set_text(row, value, target, error);
    case OPTION_INTEGER:
    case OPTION_DURATION:
        return set_number(row, value, target, error);
    }
    assert(false);
    return false;
}

static void clear(const struct option_row *row, void *target)
{
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)member_of(row, target) = false;
        return;
    case OPTION_SWITCH:
        *(enum option_switch *)member_of(row, target) = SWITCH_UNSET;
        return;
    case OPTION_TEXT:
        *(const char **)member_of(row, target) = NULL;
        return;
    case OPTION_INTEGER:
    case OPTION_DURATION:
        *(int64_t *)member_of(row, target) = 0;
        return;
    }
}

static bool prefill(const struct option_row *row, void *target, struct error *error)
{
    clear(row, target);
    if (row->fallback != NULL) {
        bool fits = option_set(row, row->fallback, target, error);
        assert(fits); /* the table is wrong */
    }
    const char *value = row->environment == NULL ? NULL : getenv(row->environment);
    return value == NULL || *value == '\0' || option_set(row, value, target, error) ||
           error_wrap(error, "%s", row->environment);
}

bool options_prefill(const struct option_row *const *tables, void *target, struct error *error)
{
    const struct option_row *row = NULL;
    while ((row = next_row(&tables, row)) != NULL) {
        if (!prefill(row, target, error)) {
            return false;
        }
    }
    return true;
}

/* ---- the command line ---- */

bool option_takes_value(const struct option_row *row)
{
    return row->kind != OPTION_FLAG && row->kind != OPTION_SWITCH;
}

/* name: not ended by NUL. */
static bool has_name(const struct option_row *row, const char *name, size_t byte_count)
{
    return strlen(row->name) == byte_count && strncmp(row->name, name, byte_count) == 0;
}

/* out_negated: it is the --no-form of a switch. */
static const struct option_row *find_name(const struct option_row *const *tables, const char *name,
                                          size_t byte_count, bool *out_negated)
{
    bool negated = byte_count > 3 && strncmp(name, "no-", 3) == 0;
    const struct option_row *row = NULL;
    while ((row = next_row(&tables, row)) != NULL) {
        if (has_name(row, name, byte_count)) {
            *out_negated = false;
            return row;
        }
        if (negated && row->kind == OPTION_SWITCH && has_name(row, name + 3, byte_count - 3)) {
            *out_negated = true;
            return row;
        }
    }
    return NULL;
}

static const struct option_row *find_letter(const struct option_row *const *tables, char letter)
{
    const struct option_row *row = NULL;
    while ((row = next_row(&tables, row)) != NULL && row->letter != letter) {
    }
    return row;
}

/* What stands behind a letter; NULL: nothing, or other letters. */
static const char *value_behind(const struct option_row *row, const char *letter)
{
    if (letter[1] == '=') {
        return letter + 2;
    }
    return option_takes_value(row) && letter[1] != '\0' ? letter + 1 : NULL;
}

const struct option_row *options_find(const struct option_row *const *tables, const char *typed,
                                      const char **out_value)
{
    *out_value = NULL;
    if (typed[0] == '-' && typed[1] == '-') {
        size_t byte_count = strcspn(typed + 2, "=");
        bool negated = false;
        const char *end = typed + 2 + byte_count;
        *out_value = *end == '=' ? end + 1 : NULL;
        return find_name(tables, typed + 2, byte_count, &negated);
    }
    const struct option_row *row = NULL;
    for (const char *at = typed + 1; *at != '\0' && *out_value == NULL; at++) {
        row = find_letter(tables, *at);
        if (row == NULL) {
            return NULL;
        }
        *out_value = value_behind(row, at);
    }
    return row;
}

static bool refuse_unknown(const struct option_row *const *tables, const char *typed,
                           struct error *error)
{
    char name[NAME_BYTES_MAX] = "";
    size_t byte_count = strcspn(typed + 2, "=");
    if (typed[1] != '-' || byte_count >= sizeof(name)) {
        return error_set(error, ERROR_INVALID, "unknown option %s", typed);
    }
    (void)memcpy(name, typed + 2, byte_count);
    struct nearest nearest;
    nearest_init(&nearest, name);
    const struct option_row *row = NULL;
    while ((row = next_row(&tables, row)) != NULL) {
        nearest_offer(&nearest, row->name);
    }
    if (nearest.word == NULL) {
        return error_set(error, ERROR_INVALID, "unknown option --%s", name);
    }
    return error_set(error, ERROR_INVALID, "unknown option --%s: did you mean --%s?", name,
                     nearest.word);
}

static const char *shift(struct arguments *arguments)
{
    assert(arguments->count > 0);
    arguments->count--;
    return *arguments->items++;
}

/* value: what was attached to the option; NULL: nothing. */
static bool take_value(const struct option_row *row, const char *value, struct arguments *arguments,
                       void *target, struct error *error)
{
    if (value == NULL && !option_takes_value(row)) {
        value = "true";
    }
    if (value == NULL && arguments->count == 0) {
        return error_set(error, ERROR_INVALID, "--%s needs its %s", row->name, row->argument);
    }
    if (value == NULL) {
        value = shift(arguments);
    }
    return option_set(row, value, target, error) || error_wrap(error, "--%s", row->name);
}

static bool take_long(const struct option_row *const *tables, const char *typed,
                      struct arguments *arguments, void *target, struct error *error)
{
    const char *name = typed + 2;
    size_t byte_count = strcspn(name, "=");
    bool negated = false;
    const struct option_row *row = find_name(tables, name, byte_count, &negated);
    if (row == NULL) {
        return refuse_unknown(tables, typed, error);
    }
    const char *value = name[byte_count] == '=' ? name + byte_count + 1 : NULL;
    if (negated && value != NULL) {
        return error_set(error, ERROR_INVALID, "--no-%s takes no value", row->name);
    }
    return take_value(row, negated ? "false" : value, arguments, target, error);
}

/* Flags may be bundled: -Av. What follows a letter that takes a value is its value. */
static bool take_short(const struct option_row *const *tables, const char *typed,
                       struct arguments *arguments, void *target, struct error *error)
{
    bool more = true;
    for (const char *at = typed + 1; more && *at != '\0'; at++) {
        const struct option_row *row = find_letter(tables, *at);
        if (row == NULL) {
            return refuse_unknown(tables, typed, error);
        }
        const char *value = value_behind(row, at);
        more = value == NULL && !option_takes_value(row);
        if (!take_value(row, value, arguments, target, error)) {
            return false;
        }
    }
    return true;
}

static bool add_operand(struct operands *operands, const char *operand, struct error *error)
{
    if (operands->count == OPERANDS_MAX) {
        return error_set(error, ERROR_INVALID, "more than %d names", OPERANDS_MAX);
    }
    operands->items[operands->count++] = operand;
    return true;
}

bool options_parse(const struct option_row *const *tables, struct arguments *arguments,
                   void *target, struct operands *operands, struct error *error)
{
    bool ended = false;
    if (operands != NULL) {
        operands->count = 0;
    }
    while (arguments->count > 0) {
        const char *typed = arguments->items[0];
        bool is_option = !ended && typed[0] == '-' && typed[1] != '\0';
        if (!is_option && operands == NULL) {
            return true;
        }
        (void)shift(arguments);
        bool took = true;
        if (!is_option) {
            took = add_operand(operands, typed, error);
        } else if (text_equal(typed, "--")) {
            ended = true;
        } else if (typed[1] == '-') {
            took = take_long(tables, typed, arguments, target, error);
        } else {
            took = take_short(tables, typed, arguments, target, error);
        }
        if (!took) {
            return false;
        }
    }
    return true;
}
