/* SPDX-License-Identifier: Apache-2.0 */
/* The PersistentVolume as the sidecar writes it: no labels, and no bound-by-controller. It carries
   the finalizer whatever the policy; the first look at it takes it away from one that is Retain. */
#include "sim/provisioner_state.h"

#include "sim/binder_objects.h"
#include "sim/draft.h"
#include "sim/value.h"

static void copy_into(cJSON *object, const char *name, const cJSON *value)
{
    if (value != NULL) {
        value_set(object, name, cJSON_Duplicate(value, 1));
    }
}

static cJSON *build_source(const struct creation *creation, const struct csi_reply *made)
{
    return draft("{'driver':'" FSX_DRIVER_NAME "','volumeHandle':'$1','volumeAttributes':{"
                 "'DNSName':'$2','ResourceType':'volume','VolumePath':'$3',"
                 "'storage.kubernetes.io/csiProvisionerIdentity':'$4'}}",
                 made->handle, made->dns_name, made->volume_path, creation->provisioner->identity,
                 NULL);
}

static cJSON *build_reference(const struct record *claim)
{
    return draft("{'kind':'PersistentVolumeClaim','namespace':'$1','name':'$2','uid':'$3',"
                 "'apiVersion':'v1','resourceVersion':'$4'}",
                 claim->namespace, claim->name, claim->uid,
                 value_text(claim->value, "metadata", "resourceVersion", NULL), NULL);
}

cJSON *provisioner_build_volume(const struct creation *creation, const struct csi_reply *made)
{
    const cJSON *class = creation->class->value;
    const cJSON *claim = creation->claim->value;
    const char *policy = value_text(class, "reclaimPolicy", NULL);
    const char *mode = value_text(claim, "spec", "volumeMode", NULL);
    cJSON *volume =
        draft("{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'pvc-$1',"
              "'annotations':{'" BINDER_PROVISIONED_BY "':'" FSX_DRIVER_NAME "',"
              "'volume.kubernetes.io/provisioner-deletion-secret-name':'',"
              "'volume.kubernetes.io/provisioner-deletion-secret-namespace':''}},"
              "'spec':{'capacity':{'storage':'1Gi'},'persistentVolumeReclaimPolicy':'$2',"
              "'storageClassName':'$3','volumeMode':'$4'}}",
              creation->claim->uid, policy == NULL ? "Delete" : policy, creation->class->name,
              mode == NULL ? "Filesystem" : mode, NULL);
    cJSON *spec = value_at(volume, "spec", NULL);
    copy_into(spec, "accessModes", value_at(claim, "spec", "accessModes", NULL));
    copy_into(spec, "mountOptions", value_at(class, "mountOptions", NULL));
    value_set(spec, "csi", build_source(creation, made));
    value_set(spec, "claimRef", build_reference(creation->claim));
    if (creation->provisioner->version == PROVISIONER_5) {
        value_set(value_at(volume, "metadata", NULL), "finalizers",
                  draft("['" PROVISIONER_FINALIZER "']", NULL));
    }
    return volume;
}
