/* SPDX-License-Identifier: Apache-2.0 */
/* An Instance's life: eligible, waiting, claimed (plan/swap.h), proven Ready, deleted by disposal
   of its volume, or given up with everything kept. */
#ifndef ADJOINT_PLAN_INSTANCE_H
#define ADJOINT_PLAN_INSTANCE_H

#include "api/instance.h"
#include "plan/lane.h"
#include "plan/plan.h"

/* The dry runs of everything the claim will make, before a clone is spent. */
enum preflight_state { PREFLIGHT_NONE, PREFLIGHT_PASSED, PREFLIGHT_FAILED };
struct preflight {
    enum preflight_state state;
    enum error_class class;
    enum object_kind object; /* what was refused */
    const char *name, *message;
};

/* Has the pre-flight of another Instance of the Pool in this namespace been passed lately, or is it
   on its way? Then only what differs is asked: the names. */
enum vouch { VOUCH_NONE, VOUCH_ASKED, VOUCH_PASSED };

enum { SECRET_BYTES = 32 };

/* What a pod does once before an Instance is Ready, if its Pool asks for it. */
enum errand { ERRAND_SANITIZE, ERRAND_LOGIN, ERRAND_COUNT };
const char *errand_pod_name(const char *instance, enum errand errand, struct arena *arena);

const char *network_policy_name(const char *instance, struct arena *arena);

struct instance_observation {
    const struct object *instance;
    const struct object *pool;           /* NULL: there is none */
    const struct object *statements;     /* the ConfigMap of its spec.sanitize; NULL: not seen */
    const struct object *network_policy; /* of its name with a role; NULL */
    const struct object *api_server;     /* the EndpointSlice that says where; NULL: not seen */
    const struct object *kube_namespace; /* the Instance's; NULL: not seen */
    const struct object *data_claim;     /* PVC NAME-1 with our role label; NULL */
    const struct object *cluster;        /* Cluster NAME with our role label; NULL */
    const struct object *volume;         /* the PV: status.volume's, else one with our uid; NULL */
    const struct object *assigned;       /* by the queue, when nothing is chosen; NULL: wait */
    const struct object *rival;          /* another PV whose claimRef has data_claim's uid; NULL */
    const struct object *own;            /* a claimed PV with our uid that is not volume; NULL */
    const char *twin;                    /* another PV of volume's CSI handle; NULL */
    const struct object *holding;        /* the PVC volume's claimRef names, if a Pool's; NULL */
    const struct object *promised;       /* status.reset's PV, else one reserved for us; NULL */
    const struct object *former;         /* the holding PVC volume was taken from; NULL: gone */
    const struct object *errands[ERRAND_COUNT]; /* its pods of these names with a role; NULL */
    const char *secret_made; /* the name of its Secret, for a Cluster not made yet; NULL: none */
    const unsigned char *secret_bytes; /* SECRET_BYTES nobody can guess, never given before */
    size_t job_count;                  /* bootstrap Jobs of our Cluster */
    int64_t queue_position;
    int64_t queue_eta_ms;    /* wall; 0: not known */
    bool is_passed_over;     /* it could be given a clone, and was given none */
    const struct lane *lane; /* its Pool's; NULL: not known */
    struct preflight preflight;
    enum vouch vouch;
    struct trouble trouble;
    bool held; /* as in struct pool_observation */
    /* For how long the wall clock has gone as the monotonic one: nothing ends by one that has just
       been set. */
    int64_t clock_steady_ms;
    const char *gone_claim_uid; /* a PVC that a GET has not found; NULL: none was asked for */
};

void plan_instance(struct plan *plan, const struct instance_observation *seen);

/* Could it be given a volume now? For the queue; false once one is chosen. The arena is for what it
   finds in the way. */
bool instance_eligible(const struct instance_observation *seen, struct arena *arena);

/* Does it wait, by what its status says, even if it could not act just now (a back-off, a restart
   after which its pre-flight is not known)? Clones that it would take are not too many. */
bool instance_waits(const struct instance_observation *seen, struct arena *arena);

/* Does it want a clone that is not there yet? For spec.whenEmpty Fail nothing is made. */
bool instance_would_wait(const struct instance_observation *seen);

/* Might it wait in a moment, when its pre-flight, of which nothing is known yet, has been passed?
   No clone is made for it, but none is given up that it could take. */
bool instance_undecided(const struct instance_observation *seen, struct arena *arena);

#endif
