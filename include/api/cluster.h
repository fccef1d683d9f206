/* SPDX-License-Identifier: Apache-2.0 */
/* What we read of CloudNativePG's Cluster, its Jobs, pods of ours, and of others' ConfigMaps
   and Namespaces. */
#ifndef ADJOINT_API_CLUSTER_H
#define ADJOINT_API_CLUSTER_H

#include "api/condition.h"
#include "api/object.h"

/* What a crash may cost depends on them. */
enum durability_parameter {
    PARAMETER_FSYNC,
    PARAMETER_FULL_PAGE_WRITES,
    PARAMETER_SYNCHRONOUS_COMMIT,
    DURABILITY_PARAMETER_COUNT,
};
extern const char *const DURABILITY_PARAMETERS[DURABILITY_PARAMETER_COUNT]; /* their names */

struct cluster {
    const char *parameters[DURABILITY_PARAMETER_COUNT]; /* as in its spec; NULL: not there */
    const char *image;                                  /* that its pods run; NULL: not known yet */
    const char *secret; /* of the database's owner, that its spec brings; NULL: CloudNativePG's */
    const char *phase, *phase_reason, *system_id, *current_primary;
    int64_t ready_instances;
    bool ready;          /* condition Ready is True */
    const char *problem; /* message of Ready when it is False */
    /* Of the condition cnpg.io/hibernation: begun, and done. */
    bool hibernating, hibernated;
};
void cluster_decode(struct json_reader *reader, const struct json *root, struct object *object);

struct job {
    const char *cluster; /* label cnpg.io/cluster */
};
void job_decode(struct json_reader *reader, const struct json *root, struct object *object);

enum pod_phase { POD_PENDING, POD_RUNNING, POD_SUCCEEDED, POD_FAILED, POD_UNKNOWN };

struct pod {
    enum pod_phase phase;
    const char *reason; /* status.reason; NULL: none */
};
void pod_decode(struct json_reader *reader, const struct json *root, struct object *object);

struct config_map {
    size_t count;
    const struct label *data; /* what is no UTF-8 (binaryData) is not among it */
};
void config_map_decode(struct json_reader *reader, const struct json *root, struct object *object);

struct kube_namespace {
    bool terminating;
};
void kube_namespace_decode(struct json_reader *reader, const struct json *root,
                           struct object *object);

#endif
