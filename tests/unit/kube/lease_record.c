/* SPDX-License-Identifier: Apache-2.0 */
#include "kube/lease_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    struct lease_record record = {
        .resource_version = "12",
        .holder = "operator-0_\"quoted\"",
        .duration_seconds = 15,
        .acquire_time = "2026-08-22T00:00:00.000000Z",
        .renew_time = "2026-08-22T00:00:02.123000Z",
        .transitions = 3,
    };
    cleanup_text struct text json;
    text_init(&json, 4096);
    lease_record_write(&record, "system", "operator", &json);
    assert_non_null(strstr(json.bytes, "\"apiVersion\":\"coordination.k8s.io/v1\""));
    assert_non_null(strstr(json.bytes, "\"namespace\":\"system\",\"name\":\"operator\""));

    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct lease_record read = {0};
    struct error error;
    assert_true(lease_record_read(json.bytes, json.length_bytes, &arena, &read, &error));
    assert_string_equal(read.resource_version, record.resource_version);
    assert_string_equal(read.holder, record.holder);
    assert_int_equal(read.duration_seconds, 15);
    assert_string_equal(read.acquire_time, record.acquire_time);
    assert_string_equal(read.renew_time, record.renew_time);
    assert_int_equal(read.transitions, 3);
}

static bool read_json(struct arena *arena, const char *json, struct lease_record *out,
                      struct error *error)
{
    return lease_record_read(json, strlen(json), arena, out, error);
}

static void a_lease_that_somebody_made_by_hand_has_no_holder(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct lease_record record = {0};
    struct error error;
    assert_true(read_json(&arena, "{\"metadata\":{\"resourceVersion\":\"1\"}}", &record, &error));
    assert_string_equal(record.holder, "");
    assert_int_equal(record.duration_seconds, 0);
    assert_null(record.renew_time);
}

static void wrong_types_are_errors_and_leave_the_result_alone(void **state)
{
    (void)state;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct lease_record record = {.transitions = 42};
    struct error error;
    assert_false(read_json(&arena, "", &record, &error));
    assert_false(read_json(&arena, "{\"metadata\":{}}", &record, &error));
    assert_int_equal(error.class, ERROR_INVALID);
    assert_false(read_json(&arena,
                           "{\"metadata\":{\"resourceVersion\":\"1\"},"
                           "\"spec\":{\"holderIdentity\":7}}",
                           &record, &error));
    assert_non_null(strstr(error.message, "holderIdentity"));
    assert_int_equal(record.transitions, 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(a_lease_that_somebody_made_by_hand_has_no_holder),
        cmocka_unit_test(wrong_types_are_errors_and_leave_the_result_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
