/* SPDX-License-Identifier: Apache-2.0 */
/* Creates are served by one server: each begins when the one before it is through, and what is
   beyond the service runs beside the next. That is all it takes to have one volume a minute at two
   minutes each. Volumes are few (a file system has at most some hundred), so they are an array in
   the order of creation, and looked through. */
#include "sim/fsx.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/chance.h"
#include "sim/fsx_state.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char STREAM[] = "fsx";
static const int64_t SLOW_CREATE_MS = INT64_C(10) * 60 * 1000; /* the slowest that people told of */

void fsx_draw_handle(struct fsx *fsx, const char *prefix, char out_handle[FSX_HANDLE_BYTES])
{
    uint64_t number = random_next(world_random(fsx->world, STREAM));
    (void)snprintf(out_handle, FSX_HANDLE_BYTES, "%s-0%016" PRIx64, prefix, number);
}

struct fsx_volume *fsx_add_volume(struct fsx *fsx, const struct fsx_create *create,
                                  struct fsx_file_system *home, const char *system_id)
{
    struct fsx_volume *volume = memory_new(1, sizeof(*volume));
    *volume = (struct fsx_volume){
        .fsx = fsx,
        .home = home,
        .name = memory_copy_text(create->name),
        .token = memory_copy_text(create->token),
        .parent = memory_copy_text(create->parent),
        .parameters = memory_copy_text(create->parameters),
        .origin = memory_copy_text(create->origin == NULL ? "" : create->origin),
        .system_id = memory_copy_text(system_id),
        .lifecycle = FSX_AVAILABLE,
        .deletes_children = create->deletes_children,
        .is_full_copy = create->is_full_copy,
    };
    fsx_draw_handle(fsx, "fsvol", volume->handle);
    fsx->volumes = memory_resize(fsx->volumes, fsx->volume_count + 1, sizeof(struct fsx_volume *));
    fsx->volumes[fsx->volume_count++] = volume;
    return volume;
}

static void volume_free(struct fsx_volume *volume)
{
    if (volume->event != NULL) {
        world_cancel(volume->fsx->world, volume->event);
    }
    memory_free(volume->name);
    memory_free(volume->token);
    memory_free(volume->parent);
    memory_free(volume->parameters);
    memory_free(volume->origin);
    memory_free(volume->system_id);
    memory_free(volume);
}

static void add_file_system(struct fsx *fsx)
{
    assert(fsx->file_system_count < FSX_FILE_SYSTEMS_MAX);
    struct fsx_file_system *added = &fsx->file_systems[fsx->file_system_count++];
    char handle[FSX_HANDLE_BYTES];
    fsx_draw_handle(fsx, "fs", handle);
    (void)snprintf(added->dns_name, sizeof(added->dns_name), "%s.fsx.us-east-1.amazonaws.com",
                   handle);
    const struct fsx_create root = {.name = "fsx", .token = "", .parent = "", .parameters = ""};
    struct fsx_volume *volume = fsx_add_volume(fsx, &root, added, "");
    volume->is_root = true;
    added->root = volume->handle;
}

struct fsx *fsx_new(struct world *world, const struct pace *pace,
                    const struct misfortune *misfortune)
{
    struct fsx *fsx = memory_new(1, sizeof(*fsx));
    *fsx = (struct fsx){.world = world, .pace = pace, .misfortune = misfortune};
    add_file_system(fsx);
    return fsx;
}

void fsx_free(struct fsx *fsx)
{
    if (fsx == NULL) {
        return;
    }
    for (size_t i = 0; i < fsx->volume_count; i++) {
        volume_free(fsx->volumes[i]);
    }
    memory_free(fsx->volumes);
    fsx_drop_all_snapshots(fsx);
    memory_free(fsx);
}

const char *fsx_dns_name(const struct fsx *fsx, const char *handle)
{
    return fsx_find_volume(fsx, handle)->home->dns_name;
}

const char *fsx_root_volume(const struct fsx *fsx)
{
    return fsx->file_systems[0].root;
}

const char *fsx_root_volume_of(struct fsx *fsx, size_t file_system)
{
    while (fsx->file_system_count <= file_system) {
        add_file_system(fsx);
    }
    return fsx->file_systems[file_system].root;
}

const char *fsx_code_name(enum fsx_code code)
{
    switch (code) {
    case FSX_OK:
        return "OK";
    case FSX_THROTTLED:
        return "ThrottlingException";
    case FSX_NOT_FOUND:
        return "NotFound";
    case FSX_BAD_REQUEST:
        return "BadRequest";
    case FSX_LIMIT:
        return "ServiceLimitExceeded";
    case FSX_INCOMPATIBLE:
        return "IncompatibleParameterError";
    case FSX_INTERNAL_ERROR:
        return "InternalServerError";
    }
    return NULL;
}

struct fsx_volume *fsx_find_volume(const struct fsx *fsx, const char *handle)
{
    for (size_t i = 0; i < fsx->volume_count; i++) {
        if (strcmp(fsx->volumes[i]->handle, handle) == 0) {
            return fsx->volumes[i];
        }
    }
    return NULL;
}

/* ---- create ---- */

static struct fsx_volume *find_token(const struct fsx *fsx, const char *token)
{
    for (size_t i = 0; i < fsx->volume_count; i++) {
        if (token[0] != '\0' && strcmp(fsx->volumes[i]->token, token) == 0) {
            return fsx->volumes[i];
        }
    }
    return NULL;
}

static void create_ends(void *self)
{
    struct fsx_volume *volume = self;
    volume->event = NULL;
    volume->lifecycle = volume->will_fail ? FSX_FAILED : FSX_AVAILABLE;
    struct fsx_counts *const counts[] = {&volume->fsx->counts, &volume->home->counts};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        counts[i]->failed += volume->will_fail ? 1 : 0;
        counts[i]->available += volume->will_fail ? 0 : 1;
    }
    world_trace(volume->fsx->world, "fsx %s %s %s", volume->name, volume->handle,
                volume->will_fail ? "FAILED" : "AVAILABLE");
}

/* The sum of twelve even draws is as good as a normal one. */
static int64_t draw_service(struct fsx *fsx)
{
    const struct pace *pace = fsx->pace;
    int64_t drawn_ms = chance_in_span(fsx->world, STREAM, pace->fsx_service);
    double deviates = -6;
    for (int i = 0; pace->fsx_sigma_in_1000 > 0 && i < 12; i++) {
        deviates += (double)world_between(fsx->world, STREAM, 0, 1000) / 1000;
    }
    return pace->fsx_sigma_in_1000 == 0
               ? drawn_ms
               : (int64_t)((double)drawn_ms * exp(deviates * pace->fsx_sigma_in_1000 / 1000));
}

static int64_t serve(struct fsx *fsx, struct fsx_file_system *home)
{
    int64_t now_ms = world_now(fsx->world).mono_ms;
    int64_t *busy_until_ms = &home->counts.busy_until_ms;
    int64_t begin_ms = *busy_until_ms > now_ms ? *busy_until_ms : now_ms;
    *busy_until_ms = begin_ms + draw_service(fsx);
    int64_t end_ms =
        *busy_until_ms + chance_in_span(fsx->world, STREAM, fsx->pace->fsx_latency_beyond);
    if (chance_strikes(fsx->world, STREAM, fsx->misfortune->create_slow)) {
        int64_t slow_ms = now_ms + world_between(fsx->world, STREAM, 0, SLOW_CREATE_MS);
        end_ms = slow_ms > end_ms ? slow_ms : end_ms;
    }
    return end_ms - now_ms;
}

static int64_t count_on(const struct fsx *fsx, const struct fsx_file_system *home)
{
    int64_t count = 0;
    for (size_t i = 0; i < fsx->volume_count; i++) {
        count += fsx->volumes[i]->home == home;
    }
    return count;
}

static enum fsx_code check_create(const struct fsx *fsx, const struct fsx_create *create)
{
    const struct fsx_volume *parent = fsx_find_volume(fsx, create->parent);
    if (parent == NULL || parent->lifecycle != FSX_AVAILABLE) {
        return FSX_BAD_REQUEST;
    }
    if (create->origin != NULL) {
        const struct fsx_snapshot *origin = fsx_find_snapshot(fsx, create->origin);
        if (origin == NULL) {
            return FSX_NOT_FOUND;
        }
        const struct fsx_volume *source = fsx_find_volume(fsx, origin->volume);
        if (origin->lifecycle != FSX_AVAILABLE ||
            (!create->is_full_copy && source->home != parent->home)) {
            return FSX_BAD_REQUEST;
        }
    }
    return count_on(fsx, parent->home) >= fsx->pace->volumes_max ? FSX_LIMIT : FSX_OK;
}

enum fsx_code fsx_create_volume(struct fsx *fsx, const struct fsx_create *create,
                                const char **out_handle)
{
    fsx->counts.creates++;
    if (chance_strikes(fsx->world, STREAM, fsx->misfortune->create_throttled)) {
        return FSX_THROTTLED;
    }
    struct fsx_volume *volume = find_token(fsx, create->token);
    if (volume != NULL) {
        if (strcmp(volume->parameters, create->parameters) != 0) {
            return FSX_INCOMPATIBLE;
        }
        *out_handle = volume->handle;
        return FSX_OK;
    }
    enum fsx_code code = check_create(fsx, create);
    if (code != FSX_OK) {
        return code;
    }
    const struct fsx_snapshot *origin =
        create->origin == NULL ? NULL : fsx_find_snapshot(fsx, create->origin);
    struct fsx_file_system *home = fsx_find_volume(fsx, create->parent)->home;
    volume = fsx_add_volume(fsx, create, home, origin == NULL ? "" : origin->system_id);
    volume->lifecycle = FSX_CREATING;
    volume->will_fail = chance_strikes(fsx->world, STREAM, fsx->misfortune->create_fails);
    volume->event = world_after(fsx->world, serve(fsx, home), create_ends, volume);
    fsx->counts.created++;
    home->counts.created++;
    world_trace(fsx->world, "fsx %s %s CREATING", volume->name, volume->handle);
    *out_handle = volume->handle;
    return FSX_OK;
}

enum fsx_code fsx_describe_volume(struct fsx *fsx, const char *handle,
                                  enum fsx_lifecycle *out_lifecycle)
{
    fsx->counts.describes++;
    if (chance_strikes(fsx->world, STREAM, fsx->misfortune->describe_throttled)) {
        return FSX_THROTTLED;
    }
    const struct fsx_volume *volume = fsx_find_volume(fsx, handle);
    if (volume == NULL) {
        return FSX_NOT_FOUND;
    }
    *out_lifecycle = volume->lifecycle;
    return FSX_OK;
}

enum fsx_code fsx_volume_options(struct fsx *fsx, const char *handle, bool *out_deletes_children)
{
    enum fsx_lifecycle lifecycle;
    enum fsx_code code = fsx_describe_volume(fsx, handle, &lifecycle);
    if (code == FSX_OK) {
        *out_deletes_children = fsx_find_volume(fsx, handle)->deletes_children;
    }
    return code;
}

/* ---- delete ---- */

static void is_gone(void *self)
{
    struct fsx_volume *volume = self;
    struct fsx *fsx = volume->fsx;
    volume->event = NULL;
    size_t at = 0;
    while (fsx->volumes[at] != volume) {
        at++;
    }
    fsx->volume_count--;
    memmove(&fsx->volumes[at], &fsx->volumes[at + 1],
            (fsx->volume_count - at) * sizeof(struct fsx_volume *));
    fsx->counts.deleted++;
    world_trace(fsx->world, "fsx %s %s is gone", volume->name, volume->handle);
    volume_free(volume);
}

static void begin_delete(struct fsx_volume *volume)
{
    if (volume->lifecycle == FSX_DELETING) {
        return;
    }
    struct fsx *fsx = volume->fsx;
    volume->lifecycle = FSX_DELETING;
    if (volume->event != NULL) {
        world_cancel(fsx->world, volume->event);
    }
    int64_t delay_ms = world_between(fsx->world, STREAM, FSX_DELETE_MS_LEAST, FSX_DELETE_MS_MOST);
    volume->event = world_after(fsx->world, delay_ms, is_gone, volume);
    fsx_drop_snapshots_of(fsx, volume->handle);
    world_trace(fsx->world, "fsx %s %s DELETING", volume->name, volume->handle);
}

static bool is_child_of(const struct fsx_volume *volume, const char *handle)
{
    if (strcmp(volume->parent, handle) == 0) {
        return true;
    }
    const struct fsx_snapshot *origin = fsx_find_snapshot(volume->fsx, volume->origin);
    return origin != NULL && !volume->is_full_copy && strcmp(origin->volume, handle) == 0;
}

/* Volumes below it and clones of its snapshots; those come after it in the order of creation. */
static bool has_children(const struct fsx *fsx, const char *handle)
{
    for (size_t i = 0; i < fsx->volume_count; i++) {
        if (is_child_of(fsx->volumes[i], handle)) {
            return true;
        }
    }
    return false;
}

/* One pass is enough: a child is younger than its parent. The links are read before begin_delete
   drops the snapshots that make them. */
static void delete_with_children(struct fsx *fsx, struct fsx_volume *volume)
{
    size_t count = fsx->volume_count;
    struct fsx_volume **going = memory_new(count, sizeof(struct fsx_volume *));
    size_t going_count = 0;
    going[going_count++] = volume;
    for (size_t i = 0; i < count; i++) {
        bool goes = false;
        for (size_t j = 0; j < going_count && !goes; j++) {
            goes = is_child_of(fsx->volumes[i], going[j]->handle);
        }
        if (goes) {
            going[going_count++] = fsx->volumes[i];
        }
    }
    for (size_t i = 0; i < going_count; i++) {
        begin_delete(going[i]);
    }
    memory_free(going);
}

enum fsx_code fsx_delete_volume(struct fsx *fsx, const char *handle, bool deletes_children)
{
    fsx->counts.deletes++;
    if (chance_strikes(fsx->world, STREAM, fsx->misfortune->delete_fails)) {
        return FSX_INTERNAL_ERROR;
    }
    struct fsx_volume *volume = fsx_find_volume(fsx, handle);
    if (volume == NULL) {
        return FSX_NOT_FOUND;
    }
    if (volume->is_root) {
        return FSX_BAD_REQUEST;
    }
    if (deletes_children) {
        delete_with_children(fsx, volume);
        return FSX_OK;
    }
    if (has_children(fsx, handle) || fsx_has_snapshots(fsx, handle)) {
        return FSX_BAD_REQUEST;
    }
    begin_delete(volume);
    return FSX_OK;
}
