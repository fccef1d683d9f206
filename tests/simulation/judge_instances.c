/* SPDX-License-Identifier: Apache-2.0 */
/* Instances: what they say of themselves must be so, and they are served in order. */
#include "base/duration.h"
#include "base/text.h"
#include "sim/value.h"
#include "simulation/books.h"

#include <stdio.h>
#include <string.h>

/* Those who wait are seen as waiting by now, whatever was on the wire. */
enum { ORDER_SLACK_MS = 2000 };
/* Whole seconds of creation times, and what is noted when it was sent. */
enum { CLOCK_SLACK_MS = 2000 };

static struct instance_entry *entry_of(struct judge *judge, const struct instance_sight *instance)
{
    struct instance_entry *entry = books_instance(judge, instance->uid);
    if (entry != NULL) {
        return entry;
    }
    entry = arena_new(&judge->arena, 1, sizeof(*entry));
    *entry = (struct instance_entry){
        .next = judge->instance_list,
        .uid = arena_copy(&judge->arena, instance->uid),
        .namespace = arena_copy(&judge->arena, instance->namespace),
        .name = arena_copy(&judge->arena, instance->name),
        .created = arena_copy(&judge->arena, instance->created),
        .pool = arena_copy(&judge->arena, instance->pool),
        .pool_namespace = arena_copy(&judge->arena, instance->pool_namespace),
        .current_only = instance->current_only,
        .retains = instance->retains,
    };
    judge->instance_list = entry;
    (void)map_put(&judge->by_instance, entry->uid, entry);
    return entry;
}

static bool is_older(const struct instance_entry *one, const struct instance_entry *other)
{
    int order = strcmp(one->created, other->created);
    return order < 0 || (order == 0 && strcmp(one->uid, other->uid) < 0);
}

static bool is_of_queue(const struct instance_entry *entry, const struct instance_entry *other)
{
    return text_equal(entry->pool, other->pool) &&
           text_equal(entry->pool_namespace, other->pool_namespace);
}

/* The clones that its namespace has without it, and those of the namespace that wait before it. */
static int64_t share_of(const struct judge *judge, const struct instance_entry *of)
{
    int64_t share = 0;
    for (const struct instance_entry *entry = judge->instance_list; entry != NULL;
         entry = entry->next) {
        bool counts = entry != of && !entry->is_gone && !entry->is_deleting &&
                      is_of_queue(entry, of) && text_equal(entry->namespace, of->namespace);
        share += counts && (entry->has_volume ||
                            (!of->has_volume && entry->waits_since_ms != 0 && is_older(entry, of)));
    }
    return share;
}

static bool is_before(const struct judge *judge, const struct instance_entry *one,
                      const struct instance_entry *other)
{
    int64_t left = share_of(judge, one);
    int64_t right = share_of(judge, other);
    return left != right ? left < right : is_older(one, other);
}

/* I8: this one has just been given a volume. Those who are served together are so in any order: who
   still waits a moment later was passed over. */
static void judge_order(struct judge *judge, const struct instance_entry *served,
                        const char *volume)
{
    bool stale = judge_is_stale(judge, volume);
    int64_t now_ms = world_now(apiserver_world(judge->server)).mono_ms;
    for (struct instance_entry *entry = judge->instance_list; entry != NULL; entry = entry->next) {
        bool waits = entry != served && !(stale && entry->current_only) && !entry->is_gone &&
                     !entry->is_deleting && !entry->has_volume && entry->waits_since_ms != 0 &&
                     now_ms - entry->waits_since_ms >= ORDER_SLACK_MS;
        if (waits && is_of_queue(entry, served) && is_before(judge, entry, served)) {
            bool same = text_equal(entry->namespace, served->namespace);
            if (same ||
                (entry->passed_over_ms != 0 && now_ms - entry->passed_over_ms >= ORDER_SLACK_MS)) {
                judge_break(judge, "I8: Instance %s was served before %s", served->name,
                            entry->name);
            }
            entry->passed_over_ms = entry->passed_over_ms == 0 ? now_ms : entry->passed_over_ms;
        }
    }
}

struct lookup {
    const char *handle;
    bool is_golden, was_initdb;
    const char *system_id;
};

static void look(void *self, const struct fsx_volume_seen *volume)
{
    struct lookup *lookup = self;
    if (text_equal(volume->handle, lookup->handle)) {
        lookup->is_golden = text_equal(volume->system_id, lookup->system_id);
        lookup->was_initdb = volume->was_initdb;
    }
}

/* I6. People who delete or edit something at that moment are not seen in time. */
static void judge_proof(struct judge *judge, const struct instance_entry *entry,
                        const struct instance_sight *instance)
{
    const struct objects *objects = apiserver_objects(judge->server);
    const struct volume_entry *volume = books_volume(judge, instance->volume);
    bool is_excused = entry->was_touched || entry->is_deleting || judge->has_late_writes;
    if (volume == NULL || volume->record == NULL) {
        if (!is_excused) {
            judge_break(judge, "I6: Instance %s is Ready without a volume", entry->name);
        }
        return;
    }
    struct lookup lookup = {.handle = volume->handle, .system_id = judge->options.system_id};
    simulation_fsx_volumes(judge->simulation, look, &lookup);
    if (!lookup.is_golden || lookup.was_initdb) {
        judge_break(judge, "I6: Instance %s is Ready, and not on the golden's data", entry->name);
    }
    if (is_excused || volume->edits != 0) {
        return;
    }
    char claim_name[300];
    (void)snprintf(claim_name, sizeof(claim_name), "%s-1", entry->name);
    const struct record *claim_record =
        objects_get(objects, &resource_persistent_volume_claims, entry->namespace, claim_name);
    const struct record *cluster_record =
        objects_get(objects, &resource_clusters, entry->namespace, entry->name);
    if (claim_record == NULL || cluster_record == NULL) {
        judge_break(judge, "I6: Instance %s is Ready without a %s", entry->name,
                    claim_record == NULL ? "PVC" : "Cluster");
        return;
    }
    struct volume_sight seen = volume_sight(volume->record->value);
    struct claim_sight claim = claim_sight(claim_record->value);
    struct cluster_sight cluster = cluster_sight(cluster_record->value);
    if (!text_equal(seen.instance_uid, entry->uid) || !text_equal(seen.state, "claimed") ||
        !text_equal(seen.claim_uid, claim.uid) || !claim.is_bound ||
        !text_equal(claim.volume, seen.name) || !text_equal(claim.instance_uid, entry->uid)) {
        judge_break(judge, "I6: Instance %s is Ready, and its PVC is not on its volume",
                    entry->name);
    }
    bool is_late =
        cluster.system_id == NULL && !judge->options.is_strict; /* its pod went just now */
    if (!text_equal(cluster.system_id, judge->options.system_id) && !is_late) {
        judge_break(judge, "I6: Instance %s is Ready with system identifier %s", entry->name,
                    cluster.system_id == NULL ? "unknown" : cluster.system_id);
    }
}

/* I6, too: CloudNativePG does not mind that the Secret it was told of is not there. */
static void judge_secret(struct judge *judge, const struct instance_entry *entry,
                         const struct instance_sight *instance)
{
    const struct record *secret =
        instance->secret == NULL ? NULL
                                 : objects_get(apiserver_objects(judge->server), &resource_secrets,
                                               entry->namespace, instance->secret);
    bool is_excused = entry->was_touched || entry->is_deleting || judge->has_late_writes;
    bool is_its = secret != NULL &&
                  text_equal(value_label(secret->value, "adjoint.dev/instance-uid"), entry->uid);
    if (!is_excused && !is_its) {
        judge_break(judge, "I6: Instance %s is Ready without a Secret of its own", entry->name);
    }
}

static void note_waiting(struct judge *judge, struct instance_entry *entry,
                         const struct instance_sight *instance)
{
    if (!text_equal(instance->phase, "Waiting")) {
        entry->waits_since_ms = 0;
    } else if (entry->waits_since_ms == 0) {
        entry->waits_since_ms = world_now(apiserver_world(judge->server)).mono_ms;
    }
}

/* I2: who has data has no use for another volume, as long as that is there (I3 is about its end). A
   person who clears a status leaves no phase, and a write that comes late is of a time when it had
   none. */
static void judge_faith(struct judge *judge, const struct instance_entry *entry,
                        const struct instance_sight *was, const struct instance_sight *is)
{
    const struct volume_entry *volume = books_volume(judge, was->volume);
    if (volume != NULL && volume->record != NULL && !volume->is_given_up && is->phase != NULL &&
        text_equal(volume->owner_uid, entry->uid) && !text_equal(was->volume, is->volume) &&
        !judge->has_late_writes) {
        judge_break(judge, "I2: Instance %s has its data on volume %s and gives it up for %s",
                    entry->name, volume->handle, is->volume == NULL ? "none" : is->volume);
    }
}

/* What it has may be destroyed: it asked for another. */
static void note_reset(const struct judge *judge, const struct instance_sight *instance)
{
    struct volume_entry *volume = books_volume(judge, instance->volume);
    if (volume != NULL && instance->reset_count > instance->resets_done) {
        volume->is_given_up = true;
    }
}

/* I16. */
static void judge_lifetime(struct judge *judge, const struct instance_entry *entry,
                           const struct instance_sight *instance, const cJSON *value)
{
    int64_t now_ms = world_now(apiserver_world(judge->server)).wall_ms;
    int64_t lifetime_ms = 0;
    struct error error;
    if (entry->was_ended || entry->is_deleting || !instance->is_deleting) {
        return;
    }
    if (instance->lifetime == NULL || entry->served_ms == 0 ||
        !duration_parse(instance->lifetime, &lifetime_ms, &error) ||
        now_ms - entry->served_ms < lifetime_ms - CLOCK_SLACK_MS || instance->is_protected) {
        judge_break(judge, "I16: Instance %s is deleted before its time", entry->name);
    }
    if (!text_equal(sight_reason(value, "Expiring"), "LifetimeEnding")) {
        judge_break(judge, "I16: Instance %s is deleted and was not told", entry->name);
    }
}

void judge_instance(struct judge *judge, const struct change *change)
{
    struct instance_sight instance = instance_sight(change->record->value);
    struct instance_entry *entry = entry_of(judge, &instance);
    bool is_gone = change->type == CHANGE_DELETED;
    entry->asked = entry->asked || ((is_gone || instance.is_deleting) && !instance.retains);
    entry->is_gone = is_gone;
    if (!is_gone) {
        judge_lifetime(judge, entry, &instance, change->record->value);
        note_reset(judge, &instance);
    }
    entry->is_deleting = instance.is_deleting;
    if (is_gone) {
        return;
    }
    if (instance.observed_generation < entry->observed_generation && !judge->has_late_writes) {
        judge_break(judge, "I11: observedGeneration of Instance %s went back", entry->name);
    }
    entry->observed_generation = instance.observed_generation;
    note_waiting(judge, entry, &instance);
    bool served = instance.volume != NULL && !entry->has_volume;
    entry->has_volume = instance.volume != NULL;
    if (served && judge->options.is_strict) {
        judge_order(judge, entry, instance.volume);
        judge_choice(judge, entry, instance.volume);
    }
    struct instance_sight before = {.volume = NULL};
    if (change->before != NULL) {
        before = instance_sight(change->before->value);
        judge_faith(judge, entry, &before, &instance);
    }
    if (instance.is_ready && !before.is_ready) {
        entry->was_ready = true;
        judge_proof(judge, entry, &instance);
        judge_secret(judge, entry, &instance);
        if (judge->options.sanitizes && !entry->was_sanitized) {
            judge_break(judge, "I13: Instance %s is Ready before it was sanitized", entry->name);
        }
    }
}

void judge_pod(struct judge *judge, const struct change *change)
{
    const cJSON *pod = change->record->value;
    struct instance_entry *entry =
        books_instance(judge, value_label(pod, "adjoint.dev/instance-uid"));
    if (entry != NULL && text_ends_with(value_name(pod), "-adjoint-sanitize") &&
        value_equal_text(pod, "Succeeded", "status", "phase", NULL)) {
        entry->was_sanitized = true;
    }
}
