/* SPDX-License-Identifier: Apache-2.0 */
#include "support/test_adj.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/cli.h"
#include "support/fake_transport.h"

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
    ANSWERS_MAX = 64,
    WORDS_MAX = 32,
    REQUESTS_BYTES_MAX = 1024 * 1024,
    TURNS_MAX = 100000
};

struct answer {
    enum method method;
    const char *path; /* with "WATCH" as an event's method: watch is set */
    bool watch, given;
    int http_status;
    const char *json;
    int64_t after_ms; /* Retry-After, or an event's delay */
    enum error_class class;
};

struct test_adj {
    struct arena arena;
    struct answer answers[ANSWERS_MAX];
    size_t answer_count;
    struct fake_transport *transport;
    size_t looked_at; /* calls of the transport that are in requests */
    int64_t mono_ms;
    int64_t watched_since_ms; /* or since the last event */
    bool terminal;
    size_t columns;
    const char *typed;
    int64_t interrupt_at_ms; /* mono; NOW_NEVER: nobody does */
    void (*stop_asked)(void *self, int signal_number);
    void *stop_self;
    bool forwards;
    int refused_with; /* HTTP status; 0: not */
    const char *refusal;
    int child_code;
    char *out, *err;
    struct text requests;
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

/* ---- what the server says ---- */

static void add_answer(struct test_adj *adj, struct answer answer)
{
    assert_true(adj->answer_count < ANSWERS_MAX);
    answer.path = arena_copy(&adj->arena, answer.path);
    answer.json = arena_copy(&adj->arena, answer.json);
    adj->answers[adj->answer_count++] = answer;
}

void test_adj_reply(struct test_adj *adj, enum method method, const char *path, int http_status,
                    const char *json)
{
    add_answer(adj, (struct answer){
                        .method = method, .path = path, .http_status = http_status, .json = json});
}

void test_adj_throttle(struct test_adj *adj, enum method method, const char *path,
                       int64_t retry_after_ms)
{
    add_answer(adj,
               (struct answer){
                   .method = method, .path = path, .http_status = 429, .after_ms = retry_after_ms});
}

void test_adj_fail(struct test_adj *adj, enum method method, const char *path,
                   enum error_class class)
{
    add_answer(adj, (struct answer){.method = method, .path = path, .class = class});
}

void test_adj_event(struct test_adj *adj, const char *path, int64_t delay_ms, const char *json)
{
    add_answer(adj,
               (struct answer){.path = path, .watch = true, .after_ms = delay_ms, .json = json});
}

void test_adj_on_terminal(struct test_adj *adj, size_t columns)
{
    adj->terminal = true;
    adj->columns = columns;
}

void test_adj_types(struct test_adj *adj, const char *text)
{
    adj->typed = text;
}

void test_adj_interrupts(struct test_adj *adj, int64_t after_ms)
{
    adj->interrupt_at_ms = adj->mono_ms + after_ms;
}

void test_adj_forwards(struct test_adj *adj, int http_status, const char *refusal)
{
    adj->forwards = true;
    adj->refused_with = http_status;
    adj->refusal = refusal;
}

void test_adj_child_ends(struct test_adj *adj, int code)
{
    adj->child_code = code;
}

static bool is_asked(const struct answer *answer, const struct request *request)
{
    size_t path_bytes = strcspn(request->path, "?");
    return answer->watch == request->watch &&
           (answer->watch || answer->method == request->method) &&
           strlen(answer->path) == path_bytes &&
           strncmp(answer->path, request->path, path_bytes) == 0;
}

/* The first that was not given, else the last one. */
static struct answer *find_answer(struct test_adj *adj, const struct request *request)
{
    struct answer *found = NULL;
    for (size_t i = 0; i < adj->answer_count; i++) {
        struct answer *answer = &adj->answers[i];
        if (is_asked(answer, request) && (found == NULL || found->given)) {
            found = answer;
        }
    }
    return found;
}

static void give(struct test_adj *adj, struct fake_call *call)
{
    struct answer *answer = find_answer(adj, &call->request);
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
        struct answer *event = watches ? find_answer(adj, &call->request) : NULL;
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
    size_t out_bytes = 0;
    size_t err_bytes = 0;
    bool types = adj->typed != NULL;
    FILE *in = types ? fmemopen(arena_copy(&adj->arena, adj->typed), strlen(adj->typed), "r")
                     : fopen("/dev/null", "r");
    struct cli cli = {
        .in = in,
        .in_is_terminal = types,
        .out = open_memstream(&adj->out, &out_bytes),
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
