/* SPDX-License-Identifier: Apache-2.0 */
/* Options as a table: a row says what an option is called, where its value goes and what it means
   to people. Parsing, defaults, the environment and --help all follow from the rows.

   On the command line: --name VALUE, --name=VALUE, -n VALUE, -nVALUE, -n=VALUE; --flag,
   --flag=true, --flag=false; `--` ends the options. The last one of a name wins.

   To add an option, add a member to the target and a row:
       {.name = "timeout", .argument = "DURATION", .fallback = "10m", .help = "give up after",
        OPTION_SETS_DURATION(struct target, timeout_ms)}, */
#ifndef ADJOINT_CLI_OPTIONS_H
#define ADJOINT_CLI_OPTIONS_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
    OPTION_FLAG,     /* a bool */
    OPTION_SWITCH,   /* an enum option_switch: knows --no-name, too, and whether it was given */
    OPTION_TEXT,     /* a const char *, borrowed from argv, the environment or the row */
    OPTION_INTEGER,  /* an int64_t */
    OPTION_DURATION, /* an int64_t in ms; see base/duration.h */
};

enum option_switch { SWITCH_UNSET, SWITCH_ON, SWITCH_OFF };

/* What a shell offers for a value or an operand, when its completion asks (cli/complete.h). */
enum completion {
    COMPLETE_NOTHING,
    COMPLETE_FILES,
    COMPLETE_COMMANDS,
    COMPLETE_NAMESPACES, /* these are asked of the API server */
    COMPLETE_INSTANCES,  /* of the namespace */
    COMPLETE_POOLS,      /* NAMESPACE/NAME */
    COMPLETE_POOL_NAMES, /* of the namespace */
    COMPLETE_KEYS,       /* what plans are made for */
};

struct option_row {
    const char *name;        /* without the dashes; NULL ends a table */
    const char *argument;    /* what stands for its value in help; NULL: flags and switches */
    const char *environment; /* the variable that is read when the option is not given; or NULL */
    const char *fallback;    /* the default, as one would type it; NULL: false, 0, NULL */
    const char *help;
    const char *const *choices; /* of an OPTION_TEXT, ends with NULL; NULL: any text */
    int64_t minimum, maximum;   /* of integers and durations; both 0: any that is >= 0 */
    size_t offset;              /* in the target; both through OPTION_SETS_... */
    enum option_kind kind;
    enum completion completion; /* of its value, when it has no choices */
    char letter;                /* of the short form; 0: none */
};

/* The member's place; does not compile if the member has another type. */
#define OPTION_OFFSET(target, member, type)                                                        \
    (offsetof(target, member) +                                                                    \
     (0 *                                                                                          \
      sizeof(                                                                                      \
          char[__builtin_types_compatible_p(__typeof__(((target *)NULL)->member), type) ? 1        \
                                                                                        : -1])))
#define OPTION_SETS_FLAG(target, member)                                                           \
    .kind = OPTION_FLAG, .offset = OPTION_OFFSET(target, member, bool)
#define OPTION_SETS_SWITCH(target, member)                                                         \
    .kind = OPTION_SWITCH, .offset = OPTION_OFFSET(target, member, enum option_switch)
#define OPTION_SETS_TEXT(target, member)                                                           \
    .kind = OPTION_TEXT, .offset = OPTION_OFFSET(target, member, const char *)
#define OPTION_SETS_INTEGER(target, member)                                                        \
    .kind = OPTION_INTEGER, .offset = OPTION_OFFSET(target, member, int64_t)
#define OPTION_SETS_DURATION(target, member)                                                       \
    .kind = OPTION_DURATION, .offset = OPTION_OFFSET(target, member, int64_t)

/* Everywhere below, `tables` ends with NULL, each table with a row without a name, and all rows
   write into the one target. Errors are ERROR_INVALID and name the option or the variable. */

/* Sets every row's default, then what its environment variable says. */
MUST_CHECK bool options_prefill(const struct option_row *const *tables, void *target,
                                struct error *error);

/* What is left of a command line; items[count] need not be NULL. */
struct arguments {
    int count;
    char *const *items;
};

#define OPERANDS_MAX 64

struct operands {
    size_t count;
    const char *items[OPERANDS_MAX]; /* borrowed from the arguments */
};

/* Takes what it understands off the front of arguments. operands NULL: stops before the first one
   that is no option. Otherwise they may stand anywhere between the options, and all arguments are
   used up. */
MUST_CHECK bool options_parse(const struct option_row *const *tables, struct arguments *arguments,
                              void *target, struct operands *operands, struct error *error);

/* choices end with NULL; NULL: any value will do. */
MUST_CHECK bool option_check_choice(const char *const *choices, const char *value,
                                    struct error *error);

/* Does a value stand behind it? */
bool option_takes_value(const struct option_row *row);

/* The row that a word as typed (with its dashes) names; NULL: none. A word of several letters names
   the one that takes a value, else the last. *out_value: what is attached to it, borrowed; NULL:
   nothing. */
const struct option_row *options_find(const struct option_row *const *tables, const char *typed,
                                      const char **out_value);

MUST_CHECK bool option_set(const struct option_row *row, const char *value, void *target,
                           struct error *error);

/* A line for each option, with its default and its variable, aligned and wrapped. */
void options_write_help(const struct option_row *table, struct text *out);

#endif
