/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/load.h"

#include "base/extremes.h"
#include "base/json.h"
#include "cli/chart.h"
#include "cli/figures.h"
#include "cli/table.h"

#include <inttypes.h>
#include <stdio.h>

enum { TOGETHER_MS = 1, LABEL_BYTES = 256 };

/* ---- what is counted ---- */

enum path { PATH_WARM, PATH_WAITED, PATH_ALL };

static bool is_on(const struct load_claim *claim, enum path path)
{
    return claim->ready && (path == PATH_ALL || claim->waited == (path == PATH_WAITED));
}

static int64_t queue_of(const struct load_claim *claim)
{
    return claim->queue_ms;
}

static int64_t bind_of(const struct load_claim *claim)
{
    return claim->bind_ms;
}

static int64_t start_of(const struct load_claim *claim)
{
    return claim->start_ms;
}

static int64_t ready_of(const struct load_claim *claim)
{
    return claim->ready_ms;
}

static const struct series {
    const char *name, *key; /* for people, and in JSON */
    enum path path;
    int64_t (*of)(const struct load_claim *claim);
} SERIES[] = {
    {"to Ready, all", "ready", PATH_ALL, ready_of},
    {"  found a warm clone", "readyWarm", PATH_WARM, ready_of},
    {"  waited for one", "readyWaited", PATH_WAITED, ready_of},
    {"until a volume is chosen", "queue", PATH_ALL, queue_of},
    {"until its claim is Bound", "bind", PATH_ALL, bind_of},
    {"until Postgres is ready", "start", PATH_ALL, start_of},
};
enum { SERIES_COUNT = sizeof(SERIES) / sizeof(SERIES[0]) };

/* Sorted, in the arena. */
static int64_t *values_of(const struct load_report *report, const struct series *series,
                          struct arena *arena, size_t *out_count)
{
    int64_t *values = arena_new(arena, report->count + 1, sizeof(*values));
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++) {
        if (is_on(&report->claims[i], series->path)) {
            values[count++] = series->of(&report->claims[i]);
        }
    }
    figures_sort(values, count);
    *out_count = count;
    return values;
}

static size_t count_on(const struct load_report *report, enum path path)
{
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++) {
        count += is_on(&report->claims[i], path) ? 1 : 0;
    }
    return count;
}

static const int PERCENTS[] = {50, 95, 99, 100};
enum { PERCENT_COUNT = sizeof(PERCENTS) / sizeof(PERCENTS[0]) };

/* ---- text ---- */

static void write_lane(const struct load_lane *lane, struct text *out)
{
    if (lane->seen_ms <= 0) {
        text_append(out, "  how its lane was used was not seen\n");
        return;
    }
    int64_t mean_tenths = 10 * lane->filling_ms / lane->seen_ms;
    text_print(out,
               "  lane %s: clones were being made %" PRId64 "%% of the time, %" PRId64 ".%" PRId64
               " at once on average",
               lane->name == NULL ? "-" : lane->name, 100 * lane->busy_ms / lane->seen_ms,
               mean_tenths / 10, mean_tenths % 10);
    if (lane->gap_ms > 0) {
        text_print(out, ", a gap of " FIGURES_SECONDS " s", FIGURES_SECONDS_OF(lane->gap_ms));
    }
    text_print(out, "; fewest warm clones: %" PRId64 "\n", lane->warm_least);
}

static void write_table(const void *self, struct text *out)
{
    const struct load_report *report = self;
    static const char *const headings[] = {"SECONDS", "COUNT", "P50", "P95", "P99", "MAX", NULL};
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct table table;
    table_init(&table, &arena, headings);
    for (size_t i = 0; i < SERIES_COUNT; i++) {
        size_t count = 0;
        const int64_t *values = values_of(report, &SERIES[i], &arena, &count);
        table_add(&table, SERIES[i].name);
        table_print(&table, "%zu", count);
        for (size_t j = 0; j < PERCENT_COUNT; j++) {
            int64_t value = figures_quantile(values, count, PERCENTS[j]);
            table_add(&table,
                      count == 0 ? NULL
                                 : arena_print(&arena, FIGURES_SECONDS, FIGURES_SECONDS_OF(value)));
        }
    }
    table_write(&table, out);
    size_t ready = count_on(report, PATH_ALL);
    text_print(out,
               "\n%zu Instances of pool %s/%s in namespace %s, in " FIGURES_SECONDS " s:\n"
               "  %zu became Ready, %zu of them from a warm clone; %zu did not\n",
               report->count, report->pool_namespace, report->pool, report->namespace,
               FIGURES_SECONDS_OF(report->lasted_ms), ready, count_on(report, PATH_WARM),
               report->count - ready);
    write_lane(&report->lane, out);
}

static const char *path_name(const struct load_claim *claim)
{
    return claim->waited ? "waited" : "warm";
}

static void write_csv(const void *self, struct text *out)
{
    const struct load_report *report = self;
    text_append(out, "instance,asked_ms,path,queue_ms,bind_ms,start_ms,ready_ms\n");
    for (size_t i = 0; i < report->count; i++) {
        const struct load_claim *claim = &report->claims[i];
        text_print(out, "%s,%" PRId64 ",", claim->name, claim->asked_ms);
        if (claim->ready) {
            text_print(out, "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n",
                       path_name(claim), claim->queue_ms, claim->bind_ms, claim->start_ms,
                       claim->ready_ms);
        } else {
            text_print(out, "%s,,,,\n", claim->waited ? "waited" : "");
        }
    }
}

static void write_claim(const struct load_claim *claim, struct json_writer *json)
{
    json_begin_object(json);
    json_member_string(json, "name", claim->name);
    json_member_int64(json, "askedMilliseconds", claim->asked_ms);
    if (claim->ready) {
        json_member_string(json, "path", path_name(claim));
        json_member_int64(json, "queueMilliseconds", claim->queue_ms);
        json_member_int64(json, "bindMilliseconds", claim->bind_ms);
        json_member_int64(json, "startMilliseconds", claim->start_ms);
        json_member_int64(json, "readyMilliseconds", claim->ready_ms);
    }
    json_member_optional(json, "why", claim->why);
    json_end_object(json);
}

static void write_figures(const struct load_report *report, struct arena *arena,
                          struct json_writer *json)
{
    static const char *const keys[PERCENT_COUNT] = {"p50Milliseconds", "p95Milliseconds",
                                                    "p99Milliseconds", "maxMilliseconds"};
    json_member_object(json, "figures");
    for (size_t i = 0; i < SERIES_COUNT; i++) {
        size_t count = 0;
        const int64_t *values = values_of(report, &SERIES[i], arena, &count);
        json_member_object(json, SERIES[i].key);
        json_member_int64(json, "count", (int64_t)count);
        for (size_t j = 0; count > 0 && j < PERCENT_COUNT; j++) {
            json_member_int64(json, keys[j], figures_quantile(values, count, PERCENTS[j]));
        }
        json_end_object(json);
    }
    json_end_object(json);
}

static void write_json(const void *self, struct json_writer *json)
{
    const struct load_report *report = self;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    json_member_string(json, "test", report->test);
    json_member_string(json, "pool", report->pool);
    json_member_string(json, "poolNamespace", report->pool_namespace);
    json_member_string(json, "namespace", report->namespace);
    json_member_int64(json, "lastedMilliseconds", report->lasted_ms);
    write_figures(report, &arena, json);
    if (report->lane.seen_ms > 0) {
        json_member_object(json, "lane");
        json_member_optional(json, "name", report->lane.name);
        json_member_int64(json, "seenMilliseconds", report->lane.seen_ms);
        json_member_int64(json, "busyMilliseconds", report->lane.busy_ms);
        json_member_int64(json, "fillingMilliseconds", report->lane.filling_ms);
        json_member_int64(json, "gapMilliseconds", report->lane.gap_ms);
        json_member_int64(json, "warmLeast", report->lane.warm_least);
        json_end_object(json);
    }
    json_member_int64(json, "left", (int64_t)report->left);
    json_member_array(json, "instances");
    for (size_t i = 0; i < report->count; i++) {
        write_claim(&report->claims[i], json);
    }
    json_end_array(json);
}

/* ---- the picture ---- */

static void draw_marks(const struct load_report *report, int64_t asked_ms, int64_t ready_ms,
                       struct text *out)
{
    cleanup_text struct text above;
    cleanup_text struct text below;
    text_init(&above, LABEL_BYTES);
    text_init(&below, LABEL_BYTES);
    text_print(&above,
               "%s to Ready: " CHART_COLOURED(CHART_BLUE, "found a warm clone") ", " CHART_COLOURED(
                   CHART_RED, "waited for one"),
               chart_time_unit(ready_ms));
    if (asked_ms <= TOGETHER_MS) {
        text_append(&below, "Instances");
        chart_mark_places(report->count, 1, out);
    } else {
        text_print(&below, "%s from the start until it was asked for", chart_time_unit(asked_ms));
        chart_mark_times_x(asked_ms, out);
    }
    chart_mark_times_y(ready_ms, out);
    chart_title(above.bytes, NULL, below.bytes, out);
}

static void draw(const void *self, struct text *out)
{
    const struct load_report *report = self;
    int64_t asked_ms = 0; /* of the last one; in a burst they are side by side */
    int64_t ready_ms = 1;
    for (size_t i = 0; i < report->count; i++) {
        asked_ms = larger(asked_ms, report->claims[i].asked_ms);
        ready_ms = larger(ready_ms, report->claims[i].ready ? report->claims[i].ready_ms : 0);
    }
    chart_begin(false, out);
    draw_marks(report, asked_ms, ready_ms, out);
    for (size_t i = 0; i < report->count; i++) {
        const struct load_claim *claim = &report->claims[i];
        if (claim->ready) {
            /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the longest of one and others */
            int64_t y = CHART_WHOLE * claim->ready_ms / ready_ms;
            int64_t x = asked_ms <= TOGETHER_MS ? chart_place(i, report->count)
                                                : CHART_WHOLE * claim->asked_ms / asked_ms;
            chart_dot(x, y, claim->waited ? CHART_RED : CHART_BLUE, out);
        }
    }
    chart_end(out);
}

const struct field_forms LOAD_FORMS = {
    .table = write_table, .csv = write_csv, .json = write_json, .draw = draw};
