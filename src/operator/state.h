/* SPDX-License-Identifier: Apache-2.0 */
/* The op's inside, shared by operator.c (the step), routes.c (which change wakes which key)
   and execute.c (plans to requests, replies to the store). */
#ifndef ADJOINT_SRC_OPERATOR_STATE_H
#define ADJOINT_SRC_OPERATOR_STATE_H

#include "kube/client.h"
#include "kube/queue.h"
#include "kube/store.h"
#include "operator/assignment.h"
#include "operator/claims.h"
#include "operator/events.h"
#include "operator/key.h"
#include "operator/memo.h"
#include "operator/operator.h"
#include "operator/vouch.h"
#include "operator/zones.h"

struct sent;

struct operator
{
    struct client *client;
    struct store *store;
    struct informer_options informer_options; /* the informers borrow it */
    struct informer *informers[KIND_WATCHED_COUNT];
    struct lease *lease;
    struct queue *queue;
    struct memos memos;
    struct assignment assignment;
    struct vouches vouches;
    struct claims claims;
    struct zones zones;
    struct events events;
    bool assignment_fresh; /* computed from the store and the memos as they are */
    int64_t assigned_ms;   /* mono: when it was */
    bool volumes_stale;    /* a Pool in a new namespace: PVs unseen before are to be kept */
    struct random random;
    struct entropy entropy;
    struct now now;                        /* of the step that runs */
    int64_t clock_offset_ms, clock_set_ms; /* wall less mono; mono: when that last changed */
    int64_t wake_at_ms;
    bool synced, leading, stopping, releasing;
    bool followed; /* somebody else has led since we did */
    bool told_of[KIND_WATCHED_COUNT +
                 1];   /* each watch, and the Lease: that it fails, see contacts.c */
    struct sent *sent; /* actions that have not ended, see execute.c */
    struct operator_facts facts;
    struct arena scratch; /* of the plan that is made */
};

/* routes.c: the store's listener. */
void routes_changed(void *self, const struct object *before, const struct object *after);
void routes_mark(struct operator* op, enum object_kind kind, const char *namespace,
                 const char *name);
/* Marks the Pool's Instances. */
void routes_mark_instances(struct operator* op, const struct object *pool);
/* Marks every Pool, Instance and labelled volume: at the beginning of a term of leadership. */
void routes_mark_all(struct operator* op);

/* vouch_batch.c: an action goes on the wire; its batch has been answered. Those that waited for the
   answer are marked. */
void vouch_note_asking(struct operator* op, struct memo *memo, const struct action *action);
void vouch_note_answer(struct operator* op, struct memo *memo);

/* refresh.c: computes the assignment if it is not that of now, and marks whom it concerns. */
void refresh_assignment(struct operator* op);

/* contacts.c: logs what is refused, or has not been reached for long, and when that ends. */
void contacts_tell(struct operator* op);

/* clock.c: notes whether the wall clock goes as the monotonic one. */
void clock_watch(struct operator* op, struct now now);

/* execute.c: sends a plan's actions; the key is done when all are answered. Actions > 0. */
void execute_plan(struct operator* op, const char *key, int64_t generation,
                  const struct plan *plan);
/* Starts the reads that are due; their mono_ms, NOW_NEVER when none. */
void execute_step(struct operator* op);
int64_t execute_wake_at(const struct operator* op);
void execute_release(struct operator* op);

#endif
