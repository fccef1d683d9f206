/* SPDX-License-Identifier: Apache-2.0 */
/* What is not ours is left at the API server where a selector can say so. A PersistentVolume that
   was just made has no label of ours, so those are all read, and the store's owner decides.

   The skipped paths change nothing but memory and time: no decoder reads them. */
#include "api/kind.h"

#include "api/cluster.h"
#include "api/event.h"
#include "api/instance.h"
#include "api/names.h"
#include "api/network.h"
#include "api/pool.h"
#include "api/volume.h"

#include <assert.h>

/* LABEL_ROLE and CNPG_LABEL_CLUSTER, percent-encoded: the label is there, whatever its value. */
#define HAS_ROLE "adjoint.dev%2Frole"
#define HAS_CLUSTER "cnpg.io%2Fcluster"

#define OF_API_SERVER "kubernetes.io%2Fservice-name%3Dkubernetes"

#define PATHS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static const struct kind KINDS[KIND_COUNT] = {
    [KIND_POOL] = {.kind = "Pool",
                   .api_version = NAME_API_VERSION,
                   .prefix = "/apis/" NAME_API_VERSION,
                   .plural = "pools",
                   .namespaced = true,
                   .filter.raw = PATHS("spec.cluster"),
                   .decode = pool_decode},
    [KIND_INSTANCE] = {.kind = "Instance",
                       .api_version = NAME_API_VERSION,
                       .prefix = "/apis/" NAME_API_VERSION,
                       .plural = "instances",
                       .namespaced = true,
                       .filter.raw = PATHS("spec.cluster.resources"),
                       .decode = instance_decode},
    [KIND_VOLUME] = {.kind = "PersistentVolume",
                     .api_version = "v1",
                     .prefix = "/api/v1",
                     .plural = "persistentvolumes",
                     .filter.skip =
                         PATHS("spec.nodeAffinity", "spec.mountOptions", "status.message"),
                     .decode = volume_decode},
    [KIND_VOLUME_CLAIM] = {.kind = "PersistentVolumeClaim",
                           .api_version = "v1",
                           .prefix = "/api/v1",
                           .plural = "persistentvolumeclaims",
                           .namespaced = true,
                           .selector = HAS_ROLE,
                           .filter.skip =
                               PATHS("spec.dataSourceRef", "spec.selector", "status.conditions"),
                           .decode = volume_claim_decode},
    [KIND_SNAPSHOT] = {.kind = "VolumeSnapshot",
                       .api_version = "snapshot.storage.k8s.io/v1",
                       .prefix = "/apis/snapshot.storage.k8s.io/v1",
                       .plural = "volumesnapshots",
                       .namespaced = true,
                       .decode = snapshot_decode},
    [KIND_SNAPSHOT_CONTENT] = {.kind = "VolumeSnapshotContent",
                               .api_version = "snapshot.storage.k8s.io/v1",
                               .prefix = "/apis/snapshot.storage.k8s.io/v1",
                               .plural = "volumesnapshotcontents",
                               .decode = snapshot_content_decode},
    [KIND_STORAGE_CLASS] = {.kind = "StorageClass",
                            .api_version = "storage.k8s.io/v1",
                            .prefix = "/apis/storage.k8s.io/v1",
                            .plural = "storageclasses",
                            .filter.skip = PATHS("mountOptions", "allowedTopologies"),
                            .decode = storage_class_decode},
    [KIND_NAMESPACE] = {.kind = "Namespace",
                        .api_version = "v1",
                        .prefix = "/api/v1",
                        .plural = "namespaces",
                        .filter.skip = PATHS("spec", "status.conditions"),
                        .decode = kube_namespace_decode},
    [KIND_CLUSTER] = {.kind = "Cluster",
                      .api_version = CNPG_API_VERSION,
                      .prefix = "/apis/" CNPG_API_VERSION,
                      .plural = "clusters",
                      .namespaced = true,
                      .selector = HAS_ROLE,
                      .filter.skip = PATHS(
                          "spec.affinity", "spec.bootstrap.recovery.volumeSnapshots",
                          "spec.certificates", "spec.env", "spec.inheritedMetadata", "spec.managed",
                          "spec.monitoring", "spec.probes", "spec.projectedVolumeTemplate",
                          "spec.resources", "spec.storage", "status.instancesStatus",
                          "status.instancesReportedState", "status.certificates",
                          "status.secretsResourceVersion", "status.configMapResourceVersion",
                          "status.managedRolesStatus", "status.pluginStatus",
                          "status.poolerIntegrations", "status.topology"),
                      .decode = cluster_decode},
    [KIND_JOB] = {.kind = "Job",
                  .api_version = "batch/v1",
                  .prefix = "/apis/batch/v1",
                  .plural = "jobs",
                  .namespaced = true,
                  .selector = HAS_CLUSTER,
                  .filter.skip = PATHS("spec", "status"),
                  .decode = job_decode},
    [KIND_POD] = {.kind = "Pod",
                  .api_version = "v1",
                  .prefix = "/api/v1",
                  .plural = "pods",
                  .namespaced = true,
                  .selector = HAS_ROLE,
                  .filter.skip = PATHS("spec", "status.conditions", "status.containerStatuses"),
                  .decode = pod_decode},
    [KIND_CONFIG_MAP] = {.kind = "ConfigMap",
                         .api_version = "v1",
                         .prefix = "/api/v1",
                         .plural = "configmaps",
                         .namespaced = true,
                         .selector = HAS_ROLE,
                         .filter.skip = PATHS("binaryData"),
                         .decode = config_map_decode},
    [KIND_NETWORK_POLICY] = {.kind = "NetworkPolicy",
                             .api_version = "networking.k8s.io/v1",
                             .prefix = "/apis/networking.k8s.io/v1",
                             .plural = "networkpolicies",
                             .namespaced = true,
                             .selector = HAS_ROLE,
                             .filter.raw = PATHS("spec"),
                             .decode = network_policy_decode},
    [KIND_ENDPOINT_SLICE] = {.kind = "EndpointSlice",
                             .api_version = "discovery.k8s.io/v1",
                             .prefix = "/apis/discovery.k8s.io/v1",
                             .plural = "endpointslices",
                             .namespaced = true,
                             .selector = OF_API_SERVER,
                             .decode = endpoint_slice_decode},
    [KIND_QUOTA] = {.kind = "ResourceQuota",
                    .api_version = "v1",
                    .prefix = "/api/v1",
                    .plural = "resourcequotas",
                    .namespaced = true,
                    .filter.skip =
                        PATHS("metadata.labels", "metadata.annotations", "spec", "status")},
    [KIND_SERVICE] = {.kind = "Service",
                      .api_version = "v1",
                      .prefix = "/api/v1",
                      .plural = "services",
                      .namespaced = true,
                      .filter.skip = PATHS("spec", "status")},
    [KIND_SECRET] = {.kind = "Secret",
                     .api_version = "v1",
                     .prefix = "/api/v1",
                     .plural = "secrets",
                     .namespaced = true,
                     .filter.skip = PATHS("data", "stringData")},
    [KIND_SERVICE_ACCOUNT] = {.kind = "ServiceAccount",
                              .api_version = "v1",
                              .prefix = "/api/v1",
                              .plural = "serviceaccounts",
                              .namespaced = true},
    [KIND_EVENT] = {.kind = "Event",
                    .api_version = "v1",
                    .prefix = "/api/v1",
                    .plural = "events",
                    .namespaced = true,
                    .filter.skip = PATHS("involvedObject", "source", "related"),
                    .decode = kube_event_decode},
};

const struct kind *kind_of(enum object_kind kind)
{
    assert(kind < KIND_COUNT);
    return &KINDS[kind];
}

/* Names are typed by people, too: what one holds must not become another path. */
static void append_segment(struct text *out, const char *segment)
{
    text_append_char(out, '/');
    text_append_encoded(out, segment);
}

void kind_path(const struct kind *kind, const char *namespace, const char *name,
               const char *subresource, struct text *out)
{
    assert(name != NULL || subresource == NULL);

    text_append(out, kind->prefix);
    if (kind->namespaced && namespace != NULL) {
        text_append(out, "/namespaces");
        append_segment(out, namespace);
    }
    append_segment(out, kind->plural);
    if (name != NULL) {
        append_segment(out, name);
    }
    if (subresource != NULL) {
        append_segment(out, subresource);
    }
}
