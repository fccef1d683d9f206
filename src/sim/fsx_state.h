/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the file system share. */
#ifndef ADJOINT_SIM_FSX_STATE_H
#define ADJOINT_SIM_FSX_STATE_H

#include "sim/fsx.h"

enum {
    FSX_HANDLE_BYTES = 40,
    FSX_FILE_SYSTEMS_MAX = 4,
    FSX_DELETE_MS_LEAST = 5 * 1000, /* from DELETING to gone; AWS gives no number */
    FSX_DELETE_MS_MOST = 30 * 1000,
    FSX_SNAPSHOT_MS = 2 * 1000, /* a snapshot is made at once, as ZFS does, and then told */
};

struct fsx_file_system {
    char dns_name[128];
    const char *root;         /* handle of its root volume */
    struct fsx_counts counts; /* of creates, as they end */
};

struct fsx_volume {
    struct fsx *fsx;
    struct fsx_file_system *home;
    char handle[FSX_HANDLE_BYTES];
    char *name, *token, *parent, *parameters;
    char *origin;    /* the snapshot it came from; "" plain */
    char *system_id; /* "" no data */
    enum fsx_lifecycle lifecycle;
    bool will_fail, deletes_children, is_full_copy, is_root;
    bool was_mounted, was_initdb;
    int mounted_by;
    struct world_event *event; /* its next lifecycle */
};

struct fsx_snapshot {
    struct fsx *fsx;
    char handle[FSX_HANDLE_BYTES];
    char *name, *token, *volume;
    char *system_id; /* what was in the volume then */
    enum fsx_lifecycle lifecycle;
    int64_t created_ms; /* wall */
    struct world_event *event;
};

struct fsx {
    struct world *world;
    const struct pace *pace;
    const struct misfortune *misfortune;
    struct fsx_file_system file_systems[FSX_FILE_SYSTEMS_MAX];
    size_t file_system_count;
    struct fsx_counts counts;    /* of all; busy_until_ms is each one's own */
    struct fsx_volume **volumes; /* in order of creation, a root before all on it */
    size_t volume_count;
    struct fsx_snapshot **snapshots;
    size_t snapshot_count;
};

void fsx_draw_handle(struct fsx *fsx, const char *prefix, char out_handle[FSX_HANDLE_BYTES]);

/* AVAILABLE at once. */
struct fsx_volume *fsx_add_volume(struct fsx *fsx, const struct fsx_create *create,
                                  struct fsx_file_system *home, const char *system_id);
struct fsx_volume *fsx_find_volume(const struct fsx *fsx, const char *handle); /* NULL: gone */
struct fsx_snapshot *fsx_find_snapshot(const struct fsx *fsx, const char *handle);

/* Every snapshot of a volume that goes is gone with it. */
void fsx_drop_snapshots_of(struct fsx *fsx, const char *volume);
bool fsx_has_snapshots(const struct fsx *fsx, const char *volume);
void fsx_drop_all_snapshots(struct fsx *fsx);

#endif
