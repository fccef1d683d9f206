/* SPDX-License-Identifier: Apache-2.0 */
/* The whole other side of the wire on one world: API server, controllers, nodes, CloudNativePG, the
   FSx driver with its sidecars and the FSx behind it, and a golden to clone. Two things are made
   from it: adjoint-sim, which serves it over HTTP in real or scaled time, and the simulation tests,
   which run an operator against it in one process on virtual time. */
#ifndef ADJOINT_SIM_SIMULATION_H
#define ADJOINT_SIM_SIMULATION_H

#include "sim/link.h"
#include "sim/world.h"

struct apiserver;
struct simulation;
struct text;

/* Durations in milliseconds of simulated time, drawn in [least, most]. Defaults by
   simulation_pace: what was measured on the real components (docs name the measurements). */
struct span {
    int64_t least_ms, most_ms;
};

struct pace {
    /* FSx: CreateVolume takes latency, of which the service time is serialized for the file
       system. 120 s of which 60 s, as published for FSx for OpenZFS at 128 MB/s. */
    struct span fsx_service, fsx_latency_beyond;
    int fsx_sigma_in_1000;          /* the service times' are log-normal then, about their middle */
    int64_t fsx_poll_ms;            /* the driver looks each 15 s, first after 15 s */
    int64_t provisioner_timeout_ms; /* 5 min a CreateVolume call */
    int64_t volumes_max;            /* 100 a file system */
    struct span schedule, mount, container_start, recovery, stop; /* of a pod */
    struct span api_latency; /* one way, of controllers' requests */
    struct span watch_lag;
    int64_t binder_resync_ms;                       /* 15 s */
    int64_t binder_requests_a_second, binder_burst; /* 20, 30 */
    struct span cnpg_reconcile;                     /* from an event to its writes */
};
void simulation_pace(struct pace *out_pace);

/* What is wrong with the world from now on; all zero: nothing. Chances in 1/1000. */
struct misfortune {
    int64_t view_lag_most_ms;      /* controllers' caches, each resource by itself (F4) */
    int create_fails, create_slow; /* FSx: fails in the end; takes up to ten minutes (F12) */
    int create_throttled, describe_throttled, delete_fails;
    bool delete_of_vanished_fails;  /* the driver's rule, on by default in tests */
    int mount_fails, schedule_late; /* F13 */
    int psql_fails;                 /* a pod that logs in and ends: it ends Failed */
    int session_open;               /* psql holds the smart shutdown up to its timeout (F13) */
    bool cnpg_restarts;             /* between the two writes of an adoption (F14) */
    bool cnpg_swallows_exists;      /* <= 1.30.0: initdb Job on a PVC its cache did not show */
    int binder_event_lost;          /* only its resync finds the object (F15) */
    bool binder_before_1_36;        /* a lost conflict waits for the resync */
};

struct simulation_options {
    uint64_t seed;
    int64_t wall_ms;
    struct pace pace;
};

struct simulation *simulation_new(const struct simulation_options *options);
void simulation_free(struct simulation *simulation);

struct world *simulation_world(struct simulation *simulation);
struct apiserver *simulation_apiserver(struct simulation *simulation);
void simulation_set_misfortune(struct simulation *simulation, const struct misfortune *misfortune);

/* Namespace, StorageClasses (clone and inert), VolumeSnapshotClass and one VolumeSnapshot of that
   name, ready, with CloudNativePG's labels and annotations, over a golden volume on FSx. Takes no
   simulated time. A class' clones are on one file system. */
struct golden_options {
    const char *namespace, *snapshot;
    const char *clone_class;
    const char *system_id; /* a decimal of 19 digits */
    const char *database, *owner;
    size_t file_system; /* its number, from 0; of at most 4 */
};
void simulation_make_golden(struct simulation *simulation, const struct golden_options *golden);

/* ---- what FSx knows, which no API object says ---- */
struct fsx_counts {
    uint64_t creates, deletes, describes; /* calls */
    uint64_t created, deleted;            /* volumes that came and went */
    uint64_t available, failed;           /* how creates ended */
    int64_t busy_until_ms; /* mono: creates are served one after another until then */
};
struct fsx_counts simulation_fsx_counts(const struct simulation *simulation);
/* Of one file system that has a golden: created, available, failed, busy_until_ms. */
struct fsx_counts simulation_fsx_counts_of(const struct simulation *simulation, size_t file_system);

struct fsx_volume_seen {
    const char *handle, *name; /* fsvol-..., pvc-<uid> */
    const char *system_id;     /* of the Postgres data in it; "" empty */
    const char *origin;        /* snapshot handle; "" plain */
    bool is_deleting;
    bool is_failed;   /* its CreateVolume ended so; it stays, and no PV is ever made of it */
    bool was_mounted; /* by any pod, ever: it may hold user data */
    bool was_initdb;  /* an initdb Job has run on it */
    int mounted_by;   /* running pods now */
};
/* Calls give once a volume that is not gone yet, in order of creation. */
void simulation_fsx_volumes(const struct simulation *simulation,
                            void (*give)(void *self, const struct fsx_volume_seen *volume),
                            void *self);
/* Both as JSON, appended: {"calls": {"createVolume": 12, ...}, "volumes": [{"name": ...}, ...]}. */
void simulation_fsx_report(const struct simulation *simulation, struct text *out);

#endif
