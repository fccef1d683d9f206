/* SPDX-License-Identifier: Apache-2.0 */
/* What a clone is worth: can it be handed out, has somebody had it, is it spoken for? Asked by the
   Pool, the queue and the hand-off alike, so that they cannot differ. */
#include "plan/clones.h"

#include "api/names.h"

bool volume_claimable(const struct object *volume)
{
    const struct volume *state = volume->volume;
    return state->state == VOLUME_STATE_WARM && state->phase == VOLUME_BOUND &&
           state->claim_uid != NULL && volume->meta.deleting_ms == 0 &&
           object_annotation(volume, ANNOTATION_SYSTEM_ID) != NULL && !volume_was_claimed(volume) &&
           text_equal(state->claim_namespace, object_label(volume, LABEL_POOL_NAMESPACE));
}

/* The annotations outlive an edit of the labels. */
bool volume_was_claimed(const struct object *volume)
{
    return object_label(volume, LABEL_INSTANCE_UID) != NULL ||
           object_annotation(volume, ANNOTATION_HOLDING_UID) != NULL ||
           object_annotation(volume, ANNOTATION_DATA_CLAIM_UID) != NULL;
}

bool clone_is_chosen(const struct pool_observation *seen, const struct object *volume)
{
    for (size_t i = 0; i < seen->chosen_count; i++) {
        if (text_equal(seen->chosen[i], volume->meta.name)) {
            return true;
        }
    }
    return false;
}

const char *clone_twin(const struct pool_observation *seen, const struct object *volume)
{
    for (size_t i = 0; i < seen->twin_count; i++) {
        if (text_equal(seen->twins[i].volume, volume->meta.name)) {
            return seen->twins[i].other;
        }
    }
    return NULL;
}

int64_t clones_claimable(const struct pool_observation *seen, bool chosen)
{
    int64_t count = 0;
    for (size_t i = 0; i < seen->volume_count; i++) {
        const struct object *volume = seen->volumes[i];
        count += volume_claimable(volume) && clone_is_chosen(seen, volume) == chosen &&
                 clone_twin(seen, volume) == NULL;
    }
    return count;
}

bool clones_awaited(const struct pool_observation *seen)
{
    return seen->waiting_current_count > 0 ||
           (seen->waiting_count > 0 && seen->waiting_count > clones_claimable(seen, false));
}
