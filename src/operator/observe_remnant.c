/* SPDX-License-Identifier: Apache-2.0 */
/* Apart from observe.c because a remnant is looked at from its own side: by what it says of its
   owner, which is not there to be asked. */
#include "operator/observe.h"

#include "api/names.h"
#include "api/volume.h"
#include "base/text.h"

#include <stdio.h>

static bool is_labelled(const struct view *view, const char *instance_uid)
{
    const struct object *volume;
    size_t at = 0;
    const struct assignment *assignment = view->assignment;
    if (assignment != NULL && (map_get(&assignment->owned, instance_uid) != NULL ||
                               map_get(&assignment->reserved, instance_uid) != NULL)) {
        return true;
    }
    /* One that is disposed of is in neither. */
    while ((volume = store_next(view->store, KIND_VOLUME, &at)) != NULL) {
        if (text_equal(object_label(volume, LABEL_INSTANCE_UID), instance_uid)) {
            return true;
        }
    }
    return false;
}

static const struct object *volume_of(const struct view *view, const struct object *object)
{
    bool bound = object->kind == KIND_VOLUME_CLAIM && object->volume_claim->volume != NULL;
    return bound ? store_get(view->store, KIND_VOLUME, NULL, object->volume_claim->volume) : NULL;
}

static const struct object *claim_of(const struct view *view, const struct key *key)
{
    char name[KEY_BYTES];
    (void)snprintf(name, sizeof name, "%s-1", key->name);
    return key->kind == KIND_CLUSTER
               ? store_get(view->store, KIND_VOLUME_CLAIM, key->namespace, name)
               : NULL;
}

/* What a GET has been asked for in vain is remembered as the key's trouble. */
static bool was_asked_for(const struct memo *memo)
{
    return memo != NULL && memo->trouble_purpose == PURPOSE_CONFIRM &&
           (memo->trouble_class == ERROR_NOT_FOUND || memo->trouble_class == ERROR_INVALID);
}

bool observe_remnant(const struct view *view, const struct key *key,
                     struct remnant_observation *out)
{
    const struct object *object = store_get(view->store, key->kind, key->namespace, key->name);
    if (object == NULL) {
        return false;
    }
    const char *role = object_label(object, LABEL_ROLE);
    bool holds = text_equal(role, ROLE_HOLDING);
    if (!holds && !text_equal(role, ROLE_DATA)) {
        return false;
    }
    const struct memo *memo = memo_of(view, key);
    const char *uid = object_label(object, holds ? LABEL_POOL_UID : LABEL_INSTANCE_UID);
    *out = (struct remnant_observation){
        .object = object,
        .owner_uid = uid,
        .is_owned = uid != NULL &&
                    store_get_uid(view->store, holds ? KIND_POOL : KIND_INSTANCE, uid) != NULL,
        .has_volume = uid != NULL && !holds && is_labelled(view, uid),
        .volume = volume_of(view, object),
        .gone_owner_uid = memo == NULL ? NULL : memo->gone_owner_uid,
        .claim = claim_of(view, key),
        .claim_was_asked_for = was_asked_for(memo),
        .held = memo_held(memo, view->now),
    };
    return true;
}
