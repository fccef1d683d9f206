/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/size_chart.h"

#include <inttypes.h>

/* Of the picture, in its own units. */
enum {
    WIDTH = 640,
    HEIGHT = 360,
    LEFT = 60,
    RIGHT = 580,
    TOP = 40,
    BOTTOM = 310,
    WHOLE = 10000,
    LABELS_MAX = 20
};

#define TEXT_STYLE "font-family='sans-serif' font-size='12'"

struct chart {
    const struct size_row *rows;
    size_t count;
    int64_t wait_ms; /* the longest */
    struct text *out;
};

static int64_t x_of(const struct chart *chart, size_t at)
{
    int64_t parts = chart->count > 1 ? (int64_t)chart->count - 1 : 1;
    return LEFT + (RIGHT - LEFT) * (int64_t)at / parts;
}

static int64_t y_of(int64_t value, int64_t whole)
{
    return BOTTOM - (BOTTOM - TOP) * value / whole;
}

static void write_line(const struct chart *chart, const char *colour, bool waits)
{
    text_print(chart->out, "<polyline fill='none' stroke='%s' stroke-width='2' points='", colour);
    for (size_t i = 0; i < chart->count; i++) {
        const struct replay *replay = &chart->rows[i].replay;
        int64_t y =
            waits ? y_of(replay->wait_p95_ms, chart->wait_ms) : y_of(replay_hits(replay), WHOLE);
        text_print(chart->out, "%s%" PRId64 ",%" PRId64, i == 0 ? "" : " ", x_of(chart, i), y);
    }
    text_append(chart->out, "'/>\n");
}

static void write_axes(const struct chart *chart)
{
    struct text *out = chart->out;
    text_print(out, "<path fill='none' stroke='#444' d='M%d %dV%dH%dV%d'/>\n", LEFT, TOP, BOTTOM,
               RIGHT, TOP);
    size_t each = chart->count / LABELS_MAX + 1;
    for (size_t i = 0; i < chart->count; i += each) {
        text_print(out,
                   "<text x='%" PRId64 "' y='%d' text-anchor='middle' " TEXT_STYLE ">%" PRId64
                   "</text>\n",
                   x_of(chart, i), BOTTOM + 18, chart->rows[i].size);
    }
    text_print(out,
               "<text x='%d' y='%d' " TEXT_STYLE " fill='#06c'>100%% find a clone</text>\n"
               "<text x='%d' y='%d' text-anchor='end' " TEXT_STYLE
               " fill='#c40'>one in twenty waits %" PRId64 " s</text>\n"
               "<text x='%d' y='%d' text-anchor='middle' " TEXT_STYLE ">size</text>\n",
               LEFT, TOP - 8, RIGHT, TOP - 8, chart->wait_ms / 1000, (LEFT + RIGHT) / 2,
               BOTTOM + 38);
}

void size_chart_write(const struct size_row *rows, size_t count, int64_t recommended,
                      struct text *out)
{
    struct chart chart = {.rows = rows, .count = count, .wait_ms = 1000, .out = out};
    for (size_t i = 0; i < count; i++) {
        int64_t wait_ms = rows[i].replay.wait_p95_ms;
        chart.wait_ms = wait_ms > chart.wait_ms ? wait_ms : chart.wait_ms;
    }
    text_print(out,
               "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d'>\n"
               "<rect width='%d' height='%d' fill='#fff'/>\n",
               WIDTH, HEIGHT, WIDTH, HEIGHT);
    write_axes(&chart);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].size == recommended) {
            int64_t x = x_of(&chart, i);
            text_print(out, "<path stroke='#999' stroke-dasharray='4' d='M%" PRId64 " %dV%d'/>\n",
                       x, TOP, BOTTOM);
        }
    }
    write_line(&chart, "#06c", false);
    write_line(&chart, "#c40", true);
    text_append(out, "</svg>\n");
}
