/* SPDX-License-Identifier: Apache-2.0 */
/* What kubectl get shows of kinds that no CustomResourceDefinition describes here. */
#include "sim/table.h"

#include <stddef.h>

/* A column by path or by function; the wide ones are shown with -o wide only. */
#define PATH(title, path)                                                                          \
    {                                                                                              \
        .column = {.name = (title), .type = "string", .json_path = (path) }                        \
    }
#define NUMBER(title, path)                                                                        \
    {                                                                                              \
        .column = {.name = (title), .type = "integer", .json_path = (path) }                       \
    }
#define DATE(title, path)                                                                          \
    {                                                                                              \
        .column = {.name = (title), .type = "date", .json_path = (path) }                          \
    }
#define CELL(title, function)                                                                      \
    {                                                                                              \
        .column = {.name = (title), .type = "string"}, .cell = (function)                          \
    }
#define WIDE(title, path)                                                                          \
    {                                                                                              \
        .column = {.name = (title), .type = "string", .json_path = (path), .priority = 1 }         \
    }
#define NAME                                                                                       \
    {                                                                                              \
        .column = {                                                                                \
            .name = "Name",                                                                        \
            .type = "string",                                                                      \
            .format = "name",                                                                      \
            .json_path = ".metadata.name"                                                          \
        }                                                                                          \
    }
#define AGE DATE("Age", ".metadata.creationTimestamp")
#define END                                                                                        \
    {                                                                                              \
        .column = {.name = NULL }                                                                  \
    }

static const struct table_column age_only[] = {NAME, AGE, END};

static const struct table_column pods[] = {
    NAME,
    CELL("Ready", cell_pod_ready),
    CELL("Status", cell_pod_status),
    CELL("Restarts", cell_pod_restarts),
    AGE,
    WIDE("IP", ".status.podIP"),
    WIDE("Node", ".spec.nodeName"),
    END,
};

static const struct table_column claims[] = {
    NAME,
    CELL("Status", cell_phase),
    PATH("Volume", ".spec.volumeName"),
    CELL("Capacity", cell_claim_capacity),
    CELL("Access Modes", cell_claim_access_modes),
    PATH("StorageClass", ".spec.storageClassName"),
    CELL("VolumeAttributesClass", cell_attributes_class),
    AGE,
    WIDE("VolumeMode", ".spec.volumeMode"),
    END,
};

static const struct table_column volumes[] = {
    NAME,
    PATH("Capacity", ".spec.capacity.storage"),
    CELL("Access Modes", cell_access_modes),
    PATH("Reclaim Policy", ".spec.persistentVolumeReclaimPolicy"),
    CELL("Status", cell_phase),
    CELL("Claim", cell_volume_claim),
    PATH("StorageClass", ".spec.storageClassName"),
    CELL("VolumeAttributesClass", cell_attributes_class),
    PATH("Reason", ".status.reason"),
    AGE,
    WIDE("VolumeMode", ".spec.volumeMode"),
    END,
};

static const struct table_column namespaces[] = {NAME, PATH("Status", ".status.phase"), AGE, END};

static const struct table_column events[] = {
    {.column = {.name = "Last Seen", .type = "date", .json_path = ".series.lastObservedTime"},
     .other_paths = {".lastTimestamp", ".eventTime"}},
    PATH("Type", ".type"),
    PATH("Reason", ".reason"),
    CELL("Object", cell_event_object),
    PATH("Message", ".message"),
    WIDE("Source", ".source.component"),
    WIDE("Name", ".metadata.name"),
    END,
};

static const struct table_column services[] = {
    NAME,
    PATH("Type", ".spec.type"),
    PATH("Cluster-IP", ".spec.clusterIP"),
    CELL("External-IP", cell_external_address),
    CELL("Port(s)", cell_service_ports),
    AGE,
    END,
};

static const struct table_column secrets[] = {NAME, PATH("Type", ".type"),
                                              CELL("Data", cell_data_count), AGE, END};
static const struct table_column config_maps[] = {NAME, CELL("Data", cell_data_count), AGE, END};
static const struct table_column leases[] = {NAME, PATH("Holder", ".spec.holderIdentity"), AGE,
                                             END};
static const struct table_column definitions[] = {
    NAME, PATH("Created At", ".metadata.creationTimestamp"), END};

static const struct table_column nodes[] = {NAME, CELL("Status", cell_node_status), AGE,
                                            PATH("Version", ".status.nodeInfo.kubeletVersion"),
                                            END};

static const struct table_column jobs[] = {NAME, CELL("Status", cell_job_status),
                                           CELL("Completions", cell_job_completions), AGE, END};

static const struct table_column storage_classes[] = {
    NAME,
    PATH("Provisioner", ".provisioner"),
    PATH("ReclaimPolicy", ".reclaimPolicy"),
    PATH("VolumeBindingMode", ".volumeBindingMode"),
    PATH("AllowVolumeExpansion", ".allowVolumeExpansion"),
    AGE,
    END,
};

static const struct table_column clusters[] = {
    NAME,
    AGE,
    NUMBER("Instances", ".status.instances"),
    NUMBER("Ready", ".status.readyInstances"),
    PATH("Status", ".status.phase"),
    PATH("Primary", ".status.currentPrimary"),
    END,
};

static const struct table_column snapshots[] = {
    NAME,
    PATH("ReadyToUse", ".status.readyToUse"),
    PATH("SourcePVC", ".spec.source.persistentVolumeClaimName"),
    PATH("SourceSnapshotContent", ".spec.source.volumeSnapshotContentName"),
    PATH("RestoreSize", ".status.restoreSize"),
    PATH("SnapshotClass", ".spec.volumeSnapshotClassName"),
    PATH("SnapshotContent", ".status.boundVolumeSnapshotContentName"),
    DATE("CreationTime", ".status.creationTime"),
    AGE,
    END,
};

static const struct table_column snapshot_contents[] = {
    NAME,
    PATH("ReadyToUse", ".status.readyToUse"),
    PATH("RestoreSize", ".status.restoreSize"),
    PATH("DeletionPolicy", ".spec.deletionPolicy"),
    PATH("Driver", ".spec.driver"),
    PATH("VolumeSnapshotClass", ".spec.volumeSnapshotClassName"),
    PATH("VolumeSnapshot", ".spec.volumeSnapshotRef.name"),
    PATH("VolumeSnapshotNamespace", ".spec.volumeSnapshotRef.namespace"),
    AGE,
    END,
};

static const struct table_column snapshot_classes[] = {
    NAME, PATH("Driver", ".driver"), PATH("DeletionPolicy", ".deletionPolicy"), AGE, END};

static const struct {
    const struct resource *resource;
    const struct table_column *columns;
} tables[] = {
    {&resource_pods, pods},
    {&resource_persistent_volume_claims, claims},
    {&resource_persistent_volumes, volumes},
    {&resource_namespaces, namespaces},
    {&resource_events, events},
    {&resource_services, services},
    {&resource_secrets, secrets},
    {&resource_config_maps, config_maps},
    {&resource_leases, leases},
    {&resource_definitions, definitions},
    {&resource_nodes, nodes},
    {&resource_jobs, jobs},
    {&resource_storage_classes, storage_classes},
    {&resource_clusters, clusters},
    {&resource_volume_snapshots, snapshots},
    {&resource_volume_snapshot_contents, snapshot_contents},
    {&resource_volume_snapshot_classes, snapshot_classes},
};

const struct table_column *table_columns_of(const struct resource *resource)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        if (tables[i].resource == resource) {
            return tables[i].columns;
        }
    }
    return age_only;
}
