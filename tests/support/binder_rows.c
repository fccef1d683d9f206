/* SPDX-License-Identifier: Apache-2.0 */
#include "support/binder_rows.h"

#include "base/memory.h"
#include "sim/binder.h"
#include "support/storage_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PVC (&resource_persistent_volume_claims)
#define PV (&resource_persistent_volumes)

static void make_classes(struct storage_world *storage)
{
    static const char *const CLASSES[] = {
        "{'metadata':{'name':'inert'},'provisioner':'kubernetes.io/no-provisioner',"
        "'volumeBindingMode':'WaitForFirstConsumer'}",
        "{'metadata':{'name':'by-hand'},'provisioner':'kubernetes.io/no-provisioner',"
        "'volumeBindingMode':'Immediate'}",
        "{'metadata':{'name':'delayed'},'provisioner':'fsx.openzfs.csi.aws.com',"
        "'volumeBindingMode':'WaitForFirstConsumer'}",
    };
    for (size_t i = 0; i < sizeof(CLASSES) / sizeof(CLASSES[0]); i++) {
        record_release(
            storage_world_make(storage, &resource_storage_classes, draft(CLASSES[i], NULL)));
    }
}

static cJSON *object_of(const char *members, const char *uid)
{
    char text[2048];
    int length = snprintf(text, sizeof(text), "{%s}", members);
    assert_true(length > 0 && (size_t)length < sizeof(text));
    return draft(text, uid, NULL);
}

static struct record *make(struct storage_world *storage, const struct resource *resource,
                           const char *name, const char *spec, const char *annotations,
                           const char *phase, const char *uid)
{
    static const char CLAIM_BASE[] = "{'accessModes':['ReadWriteOncePod'],'storageClassName':"
                                     "'clones','resources':{'requests':{'storage':'1Gi'}}}";
    static const char VOLUME_BASE[] =
        "{'accessModes':['ReadWriteOncePod'],'storageClassName':'clones','capacity':{'storage':"
        "'1Gi'},'persistentVolumeReclaimPolicy':'Delete','csi':{'driver':"
        "'fsx.openzfs.csi.aws.com','volumeHandle':'fsvol-1'}}";
    cJSON *value = draft("{'metadata':{'name':'$1'}}", name, NULL);
    cJSON *base = draft(resource == PVC ? CLAIM_BASE : VOLUME_BASE, NULL);
    cJSON *own = object_of(spec, uid);
    for (cJSON *at = own->child; at != NULL; at = at->next) {
        value_set(base, at->string, cJSON_Duplicate(at, 1));
    }
    cJSON_Delete(own);
    value_set(value, "spec", base);
    if (annotations != NULL) {
        value_set(value_at(value, "metadata", NULL), "annotations", object_of(annotations, uid));
    }
    if (phase != NULL) {
        value_set_text(value_make(value, "status", NULL), "phase", phase);
    }
    return storage_world_make(storage, resource, value);
}

static void assert_row_has(const struct record *record, const char *members, const char *uid)
{
    if (members == NULL) {
        return;
    }
    cJSON *filled = draft(members, uid, NULL);
    char *text = value_print(filled);
    assert_has(record, text);
    memory_free(text);
    cJSON_Delete(filled);
}

static void assert_phase(struct storage_world *storage, const struct binder_row *row,
                         const struct resource *resource, const char *name, const char *expected)
{
    const char *phase = storage_world_phase(storage, resource, name);
    if (expected != NULL && strcmp(phase, expected) != 0) {
        fail_msg("%s: %s %s is %s, not %s", row->what, resource->kind, name, phase, expected);
    }
}

static void run_row(const struct binder_row *row)
{
    void *state = NULL;
    storage_world_set_up(&state);
    struct storage_world *storage = state;
    make_classes(storage);
    struct record *claim = NULL, *volume = NULL;
    if (row->claim != NULL) {
        claim = make(storage, PVC, "c", row->claim, row->claim_annotations, row->claim_phase, "");
    }
    const char *uid = claim == NULL ? "none" : claim->uid;
    if (row->volume != NULL) {
        volume =
            make(storage, PV, "v", row->volume, row->volume_annotations, row->volume_phase, uid);
    }
    storage->binder = binder_new(storage->server, &storage->pace, &storage->misfortune);
    storage_world_run(storage, SECOND_MS);
    assert_phase(storage, row, PV, "v", row->volume_becomes);
    assert_phase(storage, row, PVC, "c", row->claim_becomes);
    assert_row_has(storage_world_get(storage, PV, "v"), row->volume_has, uid);
    assert_row_has(storage_world_get(storage, PVC, "c"), row->claim_has, uid);
    int writes = storage->writes;
    storage_world_run(storage, MINUTE_MS);
    if (storage->writes != writes) {
        fail_msg("%s: writes go on", row->what);
    }
    record_release(claim);
    record_release(volume);
    storage_world_tear_down(&state);
}

void binder_rows_run(const struct binder_row *rows, size_t row_count)
{
    for (size_t i = 0; i < row_count; i++) {
        run_row(&rows[i]);
    }
}
