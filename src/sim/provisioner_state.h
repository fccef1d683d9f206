/* SPDX-License-Identifier: Apache-2.0 */
/* What the provisioner's files share. */
#ifndef ADJOINT_SIM_PROVISIONER_STATE_H
#define ADJOINT_SIM_PROVISIONER_STATE_H

#include "sim/caller.h"
#include "sim/provisioner.h"
#include "sim/recorder.h"
#include "sim/workers.h"

#define PROVISIONER_FINALIZER "external-provisioner.volume.kubernetes.io/finalizer"

enum creation_state {
    CREATION_RESTS, /* waits to be looked at again */
    CREATION_IS_ON, /* a worker has it */
    CREATION_SAVES, /* the volume is there, its PersistentVolume not yet */
};

/* A claim that a volume is made for. */
struct creation {
    struct provisioner *provisioner;
    struct creation *previous, *next;
    char *key; /* the claims' queue's */
    struct record *claim, *class;
    enum creation_state state;
    bool is_in_background;          /* goes on even if the claim is deleted */
    char *snapshot;                 /* handle; NULL: a plain volume */
    struct record *snapshot_record; /* while its content is asked for */
    struct csi_call *rpc;
    struct world_event *event; /* the deadline, or the next attempt to save */
    char message[512];         /* of the failure that is being cleaned up after */
    cJSON *volume;             /* to save */
    int64_t save_backoff_ms;
};

/* A PersistentVolume that a worker has. */
struct deletion {
    struct provisioner *provisioner;
    struct deletion *previous, *next;
    const char *key; /* the volumes' queue's */
    struct record *volume;
    struct csi_call *rpc;
    struct world_event *deadline;
};

struct provisioner {
    struct apiserver *server;
    struct world *world;
    struct fsx_driver *driver;
    const struct pace *pace;
    enum provisioner_version version;
    char identity[96];
    struct view *view;
    struct caller *caller;
    struct recorder *recorder;
    struct workers *claims, *volumes;
    struct creation *first_creation;
    struct deletion *first_deletion;
};

enum {
    PROVISIONER_KEY_BYTES = 640,
    PROVISIONER_RETRY_MS_MIN = 1000,
    PROVISIONER_RETRY_MS_MAX = 5 * 60 * 1000,
};

/* "namespace/name/uid". */
void provisioner_claim_key(const struct record *claim, char out_key[PROVISIONER_KEY_BYTES]);

/* Of the queues. */
void provisioner_look_at_claim(void *self, const char *key);
void provisioner_look_at_volume(void *self, const char *key);

void creation_free(struct creation *creation);
void deletion_free(struct deletion *deletion);

/* Asks the driver for the creation's volume and goes on from there; the worker is its until then.
 */
void creation_ask(struct creation *creation);
/* The look ends with an error; in_background: the driver may still be at it. */
void creation_fail(struct creation *creation, bool in_background, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Finds the snapshot that the claim is to be a copy of, then creation_ask or creation_fail. */
void creation_find_snapshot(struct creation *creation);

/* The PersistentVolume for the claim. */
cJSON *provisioner_build_volume(const struct creation *creation, const struct csi_reply *made);

#endif
