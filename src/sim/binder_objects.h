/* SPDX-License-Identifier: Apache-2.0 */
/* PersistentVolumes and claims as the binder compares them. */
#ifndef ADJOINT_SIM_BINDER_OBJECTS_H
#define ADJOINT_SIM_BINDER_OBJECTS_H

#include "sim/objects.h"

#include <stdbool.h>
#include <stdint.h>

#define BINDER_BIND_COMPLETED "pv.kubernetes.io/bind-completed"
#define BINDER_BOUND_BY_CONTROLLER "pv.kubernetes.io/bound-by-controller"
#define BINDER_PROVISIONED_BY "pv.kubernetes.io/provisioned-by"
#define BINDER_PROVISIONER "volume.kubernetes.io/storage-provisioner"
#define BINDER_PROVISIONER_BETA "volume.beta.kubernetes.io/storage-provisioner"
#define BINDER_SELECTED_NODE "volume.kubernetes.io/selected-node"

/* Texts are borrowed from the record, "" when absent. */
struct binder_volume {
    struct record *record;
    bool has_claim; /* spec.claimRef is set */
    const char *claim_namespace, *claim_name, *claim_uid;
    const char *class, *attributes_class, *mode, *phase;
    int64_t capacity_milli;
    unsigned access_modes;                                   /* a bit for each */
    bool is_deleting, is_bound_by_controller, is_disposable; /* provisioned-by, and Delete */
};

struct binder_claim {
    const struct record *record; /* borrowed */
    const char *class, *attributes_class, *mode, *volume_name;
    int64_t request_milli;
    unsigned access_modes;
    bool is_bind_completed;
};

struct binder_volume binder_volume_of(const struct record *record); /* keeps the record */
struct binder_claim binder_claim_of(const struct record *record);

/* claimRef names the claim, by its uid if it has one. */
bool binder_is_bound_to(const struct binder_volume *volume, const struct record *claim);
bool binder_has_same_mode(const struct record *volume, const struct record *claim);
/* Why a volume without claimRef does not do for a claim that names it; NULL: it does. */
const char *binder_mismatch(const struct binder_volume *volume, const struct binder_claim *claim);
/* spec.selector of the claim; absent: everything. */
bool binder_selector_matches(const struct record *claim, const struct record *volume);

#endif
