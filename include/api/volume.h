/* SPDX-License-Identifier: Apache-2.0 */
/* Storage objects: PersistentVolume, PersistentVolumeClaim, VolumeSnapshot and its content,
   StorageClass. */
#ifndef ADJOINT_API_VOLUME_H
#define ADJOINT_API_VOLUME_H

#include "api/object.h"
#include "api/postgres.h"

enum volume_phase {
    VOLUME_PENDING,
    VOLUME_AVAILABLE,
    VOLUME_BOUND,
    VOLUME_RELEASED,
    VOLUME_FAILED,
};

enum reclaim_policy { RECLAIM_DELETE, RECLAIM_RETAIN, RECLAIM_OTHER };

enum volume_state {
    VOLUME_STATE_NONE, /* without our label */
    VOLUME_STATE_WARM,
    VOLUME_STATE_RESERVED,
    VOLUME_STATE_CLAIMED,
    VOLUME_STATE_RETIRING,
    VOLUME_STATE_DISPOSING,
    VOLUME_STATE_STRANGE, /* a value that is none of ours */
};

struct volume {
    enum volume_phase phase;
    enum reclaim_policy policy;
    enum volume_state state;
    const char *storage_class, *capacity;
    const char *claim_namespace, *claim_name, *claim_uid; /* NULL: no claimRef, or no uid in it */
    const char *driver, *handle;                          /* spec.csi; NULL: not CSI */
    const char *file_system; /* FSx: volumeAttributes.DNSName; NULL: another driver */
    size_t access_mode_count;
    const char *const *access_modes;
};
void volume_decode(struct json_reader *reader, const struct json *root, struct object *object);
const char *volume_phase_name(enum volume_phase phase);

enum volume_claim_phase { CLAIM_PENDING, CLAIM_BOUND, CLAIM_LOST };

struct volume_claim {
    enum volume_claim_phase phase;
    const char *volume; /* spec.volumeName; NULL: none */
    const char *storage_class;
    const char *source_kind, *source_name; /* spec.dataSource */
};
void volume_claim_decode(struct json_reader *reader, const struct json *root,
                         struct object *object);

struct snapshot {
    bool ready;
    int64_t taken_ms;    /* wall, status.creationTime; 0: not known */
    const char *content; /* status.boundVolumeSnapshotContentName */
    const char *failure; /* status.error.message */
    const char *pvc_role;
    /* From cnpg.io/pgControldata and cnpg.io/clusterManifest, or Adjoint's own annotations, which
       count first; NULL: not there. */
    const char *system_id, *database, *owner;
    struct postgres postgres;  /* major: of cnpg.io/majorVersion, else of the manifest's image */
    const char *storage_class; /* the golden's own; NULL: not known */
    bool more_volumes;         /* the golden's cluster has walStorage or tablespaces */
    bool from_standby;
    /* What came alive in a clone would reach for production. */
    bool external_clusters, logical_slots, scheduled_jobs;
};
void snapshot_decode(struct json_reader *reader, const struct json *root, struct object *object);

struct snapshot_content {
    const char *driver, *handle;
    const char *volume_handle; /* of what it was taken of; NULL: it was there before */
};
void snapshot_content_decode(struct json_reader *reader, const struct json *root,
                             struct object *object);

struct storage_class {
    const char *provisioner;
    enum reclaim_policy policy;
    bool waits_for_consumer;
    bool options_on_deletion; /* the parameter that takes clones along when a volume goes */
    bool origin_snapshot;     /* OriginSnapshot is there: FSx refuses a restore without it */
    const char *resource_type;
    int64_t record_size_kib; /* 0: not said */
    const char *compression; /* DataCompressionType without its quotes; NULL: not said */
};
void storage_class_decode(struct json_reader *reader, const struct json *root,
                          struct object *object);

#endif
