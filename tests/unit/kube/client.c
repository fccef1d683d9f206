/* SPDX-License-Identifier: Apache-2.0 */
#include "kube/client.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"
#include "support/fake_transport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { BODY_BYTES_MAX = 100 * 1000, DEADLINE_MS = 5000 };

struct fixture {
    struct fake_transport *transport;
    struct client *client;
};

/* Who asked, and what was handed over. */
struct asker {
    struct client *client;
    int reply_count;
    struct error error;
    int http_status;
    size_t body_bytes;
    char body[64];
    int64_t elapsed_ms;
    const char *ask_again; /* path; NULL: no */
};

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture.transport = fake_transport_new();
    fixture.client = client_new(fake_transport_seam(fixture.transport), BODY_BYTES_MAX);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    client_free(fixture->client);
    assert_int_equal(fake_transport_running(fixture->transport), 0);
    fake_transport_free(fixture->transport);
    return 0;
}

static void step(struct fixture *fixture, int64_t mono_ms)
{
    client_step(fixture->client, (struct now){.mono_ms = mono_ms});
    assert_false(client_due(fixture->client));
}

static void note(void *self, const struct reply *reply);

static void ask(struct client *client, struct asker *asker, const char *path,
                enum client_priority priority)
{
    struct request request = {.method = METHOD_GET, .path = path, .deadline_ms = DEADLINE_MS};
    asker->client = client;
    client_send(client, &request, priority, false, note, asker);
}

static void ask_patch(struct fixture *fixture, struct asker *asker, bool json_patch_tests)
{
    char body[] = "[{}]";
    struct request request = {
        .method = METHOD_PATCH,
        .path = "/api/v1/persistentvolumes/pv",
        .content_type = "application/json-patch+json",
        .body = body,
        .body_bytes = strlen(body),
        .deadline_ms = DEADLINE_MS,
    };
    client_send(fixture->client, &request, CLIENT_NORMAL, json_patch_tests, note, asker);
    memset(body, 'x', sizeof(body));
}

static void note(void *self, const struct reply *reply)
{
    struct asker *asker = self;
    asker->reply_count++;
    asker->error = reply->error;
    asker->http_status = reply->http_status;
    asker->body_bytes = reply->body_bytes;
    snprintf(asker->body, sizeof(asker->body), "%s", reply->body);
    asker->elapsed_ms = reply->elapsed_ms;
    if (asker->ask_again != NULL) {
        const char *path = asker->ask_again;
        asker->ask_again = NULL;
        ask(asker->client, asker, path, CLIENT_NORMAL);
    }
}

static void a_reply_is_handed_over_by_the_step_and_not_before(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0};
    ask(fixture->client, &asker, "/a", CLIENT_NORMAL);
    assert_int_equal(fake_transport_count(fixture->transport), 0);
    assert_true(client_due(fixture->client));
    step(fixture, 1000);
    fake_transport_set_chunk(fixture->transport, 1);
    fake_call_reply(fake_transport_last(fixture->transport), 200, "{'a':1}");
    assert_int_equal(asker.reply_count, 0);
    assert_true(client_due(fixture->client));
    assert_int_equal(client_in_flight(fixture->client), 1);
    step(fixture, 1250);
    assert_int_equal(asker.reply_count, 1);
    assert_int_equal(asker.error.class, ERROR_NONE);
    assert_int_equal(asker.http_status, 200);
    assert_string_equal(asker.body, "{\"a\":1}");
    assert_int_equal(asker.body_bytes, 7);
    assert_int_equal(asker.elapsed_ms, 250);
    assert_int_equal(client_in_flight(fixture->client), 0);
    step(fixture, 1250);
    assert_int_equal(asker.reply_count, 1);
}

static void a_request_is_copied_whole(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0};
    ask_patch(fixture, &asker, true);
    step(fixture, 0);
    const struct request *sent = &fake_transport_last(fixture->transport)->request;
    assert_int_equal(sent->method, METHOD_PATCH);
    assert_string_equal(sent->path, "/api/v1/persistentvolumes/pv");
    assert_string_equal(sent->content_type, "application/json-patch+json");
    assert_string_equal(sent->body, "[{}]");
    assert_int_equal(sent->body_bytes, 4);
    assert_int_equal(sent->deadline_ms, DEADLINE_MS);
    assert_false(sent->watch);
}

static void no_more_than_the_maximum_is_on_the_wire(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0};
    for (int i = 0; i < 2 * LIMIT_REQUESTS_IN_FLIGHT; i++) {
        ask(fixture->client, &asker, "/urgent", CLIENT_URGENT);
    }
    step(fixture, 0);
    assert_int_equal(fake_transport_running(fixture->transport), LIMIT_REQUESTS_IN_FLIGHT);
    assert_int_equal(client_in_flight(fixture->client), 2 * LIMIT_REQUESTS_IN_FLIGHT);
    fake_call_reply(fake_transport_call(fixture->transport, 3), 200, "{}");
    fake_call_reply(fake_transport_call(fixture->transport, 0), 200, "{}");
    step(fixture, 1);
    assert_int_equal(asker.reply_count, 2);
    assert_int_equal(fake_transport_running(fixture->transport), LIMIT_REQUESTS_IN_FLIGHT);
    assert_int_equal(fake_transport_count(fixture->transport), LIMIT_REQUESTS_IN_FLIGHT + 2);
}

static void the_more_urgent_goes_first_and_the_order_within_is_kept(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0};
    ask(fixture->client, &asker, "/later", CLIENT_LATER);
    ask(fixture->client, &asker, "/normal-1", CLIENT_NORMAL);
    ask(fixture->client, &asker, "/normal-2", CLIENT_NORMAL);
    ask(fixture->client, &asker, "/urgent", CLIENT_URGENT);
    step(fixture, 0);
    static const char *const order[] = {"/urgent", "/normal-1", "/normal-2", "/later"};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(fake_transport_call(fixture->transport, i)->request.path, order[i]);
    }
}

static void an_urgent_request_does_not_wait_for_slow_ones(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0};
    for (int i = 0; i < 2 * LIMIT_REQUESTS_IN_FLIGHT; i++) {
        ask(fixture->client, &asker, "/slow", CLIENT_NORMAL);
    }
    step(fixture, 0);
    ask(fixture->client, &asker, "/lease", CLIENT_URGENT);
    step(fixture, 1);
    assert_string_equal(fake_transport_last(fixture->transport)->request.path, "/lease");
}

static void the_less_urgent_leave_places_free(void **state)
{
    static const int places[CLIENT_PRIORITY_COUNT] = {[CLIENT_LATER] = LIMIT_REQUESTS_IN_FLIGHT / 4,
                                                      [CLIENT_NORMAL] =
                                                          LIMIT_REQUESTS_IN_FLIGHT / 2,
                                                      [CLIENT_URGENT] = LIMIT_REQUESTS_IN_FLIGHT};
    struct fixture *fixture = *state;
    struct asker asker = {0};
    for (int priority = CLIENT_LATER; priority >= CLIENT_URGENT; priority--) {
        for (int i = 0; i < LIMIT_REQUESTS_IN_FLIGHT; i++) {
            ask(fixture->client, &asker, "/a", (enum client_priority)priority);
        }
        step(fixture, 0);
        assert_int_equal(fake_transport_running(fixture->transport), places[priority]);
    }
}

static void a_reply_may_ask_again(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {.ask_again = "/second"};
    ask(fixture->client, &asker, "/first", CLIENT_NORMAL);
    step(fixture, 0);
    fake_call_reply(fake_transport_last(fixture->transport), 404, NULL);
    step(fixture, 1);
    assert_int_equal(asker.error.class, ERROR_NOT_FOUND);
    assert_string_equal(fake_transport_last(fixture->transport)->request.path, "/second");
    assert_int_equal(fake_transport_running(fixture->transport), 1);
}

static void a_transports_error_is_the_replys(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0};
    ask_patch(fixture, &asker, false);
    step(fixture, 0);
    fake_call_fail(fake_transport_last(fixture->transport), ERROR_UNKNOWN);
    step(fixture, 1);
    assert_int_equal(asker.error.class, ERROR_UNKNOWN);
    assert_int_equal(asker.error.http_status, 0);
    assert_string_equal(asker.body, "");

    ask_patch(fixture, &asker, false);
    step(fixture, 2);
    fake_call_head(fake_transport_last(fixture->transport), 201, 0);
    fake_call_json(fake_transport_last(fixture->transport), "{'cut");
    fake_call_fail(fake_transport_last(fixture->transport), ERROR_UNKNOWN);
    step(fixture, 3);
    assert_int_equal(asker.error.class, ERROR_UNKNOWN);
    assert_int_equal(asker.error.http_status, 201);
    assert_int_equal(fake_transport_count(fixture->transport), 2); /* nothing is sent again */
}

static void the_class_knows_the_method_and_its_tests(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0};
    const char *lost = "{'kind':'Status','reason':'Invalid','message':'m'}";
    ask_patch(fixture, &asker, true);
    step(fixture, 0);
    fake_call_reply(fake_transport_last(fixture->transport), 422, lost);
    step(fixture, 1);
    assert_int_equal(asker.error.class, ERROR_TEST_FAILED);
    ask_patch(fixture, &asker, false);
    step(fixture, 2);
    fake_call_reply(fake_transport_last(fixture->transport), 422, lost);
    step(fixture, 3);
    assert_int_equal(asker.error.class, ERROR_INVALID);
    ask_patch(fixture, &asker, false);
    step(fixture, 4);
    fake_call_reply(fake_transport_last(fixture->transport), 500, NULL);
    step(fixture, 5);
    assert_int_equal(asker.error.class, ERROR_UNKNOWN);
}

/* B15 */
static void retry_after_reaches_the_asker(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0};
    ask(fixture->client, &asker, "/a", CLIENT_NORMAL);
    step(fixture, 0);
    struct fake_call *call = fake_transport_last(fixture->transport);
    fake_call_head(call, 429, 3000);
    fake_call_end(call);
    step(fixture, 1);
    assert_int_equal(asker.error.class, ERROR_THROTTLED);
    assert_int_equal(asker.error.retry_after_ms, 3000);
    assert_int_equal(asker.error.http_status, 429);
}

static void send_body(struct fixture *fixture, int http_status, size_t byte_count)
{
    cleanup_memory char *body = memory_new(byte_count, 1);
    memset(body, ' ', byte_count);
    struct fake_call *call = fake_transport_last(fixture->transport);
    fake_call_head(call, http_status, 0);
    fake_call_bytes(call, body, byte_count);
    fake_call_end(call);
}

static void a_body_has_a_maximum_by_its_status(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0};
    fake_transport_set_chunk(fixture->transport, 1000);
    ask(fixture->client, &asker, "/a", CLIENT_NORMAL);
    step(fixture, 0);
    send_body(fixture, 200, BODY_BYTES_MAX);
    step(fixture, 1);
    assert_int_equal(asker.error.class, ERROR_NONE);
    assert_int_equal(asker.body_bytes, BODY_BYTES_MAX);

    ask(fixture->client, &asker, "/b", CLIENT_NORMAL);
    step(fixture, 2);
    send_body(fixture, 200, BODY_BYTES_MAX + 1);
    step(fixture, 3);
    assert_int_equal(asker.error.class, ERROR_LIMIT);
    assert_int_equal(asker.error.http_status, 200);

    ask(fixture->client, &asker, "/c", CLIENT_NORMAL);
    step(fixture, 4);
    send_body(fixture, 404, BODY_BYTES_MAX - 1);
    step(fixture, 5);
    assert_int_equal(asker.error.class, ERROR_NOT_FOUND);
    assert_true(asker.body_bytes <= LIMIT_ERROR_BODY_BYTES);
}

static void who_is_forgotten_is_told_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0}, other = {0};
    for (int i = 0; i < LIMIT_REQUESTS_IN_FLIGHT; i++) {
        ask(fixture->client, &asker, "/wire", CLIENT_URGENT);
    }
    step(fixture, 0);
    ask(fixture->client, &asker, "/waits", CLIENT_URGENT);
    ask(fixture->client, &other, "/other", CLIENT_URGENT);
    fake_call_reply(fake_transport_call(fixture->transport, 0), 200, "{}");
    client_forget(fixture->client, &asker);
    fake_call_reply(fake_transport_call(fixture->transport, 1), 200, "{}");
    step(fixture, 1);
    assert_int_equal(asker.reply_count, 0);
    assert_string_equal(fake_transport_last(fixture->transport)->request.path, "/other");
    assert_int_equal(fake_transport_count(fixture->transport), LIMIT_REQUESTS_IN_FLIGHT + 1);
    fake_call_reply(fake_transport_last(fixture->transport), 200, "{}");
    step(fixture, 2);
    assert_int_equal(other.reply_count, 1);
}

static void to_free_it_cancels_what_runs(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0};
    for (int i = 0; i < LIMIT_REQUESTS_IN_FLIGHT + 2; i++) {
        ask(fixture->client, &asker, "/a", CLIENT_NORMAL);
    }
    step(fixture, 0);
    fake_call_reply(fake_transport_call(fixture->transport, 0), 200, "{}");
    client_free(fixture->client);
    assert_int_equal(fake_transport_call(fixture->transport, 1)->state, FAKE_CALL_CANCELLED);
    assert_int_equal(asker.reply_count, 0);
    fixture->client = NULL;
}

static void calls_are_counted_by_how_they_ended(void **state)
{
    struct fixture *fixture = *state;
    struct asker asker = {0};
    static const int statuses[] = {200, 200, 409};
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        ask(fixture->client, &asker, "/a", CLIENT_NORMAL);
        step(fixture, 0);
        fake_call_reply(fake_transport_last(fixture->transport), statuses[i], "{}");
        client_step(fixture->client, (struct now){.mono_ms = 1});
    }
    const struct client_tally *tallies;
    assert_int_equal(client_tallies(fixture->client, &tallies), 2);
    assert_int_equal(tallies[0].count, 2);
    assert_int_equal(tallies[1].http_status, 409);
    assert_int_equal(tallies[1].count, 1);
}

#define WITH_CLIENT(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_CLIENT(a_reply_is_handed_over_by_the_step_and_not_before),
        WITH_CLIENT(a_request_is_copied_whole),
        WITH_CLIENT(no_more_than_the_maximum_is_on_the_wire),
        WITH_CLIENT(the_more_urgent_goes_first_and_the_order_within_is_kept),
        WITH_CLIENT(an_urgent_request_does_not_wait_for_slow_ones),
        WITH_CLIENT(the_less_urgent_leave_places_free),
        WITH_CLIENT(a_reply_may_ask_again),
        WITH_CLIENT(a_transports_error_is_the_replys),
        WITH_CLIENT(the_class_knows_the_method_and_its_tests),
        WITH_CLIENT(retry_after_reaches_the_asker),
        WITH_CLIENT(a_body_has_a_maximum_by_its_status),
        WITH_CLIENT(who_is_forgotten_is_told_nothing),
        WITH_CLIENT(calls_are_counted_by_how_they_ended),
        WITH_CLIENT(to_free_it_cancels_what_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
