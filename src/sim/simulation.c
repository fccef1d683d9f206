/* SPDX-License-Identifier: Apache-2.0 */
/* Everything has a cache of its own, as the real processes have, so that each is late in its own
   way. Parts are made in the order in which they depend on each other, and freed in the reverse. */
#include "sim/simulation.h"

#include "base/memory.h"
#include "sim/binder.h"
#include "sim/cnpg.h"
#include "sim/cnpg_admission.h"
#include "sim/fsx_driver.h"
#include "sim/garbage.h"
#include "sim/jobs.h"
#include "sim/kubelet.h"
#include "sim/namespaces.h"
#include "sim/postgres.h"
#include "sim/protection.h"
#include "sim/provisioner.h"
#include "sim/scheduler.h"
#include "sim/simulation_state.h"
#include "sim/snapshotter.h"
#include "sim/view.h"

#define NODE "node-1"

static void make_cloud(struct simulation *simulation)
{
    const struct pace *pace = &simulation->pace;
    const struct misfortune *misfortune = &simulation->misfortune;
    simulation->fsx = fsx_new(simulation->world, pace, misfortune);
    simulation->driver = fsx_driver_new(simulation->world, simulation->fsx, pace, misfortune);
    simulation->provisioner =
        provisioner_new(simulation->server, simulation->driver, pace, PROVISIONER_5);
    simulation->snapshotter = snapshotter_new(simulation->server, simulation->driver, pace);
}

static void make_control_plane(struct simulation *simulation)
{
    const struct pace *pace = &simulation->pace;
    const struct misfortune *misfortune = &simulation->misfortune;
    simulation->binder = binder_new(simulation->server, pace, misfortune);
    simulation->protection = protection_new(simulation->server, pace);
    simulation->garbage = garbage_new(simulation->server, pace);
    simulation->namespaces = namespaces_new(simulation->server, pace);
    simulation->scheduler = scheduler_new(simulation->server, NODE, pace, misfortune);
    simulation->jobs = jobs_new(simulation->server, pace);
}

static void make_node(struct simulation *simulation)
{
    const struct pace *pace = &simulation->pace;
    const struct misfortune *misfortune = &simulation->misfortune;
    simulation->postgres = postgres_new(simulation->server, simulation->fsx, pace, misfortune);
    const struct kubelet_options options = {.node = NODE,
                                            .fsx = simulation->fsx,
                                            .postgres = simulation->postgres,
                                            .pace = pace,
                                            .misfortune = misfortune};
    simulation->kubelet = kubelet_new(simulation->server, &options);
    const struct webhook webhook = {
        .name = "vcluster.cnpg.io", .resource = &resource_clusters, .admit = cnpg_admit};
    apiserver_add_webhook(simulation->server, &webhook);
    simulation->cnpg = cnpg_new(simulation->server, simulation->postgres, pace, misfortune);
}

struct simulation *simulation_new(const struct simulation_options *options)
{
    struct simulation *simulation = memory_new(1, sizeof(*simulation));
    simulation->pace = options->pace;
    simulation->world = world_new(options->seed, options->wall_ms);
    simulation->server = apiserver_new(simulation->world);
    make_cloud(simulation);
    make_control_plane(simulation);
    make_node(simulation);
    return simulation;
}

void simulation_free(struct simulation *simulation)
{
    if (simulation == NULL) {
        return;
    }
    cnpg_free(simulation->cnpg);
    kubelet_free(simulation->kubelet);
    postgres_free(simulation->postgres);
    jobs_free(simulation->jobs);
    scheduler_free(simulation->scheduler);
    namespaces_free(simulation->namespaces);
    garbage_free(simulation->garbage);
    protection_free(simulation->protection);
    binder_free(simulation->binder);
    snapshotter_free(simulation->snapshotter);
    provisioner_free(simulation->provisioner);
    fsx_driver_free(simulation->driver);
    fsx_free(simulation->fsx);
    apiserver_free(simulation->server);
    world_free(simulation->world);
    memory_free(simulation);
}

struct world *simulation_world(struct simulation *simulation)
{
    return simulation->world;
}

struct apiserver *simulation_apiserver(struct simulation *simulation)
{
    return simulation->server;
}

void simulation_set_misfortune(struct simulation *simulation, const struct misfortune *misfortune)
{
    struct span lag = simulation->pace.watch_lag;
    simulation->misfortune = *misfortune;
    lag.most_ms =
        misfortune->view_lag_most_ms > lag.most_ms ? misfortune->view_lag_most_ms : lag.most_ms;
    struct view *const views[] = {
        provisioner_view(simulation->provisioner),
        binder_view(simulation->binder),
        scheduler_view(simulation->scheduler),
        kubelet_view(simulation->kubelet),
        jobs_view(simulation->jobs),
        protection_view(simulation->protection),
        namespaces_view(simulation->namespaces),
        snapshotter_view(simulation->snapshotter),
    };
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        view_set_lag(views[i], NULL, lag.least_ms, lag.most_ms);
    }
    cnpg_set_lag(simulation->cnpg, NULL, lag);
}

struct fsx_counts simulation_fsx_counts(const struct simulation *simulation)
{
    return fsx_counts(simulation->fsx);
}

struct fsx_counts simulation_fsx_counts_of(const struct simulation *simulation, size_t file_system)
{
    return fsx_counts_of(simulation->fsx, file_system);
}

void simulation_fsx_volumes(const struct simulation *simulation,
                            void (*give)(void *self, const struct fsx_volume_seen *volume),
                            void *self)
{
    fsx_volumes(simulation->fsx, give, self);
}
