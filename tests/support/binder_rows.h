/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the binder's tables: how the volume "v" and the claim "c" are when it starts, and what
   becomes of them. */
#ifndef ADJOINT_TESTS_SUPPORT_BINDER_ROWS_H
#define ADJOINT_TESTS_SUPPORT_BINDER_ROWS_H

#include <stddef.h>

/* Members of a volume's spec, of annotations; $1 is the claim's uid. */
#define TO_CLAIM "'claimRef':{'namespace':'dev','name':'c','uid':'$1'}"
#define TO_CLAIM_BY_NAME "'claimRef':{'namespace':'dev','name':'c'}"
#define TO_OTHER_UID "'claimRef':{'namespace':'dev','name':'c','uid':'other'}"
#define TO_NOBODY "'claimRef':{'namespace':'dev','name':'nobody','uid':'gone'}"
#define TO_SOMEBODY "'claimRef':{'namespace':'dev','name':'somebody'}"
#define DISPOSABLE "'pv.kubernetes.io/provisioned-by':'fsx.openzfs.csi.aws.com'"
#define BY_CONTROLLER "'pv.kubernetes.io/bound-by-controller':'yes'"
#define COMPLETED "'pv.kubernetes.io/bind-completed':'yes'"
#define ON_V "'volumeName':'v'"
#define ON_W "'volumeName':'w'"

struct binder_row {
    const char *what;
    const char *volume; /* of its spec; NULL: there is none */
    const char *volume_annotations, *volume_phase;
    const char *claim; /* of its spec; NULL: there is none */
    const char *claim_annotations, *claim_phase;
    /* What becomes of them; NULL: not looked at. */
    const char *volume_becomes, *claim_becomes;
    const char *volume_has, *claim_has; /* members; NULL: any */
};

/* Each in a world of its own. Fails the test where something else becomes of them, or where the
   binder goes on writing. Classes: clones (Immediate, of the driver), delayed, inert and by-hand
   (no-provisioner, of which inert waits for a consumer). */
void binder_rows_run(const struct binder_row *rows, size_t row_count);

#endif
