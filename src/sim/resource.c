/* SPDX-License-Identifier: Apache-2.0 */
/* As discovery of Kubernetes 1.36, CloudNativePG 1.30 and external-snapshotter 8 has them. Custom
   resources have a generation always; of the built-in ones only those whose strategies
   count it (pkg/registry/.../strategy.go). */
#include "sim/resource.h"

#include <string.h>

#define CORE .group = "", .version = "v1"
#define SNAPSHOT .group = "snapshot.storage.k8s.io", .version = "v1"

const struct resource resource_namespaces = {
    CORE,
    .plural = "namespaces",
    .singular = "namespace",
    .kind = "Namespace",
    .short_names = "ns",
    .categories = "",
    .has_status = true,
};

const struct resource resource_pods = {
    CORE,
    .plural = "pods",
    .singular = "pod",
    .kind = "Pod",
    .short_names = "po",
    .categories = "all",
    .is_namespaced = true,
    .has_status = true,
    .has_generation = true, /* KEP-5067 */
};

const struct resource resource_services = {
    CORE,
    .plural = "services",
    .singular = "service",
    .kind = "Service",
    .short_names = "svc",
    .categories = "all",
    .is_namespaced = true,
    .has_status = true,
};

const struct resource resource_secrets = {
    CORE,
    .plural = "secrets",
    .singular = "secret",
    .kind = "Secret",
    .short_names = "",
    .categories = "",
    .is_namespaced = true,
};

const struct resource resource_config_maps = {
    CORE,
    .plural = "configmaps",
    .singular = "configmap",
    .kind = "ConfigMap",
    .short_names = "cm",
    .categories = "",
    .is_namespaced = true,
};

const struct resource resource_events = {
    CORE,
    .plural = "events",
    .singular = "event",
    .kind = "Event",
    .short_names = "ev",
    .categories = "",
    .is_namespaced = true,
};

const struct resource resource_persistent_volumes = {
    CORE,
    .plural = "persistentvolumes",
    .singular = "persistentvolume",
    .kind = "PersistentVolume",
    .short_names = "pv",
    .categories = "",
    .has_status = true,
};

const struct resource resource_persistent_volume_claims = {
    CORE,
    .plural = "persistentvolumeclaims",
    .singular = "persistentvolumeclaim",
    .kind = "PersistentVolumeClaim",
    .short_names = "pvc",
    .categories = "",
    .is_namespaced = true,
    .has_status = true,
};

const struct resource resource_resource_quotas = {
    CORE,
    .plural = "resourcequotas",
    .singular = "resourcequota",
    .kind = "ResourceQuota",
    .short_names = "quota",
    .categories = "",
    .is_namespaced = true,
    .has_status = true,
};

const struct resource resource_service_accounts = {
    CORE,
    .plural = "serviceaccounts",
    .singular = "serviceaccount",
    .kind = "ServiceAccount",
    .short_names = "sa",
    .categories = "",
    .is_namespaced = true,
};

const struct resource resource_nodes = {
    CORE,
    .plural = "nodes",
    .singular = "node",
    .kind = "Node",
    .short_names = "no",
    .categories = "",
    .has_status = true,
};

const struct resource resource_jobs = {
    .group = "batch",
    .version = "v1",
    .plural = "jobs",
    .singular = "job",
    .kind = "Job",
    .short_names = "",
    .categories = "all",
    .is_namespaced = true,
    .has_status = true,
    .has_generation = true,
};

const struct resource resource_leases = {
    .group = "coordination.k8s.io",
    .version = "v1",
    .plural = "leases",
    .singular = "lease",
    .kind = "Lease",
    .short_names = "",
    .categories = "",
    .is_namespaced = true,
};

const struct resource resource_network_policies = {
    .group = "networking.k8s.io",
    .version = "v1",
    .plural = "networkpolicies",
    .singular = "networkpolicy",
    .kind = "NetworkPolicy",
    .short_names = "netpol",
    .categories = "",
    .is_namespaced = true,
    .has_generation = true,
};

const struct resource resource_endpoint_slices = {
    .group = "discovery.k8s.io",
    .version = "v1",
    .plural = "endpointslices",
    .singular = "endpointslice",
    .kind = "EndpointSlice",
    .short_names = "",
    .categories = "",
    .is_namespaced = true,
    .has_generation = true,
};

const struct resource resource_storage_classes = {
    .group = "storage.k8s.io",
    .version = "v1",
    .plural = "storageclasses",
    .singular = "storageclass",
    .kind = "StorageClass",
    .short_names = "sc",
    .categories = "",
};

const struct resource resource_csi_drivers = {
    .group = "storage.k8s.io",
    .version = "v1",
    .plural = "csidrivers",
    .singular = "csidriver",
    .kind = "CSIDriver",
    .short_names = "",
    .categories = "",
};

const struct resource resource_definitions = {
    .group = "apiextensions.k8s.io",
    .version = "v1",
    .plural = "customresourcedefinitions",
    .singular = "customresourcedefinition",
    .kind = "CustomResourceDefinition",
    .short_names = "crd,crds",
    .categories = "api-extensions",
    .has_status = true,
    .has_generation = true,
};

const struct resource resource_clusters = {
    .group = "postgresql.cnpg.io",
    .version = "v1",
    .plural = "clusters",
    .singular = "cluster",
    .kind = "Cluster",
    .short_names = "",
    .categories = "",
    .is_namespaced = true,
    .has_status = true,
    .has_generation = true,
    .scale_replicas_path = ".spec.instances",
    .scale_status_path = ".status.instances",
};

const struct resource resource_volume_snapshots = {
    SNAPSHOT,
    .plural = "volumesnapshots",
    .singular = "volumesnapshot",
    .kind = "VolumeSnapshot",
    .short_names = "vs",
    .categories = "",
    .is_namespaced = true,
    .has_status = true,
    .has_generation = true,
};

const struct resource resource_volume_snapshot_contents = {
    SNAPSHOT,
    .plural = "volumesnapshotcontents",
    .singular = "volumesnapshotcontent",
    .kind = "VolumeSnapshotContent",
    .short_names = "vsc,vscs",
    .categories = "",
    .has_status = true,
    .has_generation = true,
};

const struct resource resource_volume_snapshot_classes = {
    SNAPSHOT,
    .plural = "volumesnapshotclasses",
    .singular = "volumesnapshotclass",
    .kind = "VolumeSnapshotClass",
    .short_names = "vsclass,vsclasses",
    .categories = "",
    .has_generation = true,
};

const struct resource *const resources_built_in[] = {
    &resource_namespaces,
    &resource_pods,
    &resource_services,
    &resource_secrets,
    &resource_config_maps,
    &resource_events,
    &resource_persistent_volumes,
    &resource_persistent_volume_claims,
    &resource_resource_quotas,
    &resource_service_accounts,
    &resource_nodes,
    &resource_jobs,
    &resource_leases,
    &resource_network_policies,
    &resource_endpoint_slices,
    &resource_storage_classes,
    &resource_csi_drivers,
    &resource_definitions,
    &resource_clusters,
    &resource_volume_snapshots,
    &resource_volume_snapshot_contents,
    &resource_volume_snapshot_classes,
    NULL,
};

bool resource_is_custom(const struct resource *resource)
{
    return resource->schema != NULL || strcmp(resource->group, "postgresql.cnpg.io") == 0 ||
           strcmp(resource->group, "snapshot.storage.k8s.io") == 0;
}
