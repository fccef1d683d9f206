/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/how_to_connect.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_word(const char *word, const char *expected)
{
    cleanup_text struct text out;
    text_init(&out, 256);
    shell_word(word, &out);
    assert_string_equal(out.bytes, expected);
}

static void words_are_quoted_when_a_shell_needs_it(void **state)
{
    (void)state;
    assert_word("alice-app", "alice-app");
    assert_word("arn:aws:eks:x/y@z", "arn:aws:eks:x/y@z");
    assert_word("", "''");
    assert_word("a b", "'a b'");
    assert_word("$(x)", "'$(x)'");
    assert_word("it's", "'it'\\''s'");
}

static void the_lines_go_where_this_command_went(void **state)
{
    (void)state;
    cleanup_object struct object *object =
        object_from(KIND_INSTANCE,
                    "{'metadata':{'name':'alice','namespace':'dev'},'spec':{'pool':{'name':'main',"
                    "'namespace':'golden'}},'status':{'phase':'Ready','connection':{'host':"
                    "'alice-rw.dev.svc','database':'my db','user':'app','secret':'alice-app'}}}");
    struct cli cli = {.program = "adj",
                      .namespace_option = " -n dev",
                      .options = {.kubeconfig = "/tmp/my config", .context = "dev"}};
    cleanup_text struct text out;
    text_init(&out, 16 * 1024);
    how_to_connect(&cli, object, &out);
    assert_string_equal(
        out.bytes,
        "  host      alice-rw.dev.svc\n"
        "  port      5432\n"
        "  database  my db\n"
        "  user      app\n"
        "  secret    dev/alice-app\n"
        "\n"
        "Inside the cluster:\n"
        "\n"
        "  PGPASSWORD=\"$(kubectl --kubeconfig '/tmp/my config' --context dev -n dev get secret "
        "alice-app -o go-template='{{.data.password | base64decode}}')\" psql -h alice-rw.dev.svc "
        "-U app -d 'my db'\n"
        "\n"
        "From here, through the API server:\n"
        "\n"
        "  adj connect alice -n dev\n"
        "\n"
        "The same by hand:\n"
        "\n"
        "  kubectl --kubeconfig '/tmp/my config' --context dev -n dev port-forward "
        "service/alice-rw 5432 &\n"
        "  PGPASSWORD=\"$(kubectl --kubeconfig '/tmp/my config' --context dev -n dev get secret "
        "alice-app -o go-template='{{.data.password | base64decode}}')\" psql -h 127.0.0.1 -U app "
        "-d 'my db'\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_quoted_when_a_shell_needs_it),
        cmocka_unit_test(the_lines_go_where_this_command_went),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
