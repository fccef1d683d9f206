/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "cli/cli.h"
#include "support/test_adj_parts.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    FORWARDED_PORT = 40000,
    WORDS_MAX = 32,
    REQUESTS_BYTES_MAX = 1024 * 1024,
    TURNS_MAX = 100000
};

struct test_adj *test_adj_new(void)
{
    struct test_adj *adj = memory_new(1, sizeof(*adj));
    arena_init(&adj->arena, 0);
    text_init(&adj->requests, REQUESTS_BYTES_MAX);
    adj->transport = fake_transport_new();
    adj->columns = 80;
    adj->interrupt_at_ms = NOW_NEVER;
    return adj;
}

void test_adj_free(struct test_adj *adj)
{
    fake_transport_free(adj->transport);
    text_release(&adj->requests);
    arena_release(&adj->arena);
    free(adj->out);
    free(adj->err);
    memory_free(adj);
}

static void give(struct test_adj *adj, struct fake_call *call)
{
    struct answer *answer = test_adj_answer_to(adj, &call->request);
    if (answer == NULL) {
        fail_msg("not expected: %s %s", method_name(call->request.method), call->request.path);
    }
    answer->given = true;
    if (answer->class != ERROR_NONE) {
        fake_call_fail(call, answer->class);
        return;
    }
    fake_call_head(call, answer->http_status, answer->after_ms);
    if (answer->json != NULL) {
        fake_call_json(call, answer->json);
    }
    fake_call_end(call);
}

static void note_requests(struct test_adj *adj)
{
    for (; adj->looked_at < fake_transport_count(adj->transport); adj->looked_at++) {
        struct fake_call *call = fake_transport_call(adj->transport, adj->looked_at);
        text_print(&adj->requests, "%s %s\n", method_name(call->request.method),
                   call->request.path);
        if (call->request.body_bytes > 0) {
            text_print(&adj->requests, "    %s: %s\n", call->request.content_type,
                       call->request.body);
        }
        if (call->request.watch) {
            fake_call_head(call, 200, 0);
            adj->watched_since_ms = adj->mono_ms;
        }
    }
}

/* One reply to a call that is no watch; false: there is none to give. */
static bool give_next(struct test_adj *adj)
{
    for (size_t i = 0; i < fake_transport_count(adj->transport); i++) {
        struct fake_call *call = fake_transport_call(adj->transport, i);
        if (call->state == FAKE_CALL_RUNNING && !call->request.watch) {
            give(adj, call);
            return true;
        }
    }
    return false;
}

/* The watch that has an event to come, and which. */
static struct fake_call *next_event(struct test_adj *adj, struct answer **out_event)
{
    for (size_t i = 0; i < fake_transport_count(adj->transport); i++) {
        struct fake_call *call = fake_transport_call(adj->transport, i);
        bool watches = call->state == FAKE_CALL_RUNNING && call->request.watch;
        struct answer *event = watches ? test_adj_answer_to(adj, &call->request) : NULL;
        if (event != NULL && !event->given) {
            *out_event = event;
            return call;
        }
    }
    return NULL;
}

/* To the next time when something happens. */
static void pass_time(struct test_adj *adj, int64_t wake_at_ms)
{
    struct answer *event = NULL;
    struct fake_call *watch = next_event(adj, &event);
    int64_t event_at_ms = watch == NULL ? NOW_NEVER : adj->watched_since_ms + event->after_ms;
    int64_t at_ms = event_at_ms < wake_at_ms ? event_at_ms : wake_at_ms;
    if (adj->stop_asked != NULL && adj->interrupt_at_ms <= at_ms) {
        adj->mono_ms = adj->interrupt_at_ms;
        adj->interrupt_at_ms = NOW_NEVER;
        adj->stop_asked(adj->stop_self, SIGINT);
        return;
    }
    if (at_ms == NOW_NEVER) {
        fail_msg("adj would wait for ever; it asked:\n%s", adj->requests.bytes);
    }
    adj->mono_ms = at_ms > adj->mono_ms ? at_ms : adj->mono_ms;
    if (at_ms == event_at_ms) {
        event->given = true;
        adj->watched_since_ms = adj->mono_ms;
        fake_call_json(watch, event->json);
    }
}

static struct now now_of(const struct test_adj *adj)
{
    return (struct now){.mono_ms = adj->mono_ms, .wall_ms = TEST_ADJ_BEGIN_MS + adj->mono_ms};
}

static void run(void *self, int64_t (*step)(void *self, struct now now), void *step_self)
{
    struct test_adj *adj = self;
    for (int turn = 0; turn < TURNS_MAX; turn++) {
        int64_t wake_at_ms = step(step_self, now_of(adj));
        note_requests(adj);
        if (wake_at_ms == SESSION_DONE) {
            return;
        }
        if (!give_next(adj)) {
            pass_time(adj, wake_at_ms);
        }
    }
    fail_msg("adj turns and turns; it asked:\n%s", adj->requests.bytes);
}

static void on_stop(void *self, void (*stop_asked)(void *self, int signal_number), void *stop_self)
{
    struct test_adj *adj = self;
    adj->stop_asked = stop_asked;
    adj->stop_self = stop_self;
}

static struct transport elsewhere(void *self, const char *url)
{
    struct test_adj *adj = self;
    text_print(&adj->requests, "at %s: ", url);
    return fake_transport_seam(adj->transport);
}

static void close_session(void *self)
{
    const struct test_adj *adj = self;
    assert_int_equal(fake_transport_running(adj->transport), 0);
}

static bool forward(void *self, const struct session_forward *wanted, int *out_port,
                    struct text *out_refusal, struct error *error)
{
    struct test_adj *adj = self;
    assert_true(adj->forwards);
    text_print(&adj->requests, "FORWARD %s\n", wanted->path);
    *out_port = FORWARDED_PORT;
    if (adj->refused_with == 0) {
        return true;
    }
    error_set(error, ERROR_UNAVAILABLE, "the server's reply was a %d", adj->refused_with);
    error->http_status = adj->refused_with;
    text_append(out_refusal, adj->refusal);
    return false;
}

static bool attend(void *self, const char *command, const char *const *arguments,
                   const char *const *variables, int *out_code, struct error *error)
{
    struct test_adj *adj = self;
    text_print(&adj->requests, "RUN %s", command == NULL ? "nothing" : command);
    for (; *arguments != NULL; arguments++) {
        text_print(&adj->requests, " [%s]", *arguments);
    }
    text_append(&adj->requests, "\n");
    for (; command != NULL && *variables != NULL; variables++) {
        text_print(&adj->requests, "    %s\n", *variables);
    }
    *out_code = adj->child_code;
    return adj->child_code >= 0 ||
           error_set(error, ERROR_SYSTEM, "%s: no such command in PATH", command);
}

static bool execute_command(void *self, const char *path, struct text *out,
                            struct text *out_refusal, struct error *error)
{
    struct test_adj *adj = self;
    assert_true(adj->executed_count < adj->execution_count);
    const struct execution *execution = &adj->executions[adj->executed_count++];
    text_print(&adj->requests, "EXECUTE %s\n", path);
    if (execution->refused_with != 0) {
        error_set(error, ERROR_UNAVAILABLE, "the server's reply was a %d", execution->refused_with);
        error->http_status = execution->refused_with;
        text_append(out_refusal, execution->output);
        return false;
    }
    text_append(out, execution->output);
    return execution->failure == NULL || error_set(error, ERROR_SYSTEM, "%s", execution->failure);
}

static bool open_session(void *opener, const struct access_options *options, struct session *out,
                         struct error *error)
{
    struct test_adj *adj = opener;
    if (options->context != NULL && !text_equal(options->context, "test")) {
        return error_set(error, ERROR_INVALID, "there is no context %s", options->context);
    }
    *out = (struct session){
        .transport = fake_transport_seam(adj->transport),
        .namespace = "dev",
        .description = "context test of a file, server https://test",
        .run = run,
        .on_stop = on_stop,
        .elsewhere = elsewhere,
        .forward = forward,
        .attend = attend,
        .execute = execute_command,
        .close = close_session,
        .self = adj,
    };
    return true;
}

/* ---- running it ---- */

static int execute(struct test_adj *adj, int argc, char *const *argv)
{
    free(adj->out);
    free(adj->err);
    adj->out = NULL;
    size_t out_bytes = 0;
    size_t err_bytes = 0;
    bool types = adj->typed != NULL;
    FILE *in = types ? fmemopen(arena_copy(&adj->arena, adj->typed), strlen(adj->typed), "r")
                     : fopen("/dev/null", "r");
    struct cli cli = {
        .in = in,
        .in_is_terminal = types,
        .out = adj->cannot_write ? fopen("/dev/full", "w") : open_memstream(&adj->out, &out_bytes),
        .err = open_memstream(&adj->err, &err_bytes),
        .out_is_terminal = adj->terminal,
        .err_is_terminal = adj->terminal,
        .err_columns = adj->columns,
        .open_session = open_session,
        .opener = adj,
    };
    int code = (int)cli_execute(&cli, argc, argv);
    adj->stop_asked = NULL;
    fclose(cli.in);
    fclose(cli.out);
    fclose(cli.err);
    return code;
}

int test_adj_run_argv(struct test_adj *adj, const char *const *argv)
{
    char *words[WORDS_MAX];
    int count = 0;
    for (; argv[count] != NULL; count++) {
        assert_true(count < WORDS_MAX);
        words[count] = arena_copy(&adj->arena, argv[count]);
    }
    return execute(adj, count, words);
}

int test_adj_run(struct test_adj *adj, ...)
{
    const char *words[WORDS_MAX] = {"/usr/local/bin/adj"};
    va_list list;
    va_start(list, adj);
    size_t count = 0;
    do {
        count++;
        assert_true(count < WORDS_MAX);
        words[count] = va_arg(list, const char *);
    } while (words[count] != NULL);
    va_end(list);
    return test_adj_run_argv(adj, words);
}

const char *test_adj_out(const struct test_adj *adj)
{
    return adj->out;
}

const char *test_adj_err(const struct test_adj *adj)
{
    return adj->err;
}

const char *test_adj_requests(const struct test_adj *adj)
{
    return adj->requests.bytes;
}

int64_t test_adj_elapsed_ms(const struct test_adj *adj)
{
    return adj->mono_ms;
}

struct test_adj *test_adj_with_alice(const char *json)
{
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, json);
    test_adj_reply(adj, METHOD_PATCH, TEST_ALICE, 200, "{}");
    return adj;
}
