/* SPDX-License-Identifier: Apache-2.0 */
/* One Cluster in CloudNativePG's care, and the look at it that is under way. A look goes through
   the table of steps in the order of the real reconcile; a step sends one request at most and ends,
   and the look goes on when the answer is there. So it can die between any two writes.
   Private to cnpg*.c. */
#ifndef ADJOINT_SIM_CNPG_WARD_H
#define ADJOINT_SIM_CNPG_WARD_H

#include "base/map.h"
#include "sim/caller.h"
#include "sim/cnpg.h"
#include "sim/workers.h"

#define CNPG_API_VERSION_TEXT "postgresql.cnpg.io/v1"
#define CNPG_LABEL_OF_CLUSTER "cnpg.io/cluster"
#define CNPG_LABEL_OF_INSTANCE "cnpg.io/instanceName"
#define CNPG_LABEL_OF_ROLE "cnpg.io/instanceRole"
#define CNPG_LABEL_OF_PVC_ROLE "cnpg.io/pvcRole"
#define CNPG_SERIAL "cnpg.io/nodeSerial"
#define CNPG_STATUS_OF_PVC "cnpg.io/pvcStatus"

#define CNPG_IMAGE "ghcr.io/cloudnative-pg/postgresql:18" /* unless the Cluster names one */

#define CNPG_PHASE_HEALTHY "Cluster in healthy state"
#define CNPG_PHASE_FIRST_PRIMARY "Setting up primary"
#define CNPG_PHASE_INACTIVE "Waiting for the instances to become active"
#define CNPG_PHASE_OBJECTS "Unable to create required cluster objects"
#define CNPG_PHASE_UNRECOVERABLE "Cluster is unrecoverable and needs manual intervention"

enum { CNPG_NAME_BYTES_MAX = 256, CNPG_ORPHANS_MAX = 8 };

struct cnpg {
    struct apiserver *server;
    struct world *world;
    struct postgres *postgres;
    const struct pace *pace;
    const struct misfortune *misfortune;
    struct view *view; /* this and the next two: NULL while the process is down */
    struct caller *caller;
    struct workers *workers;
    struct map wards; /* by key */
    struct world_event *restart;
    struct span *lags; /* of cnpg_resources, in its order */
};
extern const struct resource *const cnpg_resources[]; /* what it watches; ends with NULL */

enum verdict {
    GO_ON, /* nothing to send: the next step at once */
    AGAIN, /* the same step at once (of an answer: it has more to send) */
    SENT,  /* a request is on its way; ward->judge says what its answer means */
    DONE,  /* the look is over */
    LATER, /* over; the next one in ward->later_ms, or when something changes */
    FAILED /* over, with an error: the next one after the back-off */
};

struct relative {
    const struct resource *resource;
    char *name;
};

struct ward {
    struct cnpg *cnpg;
    char *key, *namespace, *name; /* key: namespace/name */
    /* Objects in the cache that carry its label or are owned by a Cluster of its name, sorted. */
    struct relative *relatives;
    size_t relative_count;

    bool is_looking;
    size_t step, round; /* round: how often this step was begun before, in this look */
    struct world_event *event;
    struct record *cluster; /* as read when the look began, or as its own writes left it */
    enum verdict (*judge)(struct ward *ward, const struct outcome *outcome);
    int64_t later_ms;
    struct record *orphans[CNPG_ORPHANS_MAX]; /* PVCs that this look adopts */
    size_t orphan_count;
    int64_t primary_serial; /* of theirs */
    bool makes_first;       /* this look makes the first instance */
};

struct ward *ward_new(struct cnpg *cnpg, const char *namespace, const char *name);
void ward_free(struct ward *ward);
void ward_add(struct ward *ward, const struct record *record);
void ward_remove(struct ward *ward, const struct record *record);
void ward_look(struct ward *ward); /* begins one; workers_done or workers_failed ends it */

/* Relatives of this resource, by name; *at begins 0. Borrowed. */
const struct record *ward_next(const struct ward *ward, const struct resource *resource,
                               size_t *at);
/* The same, of those alone that a Cluster of this name controls (by name, not by uid: that is what
   the real index has). */
const struct record *ward_next_owned(const struct ward *ward, const struct resource *resource,
                                     size_t *at);
bool ward_owns(const struct ward *ward, const cJSON *object);
/* The owner in an object's ownerReferences and labels that all it makes carries. */
void ward_mark(const struct ward *ward, cJSON *object);
void ward_instance_name(const struct ward *ward, int64_t serial, char out[CNPG_NAME_BYTES_MAX]);

/* ---- requests: each gives SENT; judge NULL: 2xx goes on, 409 on a conflict looks again, all else
   fails ---- */
enum verdict ward_create(struct ward *ward, const struct resource *resource, cJSON *value,
                         enum verdict (*judge)(struct ward *, const struct outcome *));
enum verdict ward_patch(struct ward *ward, const struct record *record, const char *subresource,
                        cJSON *patch, enum verdict (*judge)(struct ward *, const struct outcome *));
enum verdict ward_delete(struct ward *ward, const struct record *record,
                         enum verdict (*judge)(struct ward *, const struct outcome *));
enum verdict ward_later(struct ward *ward, int64_t delay_ms);
enum verdict ward_pause(struct ward *ward, int64_t ms); /* SENT; then the next step */
enum verdict ward_judge(struct ward *ward, const struct outcome *outcome); /* what NULL means */
/* 2xx and 404 (of a delete): the same step again, which then finds less to do. */
enum verdict ward_judge_again(struct ward *ward, const struct outcome *outcome);

/* ---- status: a copy of the whole Cluster to change, and its update if that changed something
   (PUT with the resourceVersion, as Status().Update) ---- */
cJSON *ward_draft(const struct ward *ward, cJSON **out_status);
/* GO_ON when nothing differs. Takes cluster. */
enum verdict ward_update_status(struct ward *ward, cJSON *cluster,
                                enum verdict (*judge)(struct ward *, const struct outcome *));
/* Phase, its reason and the Ready condition that follows from it (RegisterPhase). */
enum verdict ward_register_phase(struct ward *ward, const char *phase, const char *reason,
                                 enum verdict (*judge)(struct ward *, const struct outcome *));
bool ward_is_initialized(const struct ward *ward);
int64_t ward_wall_ms(const struct ward *ward);

/* ---- the steps, in their order; each file of cnpg_*.c has some ---- */
enum verdict cnpg_step_begin(struct ward *ward);
enum verdict cnpg_step_defaults(struct ward *ward);
enum verdict cnpg_step_restore_pods(struct ward *ward);
enum verdict cnpg_step_restore_fence(struct ward *ward);
enum verdict cnpg_step_restore_services(struct ward *ward);
enum verdict cnpg_step_restore_status(struct ward *ward);
enum verdict cnpg_step_restore_claims(struct ward *ward);
enum verdict cnpg_step_certificates(struct ward *ward);
enum verdict cnpg_step_secret(struct ward *ward);
enum verdict cnpg_step_superuser(struct ward *ward);
enum verdict cnpg_step_services(struct ward *ward);
enum verdict cnpg_step_resource_status(struct ward *ward);
enum verdict cnpg_step_instance_status(struct ward *ward);
enum verdict cnpg_step_metadata(struct ward *ward);
enum verdict cnpg_step_wait(struct ward *ward);
enum verdict cnpg_step_hibernate(struct ward *ward);
enum verdict cnpg_step_jobs(struct ward *ward);
enum verdict cnpg_step_inactive(struct ward *ward);
enum verdict cnpg_step_claims_ready(struct ward *ward);
enum verdict cnpg_step_reattach(struct ward *ward);
enum verdict cnpg_step_first_primary(struct ward *ward);
enum verdict cnpg_step_first_claim(struct ward *ward);
enum verdict cnpg_step_first_target(struct ward *ward);
enum verdict cnpg_step_first_phase(struct ward *ward);
enum verdict cnpg_step_first_job(struct ward *ward);
enum verdict cnpg_step_healthy(struct ward *ward);
enum verdict cnpg_step_clean_jobs(struct ward *ward);

#endif
