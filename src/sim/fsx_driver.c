/* SPDX-License-Identifier: Apache-2.0 */
/* Each RPC is a chain of questions to AWS, each of which names what comes next. The driver asks
   FSx for readiness only each 15 s from its own start, which is why no volume comes sooner than
   that and why a burst comes in steps. */
#include "sim/fsx_driver.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/fsx_call.h"
#include "sim/value.h"

#include <stdio.h>
#include <string.h>

static const int64_t GIB = INT64_C(1024) * 1024 * 1024;

struct fsx_driver *fsx_driver_new(struct world *world, struct fsx *fsx, const struct pace *pace,
                                  const struct misfortune *misfortune)
{
    struct fsx_driver *driver = memory_new(1, sizeof(*driver));
    *driver =
        (struct fsx_driver){.world = world, .fsx = fsx, .pace = pace, .misfortune = misfortune};
    return driver;
}

void fsx_driver_free(struct fsx_driver *driver)
{
    if (driver == NULL) {
        return;
    }
    while (driver->first != NULL) {
        csi_call_free(driver->first);
    }
    memory_free(driver);
}

/* ---- CreateVolume ---- */

static void volume_is_made(struct csi_call *call)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "fsx/%s", call->name);
    const struct csi_reply reply = {
        .code = CSI_OK,
        .handle = call->handle,
        .dns_name = fsx_dns_name(call->driver->fsx, call->handle),
        .volume_path = path,
        .capacity_bytes = GIB,
    };
    csi_call_reply(call, &reply);
}

static enum fsx_code look_at_volume(struct csi_call *call)
{
    return fsx_describe_volume(call->driver->fsx, call->handle, &call->lifecycle);
}

static void wait_for_volume(struct csi_call *call);

static void volume_was_looked_at(struct csi_call *call, enum fsx_code code)
{
    if (code != FSX_OK) {
        csi_call_fail(call, CSI_INTERNAL, "Volume %s was not made: %s", call->handle,
                      fsx_code_name(code));
        return;
    }
    switch (call->lifecycle) {
    case FSX_AVAILABLE:
        volume_is_made(call);
        return;
    case FSX_PENDING:
    case FSX_CREATING:
        wait_for_volume(call);
        return;
    case FSX_FAILED:
    case FSX_DELETING:
        break;
    }
    csi_call_fail(call, CSI_INTERNAL, "Volume %s is in an unexpected state: %s", call->handle,
                  call->lifecycle == FSX_FAILED ? "FAILED" : "DELETING");
}

static void wait_for_volume(struct csi_call *call)
{
    if (!csi_call_ask_at_next_look(call, look_at_volume, volume_was_looked_at)) {
        csi_call_fail(call, CSI_INTERNAL, "timed out waiting for volume %s", call->handle);
    }
}

static enum fsx_code create_volume(struct csi_call *call)
{
    const struct fsx_create create = {
        .name = call->name,
        .token = call->name,
        .parent = call->parameters.parent,
        .origin = call->source,
        .parameters = call->parameters.text,
        .deletes_children = call->parameters.deletes_children,
        .is_full_copy = call->parameters.is_full_copy,
    };
    /* FSx takes no origin without a CopyStrategy, and none with a strategy alone. */
    if (call->parameters.has_origin_snapshot != (call->source != NULL)) {
        return FSX_BAD_REQUEST;
    }
    const char *handle = NULL;
    enum fsx_code code = fsx_create_volume(call->driver->fsx, &create, &handle);
    if (code == FSX_OK) {
        memory_free(call->handle);
        call->handle = memory_copy_text(handle);
    }
    return code;
}

static void volume_was_asked_for(struct csi_call *call, enum fsx_code code)
{
    if (code == FSX_OK) {
        csi_call_begin_wait(call);
        wait_for_volume(call);
        return;
    }
    csi_call_fail(call, code == FSX_INCOMPATIBLE ? CSI_ALREADY_EXISTS : CSI_INTERNAL,
                  "Could not create volume \"%s\": %s", call->name, fsx_code_name(code));
}

static enum fsx_code look_for_snapshot(struct csi_call *call)
{
    enum fsx_lifecycle lifecycle;
    int64_t created_ms;
    return fsx_describe_snapshot(call->driver->fsx, call->source, &lifecycle, &created_ms);
}

static void snapshot_was_looked_for(struct csi_call *call, enum fsx_code code)
{
    if (code != FSX_OK) {
        csi_call_fail(call, CSI_INTERNAL, "Could not get snapshot with ID \"%s\": %s", call->source,
                      fsx_code_name(code));
        return;
    }
    csi_call_ask(call, create_volume, volume_was_asked_for);
}

static bool modes_are_supported(const cJSON *modes)
{
    const cJSON *mode = NULL;
    cJSON_ArrayForEach(mode, modes)
    {
        if (cJSON_IsString(mode) && strcmp(mode->valuestring, "ReadOnlyMany") == 0) {
            return false;
        }
    }
    return true;
}

static enum csi_code check_create(struct csi_call *call, const struct csi_create_volume *create,
                                  char *message, size_t message_bytes)
{
    if (!modes_are_supported(create->access_modes)) {
        (void)snprintf(message, message_bytes, "Volume capabilities not supported");
        return CSI_INVALID_ARGUMENT;
    }
    if (fsx_driver_is_busy(call->driver, create->name)) {
        (void)snprintf(message, message_bytes,
                       "An operation with the given volume %s already exists", create->name);
        return CSI_ABORTED;
    }
    enum csi_code code =
        fsx_parameters_read(create->parameters, &call->parameters, message, message_bytes);
    if (code == CSI_OK && create->capacity_bytes / GIB != 1) {
        (void)snprintf(message, message_bytes,
                       "resourceType Volume expects storage capacity to be 1Gi");
        return CSI_INVALID_ARGUMENT;
    }
    return code;
}

struct csi_call *fsx_driver_create_volume(struct fsx_driver *driver,
                                          const struct csi_create_volume *create,
                                          struct csi_answer answer)
{
    struct csi_call *call = csi_call_new(driver, answer);
    char message[256] = "";
    enum csi_code code = check_create(call, create, message, sizeof(message));
    if (code != CSI_OK) {
        csi_call_fail_soon(call, code, message);
        return call;
    }
    call->name = memory_copy_text(create->name);
    call->holds_name = true;
    call->source = memory_copy_text(create->snapshot);
    if (call->source != NULL) {
        csi_call_ask(call, look_for_snapshot, snapshot_was_looked_for);
    } else {
        csi_call_ask(call, create_volume, volume_was_asked_for);
    }
    return call;
}

/* ---- DeleteVolume ---- */

static enum fsx_code delete_volume(struct csi_call *call)
{
    return fsx_delete_volume(call->driver->fsx, call->handle, call->deletes_children);
}

static void volume_was_deleted(struct csi_call *call, enum fsx_code code)
{
    if (code == FSX_OK || code == FSX_NOT_FOUND) {
        csi_call_reply(call, &(struct csi_reply){.code = CSI_OK, .handle = ""});
        return;
    }
    csi_call_fail(call, CSI_INTERNAL, "Could not delete volume ID \"%s\": %s", call->handle,
                  fsx_code_name(code));
}

static enum fsx_code read_options(struct csi_call *call)
{
    return fsx_volume_options(call->driver->fsx, call->handle, &call->deletes_children);
}

/* Here v1.2.0 has its fault: only what DeleteVolume itself does not find counts as deleted. */
static void options_were_read(struct csi_call *call, enum fsx_code code)
{
    bool is_deleted = code == FSX_NOT_FOUND && !call->driver->misfortune->delete_of_vanished_fails;
    if (code == FSX_OK || is_deleted) {
        csi_call_ask(call, delete_volume, volume_was_deleted);
        return;
    }
    csi_call_fail(call, CSI_INTERNAL, "Could not get delete parameters of volume \"%s\": %s",
                  call->handle, fsx_code_name(code));
}

struct csi_call *fsx_driver_delete_volume(struct fsx_driver *driver, const char *handle,
                                          struct csi_answer answer)
{
    struct csi_call *call = csi_call_new(driver, answer);
    call->handle = memory_copy_text(handle);
    csi_call_ask(call, read_options, options_were_read);
    return call;
}

/* ---- CreateSnapshot, DeleteSnapshot ---- */

static enum fsx_code look_at_snapshot(struct csi_call *call)
{
    return fsx_describe_snapshot(call->driver->fsx, call->handle, &call->lifecycle,
                                 &call->created_ms);
}

static void snapshot_was_looked_at(struct csi_call *call, enum fsx_code code)
{
    if (code == FSX_OK && call->lifecycle == FSX_AVAILABLE) {
        const struct csi_reply reply = {
            .code = CSI_OK, .handle = call->handle, .created_ms = call->created_ms};
        csi_call_reply(call, &reply);
        return;
    }
    if (code != FSX_OK ||
        !csi_call_ask_at_next_look(call, look_at_snapshot, snapshot_was_looked_at)) {
        csi_call_fail(call, CSI_INTERNAL, "Snapshot %s was not made: %s", call->handle,
                      fsx_code_name(code));
    }
}

static enum fsx_code create_snapshot(struct csi_call *call)
{
    const char *handle = NULL;
    enum fsx_code code =
        fsx_create_snapshot(call->driver->fsx, call->name, call->name, call->source, &handle);
    if (code == FSX_OK) {
        memory_free(call->handle);
        call->handle = memory_copy_text(handle);
    }
    return code;
}

static void snapshot_was_asked_for(struct csi_call *call, enum fsx_code code)
{
    if (code == FSX_OK) {
        csi_call_begin_wait(call);
        (void)csi_call_ask_at_next_look(call, look_at_snapshot, snapshot_was_looked_at);
        return;
    }
    csi_call_fail(call, CSI_INTERNAL, "Could not create snapshot \"%s\": %s", call->name,
                  fsx_code_name(code));
}

struct csi_call *fsx_driver_create_snapshot(struct fsx_driver *driver, const char *name,
                                            const char *volume, struct csi_answer answer)
{
    struct csi_call *call = csi_call_new(driver, answer);
    if (fsx_driver_is_busy(driver, name)) {
        csi_call_fail_soon(call, CSI_ABORTED,
                           "An operation with the given snapshot already exists");
        return call;
    }
    call->name = memory_copy_text(name);
    call->holds_name = true;
    call->source = memory_copy_text(volume);
    csi_call_ask(call, create_snapshot, snapshot_was_asked_for);
    return call;
}

static enum fsx_code delete_snapshot(struct csi_call *call)
{
    return fsx_delete_snapshot(call->driver->fsx, call->handle);
}

static void snapshot_was_deleted(struct csi_call *call, enum fsx_code code)
{
    if (code == FSX_OK || code == FSX_NOT_FOUND) {
        csi_call_reply(call, &(struct csi_reply){.code = CSI_OK, .handle = ""});
        return;
    }
    csi_call_fail(call, CSI_INTERNAL, "Could not delete snapshot ID \"%s\": %s", call->handle,
                  fsx_code_name(code));
}

struct csi_call *fsx_driver_delete_snapshot(struct fsx_driver *driver, const char *handle,
                                            struct csi_answer answer)
{
    struct csi_call *call = csi_call_new(driver, answer);
    call->handle = memory_copy_text(handle);
    csi_call_ask(call, delete_snapshot, snapshot_was_deleted);
    return call;
}
