/* SPDX-License-Identifier: Apache-2.0 */
/* What the pictures of commands share: an SVG document with a frame, whose inside goes from (0, 0)
   on the lower left to (CHART_WHOLE, CHART_WHOLE). */
#ifndef ADJOINT_CLI_CHART_H
#define ADJOINT_CLI_CHART_H

#include "base/text.h"

#include <stdint.h>

enum { CHART_WHOLE = 10000 };

#define CHART_BLUE "#06c"
#define CHART_RED "#c40"
#define CHART_COLOURED(colour, words) "<tspan fill='" colour "'>" words "</tspan>"

/* The document and its lower and left axis; `right`: the right one, too. */
void chart_begin(bool right, struct text *out);
void chart_end(struct text *out);

/* Of a point inside, in the document's units. */
int64_t chart_x(int64_t part);
int64_t chart_y(int64_t part);

/* Above the frame on the left and on the right, and below its middle. NULL: nothing. Words in a
   colour are CHART_COLOURED(CHART_BLUE, "words"). */
void chart_title(const char *left, const char *right, const char *below, struct text *out);
/* Beside the axes, at such a point of them. */
void chart_mark_x(int64_t part, const char *label, struct text *out);
void chart_mark_y(int64_t part, const char *label, struct text *out);

/* Marks below `count` things side by side that are numbered from `first` on, as many as have room;
   and where one of them is. */
void chart_mark_places(size_t count, int64_t first, struct text *out);
int64_t chart_place(size_t at, size_t count);

/* Marks beside an axis that goes from 0 to `whole_ms` (not 0), at round times, with faint lines
   across; and what they count, "seconds", "minutes" or "hours", which a title has to say. */
void chart_mark_times_x(int64_t whole_ms, struct text *out);
void chart_mark_times_y(int64_t whole_ms, struct text *out);
const char *chart_time_unit(int64_t whole_ms);

/* A line through points: begin, points, end. */
void chart_line_begin(const char *colour, struct text *out);
void chart_line_point(int64_t x_part, int64_t y_part, struct text *out);
void chart_line_end(struct text *out);
void chart_dot(int64_t x_part, int64_t y_part, const char *colour, struct text *out);
/* A dashed line from the bottom to the top. */
void chart_upright(int64_t x_part, struct text *out);

#endif
