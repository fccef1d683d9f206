/* SPDX-License-Identifier: Apache-2.0 */
/* What a simulation is made of; for simulation.c and golden.c alone. */
#ifndef ADJOINT_SRC_SIM_SIMULATION_STATE_H
#define ADJOINT_SRC_SIM_SIMULATION_STATE_H

#include "sim/apiserver.h"
#include "sim/fsx.h"
#include "sim/simulation.h"

struct simulation {
    struct pace pace; /* this and the next are what all parts borrow */
    struct misfortune misfortune;
    struct world *world;
    struct apiserver *server;
    struct fsx *fsx;
    struct fsx_driver *driver;
    struct binder *binder;
    struct protection *protection;
    struct garbage *garbage;
    struct namespaces *namespaces;
    struct provisioner *provisioner;
    struct snapshotter *snapshotter;
    struct postgres *postgres;
    struct scheduler *scheduler;
    struct kubelet *kubelet;
    struct jobs *jobs;
    struct cnpg *cnpg;
};

#endif
