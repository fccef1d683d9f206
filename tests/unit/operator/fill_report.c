/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/fill_report.h"

#include "base/memory.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
    static struct memos memos;
    memos_init(&memos);
    *state = &memos;
    return 0;
}

static int tear_down(void **state)
{
    memos_release(*state);
    return 0;
}

static const struct memo *absorb(struct memos *memos, const struct reply *reply)
{
    const struct action action = {.kind = ACTION_EVENTS, .uid = "u1"};
    struct memo *memo = memos_get(memos, "pool/pools/orders");
    fill_report_absorb(memo, &action, reply, (struct now){.mono_ms = 7000});
    assert_string_equal(memo->fill_claim_uid, "u1");
    assert_int_equal(memo->fill_read_ms, 7000);
    return memo;
}

static const struct memo *absorb_body(struct memos *memos, const char *body)
{
    return absorb(memos,
                  &(struct reply){.http_status = 200, .body = body, .body_bytes = strlen(body)});
}

#define LIST(items) "{\"kind\":\"EventList\",\"metadata\":{},\"items\":[" items "]}"

static void the_last_complaint_counts(void **state)
{
    static const char body[] =
        LIST("{\"metadata\":{\"name\":\"d\"},\"reason\":\"ProvisioningFailed\","
             "\"message\":\"busy\",\"lastTimestamp\":\"2026-08-22T10:00:00Z\"},"
             "{\"metadata\":{\"name\":\"b\"},\"reason\":\"ProvisioningFailed\","
             "\"message\":\"full\",\"lastTimestamp\":\"2026-08-22T10:02:00Z\"},"
             "{\"metadata\":{\"name\":\"a\"},\"reason\":\"ProvisioningFailed\","
             "\"message\":\"slow\",\"eventTime\":\"2026-08-22T10:01:00.000000Z\"},"
             "{\"metadata\":{\"name\":\"c\"},\"reason\":\"ClaimMisbound\","
             "\"message\":\"lost\",\"lastTimestamp\":\"2026-08-22T10:03:00Z\"}");
    assert_string_equal(absorb_body(*state, body)->fill_complaint, "full");
}

static void what_is_long_or_has_lines_is_made_fit(void **state)
{
    cleanup_text struct text body;
    text_init(&body, 5000);
    text_append(&body, "{\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"a\"},\"reason\":"
                       "\"ProvisioningFailed\",\"message\":\"one\\ntwo ");
    for (int i = 0; i < 1000; i++) {
        text_append(&body, "\xc3\xa4");
    }
    text_append(&body, "\"}]}");
    const struct memo *memo = absorb_body(*state, body.bytes);
    assert_true(text_starts_with(memo->fill_complaint, "one two "));
    assert_in_range(strlen(memo->fill_complaint), 400, 511);
    assert_true(text_ends_with(memo->fill_complaint, "\xc3\xa4"));
}

static void no_complaint_and_no_answer_are_none(void **state)
{
    assert_null(absorb_body(*state, LIST(""))->fill_complaint);
    assert_null(absorb_body(*state, "{\"items\":[{\"reason\":\"Provis")->fill_complaint);
    assert_null(absorb_body(*state, "")->fill_complaint);
    struct reply reply = {.http_status = 503};
    (void)error_set(&reply.error, ERROR_UNAVAILABLE, "away");
    assert_null(absorb(*state, &reply)->fill_complaint);
}

static void that_it_may_not_ask_is_told(void **state)
{
    struct reply reply = {.http_status = 403};
    (void)error_set(&reply.error, ERROR_FORBIDDEN, "events is forbidden");
    assert_string_equal(absorb(*state, &reply)->fill_complaint,
                        "its events cannot be read: events is forbidden");
}

#define WITH_MEMOS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MEMOS(the_last_complaint_counts),
        WITH_MEMOS(what_is_long_or_has_lines_is_made_fit),
        WITH_MEMOS(no_complaint_and_no_answer_are_none),
        WITH_MEMOS(that_it_may_not_ask_is_told),
    };
    return cmocka_run_group_tests_name("fill_report", tests, NULL, NULL);
}
