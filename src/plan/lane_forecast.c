/* SPDX-License-Identifier: Apache-2.0 */
/* What the lane will do, played on: creates come in the order they were started, each a gap after
   the one before it and not before its own latency is over; each that comes lets the next one
   start. A create that is overdue is expected to need as long again, until it is late and not
   expected at all. */
#include "plan/lane_state.h"

#include "base/extremes.h"
#include <stdlib.h>

enum {
    OVERDUE_PARTS = 4, /* of a gap */
    NEWS_PARTS = 4,    /* of what is left of the wait */
};
#define NEWS_MS_MIN INT64_C(15000)

struct flight {
    size_t pool; /* its index in the lane */
    int64_t started_ms;
};

struct outlook {
    const struct lane *lane;
    int64_t wall_ms, gap_ms, latency_ms;
    size_t come_count;
    int64_t *come_ms; /* when each create will have come, in order */
};

static int compare_flights(const void *one, const void *other)
{
    const struct flight *left = one;
    const struct flight *right = other;
    if (left->started_ms != right->started_ms) {
        return left->started_ms < right->started_ms ? -1 : 1;
    }
    return left->pool < right->pool ? -1 : left->pool > right->pool;
}

static int64_t add_create(struct outlook *outlook, int64_t started_ms)
{
    int64_t before_ms = outlook->come_count == 0 ? outlook->lane->measured.completed_ms
                                                 : outlook->come_ms[outlook->come_count - 1];
    int64_t at_ms = larger(started_ms + outlook->latency_ms, before_ms + outlook->gap_ms);
    int64_t overdue_ms = larger(outlook->wall_ms - at_ms, outlook->gap_ms / OVERDUE_PARTS);
    at_ms = larger(at_ms, outlook->wall_ms + overdue_ms);
    outlook->come_ms[outlook->come_count++] = at_ms;
    return at_ms;
}

/* One that is not asked for yet. */
static int64_t add_next(struct outlook *outlook)
{
    size_t width = (size_t)outlook->lane->places;
    int64_t starts_ms = outlook->come_count < width ? outlook->wall_ms
                                                    : outlook->come_ms[outlook->come_count - width];
    return add_create(outlook, starts_ms);
}

/* Those of one Pool that are not late; returns how many. */
static size_t flights_of(const struct outlook *outlook, size_t pool, struct flight *out)
{
    const struct pool_stock *stock = &outlook->lane->pools[pool].stock;
    size_t count = 0;
    for (size_t i = 0; i < stock->flight_count; i++) {
        int64_t started_ms = stock->flights[i];
        if (outlook->wall_ms < lane_late_at(&outlook->lane->measured, started_ms)) {
            out[count++] = (struct flight){pool, started_ms};
        }
    }
    return count;
}

/* Creates that are in flight: what their Pools' waiters get. */
static void play_flights(struct outlook *outlook, int64_t *const *pool_etas, size_t *eta_counts,
                         struct arena *arena)
{
    const struct lane *lane = outlook->lane;
    size_t count = 0;
    for (size_t i = 0; i < lane->pool_count; i++) {
        count += lane->pools[i].stock.flight_count;
    }
    struct flight *flights = arena_new(arena, count + 1, sizeof *flights);
    count = 0;
    for (size_t i = 0; i < lane->pool_count; i++) {
        count += flights_of(outlook, i, &flights[count]);
    }
    qsort(flights, count, sizeof *flights, compare_flights);
    for (size_t i = 0; i < count; i++) {
        size_t pool = flights[i].pool;
        pool_etas[pool][eta_counts[pool]++] = add_create(outlook, flights[i].started_ms);
    }
}

/* A Pool whose only creates are late has no slot for another one. */
static bool may_ask(const struct lane *lane, size_t pool, size_t coming_count, int64_t next_count)
{
    const struct pool_stock *stock = &lane->pools[pool].stock;
    return stock->fills && lane->places > 0 && (stock->startable > 0 || coming_count > 0) &&
           lane->volume_count + next_count < lane->caps.volumes_max;
}

static void tell_waiters(struct outlook *outlook, int64_t *const *pool_etas,
                         const size_t *eta_counts, struct arena *arena)
{
    const struct lane *lane = outlook->lane;
    struct queue *queues = arena_new(arena, lane->pool_count, sizeof *queues);
    struct queue *queue;
    struct waiter *waiter;
    int64_t next_count = 0;
    int64_t allowance = lane->caps.running_max - lane->running_count;
    for (size_t i = 0; i < lane->pool_count; i++) {
        queues[i] = (struct queue){.waiters = lane->pools[i].waiters,
                                   .waiter_count = lane->pools[i].waiter_count};
    }
    while (allowance-- > 0 && (waiter = queue_next(queues, lane->pool_count, &queue)) != NULL) {
        size_t pool = (size_t)(queue - queues);
        size_t turn = queue->next_waiter - 1;
        if (turn < eta_counts[pool]) {
            waiter->eta_ms = pool_etas[pool][turn];
        } else if (may_ask(lane, pool, eta_counts[pool], next_count)) {
            waiter->eta_ms = add_next(outlook);
            next_count++;
        }
    }
}

void lane_forecast(struct lane *lane, int64_t wall_ms, struct arena *arena)
{
    size_t most = 1;
    int64_t **pool_etas = arena_new(arena, lane->pool_count, sizeof *pool_etas);
    size_t *eta_counts = arena_new(arena, lane->pool_count, sizeof *eta_counts);
    for (size_t i = 0; i < lane->pool_count; i++) {
        const struct lane_pool *pool = &lane->pools[i];
        size_t ready = (size_t)larger(pool->stock.ready, 0);
        pool_etas[i] = arena_new(arena, ready + pool->stock.flight_count + 1, sizeof(int64_t));
        while (eta_counts[i] < ready) {
            pool_etas[i][eta_counts[i]++] = wall_ms;
        }
        most += pool->stock.flight_count + pool->waiter_count;
    }
    struct outlook outlook = {.lane = lane,
                              .wall_ms = wall_ms,
                              .gap_ms = lane_gap_ms(&lane->measured),
                              .latency_ms = lane_latency_ms(&lane->measured),
                              .come_ms = arena_new(arena, most, sizeof(int64_t))};
    play_flights(&outlook, pool_etas, eta_counts, arena);
    tell_waiters(&outlook, pool_etas, eta_counts, arena);
}

bool eta_is_news(int64_t told_ms, int64_t eta_ms, int64_t wall_ms)
{
    if ((told_ms == 0) != (eta_ms == 0)) {
        return true;
    }
    int64_t by_ms = told_ms > eta_ms ? told_ms - eta_ms : eta_ms - told_ms;
    return by_ms > larger(NEWS_MS_MIN, (eta_ms - wall_ms) / NEWS_PARTS);
}
