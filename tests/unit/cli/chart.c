/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MINUTE_MS = 60 * 1000, HOUR_MS = 60 * MINUTE_MS, BYTES_MAX = 64 * 1024 };

/* The labels, each behind a space. */
static void labels_of(const struct text *drawn, struct text *out)
{
    for (const char *at = strstr(drawn->bytes, "'#000'>"); at != NULL;
         at = strstr(at + 1, "'#000'>")) {
        const char *label = strchr(at, '>') + 1;
        text_append(out, " ");
        text_append_bytes(out, label, strcspn(label, "<"));
    }
}

static void times_are_marked_at_round_ones(void **state)
{
    (void)state;
    static const struct {
        int64_t whole_ms;
        const char *unit, *labels;
    } rows[] = {
        {1, "seconds", " 0"},
        {5900, "seconds", " 0 1 2 3 4 5"},
        {65300, "seconds", " 0 20 40 60"},
        {248756, "seconds", " 0 50 100 150 200"},
        {30 * MINUTE_MS, "minutes", " 0 10 20 30"},
        {8 * HOUR_MS, "hours", " 0 2 4 6 8"},
        {INT64_C(28) * 24 * HOUR_MS, "hours", " 0 200 400 600"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cleanup_text struct text drawn;
        cleanup_text struct text labels;
        text_init(&drawn, BYTES_MAX);
        text_init(&labels, BYTES_MAX);
        chart_mark_times_y(rows[i].whole_ms, &drawn);
        labels_of(&drawn, &labels);
        assert_string_equal(labels.bytes, rows[i].labels);
        assert_string_equal(chart_time_unit(rows[i].whole_ms), rows[i].unit);
    }
}

static void places_reach_from_one_end_to_the_other(void **state)
{
    (void)state;
    assert_int_equal(chart_place(0, 1), 0);
    assert_int_equal(chart_place(0, 3), 0);
    assert_int_equal(chart_place(1, 3), CHART_WHOLE / 2);
    assert_int_equal(chart_place(2, 3), CHART_WHOLE);
    cleanup_text struct text drawn;
    cleanup_text struct text labels;
    text_init(&drawn, BYTES_MAX);
    text_init(&labels, BYTES_MAX);
    chart_mark_places(45, 1, &drawn);
    labels_of(&drawn, &labels);
    assert_string_equal(labels.bytes, " 1 4 7 10 13 16 19 22 25 28 31 34 37 40 43");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_marked_at_round_ones),
        cmocka_unit_test(places_reach_from_one_end_to_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
