/* SPDX-License-Identifier: Apache-2.0 */
/* Strings of the books are copied: the trees they are from live only as long as their version. */
#include "simulation/judge.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/value.h"
#include "simulation/books.h"

#include <stdarg.h>

/* A bootstrap Job would put an empty database in the place of the golden's data. */
static void judge_job(struct judge *judge, const struct change *change)
{
    if (change->type == CHANGE_ADDED &&
        !text_equal(change->record->namespace, judge->options.others)) {
        judge_break(judge, "I6: Job %s/%s was made", change->record->namespace,
                    change->record->name);
    }
}

static void judge_cluster(struct judge *judge, const struct change *change)
{
    const struct record *cluster = change->record;
    if (!judge->options.sanitizes || change->type != CHANGE_ADDED ||
        value_label(cluster->value, "adjoint.dev/instance-uid") == NULL) {
        return;
    }
    const char *name = arena_print(&judge->arena, "%s-adjoint", cluster->name);
    if (objects_get(apiserver_objects(judge->server), &resource_network_policies,
                    cluster->namespace, name) == NULL) {
        judge_break(judge, "I20: Cluster %s was made before its NetworkPolicy", cluster->name);
    }
}

static void changed(void *self, const struct change *change)
{
    struct judge *judge = self;
    const struct resource *resource = change->record->resource;
    if (resource == &resource_persistent_volumes) {
        judge_volume(judge, change);
    } else if (resource == &resource_persistent_volume_claims) {
        judge_claim(judge, change);
    } else if (resource == judge->instances) {
        judge_instance(judge, change);
    } else if (resource == &resource_pods) {
        judge_pod(judge, change);
    } else if (resource == &resource_clusters) {
        judge_cluster(judge, change);
    } else if (resource == judge->pools) {
        judge_pool(judge, change);
    } else if (resource == &resource_volume_snapshots && change->type == CHANGE_ADDED) {
        judge_new_golden(judge, change->record);
    } else if (resource == &resource_jobs) {
        judge_job(judge, change);
    }
}

static void note_given(void *self, const struct fsx_volume_seen *volume)
{
    struct judge *judge = self;
    if (map_get(&judge->by_handle, volume->handle) != NULL ||
        text_starts_with(volume->name, "pvc-")) {
        return; /* else one that is just being made would count as a golden */
    }
    struct volume_entry *entry = arena_new(&judge->arena, 1, sizeof(*entry));
    entry->handle = arena_copy(&judge->arena, volume->handle);
    entry->was_there_before = true;
    entry->next = judge->volumes;
    judge->volumes = entry;
    (void)map_put(&judge->by_handle, entry->handle, entry);
}

struct judge *judge_new(struct simulation *simulation, const struct judge_options *options)
{
    struct judge *judge = memory_new(1, sizeof(*judge));
    judge->options = *options;
    judge->simulation = simulation;
    judge->server = simulation_apiserver(simulation);
    arena_init(&judge->arena, 0);
    map_init(&judge->by_handle);
    map_init(&judge->by_volume);
    map_init(&judge->by_instance);
    map_init(&judge->by_pool);
    map_init(&judge->by_request);
    map_init(&judge->diverted);
    return judge;
}

void judge_begin(struct judge *judge)
{
    judge->pools = apiserver_resource(judge->server, "adjoint.dev", "v1alpha1", "pools");
    judge->instances = apiserver_resource(judge->server, "adjoint.dev", "v1alpha1", "instances");
    judge->listener = objects_listen(apiserver_objects(judge->server), changed, judge);
}

void judge_note_given(struct judge *judge)
{
    simulation_fsx_volumes(judge->simulation, note_given, judge);
}

void judge_free(struct judge *judge)
{
    if (judge == NULL) {
        return;
    }
    if (judge->listener != NULL) {
        objects_unlisten(apiserver_objects(judge->server), judge->listener);
    }
    for (struct volume_entry *entry = judge->volumes; entry != NULL; entry = entry->next) {
        record_release(entry->record);
    }
    map_release(&judge->by_handle);
    map_release(&judge->by_volume);
    map_release(&judge->by_instance);
    map_release(&judge->by_pool);
    map_release(&judge->by_request);
    map_release(&judge->diverted);
    arena_release(&judge->arena);
    memory_free(judge);
}

const char *judge_verdict(const struct judge *judge)
{
    return judge->verdict;
}

void judge_break(struct judge *judge, const char *format, ...)
{
    if (judge->verdict != NULL) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    judge->verdict = arena_print_list(&judge->arena, format, arguments);
    va_end(arguments);
}

struct volume_entry *books_volume(const struct judge *judge, const char *name)
{
    return name == NULL ? NULL : map_get(&judge->by_volume, name);
}

struct instance_entry *books_instance(const struct judge *judge, const char *uid)
{
    return uid == NULL ? NULL : map_get(&judge->by_instance, uid);
}

bool books_lives(const struct judge *judge, const char *instance_uid)
{
    const struct instance_entry *entry = books_instance(judge, instance_uid);
    return entry != NULL && !entry->is_gone && !entry->is_deleting;
}

void judge_note_edit(struct judge *judge, const char *volume, enum edit edit)
{
    struct volume_entry *entry = books_volume(judge, volume);
    if (entry != NULL) {
        entry->edits |= edit;
    }
}

void judge_note_end(struct judge *judge, const char *instance_uid)
{
    for (struct instance_entry *entry = judge->instance_list; entry != NULL; entry = entry->next) {
        entry->was_ended =
            entry->was_ended || instance_uid == NULL || text_equal(entry->uid, instance_uid);
    }
}

void judge_note_touch(struct judge *judge, const char *instance_uid)
{
    struct instance_entry *entry = books_instance(judge, instance_uid);
    if (entry != NULL) {
        entry->was_touched = true;
    }
}

void judge_note_late_write(struct judge *judge)
{
    judge->has_late_writes = true;
}

void judge_note_rivals(struct judge *judge)
{
    judge->has_rivals = judge->has_late_writes = true;
}

bool judge_has_rivals(const struct judge *judge)
{
    return judge->has_rivals;
}

bool judge_was_touched(const struct judge *judge, const char *instance_uid)
{
    const struct instance_entry *entry = books_instance(judge, instance_uid);
    return entry != NULL && entry->was_touched;
}

bool judge_was_there_before(const struct judge *judge, const char *handle)
{
    const struct volume_entry *entry = handle == NULL ? NULL : map_get(&judge->by_handle, handle);
    return entry != NULL && entry->was_there_before;
}

bool judge_was_diverted(const struct judge *judge, const char *volume)
{
    return map_get(&judge->diverted, volume) != NULL;
}

bool judge_was_let_go(const struct judge *judge, const char *handle)
{
    const struct volume_entry *entry = handle == NULL ? NULL : map_get(&judge->by_handle, handle);
    const struct instance_entry *owner =
        entry == NULL ? NULL : books_instance(judge, entry->labelled_uid);
    return owner != NULL && owner->is_gone && owner->retains;
}

bool judge_was_edited(const struct judge *judge, const char *handle, enum edit edit)
{
    const struct volume_entry *entry = handle == NULL ? NULL : map_get(&judge->by_handle, handle);
    return entry != NULL && (entry->edits & edit) != 0;
}

size_t judge_lives(const struct judge *judge)
{
    size_t lives = 0;
    for (const struct instance_entry *entry = judge->instance_list; entry != NULL;
         entry = entry->next) {
        lives += entry->was_ready || entry->is_gone;
    }
    return lives;
}

struct judge_volumes judge_count_volumes(const struct judge *judge)
{
    struct judge_volumes counts = {.warm = 0};
    for (const struct volume_entry *entry = judge->volumes; entry != NULL; entry = entry->next) {
        struct volume_sight volume = {.name = NULL};
        if (!entry->is_for_pool) {
            continue;
        }
        if (entry->record != NULL) {
            volume = volume_sight(entry->record->value);
        }
        bool warm = text_equal(volume.state, "warm");
        bool retired = !warm && entry->was_retired;
        bool handed_out = !warm && !retired && entry->labelled_uid != NULL;
        counts.warm += warm;
        counts.retired += retired;
        counts.handed_out += handed_out;
        counts.others += !warm && !retired && !handed_out;
    }
    return counts;
}
