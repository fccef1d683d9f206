/* SPDX-License-Identifier: Apache-2.0 */
/* One planning of an Instance, shared by its parts: eligibility and waiting (instance.c), the
   hand-off (swap.c), the end (disposal.c) and the status (instance_status.c). */
#ifndef ADJOINT_SRC_PLAN_INSTANCE_TURN_H
#define ADJOINT_SRC_PLAN_INSTANCE_TURN_H

#include "api/cluster.h"
#include "api/pool.h"
#include "api/volume.h"
#include "plan/instance.h"

/* Why something is not so, for a condition; reason NULL: it is so. */
struct verdict {
    const char *reason, *message;
};

struct instance_turn {
    struct plan *plan;
    const struct instance_observation *seen;
    const struct object *object;   /* the Instance */
    const struct instance *before; /* its status as read */
    struct instance next;          /* the status to be; conditions are added as they are found */
    bool choosing;                 /* next.volume changes */
};

/* src/plan/instance_turn.c. Adds the action unless the key is held. */
void instance_act(struct instance_turn *turn, struct action action);

/* Is this object (PVC, Cluster, PV) labelled with our Instance's uid? */
bool instance_owns(const struct instance_turn *turn, const struct object *object);

void instance_condition(struct instance_turn *turn, const char *type, bool status,
                        const char *reason, const char *message);
/* Both VolumeBound and Ready false for the same reason. */
void instance_not_bound(struct instance_turn *turn, const char *reason, const char *message);

/* src/plan/eligibility.c: Pool and namespace; everything but the pre-flight; then all. */
struct verdict eligibility_check_pool(const struct instance_observation *seen, struct arena *arena);
struct verdict eligibility_check(const struct instance_observation *seen, struct arena *arena);
struct verdict eligibility_preflight(const struct instance_observation *seen, struct arena *arena);
/* What can be told without asking: nothing is asked then. */
struct verdict eligibility_plan_preflight(struct instance_turn *turn);

/* src/plan/waiting.c: no clone for it. */
void waiting_plan(struct instance_turn *turn);
/* Its place and when it is expected to be its turn. */
void waiting_tell_turn(struct instance_turn *turn);
/* It was not to wait, and there was none: as it is now its spec asks for no more. */
bool waiting_is_over(const struct object *instance);

/* src/plan/swap.c: a volume has been chosen. */
void swap_choose(struct instance_turn *turn);
void swap_plan(struct instance_turn *turn);
/* The status says so. */
void swap_note_chosen(struct instance_turn *turn, const struct object *volume);
/* It has no volume any more, and waits again. */
void swap_give_up(struct instance_turn *turn, const char *message);
/* src/plan/adoption.c: the volume is ours. */
void adoption_plan(struct instance_turn *turn);
void adoption_post_data_claim(struct instance_turn *turn, const struct object *volume,
                              const char *reason);

/* src/plan/credentials.c. The Secret its Cluster will name. */
const char *credentials_secret_name(const struct object *instance, const struct object *pool,
                                    struct arena *arena);
/* The volume is chosen. From now on the Secret of that name is ours: its name was free, and is not
   asked for again. */
void credentials_reserve(struct instance_turn *turn, const struct object *volume);
/* May the Cluster be made? */
bool credentials_ready(const struct instance_turn *turn);
/* Posts the Secret if it may not; the PVC is there. */
void credentials_plan(struct instance_turn *turn);
/* How to connect, in the status; the Cluster is there. */
void credentials_tell(struct instance_turn *turn);

/* src/plan/proof.c: PVC and volume are as they must be, and the Cluster is there or asked for. */
void proof_plan(struct instance_turn *turn);

/* src/plan/reset.c. Is one asked for, or under way? */
bool reset_wanted(const struct instance_observation *seen);
/* The Instance's whole turn while it is. */
void reset_plan(struct instance_turn *turn);
/* Does it wait for a clone to be reset to? */
bool reset_waits(const struct instance_observation *seen, struct arena *arena);
/* Is the chosen volume the one a reset reserved? */
bool reset_is_reserved(const struct instance_turn *turn, const struct object *volume);
/* Gives back what is reserved. false: nothing is. */
bool reset_return(struct instance_turn *turn, const char *reason);
/* There is nothing to be reset: what was promised goes back. */
void reset_drop(struct instance_turn *turn);
/* A new clone is chosen: nobody has to be reset any more. */
void reset_note_done(struct instance_turn *turn);

/* src/plan/cancel.c: deleted before its PVC was ever Bound. What is waited for; NULL: it is not so,
   or the volume is back in its Pool. */
const char *cancel_plan(struct instance_turn *turn);

/* src/plan/hibernation.c. true: it sleeps, or falls asleep, or wakes; the Ready condition says so.
 */
bool hibernation_plan(struct instance_turn *turn);
/* The API server's words, when it does not let us; NULL: it does. */
const char *hibernation_refusal(const struct instance_turn *turn);

/* src/plan/expiry.c: when it ends, and the condition that says so. */
void expiry_plan(struct instance_turn *turn);
/* Ends it, if it is time and everybody was told. */
void expiry_end(struct instance_turn *turn);

/* src/plan/instance_status.c: adds the status patch when there is news. false: there is none. */
bool instance_status_plan(struct instance_turn *turn);

#endif
