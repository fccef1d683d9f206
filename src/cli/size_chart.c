/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/size_chart.h"

#include "cli/chart.h"

#include <inttypes.h>
#include <stdio.h>

enum { LABEL_BYTES = 64 };

struct chart {
    const struct size_row *rows;
    size_t count;
    int64_t wait_ms; /* the longest */
    struct text *out;
};

static void write_line(const struct chart *chart, const char *colour, bool waits)
{
    chart_line_begin(colour, chart->out);
    for (size_t i = 0; i < chart->count; i++) {
        const struct replay *replay = &chart->rows[i].replay;
        int64_t y =
            waits ? CHART_WHOLE * replay->wait_p95_ms / chart->wait_ms : replay_hits(replay);
        chart_line_point(chart_place(i, chart->count), y, chart->out);
    }
    chart_line_end(chart->out);
}

static void write_marks(const struct chart *chart)
{
    char label[LABEL_BYTES];
    chart_mark_places(chart->count, chart->count == 0 ? 0 : chart->rows[0].size, chart->out);
    (void)snprintf(label, sizeof(label), "one in twenty waits %" PRId64 " s",
                   chart->wait_ms / 1000);
    chart_title("100% find a clone", label, "size", chart->out);
}

void size_chart_write(const struct size_row *rows, size_t count, int64_t recommended,
                      struct text *out)
{
    struct chart chart = {.rows = rows, .count = count, .wait_ms = 1000, .out = out};
    for (size_t i = 0; i < count; i++) {
        int64_t wait_ms = rows[i].replay.wait_p95_ms;
        chart.wait_ms = wait_ms > chart.wait_ms ? wait_ms : chart.wait_ms;
    }
    chart_begin(true, out);
    write_marks(&chart);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].size == recommended) {
            chart_upright(chart_place(i, count), out);
        }
    }
    write_line(&chart, CHART_BLUE, false);
    write_line(&chart, CHART_RED, true);
    chart_end(out);
}
