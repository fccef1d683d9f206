/* SPDX-License-Identifier: Apache-2.0 */
/* An Instance: a developer's database on one clone. Its name is also its Cluster's. */
#ifndef ADJOINT_API_INSTANCE_H
#define ADJOINT_API_INSTANCE_H

#include "api/cluster.h"
#include "api/condition.h"
#include "api/object.h"

enum deletion_policy { DELETION_DELETE, DELETION_RETAIN };

enum when_empty { WHEN_EMPTY_WAIT, WHEN_EMPTY_FAIL };
/* What a crash may cost. Ordered: the last transactions, never their order. */
enum durability { DURABILITY_STANDARD, DURABILITY_ORDERED };

enum instance_phase {
    PHASE_PENDING,  /* not looked at yet, or not eligible: see the condition Eligible */
    PHASE_WAITING,  /* eligible, no clone yet */
    PHASE_CLAIMING, /* a clone is chosen and on its way here */
    PHASE_STARTING, /* the clone is here, Postgres is not ready */
    PHASE_READY,
    PHASE_HIBERNATED, /* its data is kept and nothing runs, because that is wanted */
    PHASE_RESETTING,  /* the old database goes; the clone that follows it is reserved */
    PHASE_FAILED,     /* kept as it is for a person to look at; see the conditions */
    PHASE_DELETING,
    PHASE_COUNT,
};

#define INSTANCE_CONDITION_ELIGIBLE "Eligible"
#define INSTANCE_CONDITION_VOLUME_BOUND "VolumeBound"
#define INSTANCE_CONDITION_EXPIRING "Expiring"   /* only with an end */
#define INSTANCE_CONDITION_RESETTING "Resetting" /* only while a reset is asked for */

/* Steps of a claim, each with the wall time it was done; 0: not yet. */
enum claim_step {
    STEP_CHOSEN,         /* the volume recorded in status */
    STEP_CLAIM_CREATED,  /* the PVC sent */
    STEP_VOLUME_CLAIMED, /* the PV's patch sent: the commit point */
    STEP_BOUND,          /* the PVC seen Bound */
    STEP_CLUSTER_CREATED,
    STEP_READY,
    STEP_COUNT,
};

/* status.reset: how far resets are. */
struct reset_progress {
    int64_t count;                    /* resets that are done, of spec.reset.count */
    int64_t asked_ms;                 /* wall: one was seen to be asked for; 0: none is */
    const char *volume, *holding_uid; /* the clone that was promised; NULL: none yet */
};

struct instance {
    /* spec */
    const char *pool, *pool_namespace;
    enum deletion_policy deletion_policy;
    enum when_empty when_empty; /* what to do when no clone is warm */
    enum durability durability;
    enum instance_phase phase; /* of its status */
    /* spec.cluster: what its Cluster has differently from the Pool's template */
    const char *resources; /* as JSON text; NULL: none */
    uint32_t parameter_count, cluster_label_count;
    const struct label *parameters, *cluster_labels;
    int64_t lifetime_ms;        /* 0: as its Pool has it */
    int64_t protected_until_ms; /* wall; 0: not protected */
    int64_t reset_count;        /* a reset is asked for while it is more than status.reset.count */
    bool reset_current;         /* to a clone of the Pool's present golden, not of any */
    bool current_only;          /* spec.golden Current: no clone that is stale */
    bool hibernated;
    /* status */
    bool cluster_edited; /* see below */
    int64_t observed_generation;
    struct conditions conditions;
    /* status.volume: the intent, then the fact */
    const char *volume, *volume_handle, *holding_uid; /* NULL: none chosen */
    const char *offer; /* the volume's ANNOTATION_OFFER when it was chosen; NULL: it had none */
    const char *golden, *golden_uid, *system_id;
    struct reset_progress reset;
    int64_t served_ms;      /* wall: its lifetime counts from then; 0: none does */
    int64_t expires_ms;     /* wall; 0: it does not end by itself */
    int64_t queue_position; /* 1 is next; 0: not waiting */
    int64_t queue_eta_ms;   /* wall: when its clone is there; 0: not known */
    int64_t first_eta_ms;   /* the first that it was told; 0: none */
    int64_t steps[STEP_COUNT];
    /* status.cluster: as it was when it was found Ready, and what of it decides on durability */
    const char *cluster_uid; /* NULL: never Ready yet */
    int64_t cluster_generation;
    const char *parameters_in_force[DURABILITY_PARAMETER_COUNT];
    const char *connection_host, *connection_secret, *connection_database, *connection_user;
    /* status.binding, of the Service Binding specification; NULL: none. And whose password in which
       database the Secret has; NULL: not known. */
    const char *binding_secret, *binding_user, *binding_database;
};

void instance_decode(struct json_reader *reader, const struct json *root, struct object *object);

/* Does it name this Pool? By name, so also one that was made anew. */
bool instance_is_of(const struct object *instance, const struct object *pool);

/* Does its Cluster differ from those that others make of the same Pool? */
bool instance_is_special(const struct instance *instance);

const char *instance_phase_name(enum instance_phase phase);
const char *claim_step_name(enum claim_step step); /* as in status.timings */

#endif
