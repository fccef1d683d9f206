/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/exchange.h"

#include "base/limits.h"

#include <string.h>

enum { DEADLINE_MS = 60 * 1000 };

struct exchange exchange_none(void)
{
    struct exchange exchange = {0};
    text_init(&exchange.body, LIMIT_BODY_BYTES);
    return exchange;
}

void exchange_release(struct exchange *exchange)
{
    text_release(&exchange->body);
}

static void head_came(void *self, int http_status, int64_t retry_after_ms)
{
    struct exchange *exchange = self;
    (void)retry_after_ms;
    exchange->http_status = http_status;
}

static void bytes_came(void *self, const char *bytes, size_t byte_count)
{
    struct exchange *exchange = self;
    text_append_bytes(&exchange->body, bytes, byte_count);
}

static void end_came(void *self, const struct error *error)
{
    struct exchange *exchange = self;
    exchange->error = *error;
    exchange->has_ended = true;
}

static bool has_ended(void *self)
{
    const struct exchange *exchange = self;
    return exchange->has_ended;
}

/* The transport ends it at its deadline, at the latest. */
void exchange_run(struct exchange *exchange, const struct subject *subject,
                  const struct request *request)
{
    struct request sent = *request;
    struct sink sink = {head_came, bytes_came, end_came, exchange};
    int64_t started_ms = subject->now(subject->self).mono_ms;
    sent.deadline_ms = DEADLINE_MS;
    if (sent.body != NULL) {
        sent.body_bytes = strlen(sent.body);
        sent.content_type = sent.content_type == NULL ? "application/json" : sent.content_type;
    }
    text_clear(&exchange->body);
    exchange->http_status = 0;
    exchange->has_ended = false;
    (void)subject->transport.start(subject->transport.self, &sent, sink);
    while (!subject->pass(subject->self, DEADLINE_MS, has_ended, exchange)) {
    }
    exchange->elapsed_ms = subject->now(subject->self).mono_ms - started_ms;
}
