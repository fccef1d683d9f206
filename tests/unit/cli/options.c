/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct target {
    bool all;
    enum option_switch wait;
    const char *namespace;
    const char *output;
    int64_t count, timeout_ms;
};

static const char *const OUTPUTS[] = {"json", "yaml", NULL};

static const struct option_row COMMON[] = {
    {.name = "namespace",
     .letter = 'n',
     .argument = "NAME",
     .environment = "ADJOINT_TEST_NAMESPACE",
     .help = "where",
     OPTION_SETS_TEXT(struct target, namespace)},
    {.name = "all", .letter = 'A', .help = "everywhere", OPTION_SETS_FLAG(struct target, all)},
    {.name = NULL}};

static const struct option_row OWN[] = {
    {.name = "wait", .help = "until it is done", OPTION_SETS_SWITCH(struct target, wait)},
    {.name = "output",
     .letter = 'o',
     .argument = "FORMAT",
     .choices = OUTPUTS,
     .help = "how",
     OPTION_SETS_TEXT(struct target, output)},
    {.name = "count",
     .argument = "N",
     .fallback = "3",
     .help = "how many",
     .minimum = 1,
     .maximum = 9,
     OPTION_SETS_INTEGER(struct target, count)},
    {.name = "timeout",
     .argument = "DURATION",
     .fallback = "10m",
     .help = "give up after that long, and say how to go on from there when it has passed",
     OPTION_SETS_DURATION(struct target, timeout_ms)},
    {.name = NULL}};

static const struct option_row EMPTY[] = {{.name = NULL}};
static const struct option_row *const TABLES[] = {EMPTY, COMMON, OWN, NULL};

#define PARSE(target, operands, error, ...)                                                        \
    parse(target, operands, error, (const char *const[]){__VA_ARGS__, NULL})

static bool parse(struct target *target, struct operands *operands, struct error *error,
                  const char *const *words)
{
    char *items[16];
    struct arguments arguments = {.items = items};
    while (words[arguments.count] != NULL) {
        items[arguments.count] = (char *)(uintptr_t)words[arguments.count];
        arguments.count++;
    }
    assert_true(options_prefill(TABLES, target, error));
    return options_parse(TABLES, &arguments, target, operands, error);
}

#define assert_refused(words, ...)                                                                 \
    do {                                                                                           \
        struct target target_;                                                                     \
        struct operands operands_;                                                                 \
        struct error error_ = {.class = ERROR_NONE};                                               \
        assert_false(PARSE(&target_, &operands_, &error_, __VA_ARGS__));                           \
        assert_int_equal(error_.class, ERROR_INVALID);                                             \
        assert_string_equal(error_.message, words);                                                \
    } while (0)

static void defaults_hold_until_something_else_is_said(void **state)
{
    (void)state;
    struct target target;
    struct operands operands;
    struct error error;
    (void)memset(&target, 0x5a, sizeof(target));
    assert_true(PARSE(&target, &operands, &error, "x"));
    assert_false(target.all);
    assert_int_equal(target.wait, SWITCH_UNSET);
    assert_null(target.namespace);
    assert_int_equal(target.count, 3);
    assert_int_equal(target.timeout_ms, 600 * 1000);
}

static void every_spelling_sets_the_value(void **state)
{
    (void)state;
    struct target target;
    struct operands operands;
    struct error error;
    const char *const spellings[][2] = {
        {"--namespace", "dev"}, {"-n", "dev"}, {"--namespace=dev"}, {"-ndev"}, {"-n=dev"}};
    for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
        assert_true(PARSE(&target, &operands, &error, spellings[i][0], spellings[i][1]));
        assert_string_equal(target.namespace, "dev");
        assert_int_equal(operands.count, 0);
    }
}

static void flags_and_switches_can_be_turned_off(void **state)
{
    (void)state;
    struct target target;
    struct operands operands;
    struct error error;
    assert_true(PARSE(&target, &operands, &error, "-A", "--wait"));
    assert_true(target.all);
    assert_int_equal(target.wait, SWITCH_ON);
    assert_true(PARSE(&target, &operands, &error, "-A", "--all=false", "--no-wait"));
    assert_false(target.all);
    assert_int_equal(target.wait, SWITCH_OFF);
    assert_true(PARSE(&target, &operands, &error, "--wait=false"));
    assert_int_equal(target.wait, SWITCH_OFF);
}

static void letters_can_be_bundled(void **state)
{
    (void)state;
    struct target target;
    struct operands operands;
    struct error error;
    assert_true(PARSE(&target, &operands, &error, "-Aojson"));
    assert_true(target.all);
    assert_string_equal(target.output, "json");
}

static void operands_stand_anywhere_and_dashes_end_the_options(void **state)
{
    (void)state;
    struct target target;
    struct operands operands;
    struct error error;
    assert_true(PARSE(&target, &operands, &error, "one", "-n", "dev", "two", "--", "--wait", "-"));
    assert_int_equal(operands.count, 4);
    assert_string_equal(operands.items[0], "one");
    assert_string_equal(operands.items[1], "two");
    assert_string_equal(operands.items[2], "--wait");
    assert_string_equal(operands.items[3], "-");
    assert_int_equal(target.wait, SWITCH_UNSET);
}

static void without_operands_it_stops_at_the_first(void **state)
{
    (void)state;
    char words[][8] = {"-n", "dev", "list", "-o", "wrong"};
    char *items[] = {words[0], words[1], words[2], words[3], words[4]};
    struct arguments arguments = {.count = 5, .items = items};
    struct target target;
    struct error error;
    assert_true(options_prefill(TABLES, &target, &error));
    assert_true(options_parse(TABLES, &arguments, &target, NULL, &error));
    assert_int_equal(arguments.count, 3);
    assert_string_equal(arguments.items[0], "list");
    assert_string_equal(target.namespace, "dev");
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    assert_refused("unknown option --nmaespace: did you mean --namespace?", "--nmaespace=x");
    assert_refused("unknown option --xyzzy", "--xyzzy");
    assert_refused("unknown option -x", "-x");
    assert_refused("unknown option --no-all", "--no-all");
    assert_refused("--namespace needs its NAME", "--namespace");
    assert_refused("--output: \"xml\" is none of json, yaml", "-o", "xml");
    assert_refused("--count: \"10\" is not from 1 to 9", "--count", "10");
    assert_refused("--timeout: \"soon\" is no duration such as 90s, 10m or 1h30m",
                   "--timeout=soon");
    assert_refused("--all: \"maybe\" is neither true nor false", "--all=maybe");
    assert_refused("--no-wait takes no value", "--no-wait=true");
}

static void the_environment_is_between_default_and_command_line(void **state)
{
    (void)state;
    struct target target;
    struct operands operands;
    struct error error;
    assert_int_equal(setenv("ADJOINT_TEST_NAMESPACE", "from-variable", 1), 0);
    assert_true(PARSE(&target, &operands, &error, "x"));
    assert_string_equal(target.namespace, "from-variable");
    assert_true(PARSE(&target, &operands, &error, "-n", "typed"));
    assert_string_equal(target.namespace, "typed");
    assert_int_equal(setenv("ADJOINT_TEST_NAMESPACE", "", 1), 0);
    assert_true(PARSE(&target, &operands, &error, "x"));
    assert_null(target.namespace);
    assert_int_equal(unsetenv("ADJOINT_TEST_NAMESPACE"), 0);
}

static void a_wrong_variable_is_named(void **state)
{
    (void)state;
    static const struct option_row rows[] = {{.name = "count",
                                              .environment = "ADJOINT_TEST_COUNT",
                                              OPTION_SETS_INTEGER(struct target, count)},
                                             {.name = NULL}};
    static const struct option_row *const tables[] = {rows, NULL};
    struct target target;
    struct error error;
    assert_int_equal(setenv("ADJOINT_TEST_COUNT", "many", 1), 0);
    assert_false(options_prefill(tables, &target, &error));
    assert_non_null(strstr(error.message, "ADJOINT_TEST_COUNT: "));
    assert_int_equal(unsetenv("ADJOINT_TEST_COUNT"), 0);
}

static void help_is_aligned_and_wrapped(void **state)
{
    (void)state;
    cleanup_text struct text help;
    text_init(&help, 4096);
    options_write_help(COMMON, &help);
    options_write_help(OWN, &help);
    assert_string_equal(help.bytes,
                        "  -n, --namespace NAME        where [$ADJOINT_TEST_NAMESPACE]\n"
                        "  -A, --all                   everywhere\n"
                        "      --[no-]wait             until it is done\n"
                        "  -o, --output FORMAT         how: json, yaml\n"
                        "      --count N               how many (default 3)\n"
                        "      --timeout DURATION      give up after that long, and say how to go "
                        "on from there when "
                        "it\n"
                        "                              has passed (default 10m)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_hold_until_something_else_is_said),
        cmocka_unit_test(every_spelling_sets_the_value),
        cmocka_unit_test(flags_and_switches_can_be_turned_off),
        cmocka_unit_test(letters_can_be_bundled),
        cmocka_unit_test(operands_stand_anywhere_and_dashes_end_the_options),
        cmocka_unit_test(without_operands_it_stops_at_the_first),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(the_environment_is_between_default_and_command_line),
        cmocka_unit_test(a_wrong_variable_is_named),
        cmocka_unit_test(help_is_aligned_and_wrapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
