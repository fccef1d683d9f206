/* SPDX-License-Identifier: Apache-2.0 */
/* Of the data in a volume only what tells databases apart is kept: the system identifier that
   initdb drew, which clones share and a second initdb replaces. */
#include "sim/fsx.h"

#include "base/memory.h"
#include "sim/fsx_state.h"

#include <assert.h>

const char *fsx_put_volume(struct fsx *fsx, const char *name, const char *system_id)
{
    return fsx_put_volume_below(fsx, fsx_root_volume(fsx), name, system_id);
}

const char *fsx_put_volume_below(struct fsx *fsx, const char *parent, const char *name,
                                 const char *system_id)
{
    const struct fsx_create create = {
        .name = name, .token = name, .parent = parent, .parameters = ""};
    return fsx_add_volume(fsx, &create, fsx_find_volume(fsx, parent)->home, system_id)->handle;
}

static struct fsx_volume *find_available(struct fsx *fsx, const char *handle)
{
    struct fsx_volume *volume = fsx_find_volume(fsx, handle);
    return volume != NULL && volume->lifecycle == FSX_AVAILABLE ? volume : NULL;
}

bool fsx_mount(struct fsx *fsx, const char *handle)
{
    struct fsx_volume *volume = find_available(fsx, handle);
    if (volume == NULL) {
        return false;
    }
    volume->was_mounted = true;
    volume->mounted_by++;
    return true;
}

void fsx_unmount(struct fsx *fsx, const char *handle)
{
    struct fsx_volume *volume = fsx_find_volume(fsx, handle);
    if (volume != NULL) {
        assert(volume->mounted_by > 0);
        volume->mounted_by--;
    }
}

bool fsx_initdb(struct fsx *fsx, const char *handle, const char *system_id)
{
    struct fsx_volume *volume = find_available(fsx, handle);
    if (volume == NULL) {
        return false;
    }
    volume->was_initdb = true;
    memory_free(volume->system_id);
    volume->system_id = memory_copy_text(system_id);
    return true;
}

const char *fsx_system_id(const struct fsx *fsx, const char *handle)
{
    const struct fsx_volume *volume = fsx_find_volume(fsx, handle);
    return volume == NULL ? NULL : volume->system_id;
}

struct fsx_counts fsx_counts(const struct fsx *fsx)
{
    struct fsx_counts counts = fsx->counts;
    for (size_t i = 0; i < fsx->file_system_count; i++) {
        int64_t busy_until_ms = fsx->file_systems[i].counts.busy_until_ms;
        bool longest = busy_until_ms > counts.busy_until_ms;
        counts.busy_until_ms = longest ? busy_until_ms : counts.busy_until_ms;
    }
    return counts;
}

struct fsx_counts fsx_counts_of(const struct fsx *fsx, size_t file_system)
{
    assert(file_system < fsx->file_system_count);
    return fsx->file_systems[file_system].counts;
}

void fsx_volumes(const struct fsx *fsx,
                 void (*give)(void *self, const struct fsx_volume_seen *volume), void *self)
{
    for (size_t i = 0; i < fsx->volume_count; i++) {
        const struct fsx_volume *volume = fsx->volumes[i];
        const struct fsx_volume_seen seen = {
            .handle = volume->handle,
            .name = volume->name,
            .system_id = volume->system_id,
            .origin = volume->origin,
            .is_deleting = volume->lifecycle == FSX_DELETING,
            .is_failed = volume->lifecycle == FSX_FAILED,
            .was_mounted = volume->was_mounted,
            .was_initdb = volume->was_initdb,
            .mounted_by = volume->mounted_by,
        };
        if (!volume->is_root) {
            give(self, &seen);
        }
    }
}
