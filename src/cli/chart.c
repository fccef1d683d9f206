/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/chart.h"

#include <inttypes.h>
#include <stdio.h>

enum { LABEL_BYTES = 32, PLACES_MAX = 20, TIMES_MAX = 6, TEN = 10 };

enum { WIDTH = 640, HEIGHT = 360, LEFT = 60, RIGHT = 580, TOP = 40, BOTTOM = 310 };

#define FAINT "#e4e4e4"
#define TEXT_STYLE "font-family='sans-serif' font-size='12'"

void chart_begin(bool right, struct text *out)
{
    text_print(out,
               "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d'>\n"
               "<rect width='%d' height='%d' fill='#fff'/>\n"
               "<path fill='none' stroke='#444' d='M%d %dV%dH%d",
               WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT);
    if (right) {
        text_print(out, "V%d", TOP);
    }
    text_append(out, "'/>\n");
}

void chart_end(struct text *out)
{
    text_append(out, "</svg>\n");
}

int64_t chart_x(int64_t part)
{
    return LEFT + (RIGHT - LEFT) * part / CHART_WHOLE;
}

int64_t chart_y(int64_t part)
{
    return BOTTOM - (BOTTOM - TOP) * part / CHART_WHOLE;
}

static void write_text(int64_t x, int64_t y, const char *anchor, const char *colour,
                       const char *words, struct text *out)
{
    text_print(out,
               "<text x='%" PRId64 "' y='%" PRId64 "' text-anchor='%s' " TEXT_STYLE
               " fill='%s'>%s</text>\n",
               x, y, anchor, colour, words);
}

void chart_title(const char *left, const char *right, const char *below, struct text *out)
{
    if (left != NULL) {
        write_text(LEFT, TOP - 8, "start", CHART_BLUE, left, out);
    }
    if (right != NULL) {
        write_text(RIGHT, TOP - 8, "end", CHART_RED, right, out);
    }
    if (below != NULL) {
        write_text((LEFT + RIGHT) / 2, BOTTOM + 38, "middle", "#000", below, out);
    }
}

void chart_mark_x(int64_t part, const char *label, struct text *out)
{
    write_text(chart_x(part), BOTTOM + 18, "middle", "#000", label, out);
}

void chart_mark_y(int64_t part, const char *label, struct text *out)
{
    write_text(LEFT - 6, chart_y(part) + 4, "end", "#000", label, out);
}

int64_t chart_place(size_t at, size_t count)
{
    return count > 1 ? CHART_WHOLE * (int64_t)at / (int64_t)(count - 1) : 0;
}

void chart_mark_places(size_t count, int64_t first, struct text *out)
{
    char label[LABEL_BYTES];
    for (size_t at = 0; at < count; at += count / PLACES_MAX + 1) {
        (void)snprintf(label, sizeof(label), "%" PRId64, first + (int64_t)at);
        chart_mark_x(chart_place(at, count), label, out);
    }
}

/* ---- times ---- */

static const struct unit {
    const char *name;
    int64_t ms, whole_ms_max; /* of the axis */
} UNITS[] = {
    {"seconds", 1000, INT64_C(10) * 60 * 1000},
    {"minutes", INT64_C(60) * 1000, INT64_C(5) * 60 * 60 * 1000},
    {"hours", INT64_C(60) * 60 * 1000, INT64_MAX},
};

static const struct unit *unit_of(int64_t whole_ms)
{
    const struct unit *unit = UNITS;
    while (whole_ms > unit->whole_ms_max) {
        unit++;
    }
    return unit;
}

const char *chart_time_unit(int64_t whole_ms)
{
    return unit_of(whole_ms)->name;
}

/* 1, 2 or 5 with noughts behind. */
static int64_t round_step(int64_t whole)
{
    int64_t tens = 1;
    while (whole / (tens * 5) >= TIMES_MAX) {
        tens *= TEN;
    }
    if (whole / tens < TIMES_MAX) {
        return tens;
    }
    return whole / (tens * 2) < TIMES_MAX ? tens * 2 : tens * 5;
}

static void mark_times(int64_t whole_ms, bool upright, struct text *out)
{
    const struct unit *unit = unit_of(whole_ms);
    int64_t step = round_step(whole_ms / unit->ms);
    char label[LABEL_BYTES];
    for (int64_t at = 0; at * unit->ms <= whole_ms; at += step) {
        int64_t part = CHART_WHOLE * (at * unit->ms) / whole_ms;
        (void)snprintf(label, sizeof(label), "%" PRId64, at);
        if (upright) {
            chart_mark_y(part, label, out);
        } else {
            chart_mark_x(part, label, out);
        }
        if (at > 0 && upright) {
            text_print(out, "<path stroke='" FAINT "' d='M%d %" PRId64 "H%d'/>\n", LEFT,
                       chart_y(part), RIGHT);
        } else if (at > 0) {
            text_print(out, "<path stroke='" FAINT "' d='M%" PRId64 " %dV%d'/>\n", chart_x(part),
                       TOP, BOTTOM);
        }
    }
}

void chart_mark_times_x(int64_t whole_ms, struct text *out)
{
    mark_times(whole_ms, false, out);
}

void chart_mark_times_y(int64_t whole_ms, struct text *out)
{
    mark_times(whole_ms, true, out);
}

/* ---- what is shown ---- */

void chart_line_begin(const char *colour, struct text *out)
{
    text_print(out, "<polyline fill='none' stroke='%s' stroke-width='2' points='", colour);
}

void chart_line_point(int64_t x_part, int64_t y_part, struct text *out)
{
    bool first = text_ends_with(out->bytes, "'");
    text_print(out, "%s%" PRId64 ",%" PRId64, first ? "" : " ", chart_x(x_part), chart_y(y_part));
}

void chart_line_end(struct text *out)
{
    text_append(out, "'/>\n");
}

void chart_dot(int64_t x_part, int64_t y_part, const char *colour, struct text *out)
{
    text_print(out, "<circle cx='%" PRId64 "' cy='%" PRId64 "' r='3' fill='%s'/>\n",
               chart_x(x_part), chart_y(y_part), colour);
}

void chart_upright(int64_t x_part, struct text *out)
{
    text_print(out, "<path stroke='#999' stroke-dasharray='4' d='M%" PRId64 " %dV%d'/>\n",
               chart_x(x_part), TOP, BOTTOM);
}
