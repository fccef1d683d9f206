/* SPDX-License-Identifier: Apache-2.0 */
/* What the API server serves: built-in kinds, and those a CustomResourceDefinition brings. */
#ifndef ADJOINT_SIM_RESOURCE_H
#define ADJOINT_SIM_RESOURCE_H

#include <stdbool.h>
#include <stddef.h>

struct schema; /* of a CRD: sim/schema.h */

struct resource {
    const char *group;   /* "" is the core group */
    const char *version; /* the one that is served and stored */
    const char *plural, *singular, *kind;
    const char *short_names, *categories; /* separated by commas; "" none */
    bool is_namespaced;
    bool has_status; /* the status subresource: main writes leave .status alone and the reverse */
    bool has_generation; /* metadata.generation counts changes of all but metadata and status */
    const char *scale_replicas_path, *scale_status_path; /* ".spec.size"; NULL: no scale */
    struct schema *schema; /* NULL: everything goes, as for built-in kinds */
};

/* Custom resources follow other rules than built-in kinds: an update needs a resourceVersion, the
   status subresource leaves the metadata alone, strategic merge patches are not known, the items
   of a list say their kind. */
bool resource_is_custom(const struct resource *resource);

/* The built-in ones, each of them one object: compare by pointer. */
extern const struct resource resource_namespaces, resource_pods, resource_services,
    resource_secrets, resource_config_maps, resource_events, resource_persistent_volumes,
    resource_persistent_volume_claims, resource_resource_quotas, resource_service_accounts,
    resource_nodes, resource_jobs, resource_leases, resource_network_policies,
    resource_endpoint_slices, resource_storage_classes, resource_csi_drivers,
    resource_definitions /* CustomResourceDefinition */,
    /* Not built in elsewhere, but their CRDs are taken as installed. */
    resource_clusters /* postgresql.cnpg.io/v1 */, resource_volume_snapshots,
    resource_volume_snapshot_contents, resource_volume_snapshot_classes;

/* All built-in ones, ended by NULL. */
extern const struct resource *const resources_built_in[];

#endif
