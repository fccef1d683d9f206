/* SPDX-License-Identifier: Apache-2.0 */
/* What a planner is told of names, each looked up by what it names: a uid where there is one. */
#include "operator/relations.h"

#include "api/cluster.h"
#include "api/instance.h"
#include "api/names.h"
#include "api/volume.h"
#include "base/text.h"

static const struct object *find_owned(const struct view *view, const struct object *instance)
{
    const struct object *const *volume =
        view->assignment == NULL ? NULL : map_get(&view->assignment->owned, instance->meta.uid);
    return volume == NULL ? NULL : *volume;
}

const struct object *relation_volume(const struct view *view, const struct object *instance)
{
    return instance->instance->volume == NULL
               ? find_owned(view, instance)
               : store_get(view->store, KIND_VOLUME, NULL, instance->instance->volume);
}

const struct object *relation_own(const struct view *view, const struct object *instance,
                                  const struct object *volume)
{
    const struct object *owned = find_owned(view, instance);
    return owned == volume || owned == NULL || owned->volume->state != VOLUME_STATE_CLAIMED ? NULL
                                                                                            : owned;
}

const struct object *relation_promised(const struct view *view, const struct object *instance)
{
    const char *name = instance->instance->reset.volume;
    const struct object *const *reserved =
        name != NULL || view->assignment == NULL
            ? NULL
            : map_get(&view->assignment->reserved, instance->meta.uid);
    if (reserved != NULL) {
        name = (*reserved)->meta.name;
    }
    return name == NULL || text_equal(name, instance->instance->volume)
               ? NULL
               : store_get(view->store, KIND_VOLUME, NULL, name);
}

const struct object *relation_former(const struct view *view, const struct object *volume)
{
    const char *uid = volume == NULL ? NULL : object_annotation(volume, ANNOTATION_HOLDING_UID);
    return uid == NULL ? NULL : store_get_uid(view->store, KIND_VOLUME_CLAIM, uid);
}

const struct object *relation_holding(const struct view *view, const struct object *object)
{
    const struct volume *volume = object->volume;
    const struct object *claim = volume->claim_name == NULL
                                     ? NULL
                                     : store_get(view->store, KIND_VOLUME_CLAIM,
                                                 volume->claim_namespace, volume->claim_name);
    bool holds = claim != NULL && text_equal(claim->meta.uid, volume->claim_uid) &&
                 text_equal(object_label(claim, LABEL_ROLE), ROLE_HOLDING);
    return holds ? claim : NULL;
}

/* Whether all PVs have to be asked: not where no two of them name one claim. */
static bool is_searched(const struct view *view, const struct object *data_claim,
                        const struct object *volume)
{
    if (view->assignment == NULL || view->assignment->two_hold) {
        return true;
    }
    const struct object *const *holder = map_get(&view->assignment->holders, data_claim->meta.uid);
    return holder != NULL && *holder != volume;
}

const struct object *relation_rival(const struct view *view, const struct object *data_claim,
                                    const struct object *volume)
{
    const struct object *object;
    size_t at = 0;
    if (data_claim == NULL || !is_searched(view, data_claim, volume)) {
        return NULL;
    }
    while ((object = store_next(view->store, KIND_VOLUME, &at)) != NULL) {
        if (object != volume && text_equal(object->volume->claim_uid, data_claim->meta.uid)) {
            return object;
        }
    }
    return NULL;
}

size_t relation_count_jobs(const struct view *view, const struct object *instance)
{
    const struct object *object;
    size_t at = 0;
    size_t count = 0;
    while ((object = store_next(view->store, KIND_JOB, &at)) != NULL) {
        if (text_equal(object->meta.namespace, instance->meta.namespace) &&
            text_equal(object->job->cluster, instance->meta.name)) {
            count++;
        }
    }
    return count;
}
