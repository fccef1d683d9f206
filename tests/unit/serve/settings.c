/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct settings settings;
static struct error error;

/* A command line, by its blanks. */
static bool read_line(const char *line)
{
    static char words[512];
    char *argv[32] = {words};
    int argc = 0;
    assert_true(strlen(line) < sizeof(words));
    (void)memcpy(words, line, strlen(line) + 1);
    for (char *at = words; at != NULL; at = strchr(at, ' ')) {
        if (*at == ' ') {
            *at++ = '\0';
        }
        argv[argc++] = at;
    }
    return settings_read(argc, argv, &settings, &error);
}

static void a_minute_is_a_second_unless_told_otherwise(void **state)
{
    (void)state;
    assert_true(read_line("adjoint-sim --golden"));
    assert_int_equal(settings.speed, 60);
    assert_int_equal(settings.seed, 1);
    assert_int_equal(settings.port, 0);
    assert_string_equal(settings.address, "127.0.0.1");
    assert_string_equal(settings.kubeconfig, "adjoint-sim.kubeconfig");
    assert_null(settings.crds);
    assert_true(settings.golden && !settings.trace && !settings.help);
}

static void all_can_be_said(void **state)
{
    (void)state;
    assert_true(read_line("adjoint-sim --speed=1 --seed 7 --port 6443 --address 0.0.0.0 "
                          "--kubeconfig k --crds c --trace -h --provisioner-timeout 15m"));
    assert_int_equal(settings.speed, 1);
    assert_int_equal(settings.provisioner_timeout_ms, 15 * 60 * 1000);
    assert_int_equal(settings.seed, 7);
    assert_int_equal(settings.port, 6443);
    assert_string_equal(settings.address, "0.0.0.0");
    assert_string_equal(settings.kubeconfig, "k");
    assert_string_equal(settings.crds, "c");
    assert_true(settings.trace && settings.help && !settings.golden);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    assert_false(read_line("adjoint-sim --speed 0"));
    assert_false(read_line("adjoint-sim --port 65536"));
    assert_false(read_line("adjoint-sim --goldn"));
    assert_non_null(strstr(error.message, "did you mean --golden?"));
    assert_false(read_line("adjoint-sim cluster"));
    assert_string_equal(error.message, "\"cluster\" is no option; see --help");
}

static void the_help_names_each_option(void **state)
{
    static const char *const names[] = {"--speed",      "--golden", "--seed",
                                        "--kubeconfig", "--crds",   "--address",
                                        "--port",       "--trace",  "--provisioner-timeout"};
    (void)state;
    cleanup_text struct text help;
    text_init(&help, 65536);
    settings_help(&help);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        assert_non_null(strstr(help.bytes, names[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_minute_is_a_second_unless_told_otherwise),
        cmocka_unit_test(all_can_be_said),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(the_help_names_each_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
