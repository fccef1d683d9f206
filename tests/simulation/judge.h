/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants, judged at every change of the cluster, inside the write that makes it: nothing is
   seen late, and what is broken is known with the write that broke it. Only what changed is looked
   at, with books of volumes (by their CSI handle: a PV's name can come back) and of Instances (by
   uid).

   I1  a CSI handle has one PV, a claimRef's uid is on one PV, an Instance has one claimed volume,
       a volume is never given to a second Instance, and its claimRef is never empty
   I2  a volume that a developer's PVC was ever Bound to is never claimable again, and its Instance
       never takes another one but by a reset that was asked for
   I3  nothing that holds user data is destroyed unless its Instance asked, and no PV goes while
       FSx keeps its volume
   I4  no more holding PVCs than the Pool wants, and its surge
   I5  no volume is made for a developer's PVC
   I6  Ready: the golden's system identifier, our PVC on our PV, no bootstrap Job, at all, and the
       Secret to connect with, which is this Instance's
   I7  policy Retain on what a live Instance owns; never Released with Delete
   I8  waiters are served in order of (share of the namespace, creation, uid)
   I9  no write is sent without the lease (life.c)
   I10 it settles, and then writes nothing (trial.c)
   I11 observedGeneration and a volume's state never go back
   I12 no request is sent again and again without a pause
   I13 not Ready before a pod of its own has run the Pool's statements, if it has some
   I14 no more creates are in flight than maxInFlight of the lane
   I15 no more volumes are there, or being made, than maxVolumes of the lane
   I16 an Instance that no person deleted has lived for its lifetime, and was told
   I17 a reset gives a volume up only when a clone is reserved in its place
   I18 while clones are rotated, as many stay claimable as the Pool says
   I19 who wants the current golden gets no clone of another
   I20 no Cluster is made before its NetworkPolicy, if its Pool denies egress
   I21 when it was asked for clones is written down, whoever led meanwhile (recording.c)
   I22 what is other people's is not written to */
#ifndef ADJOINT_SIMULATION_JUDGE_H
#define ADJOINT_SIMULATION_JUDGE_H

#include "base/error.h"
#include "sim/link.h"
#include "sim/simulation.h"

#include <cjson/cJSON.h>
#include <stddef.h>

struct judge;

struct judge_options {
    const char *pools;     /* namespace of Pools */
    const char *thief;     /* a PVC of this name asks its class for a volume of its own */
    const char *others;    /* a namespace of people who have nothing to do with Adjoint, and what
                              the names of their PVs begin with */
    const char *system_id; /* the golden's */
    bool sanitizes;        /* the Pools do, and deny egress */
    bool is_strict;        /* nothing lies between the operators and the API server: I8, and
                             what they say is not late */
};

struct judge *judge_new(struct simulation *simulation, const struct judge_options *options);
void judge_free(struct judge *judge);
/* From here on, when Adjoint's definitions are there. */
void judge_begin(struct judge *judge);
/* What FSx has by now and nobody has been told of was there before: the golden. */
void judge_note_given(struct judge *judge);
/* Each one that an operator sends, but for the lease's. */
void judge_request(struct judge *judge, const struct link_request *request);

/* The first thing that was broken; NULL: nothing. */
const char *judge_verdict(const struct judge *judge);
void judge_break(struct judge *judge, const char *format, ...) PRINTF_LIKE(2, 3);

/* ---- what people do, and so is nobody's mistake ---- */
enum edit {
    EDIT_POLICY = 1,    /* until it is Retain again */
    EDIT_STATE = 2,     /* the label */
    EDIT_CLAIM_REF = 4, /* any PVC may find the volume */
    EDIT_DATA = 8,      /* they had the data destroyed, or the PV taken away */
};
/* Before they do. volume: the PV's name. */
void judge_note_edit(struct judge *judge, const char *volume, enum edit edit);
/* A person deletes this Instance, or (NULL) all of them. */
void judge_note_end(struct judge *judge, const char *instance_uid);
/* Something of an Instance was deleted or edited: what it says of itself may be late. */
void judge_note_touch(struct judge *judge, const char *instance_uid);
/* A write of an operator is on its way that it does not expect any more, or two of them write at
   once: what a status says may go back for a moment. */
void judge_note_late_write(struct judge *judge);
void judge_note_rivals(struct judge *judge);
bool judge_has_rivals(const struct judge *judge);
bool judge_was_touched(const struct judge *judge, const char *instance_uid);

/* ---- for the ending ---- */
/* The uid of the snapshot that is this Pool's golden now; NULL: there is none. */
const char *judge_golden_uid(const struct judge *judge, const cJSON *pool);
bool judge_was_there_before(const struct judge *judge, const char *handle);
/* true: a person freed another volume, and the PVC that this one is made for took it: what its
   provisioner goes on making nobody is told of. volume: its name at FSx. */
bool judge_was_diverted(const struct judge *judge, const char *volume);
/* true: this PV's first owner was an Instance with deletionPolicy Retain that is gone. */
bool judge_was_let_go(const struct judge *judge, const char *handle);
/* Its labels may be off: then it is nobody's. */
bool judge_was_edited(const struct judge *judge, const char *handle, enum edit edit);
size_t judge_lives(const struct judge *judge); /* Instances that were Ready or are gone */
/* What became of each volume that was made for a Pool. */
struct judge_volumes {
    size_t handed_out, warm, retired, others;
};
struct judge_volumes judge_count_volumes(const struct judge *judge);

#endif
