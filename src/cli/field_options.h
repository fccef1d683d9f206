/* SPDX-License-Identifier: Apache-2.0 */
/* Options that all tests in the field have, and where their results go. */
#ifndef ADJOINT_CLI_FIELD_OPTIONS_H
#define ADJOINT_CLI_FIELD_OPTIONS_H

#include "base/json.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/output.h"

extern const char *const FIELD_FORMATS[]; /* json, csv */

#define FIELD_OPTION_COUNT(the_help, the_default, the_maximum)                                     \
    {                                                                                              \
        .name = "count", .letter = 'k', .argument = "N", .fallback = (the_default),                \
        .help = (the_help), .minimum = 1, .maximum = (the_maximum),                                \
        OPTION_SETS_INTEGER(struct cli_options, count)                                             \
    }

#define FIELD_OPTIONS(the_timeout)                                                                 \
    OPTION_OUTPUT(FIELD_FORMATS),                                                                  \
        {.name = "svg",                                                                            \
         .argument = "FILE",                                                                       \
         .help = "draw it in this file, too",                                                      \
         .completion = COMPLETE_FILES,                                                             \
         OPTION_SETS_TEXT(struct cli_options, svg)},                                               \
        {.name = "timeout",                                                                        \
         .argument = "DURATION",                                                                   \
         .fallback = (the_timeout),                                                                \
         .help = "end it then, whatever has come",                                                 \
         OPTION_SETS_DURATION(struct cli_options, timeout_ms)},                                    \
    {                                                                                              \
        .name = "clean", .help = "only delete what earlier runs have left",                        \
        OPTION_SETS_FLAG(struct cli_options, clean)                                                \
    }

/* Can the picture be written? Better known before a test of hours than after it. */
enum exit_code field_prepare(struct cli *cli);

/* What a test has found, in each of its forms. */
struct field_forms {
    void (*table)(const void *report, struct text *out);
    void (*csv)(const void *report, struct text *out);
    void (*json)(const void *report, struct json_writer *json); /* the members of an object */
    void (*draw)(const void *report, struct text *out);         /* NULL: it has no picture */
};

/* On out as --output says, and the picture into its file if there is to be one. */
enum exit_code field_print(struct cli *cli, const struct field_forms *forms, const void *report);

#endif
