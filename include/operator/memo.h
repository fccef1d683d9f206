/* SPDX-License-Identifier: Apache-2.0 */
/* What the operator remembers of a key between two plans and cannot read from the API server: the
   last failure and its back-off, a passed pre-flight, a volume promised by a write on its way.
   Losing all of it (a restart) costs some requests and nothing else. */
#ifndef ADJOINT_OPERATOR_MEMO_H
#define ADJOINT_OPERATOR_MEMO_H

#include "base/map.h"
#include "base/random.h"
#include "plan/instance.h"
#include "plan/plan.h"
#include "plan/sweep.h"

struct memo {
    char *key;
    /* The last batch's failure; class ERROR_NONE: none. */
    enum error_class trouble_class;
    enum purpose trouble_purpose;
    char *trouble_message;
    int failures;          /* in a row */
    int64_t held_until_ms; /* mono: nothing but status before; 0: not held */
    int64_t generation;    /* of the object, when it failed: a new spec is tried at once */
    /* Its own object: see operator/damper.h. */
    char *own_version; /* as our last write of it left it; NULL: none */
    int64_t own_generation;
    int contests;            /* others had written to it since, so many times in a row */
    int64_t status_after_ms; /* mono: nothing is told before; 0: at once */
    /* Instances. */
    struct preflight preflight; /* its strings are preflight_name and preflight_message */
    char *preflight_name, *preflight_message;
    char *assumed_volume; /* a status write that names it is on its way */
    char *secret_of;      /* uid of the Instance whose Secret has just been made, or was there */
    char *secret_name;    /* and the Secret's name */
    char *vouch_asked;    /* its whole pre-flight is on its way: see operator/vouch.h */
    /* Pools. */
    char *fill_claim_uid, *fill_complaint; /* see struct fill_report */
    int64_t fill_read_ms;
    size_t starting_count; /* holding PVCs whose creates are on the wire */
    char **taken_slots;    /* names that PVCs have which nobody lists: they have no label of ours */
    size_t taken_slot_count;
    /* Volumes, what is left of an Instance, and Instances. */
    char *gone_owner_uid; /* an owner that a GET did not find; an Instance's own PVC, likewise */
    char *finding_reason; /* as it is now, and was logged; NULL: none */
    bool leaked;
    /* Any: its batch is on the wire. */
    bool processing;
    bool forgotten;    /* and it goes when that has ended */
    bool batch_failed; /* one of its actions so far */
    size_t outstanding;
};

struct memos {
    struct map by_key;   /* to struct memo * */
    size_t leaked_count; /* volumes that are found to be leaked (plan/sweep.h) */
};

void memos_init(struct memos *memos);
void memos_release(struct memos *memos);

struct memo *memos_find(const struct memos *memos, const char *key); /* NULL: nothing remembered */
struct memo *memos_get(struct memos *memos, const char *key);        /* made if need be */
/* Its object is gone, or another one has its name: nothing that is remembered is true of that. What
   is on the wire is waited for: see memos_batch_ended. */
void memos_forget(struct memos *memos, const char *key);
/* Its batch is not on the wire any more. One that was to be forgotten goes. */
void memos_batch_ended(struct memos *memos, struct memo *memo);
size_t memos_findings(const struct memos *memos); /* how many have one */

/* Records a failed action. A lost race is tried again at once, at first; what was refused or could
   not be reached backs off, at least retry_after_ms. */
void memo_fail(struct memo *memo, const struct error *error, enum purpose purpose,
               int64_t generation, struct now now, struct random *random);
/* A batch went through: no trouble, no back-off. */
void memo_succeed(struct memo *memo);
/* Its back-off is over, or its object has a new generation: it may act (true); a failed pre-flight
   is forgotten so that it is run again. */
bool memo_wake(struct memo *memo, int64_t generation, struct now now);

void memo_set_preflight(struct memo *memo, enum preflight_state state, enum error_class class,
                        enum object_kind object, const char *name, const char *message);
bool memo_held(const struct memo *memo, struct now now);

/* The Secret that is known to be there; NULL: none is. */
void memo_set_secret(struct memo *memo, const char *instance_uid, const char *name);
/* Another PVC has this name of a slot. */
void memo_note_taken_slot(struct memo *memo, const char *name);

/* What is found of a volume, by its key. */
void memos_set_finding(struct memos *memos, const char *key, const struct volume_finding *finding);

#endif
