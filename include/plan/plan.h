/* SPDX-License-Identifier: Apache-2.0 */
/* A plan: what to do now for one key, as values. Its actions start together and none depends on
   another's reply; what needs a reply comes from the next plan. Planners are pure: they append to
   a plan what follows from an observation and a time, and take all memory from the plan's arena.

   plan_write_text is the one text form: logs, `adj plan`, and the tests under tests/plans. */
#ifndef ADJOINT_PLAN_PLAN_H
#define ADJOINT_PLAN_PLAN_H

#include "api/kind.h"
#include "base/arena.h"
#include "base/limits.h"
#include "base/now.h"
#include "base/text.h"

enum action_kind {
    ACTION_CREATE,
    ACTION_DRY_RUN,      /* a create with dryRun=All: would it be let in? */
    ACTION_EXPECT_NONE,  /* a GET that must say 404: is the name free? */
    ACTION_EXPECT_SOME,  /* a dry run that must say 409: is it there, without reading it? */
    ACTION_MERGE_PATCH,  /* our own fields */
    ACTION_STATUS_PATCH, /* a merge patch of the status subresource */
    ACTION_JSON_PATCH,   /* with `test` operations: all or nothing */
    ACTION_DELETE,       /* with the uid as a precondition, where it matters the version, too */
    ACTION_READ,         /* a GET, when the store may be behind and the answer decides */
    ACTION_EVENTS,       /* a GET of the warnings about the object of that uid; answers decide
                            nothing, and none of them is a failure */
    ACTION_KIND_COUNT,
};

/* What an action is for. A failed one comes back in the next observation under this name. */
enum purpose {
    PURPOSE_FINALIZER,
    PURPOSE_STATUS,
    PURPOSE_PREFLIGHT,
    PURPOSE_CHOOSE,         /* the intent: status names the volume */
    PURPOSE_DATA_CLAIM,     /* the developer's PVC */
    PURPOSE_CLAIM_VOLUME,   /* the PV's patch: the commit point */
    PURPOSE_WITHDRAW,       /* a chosen volume is offered anew: no commit of ours fits any more */
    PURPOSE_SECRET,         /* the credentials of its Postgres */
    PURPOSE_NETWORK_POLICY, /* what its Postgres may reach */
    PURPOSE_CLUSTER,
    PURPOSE_ERRAND,         /* a pod that must succeed before Ready */
    PURPOSE_HIBERNATE,      /* our own field of the Cluster: asleep or not */
    PURPOSE_FILL,           /* a holding PVC */
    PURPOSE_LABEL_VOLUME,   /* a new clone becomes warm */
    PURPOSE_RETIRE_VOLUME,  /* warm -> retiring */
    PURPOSE_RESERVE_VOLUME, /* warm -> reserved, for a reset */
    PURPOSE_RETURN_VOLUME,  /* back to warm: nobody has had it */
    PURPOSE_DISPOSE_VOLUME, /* claimed -> disposing */
    PURPOSE_RELEASE_VOLUME, /* give a volume up that its Instance wants kept */
    PURPOSE_DELETE,
    PURPOSE_CONFIRM, /* read what the store does not have */
    PURPOSE_EXPLAIN, /* read why something takes so long */
    PURPOSE_COUNT,
};

struct action {
    enum action_kind kind;
    enum purpose purpose;
    enum object_kind object;
    const char *namespace, *name;
    /* DELETE: the precondition; READ: what it should be (NULL: any); of a Secret's CREATE: the
       Instance it is for; EVENTS: whose */
    const char *uid;
    const char *resource_version; /* DELETE: another precondition; NULL: none */
    const char *body;             /* JSON; NULL: none */
    const char *reason;
};

struct plan {
    struct arena *arena;
    struct now now;
    size_t action_count;
    struct action actions[LIMIT_ACTIONS_PER_PLAN];
    int64_t look_again_ms; /* mono: plan this key again then, if nothing happens; NOW_NEVER */
};

void plan_init(struct plan *plan, struct arena *arena, struct now now);

/* Appends; the strings must live as long as the arena. What does not fit is left for the next
   plan of the key (look_again_ms becomes now). */
void plan_add(struct plan *plan, struct action action);

/* look_again_ms = min(look_again_ms, now + delay_ms). */
void plan_look_again(struct plan *plan, int64_t delay_ms);

/* One line an action: `create PersistentVolumeClaim dev/alice-1: reason`, its body indented below
   it when bodies. "nothing\n" for an empty plan. */
void plan_write_text(const struct plan *plan, bool bodies, struct text *out);

const char *action_kind_name(enum action_kind kind);
const char *purpose_name(enum purpose purpose);

/* The last thing that went wrong for a key, from its last batch. */
struct trouble {
    enum error_class class; /* ERROR_NONE: nothing */
    enum purpose purpose;
    const char *message;
};

#endif
