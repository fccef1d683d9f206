/* SPDX-License-Identifier: Apache-2.0 */
/* As they were looked at last; a standby has none. */
#include "operator/metrics_lanes.h"

#include "operator/exposition.h"
#include "operator/state.h"

static int64_t gap_ms(const struct lane *lane)
{
    return lane->measured.gap_ms;
}

static int64_t latency_ms(const struct lane *lane)
{
    return lane->measured.latency_ms;
}

static int64_t width(const struct lane *lane)
{
    return lane->measured.width;
}

static int64_t in_flight(const struct lane *lane)
{
    int64_t count = 0;
    for (size_t i = 0; i < lane->pool_count; i++) {
        count += (int64_t)lane->pools[i].stock.flight_count;
    }
    return count;
}

static int64_t waiters(const struct lane *lane)
{
    int64_t count = 0;
    for (size_t i = 0; i < lane->pool_count; i++) {
        count += (int64_t)lane->pools[i].waiter_count;
    }
    return count;
}

static int64_t volumes(const struct lane *lane)
{
    return lane->volume_count;
}

static int64_t running(const struct lane *lane)
{
    return lane->running_count;
}

static const struct {
    const char *name, *help;
    void (*write)(struct text *out, const char *name, const struct exposition_label *labels,
                  int64_t value);
    int64_t (*value)(const struct lane *lane);
} FAMILIES[] = {
    {"adjoint_lane_gap_seconds", "Between two clones that come; 0: not measured yet.",
     exposition_seconds, gap_ms},
    {"adjoint_lane_latency_seconds", "Of a create that waits for no other; 0: not measured yet.",
     exposition_seconds, latency_ms},
    {"adjoint_lane_width", "Creates that keep it busy.", exposition_int, width},
    {"adjoint_lane_in_flight", "Creates that have not come.", exposition_int, in_flight},
    {"adjoint_lane_waiters", "Instances that wait for a clone of it.", exposition_int, waiters},
    {"adjoint_lane_volumes", "Volumes on it, or being made, by whomever.", exposition_int, volumes},
    {"adjoint_lane_running", "Instances with a clone of it.", exposition_int, running},
};

void metrics_write_lanes(const struct operator* op, struct text *out)
{
    const struct assignment *assignment = &op->assignment;
    for (size_t i = 0; i < sizeof(FAMILIES) / sizeof(FAMILIES[0]); i++) {
        exposition_family(out, FAMILIES[i].name, EXPOSITION_GAUGE, FAMILIES[i].help);
        for (size_t j = 0; op->leading && j < assignment->lane_count; j++) {
            const struct lane *lane = &assignment->lanes[j];
            const struct exposition_label labels[] = {{"lane", lane->measured.name}, {NULL, NULL}};
            FAMILIES[i].write(out, FAMILIES[i].name, labels, FAMILIES[i].value(lane));
        }
    }
}
