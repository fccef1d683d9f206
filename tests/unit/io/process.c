/* SPDX-License-Identifier: Apache-2.0 */
#include "io/process.h"

#include "base/memory.h"
#include "io/loop.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct run {
    struct loop *loop;
    struct process *process;
    int done_count;
    char *output; /* NULL: it failed */
    int exit_code;
    struct error error;
};

static void done(void *self, const char *output, const struct error *error)
{
    struct run *run = self;
    assert_non_null(run->process); /* never from inside process_start */
    run->done_count++;
    run->output = memory_copy_text(output);
    run->error = *error;
    run->exit_code = process_exit_code(run->process);
    process_free(run->process);
    loop_stop(run->loop);
}

static struct process_request shell(const char *const *arguments)
{
    return (struct process_request){
        .command = "sh",
        .arguments = arguments,
        .deadline_ms = 60 * 1000,
        .output_bytes_max = 1000,
    };
}

static struct run run_process(const struct process_request *request)
{
    struct run run = {.loop = loop_new()};
    run.process = process_start(run.loop, request, done, &run);
    loop_run(run.loop);
    loop_free(run.loop);
    assert_int_equal(run.done_count, 1);
    /* No child is left, not even as a zombie. */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    return run;
}

static void assert_output(const struct process_request *request, const char *expected)
{
    struct run run = run_process(request);
    assert_int_equal(run.error.class, ERROR_NONE);
    assert_string_equal(run.output, expected);
    memory_free(run.output);
}

static void assert_fails(const struct process_request *request, enum error_class class,
                         const char *message)
{
    struct run run = run_process(request);
    assert_null(run.output);
    assert_int_equal(run.error.class, class);
    assert_string_equal(run.error.message, message);
}

static void gives_what_it_wrote(void **state)
{
    (void)state;
    const char *const arguments[] = {"-c", "printf 'a\\n'; printf '%s|' \"$@\"", "sh", "b c", "d",
                                     NULL};
    struct process_request request = shell(arguments);
    assert_output(&request, "a\nb c|d|");
}

static void output_of_the_limits_size_is_whole(void **state)
{
    (void)state;
    const char *const arguments[] = {"-c", "printf 12345", NULL};
    struct process_request request = shell(arguments);
    request.output_bytes_max = 5;
    assert_output(&request, "12345");
}

static void output_over_the_limit_ends_it(void **state)
{
    (void)state;
    const char *const arguments[] = {"-c", "printf 123456; sleep 1000", NULL};
    struct process_request request = shell(arguments);
    request.output_bytes_max = 5;
    assert_fails(&request, ERROR_LIMIT, "sh has written more than 5 bytes");
}

static void variables_are_added_to_ours_and_replace_them(void **state)
{
    (void)state;
    setenv("ADJOINT_KEPT", "kept", 1);
    setenv("ADJOINT_REPLACED", "old", 1);
    const char *const arguments[] = {
        "-c", "env | grep -c '^ADJOINT_'; printf $ADJOINT_KEPT,$ADJOINT_REPLACED,$ADJOINT_NEW",
        NULL};
    const char *const variables[] = {"ADJOINT_REPLACED=new", "ADJOINT_NEW=1=2", NULL};
    struct process_request request = shell(arguments);
    request.variables = variables;
    assert_output(&request, "3\nkept,new,1=2");
}

static void stdin_is_empty_or_ours(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "ours", 4), 4);
    close(ends[1]);
    int saved = dup(STDIN_FILENO);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);

    const char *const arguments[] = {"-c", "cat", NULL};
    struct process_request request = shell(arguments);
    assert_output(&request, "");
    request.inherit_stdin = true;
    assert_output(&request, "ours");
    dup2(saved, STDIN_FILENO);
    close(saved);
}

static void a_status_and_a_signal_are_failures(void **state)
{
    (void)state;
    const char *const fails[] = {"-c", "echo ignored; exit 3", NULL};
    struct process_request request = shell(fails);
    assert_fails(&request, ERROR_SYSTEM, "sh ended with status 3");
    const char *const dies[] = {"-c", "kill -9 $$", NULL};
    request.arguments = dies;
    assert_fails(&request, ERROR_SYSTEM, "sh was killed by signal 9");
}

static void a_missing_command_is_named(void **state)
{
    (void)state;
    struct process_request request = shell(NULL);
    request.command = "adjoint-no-such-command";
    assert_fails(&request, ERROR_SYSTEM, "adjoint-no-such-command: no such command in PATH");
    request.command = "/nonexistent/plugin";
    assert_fails(&request, ERROR_SYSTEM, "/nonexistent/plugin: no such file or directory");
    request.command = "/etc/";
    assert_fails(&request, ERROR_SYSTEM, "/etc/: permission denied");
}

static void the_deadline_kills(void **state)
{
    (void)state;
    const char *const arguments[] = {"-c", "trap '' TERM; printf x; sleep 1000", NULL};
    struct process_request request = shell(arguments);
    request.deadline_ms = 100;
    assert_fails(&request, ERROR_TIMEOUT, "sh has not ended within 100 ms");
}

/* The grandchild says who it is, and holds the other end of a pipe of ours as long as it lives. */
static void the_deadline_kills_grandchildren_too(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    int saved = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);

    const char *const arguments[] = {"-c", "sleep 1000 & exit 0", NULL};
    struct process_request request = shell(arguments);
    request.deadline_ms = 200;
    struct run run = run_process(&request);
    dup2(saved, STDERR_FILENO);
    close(saved);
    assert_int_equal(run.error.class, ERROR_TIMEOUT);

    char byte = 0;
    assert_int_equal(read(ends[0], &byte, 1), 0); /* would wait for as long as it sleeps */
    close(ends[0]);
}

static int64_t stop_at_once(void *self, struct now now)
{
    (void)now;
    loop_stop(self);
    return NOW_NEVER;
}

static void freeing_kills_and_tells_nobody(void **state)
{
    (void)state;
    struct run run = {.loop = loop_new()};
    const char *const arguments[] = {"-c", "sleep 1000", NULL};
    struct process_request request = shell(arguments);
    run.process = process_start(run.loop, &request, done, &run);
    loop_set_step(run.loop, stop_at_once, run.loop);
    loop_run(run.loop);
    process_free(run.process);
    loop_free(run.loop); /* waits for its end */
    assert_int_equal(run.done_count, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);

    process_free(NULL);
}

static void one_that_could_not_start_is_freed_unheard(void **state)
{
    (void)state;
    struct run run = {.loop = loop_new()};
    struct process_request request = shell(NULL);
    request.command = "/nonexistent/plugin";
    run.process = process_start(run.loop, &request, done, &run);
    process_free(run.process);
    loop_free(run.loop);
    assert_int_equal(run.done_count, 0);
}

/* Runs it with a pipe for stdout; gives what came through. */
static struct run run_in_foreground(const char *const *arguments, const char *const *variables,
                                    char *out_bytes, size_t byte_count)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    int saved = dup(STDOUT_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    struct process_request request = {
        .command = "sh", .arguments = arguments, .variables = variables, .foreground = true};
    struct run run = run_process(&request);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    ssize_t count = read(ends[0], out_bytes, byte_count - 1);
    close(ends[0]);
    out_bytes[count < 0 ? 0 : count] = '\0';
    memory_free(run.output);
    return run;
}

/* Both are sent it, as by a terminal. */
static void one_in_the_foreground_has_our_streams_and_the_terminals_signals(void **state)
{
    (void)state;
    char bytes[64];
    (void)signal(SIGINT, SIG_DFL); /* a shell's background job is begun without it */
    setenv("ADJOINT_REMOVED", "1", 1);
    const char *const variables[] = {"ADJOINT_REMOVED", "ADJOINT_NEW=x", NULL};
    const char *const arguments[] = {
        "-c",
        "trap 'printf caught,; exit 3' INT; printf ${ADJOINT_REMOVED-none},$ADJOINT_NEW,; "
        "kill -INT $PPID; kill -INT $$; sleep 1000",
        NULL};
    struct run run = run_in_foreground(arguments, variables, bytes, sizeof(bytes));
    assert_string_equal(bytes, "none,x,caught,");
    assert_int_equal(run.exit_code, 3);
    const char *const dies[] = {"-c", "kill -TERM $$", NULL};
    run = run_in_foreground(dies, NULL, bytes, sizeof(bytes));
    assert_int_equal(run.exit_code, 128 + SIGTERM);
    struct sigaction now;
    assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
}

static void one_that_could_not_start_has_no_exit_code(void **state)
{
    (void)state;
    struct process_request request = {.command = "adjoint-no-such-command", .foreground = true};
    struct run run = run_process(&request);
    assert_int_equal(run.exit_code, -1);
    assert_string_equal(run.error.message, "adjoint-no-such-command: no such command in PATH");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_what_it_wrote),
        cmocka_unit_test(output_of_the_limits_size_is_whole),
        cmocka_unit_test(output_over_the_limit_ends_it),
        cmocka_unit_test(variables_are_added_to_ours_and_replace_them),
        cmocka_unit_test(stdin_is_empty_or_ours),
        cmocka_unit_test(a_status_and_a_signal_are_failures),
        cmocka_unit_test(a_missing_command_is_named),
        cmocka_unit_test(the_deadline_kills),
        cmocka_unit_test(the_deadline_kills_grandchildren_too),
        cmocka_unit_test(freeing_kills_and_tells_nobody),
        cmocka_unit_test(one_that_could_not_start_is_freed_unheard),
        cmocka_unit_test(one_in_the_foreground_has_our_streams_and_the_terminals_signals),
        cmocka_unit_test(one_that_could_not_start_has_no_exit_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
