/* SPDX-License-Identifier: Apache-2.0 */
/* A gap counts only if the second create had been waiting for the first: else what lies between the
   two is that nothing was wanted. A latency counts only if nothing else was in flight. Creates that
   begin on an idle lane come often enough: a Pool that is full and gives one away starts one.

   The record is a fold over creates, so that a successor goes on where the status has it. */
#include "plan/lane_state.h"

#include "base/extremes.h"

/* FSx for OpenZFS as published, until something was measured: 120 s, and half of the 15 s between
   two looks of its driver. */
#define GAP_MS INT64_C(60000)
#define LATENCY_MS INT64_C(127500)
/* Creation times are in whole seconds. */
#define MEASURED_MS_MIN INT64_C(1000)

enum {
    WIDTH_MIN = 2,
    GAPS_MAX = 16,       /* what came before fades out: file systems change */
    KNOWN_GAPS = 4,      /* so many count what is known of FSx beside what is measured, */
    KNOWN_MULTIPLE = 2,  /* if that is within so many times of it */
    LATENCIES = 4,       /* likewise; those are rarer, and differ less */
    GAP_MULTIPLE = 4,    /* more than so many of the mean was no gap of one create */
    SLOW_MULTIPLE = 2,   /* a create of so many times what it should take was held up: throttled */
    OVERTAKEN_PARTS = 2, /* of a gap: the driver looks each 15 s only */
    SLACK_PARTS = 8,     /* the next create has to be there a little before it is needed */
    NEWS_PARTS = 8,
};

int64_t lane_latency_ms(const struct lane_record *record)
{
    return record->latency_ms > 0 ? record->latency_ms : LATENCY_MS;
}

int64_t lane_gap_ms(const struct lane_record *record)
{
    int64_t half_ms = lane_latency_ms(record) / 2;
    if (record->gap_ms > 0) {
        return record->gap_ms;
    }
    return half_ms < GAP_MS ? half_ms : GAP_MS;
}

/* What a create takes besides the time that it has the file system to itself. */
static int64_t beyond_ms_of(const struct lane_record *record)
{
    return larger(lane_latency_ms(record) - lane_gap_ms(record), 0);
}

static int64_t expected_ms(const struct lane_record *record)
{
    return larger(record->width * lane_gap_ms(record), lane_latency_ms(record));
}

static int64_t late_after_ms(const struct lane_record *record)
{
    return SLOW_MULTIPLE * expected_ms(record);
}

int64_t lane_late_at(const struct lane_record *record, int64_t started_ms)
{
    int64_t late_ms = started_ms + late_after_ms(record);
    int64_t overtaken_ms = record->completed_ms + lane_gap_ms(record) / OVERTAKEN_PARTS;
    bool overtaken = started_ms < record->started_ms;
    return overtaken && overtaken_ms < late_ms ? overtaken_ms : late_ms;
}

static int64_t within(int64_t width, int64_t in_flight_max)
{
    width = larger(width, WIDTH_MIN);
    return width < in_flight_max ? width : in_flight_max;
}

/* As many as are in flight while one after another begins: at W of them, a create stays W gaps, and
   it has to stay a latency. And one more, that waits. */
static int64_t fitting_width(const struct lane_record *record)
{
    int64_t gap_ms = lane_gap_ms(record);
    return 1 + (lane_latency_ms(record) + gap_ms / SLACK_PARTS) / gap_ms;
}

/* A first measurement that is near what FSx is known to do changes that a little; another one says
   that this is no such FSx, and stands alone. */
static bool is_near(int64_t measured_ms, int64_t known_ms)
{
    return measured_ms <= KNOWN_MULTIPLE * known_ms && KNOWN_MULTIPLE * measured_ms >= known_ms;
}

static void note_gap(struct lane_record *record, int64_t gap_ms)
{
    int64_t most_ms = GAP_MULTIPLE * lane_gap_ms(record);
    gap_ms = gap_ms > most_ms ? most_ms : gap_ms;
    if (record->gap_count == 0 && is_near(gap_ms, GAP_MS)) {
        record->gap_ms = GAP_MS;
        record->gap_count = KNOWN_GAPS;
    }
    record->gap_count += record->gap_count < GAPS_MAX;
    record->gap_ms += (gap_ms - record->gap_ms) / record->gap_count;
    record->gap_ms = larger(record->gap_ms, MEASURED_MS_MIN);
}

static void note_latency(struct lane_record *record, int64_t took_ms)
{
    if (record->latency_ms == 0) {
        record->latency_ms = is_near(took_ms, LATENCY_MS) ? LATENCY_MS : took_ms;
    }
    record->latency_ms += (took_ms - record->latency_ms) / LATENCIES;
    record->latency_ms = larger(record->latency_ms, MEASURED_MS_MIN);
}

static void note_create(struct lane_record *record, const struct lane_create *create,
                        int64_t in_flight_max)
{
    int64_t took_ms = create->completed_ms - create->started_ms;
    int64_t before_ms = record->completed_ms;
    int64_t beyond_ms = beyond_ms_of(record);
    bool late = took_ms > late_after_ms(record);
    bool alone = create->started_ms >= before_ms;
    record->completed_ms = create->completed_ms;
    record->started_ms = larger(record->started_ms, create->started_ms);
    if (before_ms != 0 && create->started_ms <= before_ms - beyond_ms) {
        note_gap(record, create->completed_ms - before_ms);
    }
    if (alone && !late) {
        note_latency(record, took_ms);
    }
    int64_t fitting = fitting_width(record);
    int64_t step = late || fitting < record->width ? -1 : fitting > record->width;
    record->width = within(record->width + step, in_flight_max);
}

/* The one that knows of the latest create; of several the oldest Pool's. */
static struct lane_record best_record(const struct lane *lane)
{
    struct lane_record best = {.name = NULL};
    for (size_t i = 0; i < lane->pool_count; i++) {
        const struct lane_record *record = &lane->pools[i].pool->pool->measured;
        bool same = text_equal(record->name, lane->measured.name);
        if (same && (best.name == NULL || record->completed_ms > best.completed_ms)) {
            best = *record;
        }
    }
    if (best.name == NULL || best.width == 0) {
        best.width = fitting_width(&best);
    }
    best.name = lane->measured.name;
    return best;
}

void lane_measure(struct lane *lane, const struct lane_create *creates, size_t create_count)
{
    int64_t in_flight_max = lane->caps.in_flight_max;
    struct lane_record record = best_record(lane);
    record.width = within(record.width, in_flight_max);
    for (size_t i = 0; i < create_count; i++) {
        const struct lane_create *create = &creates[i];
        if (create->completed_ms > record.completed_ms &&
            create->completed_ms >= create->started_ms) {
            note_create(&record, create, in_flight_max);
        }
    }
    lane->measured = record;
}

static bool differs(int64_t told, int64_t is)
{
    int64_t by = told > is ? told - is : is - told;
    return by > told / NEWS_PARTS;
}

bool lane_is_news(const struct lane_record *told, const struct lane_record *measured)
{
    return !text_equal(told->name, measured->name) || told->width != measured->width ||
           differs(told->gap_ms, measured->gap_ms) ||
           differs(told->latency_ms, measured->latency_ms);
}
