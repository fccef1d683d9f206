/* SPDX-License-Identifier: Apache-2.0 */
/* The graph only says whom to look at. Whether an owner is absent is decided from what the server
   has at the moment it is asked, item and owners at once; here that is one request, elsewhere one
   for each. */
#include "sim/garbage_state.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/value.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { KIND_BYTES = 128 };

struct garbage_look {
    struct garbage *garbage;
    struct garbage_look *previous, *next;
    const char *uid;       /* the queue's key */
    struct record *record; /* as the graph has it, then as the server has it; NULL: gone */
    int solid_count, waiting_count, absent_count;
    bool is_unknown;      /* an owner's kind is not served: try again */
    bool is_out_of_reach; /* an owner with a namespace of an object without: never */
    size_t patch_count;   /* on the way */
    bool has_failed;
};

static void look_free(struct garbage_look *look)
{
    if (look->previous == NULL) {
        look->garbage->first_look = look->next;
    } else {
        look->previous->next = look->next;
    }
    if (look->next != NULL) {
        look->next->previous = look->previous;
    }
    record_release(look->record);
    memory_free(look);
}

void garbage_drop_looks(struct garbage *garbage)
{
    while (garbage->first_look != NULL) {
        look_free(garbage->first_look);
    }
}

static void is_over(struct garbage_look *look, bool is_ok)
{
    if (is_ok) {
        workers_done(look->garbage->workers, look->uid);
    } else {
        workers_failed(look->garbage->workers, look->uid);
    }
    look_free(look);
}

static void is_written(void *self, const struct outcome *outcome)
{
    is_over(self, outcome_ok(outcome) || outcome->http_status == 404);
}

/* ---- patches, each of one version ---- */

static cJSON *patch_of(const struct record *record)
{
    cJSON *patch = cJSON_CreateObject();
    cJSON *metadata = value_make(patch, "metadata", NULL);
    value_set_text(metadata, "uid", record->uid);
    value_set_text(metadata, "resourceVersion",
                   value_text(record->value, "metadata", "resourceVersion", NULL));
    return patch;
}

static void remove_finalizer(struct garbage_look *look, const char *finalizer)
{
    cJSON *patch = patch_of(look->record);
    cJSON *finalizers =
        cJSON_Duplicate(value_at(look->record->value, "metadata", "finalizers", NULL), 1);
    (void)value_list_remove(finalizers, finalizer);
    value_set(value_at(patch, "metadata", NULL), "finalizers", finalizers);
    caller_patch(look->garbage->caller, look->record, NULL, PATCH_MERGE, patch,
                 (struct answer){is_written, look});
}

static cJSON *patch_of_references(const struct record *record, cJSON *references)
{
    cJSON *patch = patch_of(record);
    value_set(value_at(patch, "metadata", NULL), "ownerReferences", references);
    return patch;
}

/* ---- an owner that is being deleted ---- */

static void look_at_waiting_owner(struct garbage_look *look)
{
    const struct garbage_node *node = garbage_graph_find(&look->garbage->graph, look->uid);
    bool is_blocked = false;
    for (size_t i = 0; i < node->dependent_count; i++) {
        const struct record *dependent = node->dependents[i]->record;
        const cJSON *reference = garbage_reference(dependent, look->uid);
        if (!value_true(reference, "blockOwnerDeletion", NULL)) {
            continue;
        }
        is_blocked = true;
        if (!value_is_deleting(dependent->value)) {
            workers_add(look->garbage->workers, dependent->uid);
        }
    }
    if (is_blocked) {
        is_over(look, true);
    } else {
        remove_finalizer(look, GARBAGE_FOREGROUND);
    }
}

static void dependent_is_orphaned(void *self, const struct outcome *outcome)
{
    struct garbage_look *look = self;
    look->has_failed |= !outcome_ok(outcome) && outcome->http_status != 404;
    look->patch_count--;
    if (look->patch_count > 0) {
        return;
    }
    if (look->has_failed) {
        is_over(look, false);
    } else {
        remove_finalizer(look, GARBAGE_ORPHAN);
    }
}

static cJSON *references_without(const struct record *record, const char *owner_uid)
{
    cJSON *references =
        cJSON_Duplicate(value_at(record->value, "metadata", "ownerReferences", NULL), 1);
    for (cJSON *at = references->child; at != NULL;) {
        cJSON *next = at->next;
        if (value_equal_text(at, owner_uid, "uid", NULL)) {
            cJSON_Delete(cJSON_DetachItemViaPointer(references, at));
        }
        at = next;
    }
    return references;
}

static void orphan_dependents(struct garbage_look *look)
{
    const struct garbage_node *node = garbage_graph_find(&look->garbage->graph, look->uid);
    for (size_t i = 0; i < node->dependent_count; i++) {
        const struct record *dependent = node->dependents[i]->record;
        look->patch_count++;
        cJSON *patch = patch_of_references(dependent, references_without(dependent, look->uid));
        caller_patch(look->garbage->caller, dependent, NULL, PATCH_MERGE, patch,
                     (struct answer){dependent_is_orphaned, look});
    }
    if (look->patch_count == 0) {
        remove_finalizer(look, GARBAGE_ORPHAN);
    }
}

/* ---- a dependent ---- */

static const struct resource *resource_of(const struct apiserver *server, const cJSON *reference)
{
    const char *api_version = value_text(reference, "apiVersion", NULL);
    const char *kind = value_text(reference, "kind", NULL);
    if (api_version == NULL || kind == NULL || strlen(kind) >= KIND_BYTES) {
        return NULL;
    }
    char singular[KIND_BYTES];
    for (size_t i = 0; i <= strlen(kind); i++) {
        singular[i] = (char)tolower((unsigned char)kind[i]);
    }
    char *group cleanup_memory = memory_copy_text(api_version);
    char *slash = strchr(group, '/');
    if (slash == NULL) {
        return apiserver_resource(server, "", group, singular);
    }
    *slash = '\0';
    return apiserver_resource(server, group, slash + 1, singular);
}

enum owner { OWNER_SOLID, OWNER_WAITING, OWNER_ABSENT, OWNER_UNKNOWN, OWNER_OUT_OF_REACH };

static enum owner judge_owner(const struct garbage_look *look, const cJSON *reference)
{
    const struct garbage *garbage = look->garbage;
    const struct record *record = look->record;
    const struct resource *resource = resource_of(garbage->server, reference);
    if (resource == NULL) {
        return OWNER_UNKNOWN;
    }
    if (resource->is_namespaced && record->namespace[0] == '\0') {
        return OWNER_OUT_OF_REACH;
    }
    const char *name = value_text(reference, "name", NULL);
    const struct record *owner =
        objects_get(apiserver_objects(garbage->server), resource,
                    resource->is_namespaced ? record->namespace : "", name == NULL ? "" : name);
    if (owner == NULL || !value_equal_text(reference, owner->uid, "uid", NULL)) {
        return OWNER_ABSENT;
    }
    return garbage_waits(owner) ? OWNER_WAITING : OWNER_SOLID;
}

/* At the server. */
static void judge(void *self)
{
    struct garbage_look *look = self;
    const struct record *seen = look->record;
    struct record *present = record_keep(objects_get(apiserver_objects(look->garbage->server),
                                                     seen->resource, seen->namespace, seen->name));
    if (present != NULL && strcmp(present->uid, seen->uid) != 0) {
        record_release(present);
        present = NULL;
    }
    record_release(look->record);
    look->record = present;
    const cJSON *references =
        present == NULL ? NULL : value_at(present->value, "metadata", "ownerReferences", NULL);
    const cJSON *reference = NULL;
    cJSON_ArrayForEach(reference, references)
    {
        enum owner owner = judge_owner(look, reference);
        look->solid_count += owner == OWNER_SOLID ? 1 : 0;
        look->waiting_count += owner == OWNER_WAITING ? 1 : 0;
        look->absent_count += owner == OWNER_ABSENT ? 1 : 0;
        look->is_unknown |= owner == OWNER_UNKNOWN;
        look->is_out_of_reach |= owner == OWNER_OUT_OF_REACH;
    }
}

static cJSON *solid_references(const struct garbage_look *look)
{
    cJSON *solid = cJSON_CreateArray();
    const cJSON *reference = NULL;
    cJSON_ArrayForEach(reference,
                       value_at(look->record->value, "metadata", "ownerReferences", NULL))
    {
        if (judge_owner(look, reference) == OWNER_SOLID) {
            (void)cJSON_AddItemToArray(solid, cJSON_Duplicate(reference, 1));
        }
    }
    return solid;
}

static const char *propagation_for(const struct garbage_look *look)
{
    const struct garbage_node *node = garbage_graph_find(&look->garbage->graph, look->uid);
    const cJSON *value = look->record->value;
    if (look->waiting_count > 0 && node != NULL && node->dependent_count > 0) {
        return "Foreground";
    }
    if (value_has_finalizer(value, GARBAGE_ORPHAN)) {
        return "Orphan";
    }
    return value_has_finalizer(value, GARBAGE_FOREGROUND) ? "Foreground" : "Background";
}

static void is_judged(void *self, const struct outcome *outcome)
{
    struct garbage_look *look = self;
    (void)outcome;
    int lost_count = look->waiting_count + look->absent_count;
    if (look->is_unknown) {
        is_over(look, false);
    } else if (look->record == NULL || look->is_out_of_reach || lost_count == 0) {
        is_over(look, true);
    } else if (look->solid_count > 0) {
        caller_patch(look->garbage->caller, look->record, NULL, PATCH_MERGE,
                     patch_of_references(look->record, solid_references(look)),
                     (struct answer){is_written, look});
    } else {
        caller_delete(look->garbage->caller, look->record->resource, look->record->namespace,
                      look->record->name, propagation_for(look), look->record->uid,
                      (struct answer){is_written, look});
    }
}

void garbage_look_at(void *self, const char *uid)
{
    struct garbage *garbage = self;
    const struct garbage_node *node = garbage_graph_find(&garbage->graph, uid);
    if (node == NULL || node->record == NULL) {
        workers_done(garbage->workers, uid);
        return;
    }
    struct garbage_look *look = memory_new(1, sizeof(*look));
    *look = (struct garbage_look){.garbage = garbage,
                                  .uid = uid,
                                  .record = record_keep(node->record),
                                  .next = garbage->first_look};
    if (look->next != NULL) {
        look->next->previous = look;
    }
    garbage->first_look = look;
    if (garbage_waits(node->record)) {
        look_at_waiting_owner(look);
    } else if (garbage_orphans(node->record)) {
        orphan_dependents(look);
    } else if (value_is_deleting(node->record->value)) {
        is_over(look, true);
    } else {
        caller_look(garbage->caller, judge, (struct answer){is_judged, look});
    }
}
