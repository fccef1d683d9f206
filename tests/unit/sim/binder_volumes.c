/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a volume: the table of syncVolume, row by row. */
#include "sim/binder.h"

#include "support/binder_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct binder_row VOLUMES[] = {
    {.what = "without claimRef", .volume = "", .volume_becomes = "Available"},
    {.what = "pre-bound by name, the claim absent",
     .volume = TO_CLAIM_BY_NAME,
     .volume_becomes = "Available",
     .volume_has = "{'spec':{'claimRef':{'name':'c','uid':null}}}"},
    {.what = "pre-bound by name, Delete, and it was Released",
     .volume = TO_CLAIM_BY_NAME,
     .volume_phase = "Released",
     .volume_becomes = "Available"},
    {.what = "the claim is gone", .volume = TO_NOBODY, .volume_becomes = "Released"},
    {.what = "the claim is gone, it was Bound",
     .volume = TO_NOBODY,
     .volume_phase = "Bound",
     .volume_becomes = "Released"},
    {.what = "Failed is not overwritten by Released",
     .volume = TO_NOBODY,
     .volume_phase = "Failed",
     .volume_becomes = "Failed"},
    {.what = "a claim of the name, but of another uid",
     .volume = TO_OTHER_UID,
     .volume_phase = "Bound",
     .claim = "",
     .volume_becomes = "Released",
     .claim_becomes = "Pending"},
    {.what = "the claim has no volume yet",
     .volume = TO_CLAIM,
     .claim = "",
     .volume_becomes = "Bound",
     .claim_becomes = "Bound",
     .volume_has = "{'metadata':{'annotations':null}}",
     .claim_has = "{'spec':{'volumeName':'v'},'metadata':{'annotations':{" COMPLETED
                  "," BY_CONTROLLER "}}}"},
    {.what = "the claim's mode is another",
     .volume = TO_CLAIM ",'volumeMode':'Block'",
     .claim = "",
     .claim_becomes = "Pending"},
    {.what = "the claim is on it",
     .volume = TO_CLAIM,
     .claim = ON_V,
     .claim_annotations = COMPLETED,
     .claim_phase = "Bound",
     .volume_becomes = "Bound",
     .claim_becomes = "Bound"},
    {.what = "the claim is on it, and it was Released",
     .volume = TO_CLAIM,
     .volume_phase = "Released",
     .claim = ON_V,
     .claim_annotations = COMPLETED,
     .claim_phase = "Bound",
     .volume_becomes = "Bound",
     .claim_becomes = "Bound"},
    {.what = "the claim is on another: provisioned and Delete",
     .volume = TO_CLAIM,
     .volume_annotations = DISPOSABLE,
     .volume_phase = "Bound",
     .claim = ON_W,
     .claim_annotations = COMPLETED,
     .volume_becomes = "Released",
     .volume_has = "{'spec':{'claimRef':{'name':'c'}}}"},
    {.what = "the claim is on another: provisioned and Retain",
     .volume = TO_CLAIM ",'persistentVolumeReclaimPolicy':'Retain'",
     .volume_annotations = DISPOSABLE,
     .volume_phase = "Bound",
     .claim = ON_W,
     .claim_annotations = COMPLETED,
     .volume_becomes = "Available",
     .volume_has = "{'spec':{'claimRef':{'name':'c','uid':null}}}"},
    {.what = "the claim is on another: bound by the controller",
     .volume = TO_CLAIM,
     .volume_annotations = BY_CONTROLLER,
     .volume_phase = "Bound",
     .claim = ON_W,
     .claim_annotations = COMPLETED,
     .volume_becomes = "Available",
     .volume_has = "{'spec':{'claimRef':null},'metadata':{'annotations':null}}"},
    {.what = "the claim is on another: bound by hand",
     .volume = TO_CLAIM,
     .volume_phase = "Bound",
     .claim = ON_W,
     .claim_annotations = COMPLETED,
     .volume_becomes = "Available",
     .volume_has = "{'spec':{'claimRef':{'name':'c','uid':null}}}"},
};

static void every_row_of_the_volumes(void **state)
{
    (void)state;
    binder_rows_run(VOLUMES, sizeof(VOLUMES) / sizeof(VOLUMES[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_volumes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
