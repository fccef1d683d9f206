/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a claim: the tables of syncUnboundClaim and syncBoundClaim, row by row. */
#include "sim/binder.h"

#include "support/binder_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct binder_row UNBOUND[] = {
    {.what = "an Available volume of the class is taken, whatever the claim waits for",
     .volume = "",
     .volume_phase = "Available",
     .claim = "'dataSource':{'apiGroup':'snapshot.storage.k8s.io','kind':'VolumeSnapshot',"
              "'name':'golden'}",
     .volume_becomes = "Bound",
     .claim_becomes = "Bound",
     .volume_has = "{'metadata':{'annotations':{" BY_CONTROLLER "}}}"},
    {.what = "a volume of another class is not",
     .volume = "'storageClassName':'private'",
     .volume_phase = "Available",
     .claim = "",
     .volume_becomes = "Available",
     .claim_becomes = "Pending"},
    {.what = "nor one that is too small",
     .volume = "'capacity':{'storage':'1023Mi'}",
     .volume_phase = "Available",
     .claim = "",
     .volume_becomes = "Available",
     .claim_becomes = "Pending"},
    {.what = "nor one with other access modes",
     .volume = "'accessModes':['ReadWriteOnce']",
     .volume_phase = "Available",
     .claim = "",
     .volume_becomes = "Available",
     .claim_becomes = "Pending"},
    {.what = "nor one that somebody else has",
     .volume = TO_SOMEBODY,
     .volume_phase = "Available",
     .claim = "",
     .volume_becomes = "Available",
     .claim_becomes = "Pending"},
    {.what = "one with more access modes is",
     .volume = "'accessModes':['ReadWriteOnce','ReadWriteMany']",
     .volume_phase = "Available",
     .claim = "'accessModes':['ReadWriteOnce']",
     .volume_becomes = "Bound",
     .claim_becomes = "Bound"},
    {.what = "no volume, a class: the provisioner is told",
     .claim = "",
     .claim_becomes = "Pending",
     .claim_has = "{'metadata':{'annotations':{"
                  "'volume.kubernetes.io/storage-provisioner':'fsx.openzfs.csi.aws.com',"
                  "'volume.beta.kubernetes.io/storage-provisioner':'fsx.openzfs.csi.aws.com'}}}"},
    {.what = "no volume, no such class: nobody is",
     .claim = "'storageClassName':'absent'",
     .claim_becomes = "Pending",
     .claim_has = "{'metadata':{'annotations':null}}"},
    {.what = "nor for no-provisioner",
     .claim = "'storageClassName':'by-hand'",
     .claim_becomes = "Pending",
     .claim_has = "{'metadata':{'annotations':null}}"},
    {.what = "nor for an inert class, which does not take Available volumes either",
     .volume = "'storageClassName':'inert'",
     .volume_phase = "Available",
     .claim = "'storageClassName':'inert'",
     .volume_becomes = "Available",
     .claim_becomes = "Pending",
     .claim_has = "{'metadata':{'annotations':null}}"},
    {.what = "nor for a delayed class without a node",
     .claim = "'storageClassName':'delayed'",
     .claim_becomes = "Pending",
     .claim_has = "{'metadata':{'annotations':null}}"},
    {.what = "for one with a node it is",
     .claim = "'storageClassName':'delayed'",
     .claim_annotations = "'volume.kubernetes.io/selected-node':'n'",
     .claim_becomes = "Pending",
     .claim_has = "{'metadata':{'annotations':{"
                  "'volume.kubernetes.io/storage-provisioner':'fsx.openzfs.csi.aws.com'}}}"},
    {.what = "pre-bound by name, of another and inert class: bound all the same",
     .volume = TO_CLAIM_BY_NAME ",'storageClassName':'clones'",
     .claim = "'storageClassName':'inert'",
     .volume_becomes = "Bound",
     .claim_becomes = "Bound",
     .volume_has = "{'spec':{'claimRef':{'uid':'$1'}},'metadata':{'annotations':null}}"},
    {.what = "pre-bound, but too small",
     .volume = TO_CLAIM_BY_NAME ",'capacity':{'storage':'1Mi'}",
     .claim = "",
     .volume_becomes = "Available",
     .claim_becomes = "Pending"},
    {.what = "pre-bound, but of other access modes",
     .volume = TO_CLAIM_BY_NAME ",'accessModes':['ReadWriteMany']",
     .claim = "",
     .volume_becomes = "Available",
     .claim_becomes = "Pending"},
    {.what = "volumeName, no such volume", .claim = ON_V, .claim_becomes = "Pending"},
    {.what = "volumeName, free and fitting",
     .volume = "",
     .volume_phase = "Available",
     .claim = ON_V,
     .volume_becomes = "Bound",
     .claim_becomes = "Bound",
     .claim_has = "{'metadata':{'annotations':{"
                  "'pv.kubernetes.io/bound-by-controller':null," COMPLETED "}}}"},
    {.what = "volumeName, free, of another class",
     .volume = "",
     .claim = ON_V ",'storageClassName':'inert'",
     .volume_becomes = "Available",
     .claim_becomes = "Pending"},
    {.what = "volumeName, free, too small",
     .volume = "'capacity':{'storage':'1Mi'}",
     .claim = ON_V,
     .claim_becomes = "Pending"},
    {.what = "volumeName, free, of another mode",
     .volume = "'volumeMode':'Block'",
     .claim = ON_V,
     .claim_becomes = "Pending"},
    {.what = "volumeName, pre-bound to the claim: bound without any check",
     .volume = TO_CLAIM_BY_NAME ",'capacity':{'storage':'1Mi'},'accessModes':['ReadWriteMany']",
     .claim = ON_V ",'storageClassName':'inert'",
     .volume_becomes = "Bound",
     .claim_becomes = "Bound"},
    {.what = "volumeName, somebody else's",
     .volume = TO_SOMEBODY,
     .claim = ON_V,
     .volume_becomes = "Available",
     .claim_becomes = "Pending"},
    {.what = "volumeName, another incarnation's of the name",
     .volume = TO_OTHER_UID ",'persistentVolumeReclaimPolicy':'Retain'",
     .claim = ON_V,
     .volume_becomes = "Released",
     .claim_becomes = "Pending"},
};

static const struct binder_row BOUND[] = {
    {.what = "its volume is gone",
     .claim = ON_V,
     .claim_annotations = COMPLETED,
     .claim_phase = "Bound",
     .claim_becomes = "Lost"},
    {.what = "it has lost its volumeName",
     .claim = "",
     .claim_annotations = COMPLETED,
     .claim_phase = "Bound",
     .claim_becomes = "Lost"},
    {.what = "its volume is another's by uid",
     .volume = TO_OTHER_UID,
     .claim = ON_V,
     .claim_annotations = COMPLETED,
     .claim_phase = "Bound",
     .claim_becomes = "Lost"},
    {.what = "its volume is pre-bound by name, even to itself",
     .volume = TO_CLAIM_BY_NAME,
     .claim = ON_V,
     .claim_annotations = COMPLETED,
     .claim_phase = "Bound",
     .volume_becomes = "Available",
     .claim_becomes = "Lost"},
    {.what = "its volume has come free: it takes it again",
     .volume = "",
     .volume_phase = "Available",
     .claim = ON_V,
     .claim_annotations = COMPLETED,
     .claim_phase = "Bound",
     .volume_becomes = "Bound",
     .claim_becomes = "Bound",
     .volume_has = "{'spec':{'claimRef':{'uid':'$1'}}}"},
    {.what = "Lost is not for ever",
     .volume = TO_CLAIM,
     .volume_phase = "Bound",
     .claim = ON_V,
     .claim_annotations = COMPLETED,
     .claim_phase = "Lost",
     .volume_becomes = "Bound",
     .claim_becomes = "Bound",
     .claim_has = "{'status':{'capacity':{'storage':'1Gi'}}}"},
};

static void every_row_of_the_unbound_claims(void **state)
{
    (void)state;
    binder_rows_run(UNBOUND, sizeof(UNBOUND) / sizeof(UNBOUND[0]));
}

static void every_row_of_the_bound_claims(void **state)
{
    (void)state;
    binder_rows_run(BOUND, sizeof(BOUND) / sizeof(BOUND[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_unbound_claims),
        cmocka_unit_test(every_row_of_the_bound_claims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
