/* SPDX-License-Identifier: Apache-2.0 */
/* A pod always goes through its grace period, were it of no seconds: watchers see the deletion
   timestamp before they see the pod gone, as with the real server. */
#include "sim/deletion.h"

#include "base/memory.h"
#include "sim/admission.h"
#include "sim/commit.h"
#include "sim/definitions.h"
#include "sim/kind_rules.h"

#include "base/text.h"
#include "base/timestamp.h"

#include <string.h>

#define ORPHAN "orphan"
#define FOREGROUND "foregroundDeletion"

struct deletion {
    struct apiserver *server;
    const struct record *record;
    const struct preconditions *preconditions; /* never NULL */
    bool dry_run;
    struct outcome *outcome;
    cJSON *value; /* what the object is to be */
};

static cJSON *metadata_of(struct deletion *deletion)
{
    return value_make(deletion->value, "metadata", NULL);
}

static bool check_preconditions(const struct deletion *deletion)
{
    const struct record *record = deletion->record;
    const struct preconditions *asked = deletion->preconditions;
    const char *version = value_text(record->value, "metadata", "resourceVersion", NULL);
    /* The real one names the kind where others have the resource. */
    struct resource by_kind = *record->resource;
    by_kind.plural = by_kind.kind;
    if (asked->uid != NULL && strcmp(asked->uid, record->uid) != 0) {
        deletion->outcome->names_kind = true;
        return outcome_conflict(deletion->outcome, &by_kind, record->name,
                                "the UID in the precondition (%s) does not match the UID in record "
                                "(%s). The object might have been deleted and then recreated",
                                asked->uid, record->uid);
    }
    if (asked->resource_version != NULL && strcmp(asked->resource_version, version) != 0) {
        deletion->outcome->names_kind = true;
        return outcome_conflict(deletion->outcome, &by_kind, record->name,
                                "the ResourceVersion in the precondition (%s) does not match the "
                                "ResourceVersion in record (%s). The object might have been "
                                "modified",
                                asked->resource_version, version);
    }
    return true;
}

static void count_generation(cJSON *metadata)
{
    int64_t generation = value_int64(metadata, 0, "generation", NULL);
    if (generation > 0) {
        value_set_int64(metadata, "generation", generation + 1);
    }
}

static void set_deletion_time(struct deletion *deletion, int64_t grace_s)
{
    char at[TIMESTAMP_BYTES];
    cJSON *metadata = metadata_of(deletion);
    if (value_text(metadata, "deletionTimestamp", NULL) == NULL) {
        count_generation(metadata);
    }
    apiserver_stamp(deletion->server, grace_s, at);
    value_set_text(metadata, "deletionTimestamp", at);
    value_set_int64(metadata, "deletionGracePeriodSeconds", grace_s);
}

/* For finalizers: now, unless it was before. */
static void mark_as_deleting(struct deletion *deletion)
{
    char now[TIMESTAMP_BYTES];
    const char *present = value_text(deletion->value, "metadata", "deletionTimestamp", NULL);
    apiserver_stamp(deletion->server, 0, now);
    if (present == NULL || strcmp(present, now) > 0) {
        set_deletion_time(deletion, 0);
    } else {
        value_set_int64(metadata_of(deletion), "deletionGracePeriodSeconds", 0);
    }
}

static bool orphans(const struct deletion *deletion)
{
    const char *propagation = deletion->preconditions->propagation;
    if (propagation != NULL) {
        return strcmp(propagation, "Orphan") == 0;
    }
    if (value_has_finalizer(deletion->record->value, ORPHAN)) {
        return true;
    }
    return !value_has_finalizer(deletion->record->value, FOREGROUND) &&
           kind_rules_of(deletion->record->resource)->orphans_by_default;
}

static bool waits_for_dependents(const struct deletion *deletion)
{
    const char *propagation = deletion->preconditions->propagation;
    return propagation != NULL ? strcmp(propagation, "Foreground") == 0
                               : value_has_finalizer(deletion->record->value, FOREGROUND);
}

/* The garbage collector's finalizers, put and taken as the propagation says. Events have none: they
   cannot be collected. */
static void set_finalizers(struct deletion *deletion)
{
    const char *wanted = orphans(deletion)                ? ORPHAN
                         : waits_for_dependents(deletion) ? FOREGROUND
                                                          : NULL;
    cJSON *finalizers = value_at(deletion->value, "metadata", "finalizers", NULL);
    if (deletion->record->resource == &resource_events) {
        return;
    }
    if (finalizers != NULL) {
        if (wanted == NULL || strcmp(wanted, ORPHAN) != 0) {
            value_list_remove(finalizers, ORPHAN);
        }
        if (wanted == NULL || strcmp(wanted, FOREGROUND) != 0) {
            value_list_remove(finalizers, FOREGROUND);
        }
    }
    if (wanted != NULL) {
        if (finalizers == NULL) {
            finalizers = cJSON_CreateArray();
            value_set(metadata_of(deletion), "finalizers", finalizers);
        }
        value_list_add(finalizers, wanted);
    }
}

static bool has_finalizers(const cJSON *value)
{
    return cJSON_GetArraySize(value_at(value, "metadata", "finalizers", NULL)) > 0;
}

/* ---- endings ---- */

/* The object as deletion->value has it, present or (dry run) only said to be. */
static struct record *put(struct deletion *deletion)
{
    const struct record *record = deletion->record;
    cJSON *value = deletion->value;
    deletion->value = NULL;
    if (value_equal(value, record->value)) {
        cJSON_Delete(value);
        return record_keep(record);
    }
    return deletion->dry_run ? record_new(record->resource, value, record->revision)
                             : commit_put(deletion->server, record->resource, value);
}

static bool stays(struct deletion *deletion)
{
    deletion->outcome->record = put(deletion);
    deletion->outcome->http_status = 200;
    return true;
}

static bool goes(struct deletion *deletion, const struct record *record)
{
    struct outcome *outcome = deletion->outcome;
    outcome->record =
        deletion->dry_run ? record_keep(record) : commit_remove(deletion->server, record);
    outcome->http_status = 200;
    outcome->is_gone = true;
    return true;
}

/* ---- kinds ---- */

/* podStrategy.CheckGracefulDelete */
static int64_t grace_of_pod(const struct deletion *deletion)
{
    const cJSON *pod = deletion->record->value;
    const char *node = value_text(pod, "spec", "nodeName", NULL);
    int64_t grace_s = deletion->preconditions->grace_s;
    if (grace_s == -1) {
        grace_s = value_int64(pod, 0, "spec", "terminationGracePeriodSeconds", NULL);
    }
    if (node == NULL || node[0] == '\0' ||
        value_equal_text(pod, "Succeeded", "status", "phase", NULL) ||
        value_equal_text(pod, "Failed", "status", "phase", NULL)) {
        return 0;
    }
    return grace_s < 0 ? 1 : grace_s;
}

static int64_t grace_present(const struct deletion *deletion)
{
    return value_int64(deletion->record->value, 0, "metadata", "deletionGracePeriodSeconds", NULL);
}

/* A terminating pod's time may only become shorter; so its timestamp is moved. */
static void shorten(struct deletion *deletion, int64_t grace_s)
{
    int64_t at_ms = 0;
    struct error ignored;
    cJSON *metadata = metadata_of(deletion);
    if (timestamp_parse(value_text(metadata, "deletionTimestamp", NULL), &at_ms, &ignored)) {
        char at[TIMESTAMP_BYTES];
        timestamp_format_seconds(at_ms - (grace_present(deletion) - grace_s) * 1000, at);
        value_set_text(metadata, "deletionTimestamp", at);
    }
    value_set_int64(metadata, "deletionGracePeriodSeconds", grace_s);
}

static bool delete_pod(struct deletion *deletion)
{
    int64_t grace_s = deletion->preconditions->grace_s;
    if (!value_is_deleting(deletion->record->value)) {
        grace_s = grace_of_pod(deletion);
        set_deletion_time(deletion, grace_s);
    } else if (grace_present(deletion) == 0) {
        grace_s = 0;
    } else if (grace_s == -1 || grace_s >= grace_present(deletion)) {
        return stays(deletion);
    } else {
        shorten(deletion, grace_s);
    }
    set_finalizers(deletion);
    if (has_finalizers(deletion->value) || grace_s > 0) {
        return stays(deletion);
    }
    struct record *marked = put(deletion);
    bool gone = goes(deletion, marked);
    record_release(marked);
    return gone;
}

static bool delete_namespace(struct deletion *deletion)
{
    char now[TIMESTAMP_BYTES];
    if (value_is_deleting(deletion->record->value)) {
        bool waits =
            cJSON_GetArraySize(value_at(deletion->value, "spec", "finalizers", NULL)) > 0 ||
            has_finalizers(deletion->value);
        return waits ? stays(deletion) : goes(deletion, deletion->record);
    }
    apiserver_stamp(deletion->server, 0, now);
    value_set_text(metadata_of(deletion), "deletionTimestamp", now);
    value_set_text(value_make(deletion->value, "status", NULL), "phase", "Terminating");
    set_finalizers(deletion);
    return stays(deletion);
}

/* NOLINTBEGIN(misc-no-recursion): an instance of a definition is none itself */

static void delete_instances(struct apiserver *server, const struct resource *resource)
{
    const struct preconditions none = {.grace_s = -1};
    struct record *at = record_keep(objects_next(server->objects, resource, NULL, NULL));
    while (at != NULL) {
        cleanup_outcome struct outcome outcome = {0};
        struct record *next = record_keep(objects_next(server->objects, resource, NULL, at));
        (void)deletion_start(server, at, &none, false, &outcome);
        record_release(at);
        at = next;
    }
}

/* Its objects go first; the last of them takes the definition along. */
static bool delete_definition(struct deletion *deletion)
{
    struct apiserver *server = deletion->server;
    const struct resource *resource = definitions_of(server, deletion->record->value);
    if (value_is_deleting(deletion->record->value)) {
        return stays(deletion);
    }
    mark_as_deleting(deletion);
    cJSON *metadata = metadata_of(deletion);
    cJSON *finalizers = value_at(metadata, "finalizers", NULL);
    if (finalizers == NULL) {
        finalizers = cJSON_CreateArray();
        value_set(metadata, "finalizers", finalizers);
    }
    value_list_add(finalizers, DEFINITION_FINALIZER);
    cJSON_AddItemToArray(value_at(deletion->value, "status", "conditions", NULL),
                         definitions_terminating_condition(server));
    (void)stays(deletion);
    if (deletion->dry_run || resource == NULL) {
        return true;
    }
    delete_instances(server, resource);
    definitions_finish(server, resource);
    deletion->outcome->is_gone = objects_get(server->objects, &resource_definitions, "",
                                             deletion->outcome->record->name) == NULL;
    return true;
}

static bool delete_plain(struct deletion *deletion)
{
    set_finalizers(deletion);
    if (has_finalizers(deletion->value)) {
        mark_as_deleting(deletion);
        return stays(deletion);
    }
    return goes(deletion, deletion->record);
}

bool deletion_start(struct apiserver *server, const struct record *record,
                    const struct preconditions *preconditions, bool dry_run,
                    struct outcome *outcome)
{
    static const struct preconditions none = {.grace_s = -1};
    struct deletion deletion = {
        .server = server,
        .record = record,
        .preconditions = preconditions == NULL ? &none : preconditions,
        .dry_run = dry_run,
        .outcome = outcome,
    };
    bool done = false;
    if (!check_preconditions(&deletion) ||
        !admission_delete(record->resource, record->name, outcome)) {
        return false;
    }
    deletion.value = cJSON_Duplicate(record->value, true);
    if (record->resource == &resource_pods) {
        done = delete_pod(&deletion);
    } else if (record->resource == &resource_namespaces) {
        done = delete_namespace(&deletion);
    } else if (record->resource == &resource_definitions) {
        done = delete_definition(&deletion);
    } else {
        done = delete_plain(&deletion);
    }
    cJSON_Delete(deletion.value);
    return done;
}

/* NOLINTEND(misc-no-recursion) */
