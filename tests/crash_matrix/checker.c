/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/checker.h"

#include "api/instance.h"
#include "api/names.h"
#include "api/pool.h"
#include "api/volume.h"
#include "base/memory.h"
#include "plan/pool.h"

#include <string.h>

/* Wrong if this Instance lives, by a read that is begun after the event. */
struct suspicion {
    struct suspicion *next;
    struct checker *checker;
    struct world *world;
    char *instance, *uid;
    const char *what;
    bool asked;
};

struct checker {
    struct surroundings *around;
    struct now now;
    struct suspicion *suspicions;
};

struct checker *checker_new(struct surroundings *around)
{
    struct checker *checker = memory_new(1, sizeof(*checker));
    checker->around = around;
    return checker;
}

static void suspicion_free(struct suspicion *suspicion)
{
    struct suspicion **at = &suspicion->checker->suspicions;
    while (*at != suspicion) {
        at = &(*at)->next;
    }
    *at = suspicion->next;
    memory_free(suspicion->instance);
    memory_free(suspicion->uid);
    memory_free(suspicion);
}

void checker_free(struct checker *checker)
{
    while (checker->suspicions != NULL) {
        api_forget(checker->around->api, checker->suspicions);
        suspicion_free(checker->suspicions);
    }
    memory_free(checker);
}

/* Its PVC's name is the Instance's and "-1". */
static void suspect(struct checker *checker, struct world *world, const char *claim,
                    const char *uid, const char *what)
{
    if (claim == NULL) {
        return;
    }
    struct suspicion *suspicion = memory_new(1, sizeof(*suspicion));
    suspicion->checker = checker;
    suspicion->world = world;
    suspicion->instance = memory_copy_text(claim);
    char *end = strrchr(suspicion->instance, '-');
    if (end != NULL) {
        *end = '\0';
    }
    suspicion->uid = memory_copy_text(uid);
    suspicion->what = what;
    suspicion->next = checker->suspicions;
    checker->suspicions = suspicion;
}

static void on_read(void *self, const struct reply *reply)
{
    struct suspicion *suspicion = self;
    enum error_class class = reply->error.class;
    if (class != ERROR_NONE && class != ERROR_NOT_FOUND) {
        suspicion->asked = false;
        return;
    }
    if (class == ERROR_NONE && strstr(reply->body, suspicion->uid) != NULL &&
        strstr(reply->body, "\"deletionTimestamp\"") == NULL) {
        world_violate(suspicion->world, suspicion->checker->now, "%s, and Instance %s lives",
                      suspicion->what, suspicion->instance);
    }
    suspicion_free(suspicion);
}

void checker_step(struct checker *checker, struct now now)
{
    checker->now = now;
    for (struct suspicion *suspicion = checker->suspicions; suspicion != NULL;
         suspicion = suspicion->next) {
        if (!suspicion->asked) {
            suspicion->asked = true;
            api_send(checker->around->api,
                     &(struct api_request){.method = METHOD_GET,
                                           .kind = KIND_INSTANCE,
                                           .namespace = suspicion->world->dev,
                                           .name = suspicion->instance},
                     on_read, suspicion);
        }
    }
}

/* ---- volumes ---- */

static void check_rivals(struct checker *checker, struct world *world, const struct object *object)
{
    const struct store *store = mirror_store(checker->around->mirror);
    const struct volume *volume = object->volume;
    const char *owner = object_label(object, LABEL_INSTANCE_UID);
    const struct object *other;
    size_t at = 0;
    while ((other = store_next(store, KIND_VOLUME, &at)) != NULL) {
        if (other == object || text_equal(other->meta.name, object->meta.name)) {
            continue;
        }
        if (text_equal(other->volume->handle, volume->handle)) {
            world_violate(world, checker->now, "%s and %s are one volume", object->meta.name,
                          other->meta.name);
        }
        /* A PVC may find a volume that a person freed while its own is made. */
        if (volume->claim_uid != NULL && !world->claim_edited &&
            text_equal(other->volume->claim_uid, volume->claim_uid)) {
            world_violate(world, checker->now, "%s and %s name one PVC", object->meta.name,
                          other->meta.name);
        }
        if (owner != NULL && volume->state == VOLUME_STATE_CLAIMED &&
            other->volume->state == VOLUME_STATE_CLAIMED &&
            text_equal(object_label(other, LABEL_INSTANCE_UID), owner)) {
            world_violate(world, checker->now, "%s and %s are claimed by one Instance",
                          object->meta.name, other->meta.name);
        }
    }
}

static bool is_thief(const char *claim)
{
    return text_equal(claim, WORLD_THIEF);
}

/* Nothing was written to a volume whose PVC was never Bound, whatever the PV's own phase says. */
static bool is_used(const struct checker *checker, const struct object *object)
{
    const struct volume *volume = object->volume;
    const struct object *claim =
        volume->claim_name == NULL || volume->claim_namespace == NULL
            ? NULL
            : store_get(mirror_store(checker->around->mirror), KIND_VOLUME_CLAIM,
                        volume->claim_namespace, volume->claim_name);
    return claim != NULL && claim->volume_claim->phase == CLAIM_BOUND &&
           text_equal(claim->meta.uid, volume->claim_uid) &&
           text_equal(claim->volume_claim->volume, object->meta.name);
}

static void check_use(struct checker *checker, struct world *world, struct ledger_volume *entry,
                      const struct object *object)
{
    const struct volume *volume = object->volume;
    const char *owner = object_label(object, LABEL_INSTANCE_UID);
    bool bound_in_dev =
        volume->phase == VOLUME_BOUND && text_equal(volume->claim_namespace, world->dev);
    if (entry->for_pool && bound_in_dev && is_thief(volume->claim_name)) {
        world_violate(world, checker->now, "the thief got %s", object->meta.name);
    }
    if (bound_in_dev && entry->owner_uid == NULL && is_used(checker, object)) {
        entry->owner_uid = memory_copy_text(owner);
    }
    if (entry->owner_uid == NULL) {
        return;
    }
    if (owner != NULL && !text_equal(owner, entry->owner_uid)) {
        world_violate(world, checker->now, "%s was handed out twice", object->meta.name);
    }
    if (volume_claimable(object)) {
        world_violate(world, checker->now, "%s has user data and is in the pool again",
                      object->meta.name);
    }
    if (volume->phase == VOLUME_RELEASED && volume->policy == RECLAIM_DELETE) {
        suspect(checker, world, volume->claim_name, entry->owner_uid,
                "a volume was Released with policy Delete");
    }
}

/* Claiming and destroying contend on the state: who comes second must see it. A claim that is
   cancelled before anything used the volume gives it back. */
static void check_state(struct checker *checker, struct world *world, const struct object *before,
                        const struct object *after)
{
    const struct ledger_volume *entry = ledger_find(&checker->around->ledger, after->meta.name);
    bool used = entry->owner_uid != NULL;
    enum volume_state was = before->volume->state;
    enum volume_state is = after->volume->state;
    bool ending = was == VOLUME_STATE_RETIRING || was == VOLUME_STATE_DISPOSING;
    bool back = was == VOLUME_STATE_CLAIMED &&
                (is == VOLUME_STATE_RETIRING || (is == VOLUME_STATE_WARM && used));
    if (was != is && (ending || back) && !world->state_edited) {
        world_violate(world, checker->now, "%s went from %s to %s", after->meta.name,
                      object_label(before, LABEL_STATE),
                      is == VOLUME_STATE_NONE ? "no state" : object_label(after, LABEL_STATE));
    }
}

static void check_volume(struct checker *checker, struct world *world, const struct object *object)
{
    const struct volume *volume = object->volume;
    struct ledger_volume *entry = ledger_find(&checker->around->ledger, object->meta.name);
    const char *state = object_label(object, LABEL_STATE);
    const char *owner = object_label(object, LABEL_INSTANCE_UID);
    world_note(world, checker->now, "  volume %s %s %s %s -> %s/%s (%s)%s", object->meta.name,
               volume_phase_name(volume->phase), state == NULL ? "unlabelled" : state,
               volume->policy == RECLAIM_DELETE ? "Delete" : "Retain",
               volume->claim_namespace == NULL ? "-" : volume->claim_namespace,
               volume->claim_name == NULL ? "-" : volume->claim_name,
               volume->claim_uid == NULL ? "no uid" : volume->claim_uid,
               object->meta.deleting_ms != 0 ? " deleting" : "");
    if (owner != NULL && volume->state == VOLUME_STATE_CLAIMED &&
        volume->policy == RECLAIM_DELETE && !world->policy_edited) {
        world_violate(world, checker->now, "%s is claimed with policy Delete", object->meta.name);
    }
    check_rivals(checker, world, object);
    check_use(checker, world, entry, object);
}

void checker_destroyed(struct checker *checker, struct ledger_volume *volume,
                       const struct object *object, struct now now)
{
    if (volume->world == NULL) {
        return;
    }
    world_note(volume->world, now, "  FSx destroys %s (%s)", volume->handle, object->meta.name);
    if (volume->owner_uid != NULL) {
        suspect(checker, volume->world, object->volume->claim_name, volume->owner_uid,
                "its data was destroyed");
    }
}

/* ---- the rest ---- */

static void check_claim(struct checker *checker, struct world *world, const struct object *object)
{
    const char *name = object->volume_claim->volume;
    static const char *const phases[] = {"Pending", "Bound", "Lost"};
    const struct store *store = mirror_store(checker->around->mirror);
    const struct object *other;
    size_t at = 0;
    int64_t holding_count = 0;
    world_note(world, checker->now, "  claim %s/%s %s -> %s%s", object->meta.namespace,
               object->meta.name, phases[object->volume_claim->phase],
               object->volume_claim->volume == NULL ? "-" : object->volume_claim->volume,
               object->meta.deleting_ms != 0 ? " deleting" : "");
    while ((other = store_next(store, KIND_VOLUME_CLAIM, &at)) != NULL) {
        holding_count += text_equal(other->meta.namespace, world->pools) &&
                         text_equal(object_label(other, LABEL_ROLE), ROLE_HOLDING);
    }
    if (holding_count > world->holding_max) {
        world_violate(world, checker->now, "%d holding PVCs", (int)holding_count);
    }
    const struct object *volume = name == NULL ? NULL : store_get(store, KIND_VOLUME, NULL, name);
    if (volume != NULL) {
        check_use(checker, world, ledger_find(&checker->around->ledger, name), volume);
    }
}

static void note_instance(struct checker *checker, struct world *world, const struct object *object)
{
    const struct instance *instance = object->instance;
    const struct condition *ready = conditions_find(&instance->conditions, CONDITION_READY);
    world_note(world, checker->now, "  instance %s %s %s volume %s%s", object->meta.name,
               instance_phase_name(instance->phase), ready == NULL ? "-" : ready->reason,
               instance->volume == NULL ? "-" : instance->volume,
               object->meta.deleting_ms != 0 ? " deleting" : "");
}

void checker_changed(void *self, const struct object *before, const struct object *after)
{
    struct checker *checker = self;
    const struct object *object = after != NULL ? after : before;
    struct world *world = surroundings_world_of(checker->around, object);
    if (world == NULL) {
        return;
    }
    if (after == NULL) {
        world_note(world, checker->now, "  %s %s is gone", kind_of(object->kind)->kind,
                   object->meta.name);
    } else if (object->kind == KIND_VOLUME) {
        if (before != NULL) {
            check_state(checker, world, before, after);
        }
        check_volume(checker, world, object);
    } else if (object->kind == KIND_VOLUME_CLAIM) {
        check_claim(checker, world, object);
    } else if (object->kind == KIND_INSTANCE) {
        note_instance(checker, world, object);
    }
}
