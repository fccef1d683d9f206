/* SPDX-License-Identifier: Apache-2.0 */
/* FSx for OpenZFS as its API shows it: file systems, volumes and snapshots with lifecycles, creates
   that each file system serves one after another, a limit of volumes, throttling, failures, and
   what is in the volumes, which no API object says. Calls take effect at once: sim/fsx_driver.h
   adds what a call costs.
   Rules: FSx API reference and user guide (limits, OptionsOnDeletion, clones hold their origin),
   and what the driver met at a stand-in for it. */
#ifndef ADJOINT_SIM_FSX_H
#define ADJOINT_SIM_FSX_H

#include "sim/simulation.h"

struct fsx;

/* pace and misfortune are borrowed and read at each call: they may change meanwhile. There is one
   file system; each begins with its root volume, which counts against pace->volumes_max. */
struct fsx *fsx_new(struct world *world, const struct pace *pace,
                    const struct misfortune *misfortune);
void fsx_free(struct fsx *fsx);

/* ---- names; static as long as the file system ---- */
/* fs-....amazonaws.com: of the file system that this volume is on, which must be there. */
const char *fsx_dns_name(const struct fsx *fsx, const char *handle);
const char *fsx_root_volume(const struct fsx *fsx); /* of the first: its handle */
/* Of the file system of this number, from 0, at most 4; those up to it are made. */
const char *fsx_root_volume_of(struct fsx *fsx, size_t file_system);

/* ---- the API: how a call ended, and the texts of its errors ---- */
enum fsx_code {
    FSX_OK,
    FSX_THROTTLED,      /* ThrottlingException: the SDK tries again */
    FSX_NOT_FOUND,      /* VolumeNotFound, SnapshotNotFound */
    FSX_BAD_REQUEST,    /* BadRequest: it has clones, children or snapshots; no such parent */
    FSX_LIMIT,          /* ServiceLimitExceeded */
    FSX_INCOMPATIBLE,   /* IncompatibleParameterError: same token, other parameters */
    FSX_INTERNAL_ERROR, /* InternalServerError */
};
const char *fsx_code_name(enum fsx_code code); /* as the API spells the exception */

enum fsx_lifecycle { FSX_PENDING, FSX_CREATING, FSX_AVAILABLE, FSX_FAILED, FSX_DELETING };

/* Borrowed for the call. */
struct fsx_create {
    const char *name;       /* pvc-<uid> */
    const char *token;      /* ClientRequestToken: a call with a known one gives the same volume */
    const char *parent;     /* ParentVolumeId */
    const char *origin;     /* snapshot to clone; NULL: a plain volume */
    const char *parameters; /* all of it as text: the same token needs the same */
    bool deletes_children;  /* OptionsOnDeletion, kept as a tag */
    bool is_full_copy;      /* not a clone: holds no origin */
};
/* out_handle: borrowed, as long as the volume is known. */
enum fsx_code fsx_create_volume(struct fsx *fsx, const struct fsx_create *create,
                                const char **out_handle);
enum fsx_code fsx_describe_volume(struct fsx *fsx, const char *handle,
                                  enum fsx_lifecycle *out_lifecycle);
/* DELETING, and gone a while later. Deleting a DELETING one again is FSX_OK. deletes_children: as
   the volume's tag said, with its snapshots and all clones of them (API reference). */
enum fsx_code fsx_delete_volume(struct fsx *fsx, const char *handle, bool deletes_children);
/* The tag; FSX_NOT_FOUND when the volume is gone. */
enum fsx_code fsx_volume_options(struct fsx *fsx, const char *handle, bool *out_deletes_children);

enum fsx_code fsx_create_snapshot(struct fsx *fsx, const char *name, const char *token,
                                  const char *volume, const char **out_handle);
enum fsx_code fsx_describe_snapshot(struct fsx *fsx, const char *handle,
                                    enum fsx_lifecycle *out_lifecycle, int64_t *out_created_ms);
/* FSX_BAD_REQUEST as long as clones of it exist, DELETING ones too. */
enum fsx_code fsx_delete_snapshot(struct fsx *fsx, const char *handle);

/* ---- for whoever builds the world: AVAILABLE at once, not counted as calls ---- */
/* system_id: of the Postgres data in it; "" for none. Handles are borrowed as above. */
const char *fsx_put_volume(struct fsx *fsx, const char *name, const char *system_id);
const char *fsx_put_volume_below(struct fsx *fsx, const char *parent, const char *name,
                                 const char *system_id);           /* else it is the first's root */
const char *fsx_put_snapshot(struct fsx *fsx, const char *volume); /* of what is in it now */

/* ---- for kubelets: what happens inside the volumes ---- */
/* false: there is no such volume, or it is not AVAILABLE; the mount fails. A mount is one pod's. */
bool fsx_mount(struct fsx *fsx, const char *handle);
void fsx_unmount(struct fsx *fsx, const char *handle); /* of a volume that is gone: nothing */
/* An initdb Job ran on it: whatever was in it is replaced. false as for fsx_mount. */
bool fsx_initdb(struct fsx *fsx, const char *handle, const char *system_id);
/* "" when empty; NULL: no such volume (a mounted one fails then: ESTALE). */
const char *fsx_system_id(const struct fsx *fsx, const char *handle);

/* ---- what there is, for simulation.h ---- */
struct fsx_counts fsx_counts(const struct fsx *fsx);
/* Of one file system: only how its creates ended, and until when it is busy. */
struct fsx_counts fsx_counts_of(const struct fsx *fsx, size_t file_system);
/* Volumes that are not gone yet, in order of creation, without the root volume. */
void fsx_volumes(const struct fsx *fsx,
                 void (*give)(void *self, const struct fsx_volume_seen *volume), void *self);

#endif
