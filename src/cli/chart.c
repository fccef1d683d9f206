/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/chart.h"

#include <inttypes.h>

enum { WIDTH = 640, HEIGHT = 360, LEFT = 60, RIGHT = 580, TOP = 40, BOTTOM = 310 };

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
