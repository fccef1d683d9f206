/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot holds what was in its volume, so that a clone made years later has it; and a clone
   holds its snapshot: with clones it cannot be deleted. */
#include "sim/fsx.h"

#include "base/memory.h"
#include "sim/fsx_state.h"

#include <string.h>

struct fsx_snapshot *fsx_find_snapshot(const struct fsx *fsx, const char *handle)
{
    for (size_t i = 0; i < fsx->snapshot_count; i++) {
        if (strcmp(fsx->snapshots[i]->handle, handle) == 0) {
            return fsx->snapshots[i];
        }
    }
    return NULL;
}

static struct fsx_snapshot *add_snapshot(struct fsx *fsx, const char *name, const char *token,
                                         const struct fsx_volume *volume)
{
    struct fsx_snapshot *snapshot = memory_new(1, sizeof(*snapshot));
    *snapshot = (struct fsx_snapshot){
        .fsx = fsx,
        .name = memory_copy_text(name),
        .token = memory_copy_text(token),
        .volume = memory_copy_text(volume->handle),
        .system_id = memory_copy_text(volume->system_id),
        .lifecycle = FSX_AVAILABLE,
        .created_ms = world_now(fsx->world).wall_ms,
    };
    fsx_draw_handle(fsx, "fsvolsnap", snapshot->handle);
    fsx->snapshots =
        memory_resize(fsx->snapshots, fsx->snapshot_count + 1, sizeof(struct fsx_snapshot *));
    fsx->snapshots[fsx->snapshot_count++] = snapshot;
    return snapshot;
}

static void snapshot_free(struct fsx_snapshot *snapshot)
{
    if (snapshot->event != NULL) {
        world_cancel(snapshot->fsx->world, snapshot->event);
    }
    memory_free(snapshot->name);
    memory_free(snapshot->token);
    memory_free(snapshot->volume);
    memory_free(snapshot->system_id);
    memory_free(snapshot);
}

static void drop_at(struct fsx *fsx, size_t at)
{
    snapshot_free(fsx->snapshots[at]);
    fsx->snapshot_count--;
    memmove(&fsx->snapshots[at], &fsx->snapshots[at + 1],
            (fsx->snapshot_count - at) * sizeof(struct fsx_snapshot *));
}

void fsx_drop_snapshots_of(struct fsx *fsx, const char *volume)
{
    for (size_t i = fsx->snapshot_count; i > 0; i--) {
        if (strcmp(fsx->snapshots[i - 1]->volume, volume) == 0) {
            drop_at(fsx, i - 1);
        }
    }
}

bool fsx_has_snapshots(const struct fsx *fsx, const char *volume)
{
    for (size_t i = 0; i < fsx->snapshot_count; i++) {
        if (strcmp(fsx->snapshots[i]->volume, volume) == 0) {
            return true;
        }
    }
    return false;
}

void fsx_drop_all_snapshots(struct fsx *fsx)
{
    while (fsx->snapshot_count > 0) {
        drop_at(fsx, fsx->snapshot_count - 1);
    }
    memory_free(fsx->snapshots);
    fsx->snapshots = NULL;
}

static void snapshot_is_made(void *self)
{
    struct fsx_snapshot *snapshot = self;
    snapshot->event = NULL;
    snapshot->lifecycle = FSX_AVAILABLE;
}

enum fsx_code fsx_create_snapshot(struct fsx *fsx, const char *name, const char *token,
                                  const char *volume, const char **out_handle)
{
    for (size_t i = 0; i < fsx->snapshot_count; i++) {
        if (strcmp(fsx->snapshots[i]->token, token) == 0) {
            *out_handle = fsx->snapshots[i]->handle;
            return FSX_OK;
        }
    }
    const struct fsx_volume *source = fsx_find_volume(fsx, volume);
    if (source == NULL) {
        return FSX_NOT_FOUND;
    }
    if (source->lifecycle != FSX_AVAILABLE) {
        return FSX_BAD_REQUEST;
    }
    struct fsx_snapshot *snapshot = add_snapshot(fsx, name, token, source);
    snapshot->lifecycle = FSX_PENDING;
    snapshot->event = world_after(fsx->world, FSX_SNAPSHOT_MS, snapshot_is_made, snapshot);
    *out_handle = snapshot->handle;
    return FSX_OK;
}

const char *fsx_put_snapshot(struct fsx *fsx, const char *volume)
{
    return add_snapshot(fsx, "", "", fsx_find_volume(fsx, volume))->handle;
}

enum fsx_code fsx_describe_snapshot(struct fsx *fsx, const char *handle,
                                    enum fsx_lifecycle *out_lifecycle, int64_t *out_created_ms)
{
    const struct fsx_snapshot *snapshot = fsx_find_snapshot(fsx, handle);
    if (snapshot == NULL) {
        return FSX_NOT_FOUND;
    }
    *out_lifecycle = snapshot->lifecycle;
    *out_created_ms = snapshot->created_ms;
    return FSX_OK;
}

static bool has_clones(const struct fsx *fsx, const char *handle)
{
    for (size_t i = 0; i < fsx->volume_count; i++) {
        const struct fsx_volume *volume = fsx->volumes[i];
        if (!volume->is_full_copy && strcmp(volume->origin, handle) == 0) {
            return true;
        }
    }
    return false;
}

enum fsx_code fsx_delete_snapshot(struct fsx *fsx, const char *handle)
{
    const struct fsx_snapshot *snapshot = fsx_find_snapshot(fsx, handle);
    if (snapshot == NULL) {
        return FSX_NOT_FOUND;
    }
    if (has_clones(fsx, handle)) {
        return FSX_BAD_REQUEST;
    }
    size_t at = 0;
    while (fsx->snapshots[at] != snapshot) {
        at++;
    }
    drop_at(fsx, at);
    return FSX_OK;
}
