/* SPDX-License-Identifier: Apache-2.0 */
/* What the server, the terminal and whoever sits at it will say. */
#include "support/test_adj_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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

void test_adj_cannot_write(struct test_adj *adj)
{
    adj->cannot_write = true;
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

void test_adj_executes(struct test_adj *adj, int http_status, const char *output)
{
    assert_true(adj->execution_count < EXECUTIONS_MAX);
    adj->executions[adj->execution_count++] =
        (struct execution){.refused_with = http_status, .output = output};
}

void test_adj_execution_fails(struct test_adj *adj, const char *message)
{
    assert_true(adj->execution_count > 0);
    adj->executions[adj->execution_count - 1].failure = message;
}

static bool is_asked(const struct answer *answer, const struct request *request)
{
    size_t path_bytes = strcspn(request->path, "?");
    return answer->watch == request->watch &&
           (answer->watch || answer->method == request->method) &&
           strlen(answer->path) == path_bytes &&
           strncmp(answer->path, request->path, path_bytes) == 0;
}

struct answer *test_adj_answer_to(struct test_adj *adj, const struct request *request)
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
