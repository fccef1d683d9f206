/* SPDX-License-Identifier: Apache-2.0 */
/* Gauges are read from the store at the moment they are asked for, so they cannot be forgotten and
   go with what they are about; only what has happened is counted. Names follow Prometheus' advice:
   base units, _total for counters. */
#include "operator/telemetry.h"

#include "api/instance.h"
#include "api/pool.h"
#include "operator/exposition.h"
#include "operator/metrics_lanes.h"
#include "operator/state.h"

#include <stdio.h>

enum { CODE_BYTES = 16 };

#define POOL_LABELS(namespace_, pool_)                                                             \
    {"namespace", (namespace_)},                                                                   \
    {                                                                                              \
        "pool", (pool_)                                                                            \
    }

/* ---- the operator itself ---- */

static void gauge(struct text *out, const char *name, const char *help, int64_t value)
{
    exposition_family(out, name, EXPOSITION_GAUGE, help);
    exposition_int(out, name, NULL, value);
}

static void counter(struct text *out, const char *name, const char *help, uint64_t value)
{
    exposition_family(out, name, EXPOSITION_COUNTER, help);
    exposition_int(out, name, NULL, (int64_t)value);
}

static void write_operator(const struct operator* op, struct now now, struct text *out)
{
    gauge(out, "adjoint_leader", "1 while this replica may write.", lease_held(op->lease, now));
    gauge(out, "adjoint_synced", "1 when every watch has listed what there is.", op->synced);
    gauge(out, "adjoint_work_queue_depth", "Keys that are to be planned now.",
          (int64_t)queue_length(op->queue));
    counter(out, "adjoint_plans_total", "Keys that were planned.", op->facts.plans);
    counter(out, "adjoint_writes_total", "Writes that were sent, without the lease's.",
            op->facts.writes);
    counter(out, "adjoint_failures_total", "Actions that failed and are tried again, or are told.",
            op->facts.failures);
}

static void write_requests(const struct operator* op, struct text *out)
{
    static const char name[] = "adjoint_api_requests_total";
    const struct client_tally *tallies;
    size_t tally_count = client_tallies(op->client, &tallies);
    exposition_family(out, name, EXPOSITION_COUNTER,
                      "Requests to the API server but for lists and watches; code 0: no reply.");
    for (size_t i = 0; i < tally_count; i++) {
        char code[CODE_BYTES];
        (void)snprintf(code, sizeof(code), "%d", tallies[i].http_status);
        const struct exposition_label labels[] = {
            {"method", method_name(tallies[i].method)}, {"code", code}, {NULL, NULL}};
        exposition_int(out, name, labels, (int64_t)tallies[i].count);
    }
}

static void write_silence(struct text *out, const char *name, const struct exposition_label *labels,
                          const struct operator* op, enum object_kind kind)
{
    exposition_seconds(out, name, labels,
                       op->now.mono_ms - informer_last_contact(op->informers[kind]));
}

static void write_objects(struct text *out, const char *name, const struct exposition_label *labels,
                          const struct operator* op, enum object_kind kind)
{
    exposition_int(out, name, labels, (int64_t)store_count(op->store, kind));
}

static void write_undecodable(struct text *out, const char *name,
                              const struct exposition_label *labels, const struct operator* op,
                              enum object_kind kind)
{
    exposition_int(out, name, labels, (int64_t)informer_undecodable(op->informers[kind]));
}

static void write_watches(const struct operator* op, struct text *out)
{
    static const struct {
        const char *name, *help;
        enum exposition_type type;
        void (*write)(struct text *out, const char *name, const struct exposition_label *labels,
                      const struct operator* op, enum object_kind kind);
    } families[] = {
        {"adjoint_watch_silence_seconds", "Since the last byte of a watch or list of this kind.",
         EXPOSITION_GAUGE, write_silence},
        {"adjoint_watch_objects", "Objects of this kind that are kept.", EXPOSITION_GAUGE,
         write_objects},
        {"adjoint_watch_undecodable_total", "Objects of this kind that could not be read.",
         EXPOSITION_COUNTER, write_undecodable},
    };
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        exposition_family(out, families[i].name, families[i].type, families[i].help);
        for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
            const struct exposition_label labels[] = {
                {"kind", kind_of((enum object_kind)kind)->kind}, {NULL, NULL}};
            families[i].write(out, families[i].name, labels, op, (enum object_kind)kind);
        }
    }
}

/* ---- Pools ---- */

static void write_clones(const struct object *pool, struct text *out)
{
    const struct pool_counts *counts = &pool->pool->counts;
    const struct {
        const char *state;
        int64_t count;
    } rows[] = {{"warm", counts->warm},       {"filling", counts->filling},
                {"claimed", counts->claimed}, {"retiring", counts->retiring},
                {"stale", counts->stale},     {"broken", counts->broken}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct exposition_label labels[] = {
            POOL_LABELS(pool->meta.namespace, pool->meta.name),
            {"state", rows[i].state},
            {NULL, NULL}};
        exposition_int(out, "adjoint_pool_clones", labels, rows[i].count);
    }
}

static void write_size(const struct object *pool, struct text *out)
{
    const struct exposition_label labels[] = {POOL_LABELS(pool->meta.namespace, pool->meta.name),
                                              {NULL, NULL}};
    exposition_int(out, "adjoint_pool_size", labels, pool_wanted_size(pool->pool));
}

static void write_waiters(const struct object *pool, struct text *out)
{
    const struct exposition_label labels[] = {POOL_LABELS(pool->meta.namespace, pool->meta.name),
                                              {NULL, NULL}};
    exposition_int(out, "adjoint_pool_waiters", labels, pool->pool->counts.waiting);
}

static void write_conditions(const struct object *pool, struct text *out)
{
    const struct conditions *conditions = &pool->pool->conditions;
    for (size_t i = 0; i < conditions->count; i++) {
        const struct condition *condition = &conditions->items[i];
        const struct exposition_label labels[] = {
            POOL_LABELS(pool->meta.namespace, pool->meta.name),
            {"condition", condition->type},
            {"reason", condition->reason},
            {NULL, NULL}};
        exposition_int(out, "adjoint_pool_condition", labels, condition->status == CONDITION_TRUE);
    }
}

static void each_pool(const struct operator* op, struct text *out, const char *name,
                      const char *help, void (*write)(const struct object *pool, struct text *out))
{
    const struct object *pool;
    size_t at = 0;
    exposition_family(out, name, EXPOSITION_GAUGE, help);
    while ((pool = store_next(op->store, KIND_POOL, &at)) != NULL) {
        write(pool, out);
    }
}

static void write_pools(const struct operator* op, struct text *out)
{
    each_pool(op, out, "adjoint_pool_size", "Warm clones that are wanted now.", write_size);
    each_pool(op, out, "adjoint_pool_clones", "Clones of a Pool by their state.", write_clones);
    each_pool(op, out, "adjoint_pool_waiters", "Instances that wait for a clone.", write_waiters);
    each_pool(op, out, "adjoint_pool_condition", "1 where the condition holds.", write_conditions);
}

/* ---- Instances ---- */

struct instance_counts {
    int64_t phases[PHASE_COUNT];
    int64_t oldest_wait_ms;
};

static struct instance_counts count_instances(const struct operator* op, const struct object *pool,
                                              struct now now)
{
    struct instance_counts counts = {.oldest_wait_ms = 0};
    const struct object *instance;
    size_t at = 0;
    while ((instance = store_next(op->store, KIND_INSTANCE, &at)) != NULL) {
        if (!instance_is_of(instance, pool)) {
            continue;
        }
        counts.phases[instance->instance->phase]++;
        int64_t age_ms = now.wall_ms - instance->meta.created_ms;
        if (instance->instance->phase == PHASE_WAITING && age_ms > counts.oldest_wait_ms) {
            counts.oldest_wait_ms = age_ms;
        }
    }
    return counts;
}

static void write_phases_of(const struct object *pool, const struct instance_counts *counts,
                            struct text *out)
{
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        const struct exposition_label labels[] = {
            POOL_LABELS(pool->meta.namespace, pool->meta.name),
            {"phase", instance_phase_name((enum instance_phase)phase)},
            {NULL, NULL}};
        exposition_int(out, "adjoint_instances", labels, counts->phases[phase]);
    }
}

static void write_oldest_wait(const struct object *pool, const struct instance_counts *counts,
                              struct text *out)
{
    const struct exposition_label labels[] = {POOL_LABELS(pool->meta.namespace, pool->meta.name),
                                              {NULL, NULL}};
    exposition_seconds(out, "adjoint_pool_oldest_wait_seconds", labels, counts->oldest_wait_ms);
}

/* Two families of one count: the Instances are gone through once for each Pool. */
static void write_instances(const struct operator* op, struct now now, struct text *out)
{
    struct arena arena cleanup_arena;
    arena_init(&arena, 0);
    size_t pool_count = 0;
    size_t room = store_count(op->store, KIND_POOL) + 1;
    const struct object **pools = arena_new(&arena, room, sizeof(void *));
    struct instance_counts *counts = arena_new(&arena, room, sizeof(*counts));
    const struct object *pool;
    size_t at = 0;
    while ((pool = store_next(op->store, KIND_POOL, &at)) != NULL) {
        pools[pool_count] = pool;
        counts[pool_count++] = count_instances(op, pool, now);
    }
    exposition_family(out, "adjoint_instances", EXPOSITION_GAUGE, "Instances by their phase.");
    for (size_t i = 0; i < pool_count; i++) {
        write_phases_of(pools[i], &counts[i], out);
    }
    exposition_family(out, "adjoint_pool_oldest_wait_seconds", EXPOSITION_GAUGE,
                      "Age of the Instance that has waited longest for a clone; 0: none waits.");
    for (size_t i = 0; i < pool_count; i++) {
        write_oldest_wait(pools[i], &counts[i], out);
    }
}

/* ---- claims ---- */

static void write_results(const struct pool_claims *entry, struct text *out)
{
    static const char *const paths[CLAIM_PATH_COUNT] = {"warm", "queued"};
    for (int path = 0; path < CLAIM_PATH_COUNT; path++) {
        const struct exposition_label ready[] = {POOL_LABELS(entry->namespace, entry->pool),
                                                 {"path", paths[path]},
                                                 {"result", "ready"},
                                                 {NULL, NULL}};
        const struct exposition_label failed[] = {POOL_LABELS(entry->namespace, entry->pool),
                                                  {"path", paths[path]},
                                                  {"result", "failed"},
                                                  {NULL, NULL}};
        exposition_int(out, "adjoint_claims_total", ready, (int64_t)entry->ready[path]);
        exposition_int(out, "adjoint_claims_total", failed, (int64_t)entry->failed[path]);
    }
}

static void write_phases(const struct pool_claims *entry, struct text *out)
{
    static const char *const names[CLAIM_PHASE_COUNT] = {"queue", "bind", "start", "all"};
    for (int phase = 0; phase < CLAIM_PHASE_COUNT; phase++) {
        const struct exposition_label labels[] = {
            POOL_LABELS(entry->namespace, entry->pool), {"phase", names[phase]}, {NULL, NULL}};
        exposition_histogram(out, "adjoint_claim_seconds", labels, &entry->phases[phase]);
    }
}

static void write_eta_errors(const struct pool_claims *entry, struct text *out)
{
    const struct exposition_label labels[] = {POOL_LABELS(entry->namespace, entry->pool),
                                              {NULL, NULL}};
    exposition_histogram(out, "adjoint_eta_error_seconds", labels, &entry->eta_errors);
}

static void write_mismatches(const struct pool_claims *entry, struct text *out)
{
    const struct exposition_label labels[] = {POOL_LABELS(entry->namespace, entry->pool),
                                              {NULL, NULL}};
    exposition_int(out, "adjoint_identity_mismatches_total", labels,
                   (int64_t)entry->identity_mismatches);
}

static void each_entry(const struct operator* op, struct text *out,
                       void (*write)(const struct pool_claims *entry, struct text *out))
{
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&op->claims.by_pool, &at, &entry)) {
        write(entry.value, out);
    }
}

static void write_claims(const struct operator* op, struct text *out)
{
    exposition_family(out, "adjoint_claims_total", EXPOSITION_COUNTER,
                      "Claims that ended, by whether a clone was there or was waited for.");
    each_entry(op, out, write_results);
    exposition_family(out, "adjoint_claim_seconds", EXPOSITION_HISTOGRAM,
                      "What the phases of claims took that got Ready.");
    each_entry(op, out, write_phases);
    exposition_family(out, "adjoint_eta_error_seconds", EXPOSITION_HISTOGRAM,
                      "How far the first ETA of Instances that waited was from their clone.");
    each_entry(op, out, write_eta_errors);
    exposition_family(out, "adjoint_identity_mismatches_total", EXPOSITION_COUNTER,
                      "Databases that were not the golden's: never Ready, kept for a person.");
    each_entry(op, out, write_mismatches);
}

void operator_write_metrics(const struct operator* op, struct now now, struct text *out)
{
    write_operator(op, now, out);
    write_requests(op, out);
    write_watches(op, out);
    write_pools(op, out);
    write_instances(op, now, out);
    write_claims(op, out);
    metrics_write_lanes(op, out);
    gauge(out, "adjoint_volumes_to_attend", "Volumes that ask for a person: see the log.",
          (int64_t)memos_findings(&op->memos));
    gauge(out, "adjoint_volumes_leaked", "Of those, the ones that nobody looks after any more.",
          (int64_t)operator_facts(op, now).volumes_leaked);
}
