/* SPDX-License-Identifier: Apache-2.0 */
/* A Pool: warm clones of one golden, kept in the Pool's namespace. Schema: crds/. */
#ifndef ADJOINT_API_POOL_H
#define ADJOINT_API_POOL_H

#include "api/condition.h"
#include "api/object.h"
#include "api/postgres.h"
#include "api/selector.h"
#include "api/template.h"

enum claim_order {
    CLAIM_ORDER_SWAP,    /* claimRef re-pointed by uid to a PVC of the inert class */
    CLAIM_ORDER_RELEASE, /* claimRef re-pointed by name, then a PVC with volumeName */
};

enum bootstrap {
    BOOTSTRAP_GUARDED, /* a recovery that can never run: waits instead of initdb */
    BOOTSTRAP_NONE,
};

/* What becomes of clones that are stale: of an earlier golden, or too old. */
enum rotation_strategy {
    ROTATION_ROLLING,  /* replaced while enough clones stay claimable */
    ROTATION_ON_CLAIM, /* handed out first, until they are used up */
    ROTATION_RECREATE, /* destroyed at once, never handed out */
};

struct rotation_wish {
    enum rotation_strategy strategy;
    int64_t warm_min;   /* of either age while they are replaced; -1: as many as are wanted */
    int64_t surge_max;  /* clones beyond those wanted meanwhile */
    int64_t age_max_ms; /* of a clone; 0: any */
};

#define CONDITION_READY "Ready"
#define POOL_CONDITION_GOLDEN_READY "GoldenReady"
#define POOL_CONDITION_REFILL_HEALTHY "RefillHealthy"
#define POOL_CONDITION_ROTATING "Rotating"
#define POOL_CONDITION_SIZED "Sized"         /* only where there is something to say of it */
#define POOL_CONDITION_SCHEDULED "Scheduled" /* likewise */

struct pool_counts {
    int64_t warm, filling, claimed, waiting, retiring;
    int64_t stale;  /* of those that are warm */
    int64_t broken; /* put aside: never handed out */
};

/* What is known of the lane a Pool is on (plan/lane.h), from all its Pools' creates. */
struct lane_record {
    const char *name;     /* NULL: nothing was told yet */
    int64_t width;        /* creates that are in flight at most */
    int64_t gap_ms;       /* between two completions; 0: not measured yet */
    int64_t gap_count;    /* gaps that gap_ms is the mean of */
    int64_t latency_ms;   /* of a create that waits for no other; 0: likewise */
    int64_t completed_ms; /* wall: the last one that counts; 0: none */
    int64_t started_ms;   /* wall: of those that came, when the last one was started */
};

/* spec.autosize: what is made of when clones were asked for. */
enum autosize_mode {
    AUTOSIZE_OFF,
    AUTOSIZE_RECOMMEND, /* told in the status */
    AUTOSIZE_APPLY,     /* and done */
};

struct autosize_wish {
    enum autosize_mode mode;
    int64_t target;   /* of a hundred requests so many are to find a clone */
    int64_t min, max; /* clones */
};

/* One of spec.schedules: so many clones at the least, each time from when it begins. */
struct pool_schedule {
    const char *name;      /* NULL: it has none */
    const char *schedule;  /* when it begins; plan/cron.h */
    const char *time_zone; /* by which clock; NULL: UTC */
    int64_t duration_ms, size;
};

/* status.schedule */
struct schedule_record {
    const char *current; /* what it is called; NULL: none is in force */
    int64_t size, until_ms;
    const char *next;                     /* NULL: none is known */
    int64_t next_size, next_ms, fills_ms; /* wall: it begins; and filling for it does */
};

/* status.arrivals as it is stored; plan/arrivals.h makes counts of it. */
struct arrival_record {
    int64_t version; /* 0: there is none */
    int64_t since_ms, until_ms;
    const char *counts; /* NULL: none */
};

/* status.sizing */
struct sizing_record {
    bool is_told;
    int64_t size, sized_ms;          /* clones that are kept; wall: when that changed */
    int64_t spec_size, scaled_ms;    /* spec.size; wall: when a person changed it, 0: never */
    int64_t computed_ms, generation; /* wall, 0: never; of the spec it was computed for */
    int64_t days, requests;          /* that it rests on */
    int64_t recommended;             /* one size for all times; 0: none */
    const char *week;                /* and one for each half hour of a week; NULL: none */
    /* What those would have done: the share that found a clone, the volumes they take. */
    bool reaches;
    const char *hit_rate, *volumes;
    int64_t wait_p95_ms;
};

/* What an Instance of the Pool may ask for, and gets unasked. */
struct instance_limits {
    int64_t lifetime_default_ms, lifetime_max_ms; /* 0: none */
    int64_t protection_max_ms;                    /* beyond the end of the lifetime; 0: any */
};

/* Where the SQL is that sanitizes: at most one of both. */
struct statements {
    const char *sql;        /* in the Pool; NULL: not there */
    const char *config_map; /* of the Pool's namespace; NULL: in none */
    size_t key_count;
    const char *const *keys; /* of it, in the order they are run in */
};

struct pool {
    /* spec */
    const char *golden_snapshot; /* NULL: the newest that golden_latest selects */
    struct selector golden_latest;
    const char *system_id; /* NULL: the snapshot's */
    int64_t size;
    const char *storage_class, *storage_size;
    size_t access_mode_count;
    const char *const *access_modes;
    int64_t in_flight_max;
    const char *lane;                 /* NULL: the file system's */
    int64_t volumes_max, running_max; /* of the lane; running_max 0: no cap */
    bool fair_share;
    int64_t fill_timeout_ms;
    struct rotation_wish rotation;
    bool allow_all_namespaces;
    struct selector allowed_namespaces; /* when not all */
    const char *cluster;                /* spec.cluster as JSON text; NULL: none */
    struct references named;            /* objects of the Instance's namespace: in spec.cluster */
    struct references required;         /* and in spec.requires */
    bool prove_login;                   /* by a pod that logs in, before Ready */
    bool scramble_roles;                /* no password of the golden's other roles is valid */
    struct statements sanitize;         /* run before Ready */
    bool egress_denied;                 /* its clones reach nothing but what runs them */
    struct postgres postgres;           /* what that says of Postgres */
    const char *database, *owner;       /* NULL: the golden's */
    enum claim_order order;
    enum bootstrap bootstrap;
    struct instance_limits instances;
    struct autosize_wish autosize;
    size_t schedule_count;
    const struct pool_schedule *schedules;
    /* status */
    int64_t observed_generation;
    struct pool_counts counts;
    struct lane_record measured;
    struct arrival_record arrivals;
    struct sizing_record sizing;
    struct schedule_record scheduled;
    const char *golden, *golden_uid, *golden_system_id; /* what clones are made of */
    struct conditions conditions;
};

/* Warm clones that are wanted now: what the status says is kept, else spec.size. */
int64_t pool_wanted_size(const struct pool *pool);

void pool_decode(struct json_reader *reader, const struct json *root, struct object *object);

#endif
