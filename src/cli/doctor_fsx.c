/* SPDX-License-Identifier: Apache-2.0 */
/* A volume in FSx that no PersistentVolume names costs money and one of the file system's hundred
   places, and nothing in Kubernetes shows it. Two ways lead there (FSx CSI driver v1.2.0 with
   csi-provisioner v5.3.0): a PVC is deleted while its volume is made and the provisioner is down,
   or the volume becomes FAILED and then its PVC is deleted. Both leave the driver's tag, and the
   name pvc-UID.

   The tag does not say which cluster, so volumes of file systems on which this cluster has nothing
   are left out. FSx is listed first and Kubernetes afterwards, so that what is new in between is
   known there; what seems to be nobody's is looked for in FSx once more, because it may have been
   destroyed in between. */
#include "api/names.h"
#include "api/volume.h"
#include "base/duration.h"
#include "base/map.h"
#include "cli/doctor.h"
#include "cli/fsx_volumes.h"

enum { AGE_BYTES_MAX = 32 };

#define NAME_PREFIX "pvc-"

struct audit {
    struct doctor *doctor;
    struct aws_account account;
    struct fsx_volumes volumes;
    struct fetched pvcs; /* every PVC of the cluster */
    struct fetched pvs;
    struct map handles;      /* of PVs */
    struct map claims;       /* PVCs by uid */
    struct map file_systems; /* on which this cluster has a PV */
};

static bool read_kubernetes(struct audit *audit, struct error *error)
{
    struct cli *cli = audit->doctor->cli;
    if (!fetch_list(cli, NULL, &audit->pvs, error) || !fetch_list(cli, NULL, &audit->pvcs, error)) {
        return false;
    }
    for (size_t i = 0; i < audit->pvs.count; i++) {
        struct object *object = audit->pvs.objects[i];
        const char *handle = object->volume->handle;
        const struct fsx_volume *volume =
            handle == NULL ? NULL : fsx_volumes_find(&audit->volumes, handle);
        if (handle != NULL) {
            (void)map_put(&audit->handles, handle, object);
        }
        if (volume != NULL) {
            (void)map_put(&audit->file_systems, volume->file_system, object);
        }
    }
    for (size_t i = 0; i < audit->pvcs.count; i++) {
        (void)map_put(&audit->claims, audit->pvcs.objects[i]->meta.uid, audit->pvcs.objects[i]);
    }
    return true;
}

static const struct object *claim_of(const struct audit *audit, const struct fsx_volume *volume)
{
    return text_starts_with(volume->name, NAME_PREFIX)
               ? map_get(&audit->claims, volume->name + sizeof(NAME_PREFIX) - 1)
               : NULL;
}

static bool is_going(const struct fsx_volume *volume)
{
    return text_equal(volume->lifecycle, "DELETING");
}

static bool is_coming(const struct fsx_volume *volume)
{
    return text_equal(volume->lifecycle, "CREATING") || text_equal(volume->lifecycle, "PENDING");
}

/* It has no PV, and no PVC that it could be made for; or such a PVC, and will never be made. */
static bool is_suspect(const struct audit *audit, const struct fsx_volume *volume)
{
    if (!volume->by_driver || map_get(&audit->handles, volume->id) != NULL || is_going(volume)) {
        return false;
    }
    return claim_of(audit, volume) == NULL || text_equal(volume->lifecycle, "FAILED");
}

/* On a file system of another cluster everything is without a PV here. */
static bool is_elsewhere(const struct audit *audit, const struct fsx_volume *volume)
{
    return audit->file_systems.count > 0 &&
           map_get(&audit->file_systems, volume->file_system) == NULL;
}

static const char *command_of(const struct audit *audit, const struct fsx_volume *volume)
{
    return arena_print(&audit->doctor->arena, "aws fsx delete-volume --region %s --volume-id %s",
                       audit->account.region, volume->id);
}

static void tell(struct audit *audit, const struct fsx_volume *volume)
{
    struct doctor *doctor = audit->doctor;
    const struct object *claim = claim_of(audit, volume);
    const char *command = command_of(audit, volume);
    cleanup_text struct text age;
    text_init(&age, AGE_BYTES_MAX);
    if (volume->created_ms == 0) {
        text_append(&age, "unknown age");
    } else {
        duration_print_age(doctor->cli->now.wall_ms - volume->created_ms, &age);
    }
    if (claim != NULL) {
        doctor_find(doctor, FINDING_FAIL, volume->id,
                    "(%s, %s) is FAILED, and its PVC %s/%s will ask for it for ever: delete that "
                    "PVC, then: %s",
                    volume->name, age.bytes, claim->meta.namespace, claim->meta.name, command);
    } else if (is_coming(volume)) {
        doctor_find(doctor, FINDING_WARN, volume->id,
                    "(%s, %s) is %s, and its PVC is gone: if it is still there in some minutes, "
                    "nobody will delete it",
                    volume->name, age.bytes, volume->lifecycle);
    } else {
        doctor_find(doctor, FINDING_FAIL, volume->id,
                    "(%s, %s, %s, on %s) has no PersistentVolume and no PVC in this cluster. If "
                    "no other cluster uses that file system, nobody has it: %s",
                    volume->name, age.bytes, volume->lifecycle, volume->file_system, command);
    }
}

/* Those of which FSx still says the same. */
static void tell_confirmed(struct audit *audit, const struct fsx_volumes *again)
{
    for (size_t i = 0; i < again->count; i++) {
        const struct fsx_volume *volume = &again->items[i];
        const struct fsx_volume *before = fsx_volumes_find(&audit->volumes, volume->id);
        if (before != NULL && is_suspect(audit, before) && is_suspect(audit, volume) &&
            !is_elsewhere(audit, volume)) {
            tell(audit, volume);
        }
    }
}

static bool has_suspects(struct audit *audit, size_t *out_elsewhere_count)
{
    bool has = false;
    for (size_t i = 0; i < audit->volumes.count; i++) {
        const struct fsx_volume *volume = &audit->volumes.items[i];
        if (is_suspect(audit, volume)) {
            *out_elsewhere_count += is_elsewhere(audit, volume) ? 1 : 0;
            has = true;
        }
    }
    return has;
}

static bool look(struct audit *audit, struct error *error)
{
    struct doctor *doctor = audit->doctor;
    size_t elsewhere_count = 0;
    if (!aws_account_read("fsx", &doctor->arena, &audit->account, error) ||
        !fsx_volumes_read(&audit->account, &doctor->arena, &audit->volumes, error) ||
        !read_kubernetes(audit, error)) {
        return false;
    }
    if (has_suspects(audit, &elsewhere_count)) {
        struct fsx_volumes again;
        if (!fsx_volumes_read(&audit->account, &doctor->arena, &again, error)) {
            return false;
        }
        tell_confirmed(audit, &again);
    }
    doctor_all_well(doctor, "%zu volumes in %s; those that the driver made have a PersistentVolume",
                    audit->volumes.count, audit->account.region);
    if (elsewhere_count > 0) {
        doctor_find(doctor, FINDING_OK, NULL,
                    "%zu volumes of the driver's are on file systems where this cluster has none: "
                    "they were left out, another cluster's doctor has to look",
                    elsewhere_count);
    }
    return true;
}

void doctor_fsx(struct doctor *doctor)
{
    struct error error;
    if (!doctor->cli->options.fsx) {
        return;
    }
    struct audit audit = {.doctor = doctor};
    fetched_init(&audit.pvs, KIND_VOLUME);
    fetched_init(&audit.pvcs, KIND_VOLUME_CLAIM);
    map_init(&audit.handles);
    map_init(&audit.claims);
    map_init(&audit.file_systems);
    if (!look(&audit, &error)) {
        doctor_find(doctor, FINDING_FAIL, NULL, "FSx cannot be looked at: %s", error.message);
    }
    map_release(&audit.file_systems);
    map_release(&audit.claims);
    map_release(&audit.handles);
    fetched_release(&audit.pvcs);
    fetched_release(&audit.pvs);
}
