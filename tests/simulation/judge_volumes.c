/* SPDX-License-Identifier: Apache-2.0 */
/* PVs and PVCs: who has a volume, and what may become of it. */
#include "base/text.h"
#include "base/timestamp.h"
#include "sim/value.h"
#include "simulation/books.h"

#include <stdio.h>

/* A holding PVC that is being deleted for so long takes no place any more. */
enum { DELETION_STUCK_MS = 60 * 1000, FILLS_AT_ONCE = 4 };
/* Nor do two whose clones do not come. */
enum { FILL_STUCK_MS = 20 * 60 * 1000, ASIDE_MAX = 2 };

static struct volume_entry *entry_of(struct judge *judge, const struct volume_sight *volume)
{
    struct volume_entry *entry = map_get(&judge->by_handle, volume->handle);
    if (entry == NULL) {
        entry = arena_new(&judge->arena, 1, sizeof(*entry));
        entry->handle = arena_copy(&judge->arena, volume->handle);
        entry->is_for_pool = text_equal(volume->claim_namespace, judge->options.pools);
        entry->next = judge->volumes;
        judge->volumes = entry;
        (void)map_put(&judge->by_handle, entry->handle, entry);
    }
    return entry;
}

static void judge_new_volume(struct judge *judge, struct volume_entry *entry,
                             const struct volume_sight *volume)
{
    if (entry->record != NULL) {
        judge_break(judge, "I1: PVs %s and %s are one volume, %s", volume->name,
                    entry->record->name, entry->handle);
    }
    if (!entry->was_there_before && !entry->is_for_pool &&
        !text_equal(volume->claim_name, judge->options.thief)) {
        judge_break(judge, "I5: volume %s was made for PVC %s/%s", volume->name,
                    volume->claim_namespace, volume->claim_name);
    }
    (void)map_put(&judge->by_volume, arena_copy(&judge->arena, volume->name), entry);
}

static bool is_edited(const struct volume_entry *entry, unsigned edits)
{
    return (entry->edits & edits) != 0;
}

/* I1: no other PV has what this one claims to have. */
static void judge_rivals(struct judge *judge, const struct volume_entry *entry,
                         const struct volume_sight *volume)
{
    bool claimed = text_equal(volume->state, "claimed");
    for (const struct volume_entry *other = judge->volumes; other != NULL; other = other->next) {
        if (other == entry || other->record == NULL) {
            continue;
        }
        struct volume_sight rival = volume_sight(other->record->value);
        bool freed = is_edited(entry, EDIT_CLAIM_REF) || is_edited(other, EDIT_CLAIM_REF);
        if (!freed && volume->claim_uid != NULL && text_equal(rival.claim_uid, volume->claim_uid)) {
            judge_break(judge, "I1: PVs %s and %s name one PVC", volume->name, rival.name);
        }
        if (!freed && claimed && text_equal(rival.state, "claimed") &&
            text_equal(rival.instance_uid, volume->instance_uid)) {
            judge_break(judge, "I1: PVs %s and %s are claimed by one Instance", volume->name,
                        rival.name);
        }
    }
}

static void judge_use(struct judge *judge, struct volume_entry *entry,
                      const struct volume_sight *volume)
{
    if (entry->owner_uid == NULL) {
        return;
    }
    if (volume->instance_uid != NULL && !text_equal(volume->instance_uid, entry->owner_uid)) {
        judge_break(judge, "I1: volume %s was given to a second Instance", volume->name);
    }
    if (text_equal(volume->state, "warm") && text_equal(volume->phase, "Bound") &&
        !volume->bears_history && volume->instance_uid == NULL) {
        judge_break(judge, "I2: volume %s has user data and is in the pool again", volume->name);
    }
    const struct instance_entry *owner = books_instance(judge, entry->owner_uid);
    bool asked = entry->is_given_up || (owner != NULL && owner->asked);
    if (asked || !text_equal(volume->phase, "Released") || !text_equal(volume->policy, "Delete")) {
        return;
    }
    if (is_edited(entry, EDIT_POLICY)) {
        entry->edits |= EDIT_DATA; /* the provisioner needs no more than this one version */
    } else if (!is_edited(entry, EDIT_DATA)) {
        judge_break(judge, "I7: volume %s has user data and is Released with policy Delete",
                    volume->name);
    }
}

static void judge_policy(struct judge *judge, struct volume_entry *entry,
                         const struct volume_sight *volume)
{
    if (text_equal(volume->policy, "Retain")) {
        entry->edits &= ~(unsigned)EDIT_POLICY;
    } else if (text_equal(volume->state, "claimed") && books_lives(judge, volume->instance_uid) &&
               !is_edited(entry, EDIT_POLICY)) {
        judge_break(judge, "I7: volume %s is a live Instance's and its policy is %s", volume->name,
                    volume->policy);
    }
}

static bool has_reserved(const struct judge *judge, const char *instance_uid)
{
    for (const struct volume_entry *entry = judge->volumes; entry != NULL; entry = entry->next) {
        struct volume_sight volume = {.name = NULL};
        if (entry->record != NULL) {
            volume = volume_sight(entry->record->value);
        }
        if (text_equal(volume.state, "reserved") && text_equal(volume.instance_uid, instance_uid)) {
            return true;
        }
    }
    return false;
}

/* I17. */
static void judge_exchange(struct judge *judge, const struct volume_sight *was,
                           const struct volume_sight *is)
{
    bool ends = text_equal(was->state, "claimed") && text_equal(is->state, "disposing");
    if (ends && books_lives(judge, is->instance_uid) && !judge->has_late_writes &&
        !has_reserved(judge, is->instance_uid)) {
        judge_break(judge, "I17: volume %s goes, and no clone is reserved in its place", is->name);
    }
}

/* Claiming and destroying contend on the state: who comes second must see it. What was claimed is
   warm again only if its Instance's PVC was never Bound to it. */
static void judge_state(struct judge *judge, const struct volume_entry *entry,
                        const struct volume_sight *was, const struct volume_sight *is)
{
    bool ending = text_equal(was->state, "retiring") || text_equal(was->state, "disposing");
    bool returned = text_equal(is->state, "warm") && entry->owner_uid == NULL;
    bool back = text_equal(was->state, "claimed") &&
                ((text_equal(is->state, "warm") && !returned) || text_equal(is->state, "retiring"));
    if ((ending || back) && !text_equal(was->state, is->state) && !is_edited(entry, EDIT_STATE)) {
        judge_break(judge, "I11: volume %s went from %s to %s", is->name, was->state,
                    is->state == NULL ? "no state" : is->state);
    }
}

/* I1: never free for any claim that fits, not for one version. */
static void judge_freedom(struct judge *judge, const struct volume_entry *entry,
                          const struct volume_sight *was, const struct volume_sight *is)
{
    if (was->claim_name != NULL && is->claim_name == NULL && !is_edited(entry, EDIT_CLAIM_REF)) {
        judge_break(judge, "I1: volume %s was %s/%s's and is anybody's", is->name,
                    was->claim_namespace, was->claim_name);
    }
}

struct lookup {
    const char *handle;
    bool found, is_deleting;
};

static void look(void *self, const struct fsx_volume_seen *volume)
{
    struct lookup *lookup = self;
    if (text_equal(volume->handle, lookup->handle)) {
        lookup->found = true;
        lookup->is_deleting = volume->is_deleting;
    }
}

/* I3: a PV is gone. */
static void judge_end(struct judge *judge, struct volume_entry *entry,
                      const struct volume_sight *volume)
{
    struct lookup lookup = {.handle = entry->handle};
    simulation_fsx_volumes(judge->simulation, look, &lookup);
    record_release(entry->record);
    entry->record = NULL;
    if (is_edited(entry, EDIT_DATA)) {
        return;
    }
    if (lookup.found && !lookup.is_deleting) {
        judge_break(judge, "I3: PV %s is gone and FSx keeps %s", volume->name, entry->handle);
    }
    const struct instance_entry *owner = books_instance(judge, entry->owner_uid);
    if (owner != NULL && !owner->asked && !entry->is_given_up) {
        judge_break(judge, "I3: the data of Instance %s was destroyed, which it did not ask for",
                    owner->name);
    }
}

void judge_volume(struct judge *judge, const struct change *change)
{
    struct volume_sight volume = volume_sight(change->record->value);
    if (volume.handle == NULL) {
        return;
    }
    struct volume_entry *entry = entry_of(judge, &volume);
    if (change->type == CHANGE_DELETED) {
        judge_end(judge, entry, &volume);
        return;
    }
    if (change->type == CHANGE_ADDED) {
        judge_new_volume(judge, entry, &volume);
    } else {
        struct volume_sight before = volume_sight(change->before->value);
        judge_state(judge, entry, &before, &volume);
        judge_freedom(judge, entry, &before, &volume);
        judge_exchange(judge, &before, &volume);
    }
    record_release(entry->record);
    entry->record = record_keep(change->record);
    struct instance_entry *owner = books_instance(judge, volume.instance_uid);
    if (owner != NULL && owner->served_ms == 0 && text_equal(volume.state, "claimed")) {
        owner->served_ms = world_now(apiserver_world(judge->server)).wall_ms;
    }
    if (volume.instance_uid != NULL && !text_equal(volume.instance_uid, entry->labelled_uid)) {
        entry->labelled_uid = arena_copy(&judge->arena, volume.instance_uid);
    }
    if (change->before != NULL && text_equal(volume.state, "retiring") &&
        text_equal(volume_sight(change->before->value).state, "warm")) {
        judge_retirement(judge, &volume);
    }
    judge_rivals(judge, entry, &volume);
    judge_use(judge, entry, &volume);
    judge_policy(judge, entry, &volume);
}

/* ---- PVCs ---- */

static int64_t age_ms(const struct judge *judge, const cJSON *claim, const char *since)
{
    const char *at = value_text(claim, "metadata", since, NULL);
    int64_t at_ms = 0;
    struct error error;
    int64_t now_ms = world_now(apiserver_world(judge->server)).wall_ms;
    return at != NULL && timestamp_parse(at, &at_ms, &error) ? now_ms - at_ms : -1;
}

static bool takes_a_place(const struct judge *judge, const cJSON *claim)
{
    int64_t deleting_ms = age_ms(judge, claim, "deletionTimestamp");
    return !value_is_deleting(claim) || (deleting_ms >= 0 && deleting_ms < DELETION_STUCK_MS);
}

/* It may have been put aside, and replaced, before a person deleted it, or before its clone came.
 */
static bool is_stuck(const struct judge *judge, const cJSON *claim)
{
    const struct volume_entry *entry =
        books_volume(judge, value_text(claim, "spec", "volumeName", NULL));
    int64_t here_ms = 0;
    if (entry != NULL && entry->record != NULL) {
        here_ms = age_ms(judge, entry->record->value, "creationTimestamp");
    }
    return age_ms(judge, claim, "creationTimestamp") - here_ms >= FILL_STUCK_MS;
}

/* I4. What a Pool wants is its size, or as many as wait, up to what it may fill at once. */
static void judge_holdings(struct judge *judge, const struct claim_sight *claim)
{
    const struct objects *objects = apiserver_objects(judge->server);
    const struct record *record = NULL;
    int64_t count = 0, stuck = 0, waiters = 0;
    while ((record = objects_next(objects, &resource_persistent_volume_claims, claim->namespace,
                                  record)) != NULL) {
        bool own = text_equal(value_label(record->value, "adjoint.dev/pool-uid"), claim->pool_uid);
        count += own && takes_a_place(judge, record->value);
        stuck += own && is_stuck(judge, record->value);
    }
    for (const struct instance_entry *entry = judge->instance_list; entry != NULL;
         entry = entry->next) {
        waiters += !entry->is_gone;
    }
    waiters = waiters < FILLS_AT_ONCE ? waiters : FILLS_AT_ONCE;
    int64_t wanted = judge->size_max > waiters ? judge->size_max : waiters;
    count -= stuck < ASIDE_MAX ? stuck : ASIDE_MAX;
    wanted += judge->rotates ? judge->surge_max : 0;
    if (count > (judge->has_rivals ? 2 * wanted : wanted)) { /* each has its own picture of it */
        judge_break(judge, "I4: %d holding PVCs with %s", (int)count, claim->name);
    }
}

static void note_diverted(struct judge *judge, const struct claim_sight *claim)
{
    const struct volume_entry *entry = books_volume(judge, claim->volume);
    char *made = arena_print(&judge->arena, "pvc-%s", claim->uid);
    if (entry != NULL && is_edited(entry, EDIT_CLAIM_REF) && !text_equal(claim->volume, made)) {
        (void)map_put(&judge->diverted, made, made);
    }
}

static bool is_made(const struct objects *objects, const struct record *claim)
{
    const char *named = value_text(claim->value, "spec", "volumeName", NULL);
    char made[300];
    (void)snprintf(made, sizeof(made), "pvc-%s", claim->uid);
    return named != NULL || objects_get(objects, &resource_persistent_volumes, NULL, made) != NULL;
}

static bool is_of_lane(const cJSON *value, const struct claim_sight *claim)
{
    return value_equal_text(value, claim->storage_class, "spec", "storageClassName", NULL);
}

/* I14, I15: the clones of a class are on one file system, and each file system has one class. What
   hangs is in the way of its own Pool alone, which puts some of it aside. */
static void judge_lane(struct judge *judge, const struct claim_sight *claim)
{
    const struct objects *objects = apiserver_objects(judge->server);
    const struct record *record = NULL;
    int64_t in_flight = 0, stuck = 0, own = 0, own_stuck = 0, volumes = 0;
    while ((record = objects_next(objects, &resource_persistent_volume_claims, judge->options.pools,
                                  record)) != NULL) {
        bool flies = text_equal(value_label(record->value, "adjoint.dev/role"), "holding") &&
                     is_of_lane(record->value, claim) && !value_is_deleting(record->value) &&
                     !is_made(objects, record);
        bool hangs = flies && is_stuck(judge, record->value);
        bool is_own =
            text_equal(value_label(record->value, "adjoint.dev/pool-uid"), claim->pool_uid);
        in_flight += flies;
        stuck += hangs;
        own += flies && is_own;
        own_stuck += hangs && is_own;
    }
    while ((record = objects_next(objects, &resource_persistent_volumes, NULL, record)) != NULL) {
        volumes += value_text(record->value, "spec", "csi", "volumeHandle", NULL) != NULL &&
                   is_of_lane(record->value, claim);
    }
    if (in_flight - stuck > FILLS_AT_ONCE ||
        own - (own_stuck < ASIDE_MAX ? own_stuck : ASIDE_MAX) > FILLS_AT_ONCE) {
        judge_break(judge, "I14: %d creates are in flight", (int)in_flight);
    }
    if (volumes + in_flight > judge->volumes_max) {
        judge_break(judge, "I15: %d volumes, and %d being made, of %d", (int)volumes,
                    (int)in_flight, (int)judge->volumes_max);
    }
}

static void judge_bound(struct judge *judge, const struct claim_sight *claim)
{
    struct volume_entry *entry = books_volume(judge, claim->volume);
    if (entry == NULL || text_equal(claim->namespace, judge->options.pools)) {
        return;
    }
    if (text_equal(claim->name, judge->options.thief)) {
        if (entry->is_for_pool && !is_edited(entry, EDIT_CLAIM_REF)) {
            judge_break(judge, "I1: the thief got volume %s", claim->volume);
        }
        return;
    }
    /* Without the label: Retain let the PVC go before the binder came. */
    const char *uid = claim->instance_uid != NULL ? claim->instance_uid : entry->labelled_uid;
    if (entry->owner_uid == NULL) {
        entry->owner_uid = arena_copy(&judge->arena, uid);
    } else if (!text_equal(entry->owner_uid, uid)) {
        judge_break(judge, "I1: volume %s is Bound to the PVC of a second Instance", claim->volume);
    }
}

void judge_claim(struct judge *judge, const struct change *change)
{
    struct claim_sight claim = claim_sight(change->record->value);
    if (change->type == CHANGE_ADDED && text_equal(claim.role, "holding")) {
        judge_holdings(judge, &claim);
        if (judge->options.is_strict) {
            judge_lane(judge, &claim);
        }
    }
    if (change->type != CHANGE_DELETED && claim.is_bound) {
        judge_bound(judge, &claim);
        note_diverted(judge, &claim);
    }
}
