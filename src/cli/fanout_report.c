/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/fanout_report.h"

#include "base/json.h"
#include "cli/chart.h"
#include "cli/table.h"

#include <inttypes.h>
#include <stdio.h>

enum { SECOND_MS = 1000, TENTH_MS = 100, TENTHS = 10, LABEL_BYTES = 96 };

/* ---- counting ---- */

static int64_t gap_before(const struct fanout_report *report, size_t at)
{
    return report->clones[at].ms - report->clones[at - 1].ms;
}

static void count_gaps(struct fanout_report *report, struct arena *arena)
{
    size_t count = report->count - 1;
    int64_t *gaps = arena_new(arena, count, sizeof(*gaps));
    for (size_t i = 0; i < count; i++) {
        gaps[i] = gap_before(report, i + 1);
    }
    figures_sort(gaps, count);
    report->gap_ms = figures_quantile(gaps, count, 50);
    report->gap_ms_min = gaps[0];
    report->gap_ms_max = gaps[count - 1];
}

void fanout_report_count(struct fanout_report *report)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    int64_t *times = arena_new(&arena, report->count + 1, sizeof(*times));
    for (size_t i = 0; i < report->count; i++) {
        times[i] = report->clones[i].ms;
    }
    report->p50_ms = figures_quantile(times, report->count, 50);
    report->p95_ms = figures_quantile(times, report->count, 95);
    report->straightness = figures_straightness(times, report->count);
    report->shape = figures_shape(times, report->count);
    if (report->count > 1) {
        int64_t first_ms = times[0] > 0 ? times[0] : 1;
        report->amplification_percent = 100 * times[report->count - 1] / first_ms;
        count_gaps(report, &arena);
    }
}

/* ---- text ---- */

static const char *shape_name(enum fanout_shape shape)
{
    static const char *const names[] = {"TooFew", "Parallel", "Queue", "Unclear"};
    return names[shape];
}

static void write_shape(const struct fanout_report *report, struct text *out)
{
    switch (report->shape) {
    case FANOUT_FEW:
        text_print(out, "  fewer than %d: whether they stand in a queue cannot be told\n",
                   FANOUT_COUNT_MIN);
        return;
    case FANOUT_PARALLEL:
        text_append(out, "  in parallel: the last took less than 1.5 times as long as the first\n");
        return;
    case FANOUT_QUEUE:
        text_print(out,
                   "  a queue: the last took at least twice as long as the first, and times rise "
                   "on a line\n  (%d%% of their spread lies on it; 90%% are asked for)\n",
                   report->straightness);
        return;
    case FANOUT_UNCLEAR:
        text_print(out,
                   "  neither plainly a queue nor parallel: %d%% of the spread of their times lies "
                   "on a line\n",
                   report->straightness);
        return;
    }
}

static void write_table(const void *self, struct text *out)
{
    const struct fanout_report *report = self;
    static const char *const headings[] = {"PLACE", "CLONE", "BOUND-S", "GAP-S", NULL};
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct table table;
    table_init(&table, &arena, headings);
    for (size_t i = 0; i < report->count; i++) {
        table_print(&table, "%zu", i + 1);
        table_add(&table, report->clones[i].name);
        table_print(&table, FIGURES_SECONDS, FIGURES_SECONDS_OF(report->clones[i].ms));
        if (i == 0) {
            table_add(&table, NULL);
        } else {
            table_print(&table, FIGURES_SECONDS, FIGURES_SECONDS_OF(gap_before(report, i)));
        }
    }
    table_write(&table, out);
    text_print(out, "\n%zu of %zu clones of %s/%s with StorageClass %s, asked for at once:\n",
               report->count, report->asked, report->namespace, report->snapshot,
               report->storage_class);
    if (report->count == 0) {
        return;
    }
    text_print(out,
               "  first " FIGURES_SECONDS " s, p50 " FIGURES_SECONDS " s, p95 " FIGURES_SECONDS
               " s, last " FIGURES_SECONDS " s\n",
               FIGURES_SECONDS_OF(report->clones[0].ms), FIGURES_SECONDS_OF(report->p50_ms),
               FIGURES_SECONDS_OF(report->p95_ms),
               FIGURES_SECONDS_OF(report->clones[report->count - 1].ms));
    if (report->count > 1) {
        text_print(out,
                   "  gap " FIGURES_SECONDS " s (median), from " FIGURES_SECONDS
                   " s to " FIGURES_SECONDS " s\n"
                   "  amplification " FIGURES_SECONDS
                   ": the last took so many times as long as the first\n",
                   FIGURES_SECONDS_OF(report->gap_ms), FIGURES_SECONDS_OF(report->gap_ms_min),
                   FIGURES_SECONDS_OF(report->gap_ms_max), report->amplification_percent / 100,
                   report->amplification_percent % 100 / TENTHS);
    }
    write_shape(report, out);
}

static void write_csv(const void *self, struct text *out)
{
    const struct fanout_report *report = self;
    text_append(out, "place,clone,bound_ms,gap_ms\n");
    for (size_t i = 0; i < report->count; i++) {
        text_print(out, "%zu,%s,%" PRId64 ",", i + 1, report->clones[i].name, report->clones[i].ms);
        if (i > 0) {
            text_append_int64(out, gap_before(report, i));
        }
        text_append(out, "\n");
    }
}

static void write_json(const void *self, struct json_writer *json)
{
    const struct fanout_report *report = self;
    json_member_string(json, "snapshot", report->snapshot);
    json_member_string(json, "namespace", report->namespace);
    json_member_string(json, "storageClass", report->storage_class);
    json_member_int64(json, "asked", (int64_t)report->asked);
    json_member_array(json, "clones");
    for (size_t i = 0; i < report->count; i++) {
        json_begin_object(json);
        json_member_string(json, "name", report->clones[i].name);
        json_member_int64(json, "boundMilliseconds", report->clones[i].ms);
        json_end_object(json);
    }
    json_end_array(json);
    json_member_int64(json, "p50Milliseconds", report->p50_ms);
    json_member_int64(json, "p95Milliseconds", report->p95_ms);
    json_member_int64(json, "gapMilliseconds", report->gap_ms);
    json_member_int64(json, "amplificationPercent", report->amplification_percent);
    json_member_int64(json, "straightnessPercent", report->straightness);
    json_member_string(json, "shape", shape_name(report->shape));
}

/* ---- the picture ---- */

static void draw(const void *self, struct text *out)
{
    const struct fanout_report *report = self;
    char label[LABEL_BYTES];
    size_t count = report->count;
    int64_t most_ms =
        count == 0 || report->clones[count - 1].ms == 0 ? 1 : report->clones[count - 1].ms;
    chart_begin(false, out);
    (void)snprintf(label, sizeof(label),
                   "p50 " FIGURES_SECONDS " s, p95 " FIGURES_SECONDS " s, gap " FIGURES_SECONDS
                   " s",
                   FIGURES_SECONDS_OF(report->p50_ms), FIGURES_SECONDS_OF(report->p95_ms),
                   FIGURES_SECONDS_OF(report->gap_ms));
    cleanup_text struct text title;
    text_init(&title, LABEL_BYTES);
    text_print(&title, "%s to Bound", chart_time_unit(most_ms));
    chart_title(title.bytes, label, "clones, in the order in which they came", out);
    chart_mark_times_y(most_ms, out);
    chart_mark_places(count, 1, out);
    chart_line_begin(CHART_BLUE, out);
    for (size_t i = 0; i < count; i++) {
        chart_line_point(chart_place(i, count), CHART_WHOLE * report->clones[i].ms / most_ms, out);
    }
    chart_line_end(out);
    for (size_t i = 0; i < count; i++) {
        chart_dot(chart_place(i, count), CHART_WHOLE * report->clones[i].ms / most_ms, CHART_BLUE,
                  out);
    }
    chart_end(out);
}

const struct field_forms FANOUT_FORMS = {
    .table = write_table, .csv = write_csv, .json = write_json, .draw = draw};
