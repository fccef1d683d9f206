/* SPDX-License-Identifier: Apache-2.0 */
/* What the snapshotter's files share. */
#ifndef ADJOINT_SIM_SNAPSHOTTER_STATE_H
#define ADJOINT_SIM_SNAPSHOTTER_STATE_H

#include "sim/caller.h"
#include "sim/recorder.h"
#include "sim/snapshotter.h"
#include "sim/workers.h"

#define SNAPSHOTTER_AS_SOURCE "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection"
#define SNAPSHOTTER_BOUND "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection"
#define SNAPSHOTTER_CONTENT_BOUND                                                                  \
    "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection"
#define SNAPSHOTTER_CLAIM_AS_SOURCE "snapshot.storage.kubernetes.io/pvc-as-source-protection"
#define SNAPSHOTTER_BEING_DELETED "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted"

enum { SNAPSHOTTER_KEY_BYTES = 520 };

struct snapshotter {
    struct world *world;
    struct fsx_driver *driver;
    struct view *view;
    struct caller *caller;
    struct recorder *recorder;
    struct workers *snapshots, *contents;
    struct snapshotter_look *first_look;
};

/* One look at one object. It makes at most one write: what it changes brings the object back. */
struct snapshotter_look {
    struct snapshotter *snapshotter;
    struct snapshotter_look *previous, *next;
    struct workers *workers;
    const char *key;
    struct record *record;
    struct csi_call *rpc;
};

/* Of the queues. */
void snapshotter_look_at_snapshot(void *self, const char *key);
void snapshotter_look_at_content(void *self, const char *key);

struct snapshotter_look *snapshotter_begin(struct snapshotter *snapshotter, struct workers *workers,
                                           const char *key, const struct record *record);
void snapshotter_end(struct snapshotter_look *look, bool is_ok);
void snapshotter_look_free(struct snapshotter_look *look);
/* Writes (value is taken) or deletes, then ends the look. */
void snapshotter_write(struct snapshotter_look *look, const struct record *record,
                       const char *subresource, cJSON *value);
void snapshotter_create(struct snapshotter_look *look, const struct resource *resource,
                        cJSON *value);
void snapshotter_delete(struct snapshotter_look *look, const struct record *record);
/* Warns and ends the look, to try again. */
void snapshotter_fail(struct snapshotter_look *look, const char *reason, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* A copy of it with the finalizer, or without; NULL: it is so already. */
cJSON *snapshotter_with_finalizer(const struct record *record, const char *finalizer, bool has);

#endif
