/* SPDX-License-Identifier: Apache-2.0 */
/* What every Kubernetes object has, and one object as the store keeps it: only the fields we read,
   all in the object's own arena. Decoded objects are never written back; see plan/. */
#ifndef ADJOINT_API_OBJECT_H
#define ADJOINT_API_OBJECT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rows of api/kind.h's table, in this order. */
enum object_kind {
    KIND_POOL,
    KIND_INSTANCE,
    KIND_VOLUME,           /* PersistentVolume */
    KIND_VOLUME_CLAIM,     /* PersistentVolumeClaim */
    KIND_SNAPSHOT,         /* VolumeSnapshot */
    KIND_SNAPSHOT_CONTENT, /* VolumeSnapshotContent */
    KIND_STORAGE_CLASS,
    KIND_NAMESPACE,
    KIND_CLUSTER,    /* CloudNativePG's */
    KIND_JOB,        /* CloudNativePG's bootstrap Jobs: the proof that there was none */
    KIND_POD,        /* ours: they prove or sanitize before Ready */
    KIND_CONFIG_MAP, /* with a role: what sanitizes */
    KIND_NETWORK_POLICY,
    KIND_ENDPOINT_SLICE, /* of the Service `kubernetes`: where the API server is */
    KIND_QUOTA,          /* ResourceQuota: that there is one */
    KIND_WATCHED_COUNT,  /* those above are in the store; those below are only written or probed */
    KIND_SERVICE = KIND_WATCHED_COUNT,
    KIND_SECRET,
    KIND_SERVICE_ACCOUNT,
    KIND_EVENT,
    KIND_COUNT,
};

struct common;
struct commons; /* base/common.h */

struct label {
    const char *key, *value;
};

struct owner_reference {
    const char *kind, *name, *uid;
    bool controller;
};

/* Labels whose values many objects have. */
struct object_alike {
    const struct label *labels, *annotations;
    size_t label_count, annotation_count;
};

struct object_meta {
    const char *key;                                /* "NAMESPACE/NAME", or "/NAME" */
    const char *name;                               /* never empty */
    const char *namespace, *uid, *resource_version; /* "" when there is none */
    int64_t generation;
    int64_t created_ms, deleting_ms;          /* wall; deleting_ms 0: not being deleted */
    const struct label *labels, *annotations; /* the others: see object_next_label */
    const struct object_alike *alike;         /* NULL: there are none */
    const char *const *finalizers;
    const struct owner_reference *owners;
    uint32_t label_count, annotation_count, finalizer_count, owner_count;
};

/* The store's alone. */
struct object_standing {
    uint32_t listed_epoch; /* of the last list that showed it */
    uint32_t put_epoch;
    bool reply_stands; /* put by a reply; the watch has not shown that version yet */
};

struct object {
    enum object_kind kind;
    struct object_standing standing;
    struct object_meta meta;
    /* What this kind has besides, see its header: struct pool, struct instance, ... */
    union {
        const struct pool *pool;
        const struct instance *instance;
        const struct volume *volume;
        const struct volume_claim *volume_claim;
        const struct snapshot *snapshot;
        const struct snapshot_content *snapshot_content;
        const struct storage_class *storage_class;
        const struct kube_namespace *kube_namespace;
        const struct cluster *cluster;
        const struct job *job;
        const struct pod *pod;
        const struct config_map *config_map;
        const struct network_policy *network_policy;
        const struct endpoint_slice *endpoint_slice;
        const struct kube_event *kube_event;
    };
    struct common *common; /* what it has alike with others; NULL: nothing */
    struct arena arena;
};

/* text: one compacted object from base/json_scan, filtered by the kind's row. The object is the
   caller's (object_free). ERROR_INVALID names the field that has a wrong type. commons: it shares
   words with what else is decoded with them, which outlive it; NULL: it has all to itself. */
MUST_CHECK bool object_decode(enum object_kind kind, const char *text, size_t byte_count,
                              struct commons *commons, struct object **out, struct error *error);
/* The same from a parsed value, which is only read: the object of a watch event. */
MUST_CHECK bool object_decode_json(enum object_kind kind, const struct json *root,
                                   struct commons *commons, struct object **out,
                                   struct error *error);
void object_free(struct object *object);
void object_cleanup(struct object **object);
#define cleanup_object __attribute__((cleanup(object_cleanup)))

/* NULL when absent. */
const char *object_label(const struct object *object, const char *key);
const char *object_annotation(const struct object *object, const char *key);
size_t object_label_count(const struct object *object);
/* `size_t at = 0; while ((label = object_next_label(object, &at)))` */
const struct label *object_next_label(const struct object *object, size_t *at);
const struct label *object_next_annotation(const struct object *object, size_t *at);
bool object_has_finalizer(const struct object *object, const char *finalizer);

/* For sorts: creation, then uid; every order ends in something unique. */
int object_compare_age(const struct object *one, const struct object *other);

#endif
