/* SPDX-License-Identifier: Apache-2.0 */
/* The whole composition, so that what shares the world with the controllers under test is there,
   too. Requests take as long as those of its own controllers. */
#include "conformance/subject.h"

#include "base/memory.h"
#include "sim/apiserver.h"
#include "sim/simulation.h"

enum { SEED = 1 };

static const int64_t WALL_MS = INT64_C(1782907200000); /* 2026-07-01T12:00:00Z */

struct simulator {
    struct simulation *simulation;
    struct world *world;
    struct link *link;
};

static void nobody_sleeps(void *self)
{
    (void)self; /* whoever waits asks after each event of the world */
}

static struct now simulator_now(void *self)
{
    const struct simulator *simulator = self;
    return world_now(simulator->world);
}

static bool simulator_pass(void *self, int64_t for_ms, bool (*is_done)(void *asker), void *asker)
{
    struct simulator *simulator = self;
    int64_t until_ms = world_now(simulator->world).mono_ms + for_ms;
    while (!is_done(asker)) {
        if (!world_run_next(simulator->world, until_ms)) {
            return is_done(asker);
        }
    }
    return true;
}

static bool simulator_compact(void *self, struct error *error)
{
    struct simulator *simulator = self;
    struct objects *objects = apiserver_objects(simulation_apiserver(simulator->simulation));
    (void)error;
    objects_compact(objects, objects_revision(objects));
    return true;
}

static void simulator_free(void *self)
{
    struct simulator *simulator = self;
    link_free(simulator->link);
    simulation_free(simulator->simulation);
    memory_free(simulator);
}

void subject_open_simulator(struct subject *out)
{
    struct simulator *simulator = memory_new(1, sizeof(*simulator));
    struct simulation_options options = {.seed = SEED, .wall_ms = WALL_MS};
    simulation_pace(&options.pace);
    simulator->simulation = simulation_new(&options);
    simulator->world = simulation_world(simulator->simulation);
    struct link_options link = {.user = "conformance",
                                .least_ms = options.pace.api_latency.least_ms,
                                .most_ms = options.pace.api_latency.most_ms};
    simulator->link = link_new(simulation_apiserver(simulator->simulation), &link, NULL,
                               nobody_sleeps, simulator);
    *out = (struct subject){
        .name = "simulator",
        .tag = "0",
        .transport = link_transport(simulator->link),
        .now = simulator_now,
        .pass = simulator_pass,
        .compact = simulator_compact,
        .free = simulator_free,
        .is_virtual = true,
        .self = simulator,
    };
}
