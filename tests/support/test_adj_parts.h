/* SPDX-License-Identifier: Apache-2.0 */
/* What test_adj.c and test_adj_answers.c share; tests include support/test_adj.h. */
#ifndef ADJOINT_SUPPORT_TEST_ADJ_PARTS_H
#define ADJOINT_SUPPORT_TEST_ADJ_PARTS_H

#include "base/arena.h"
#include "base/text.h"
#include "support/fake_transport.h"
#include "support/test_adj.h"

enum { ANSWERS_MAX = 64, EXECUTIONS_MAX = 4 };

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
    bool terminal, cannot_write;
    size_t columns;
    const char *typed;
    int64_t interrupt_at_ms; /* mono; NOW_NEVER: nobody does */
    void (*stop_asked)(void *self, int signal_number);
    void *stop_self;
    bool forwards;
    int refused_with; /* HTTP status; 0: not */
    const char *refusal;
    int child_code;
    struct execution {
        int refused_with; /* HTTP status; 0: not */
        const char *output, *failure;
    } executions[EXECUTIONS_MAX];
    size_t execution_count, executed_count;
    char *out, *err;
    struct text requests;
};

/* What the request is answered with: the first that was not given, else the last one; NULL: none.
 */
struct answer *test_adj_answer_to(struct test_adj *adj, const struct request *request);

#endif
