/* SPDX-License-Identifier: Apache-2.0 */
/* Where batches and vouches meet: what goes on the wire, and what came of it. */
#include "api/instance.h"
#include "base/memory.h"
#include "operator/state.h"

/* NULL unless both are there. */
static const struct object *read_pair(const struct operator* op, const struct memo *memo,
                                      const struct object **out_instance)
{
    struct key key;
    if (!key_read(memo->key, &key) || key.kind != KIND_INSTANCE) {
        return NULL;
    }
    *out_instance = store_get(op->store, KIND_INSTANCE, key.namespace, key.name);
    return *out_instance == NULL
               ? NULL
               : store_get(op->store, KIND_POOL, (*out_instance)->instance->pool_namespace,
                           (*out_instance)->instance->pool);
}

void vouch_note_asking(struct operator* op, struct memo *memo, const struct action *action)
{
    const struct object *instance = NULL;
    if (action->kind != ACTION_DRY_RUN || action->object != KIND_CLUSTER) {
        return;
    }
    const struct object *pool = read_pair(op, memo, &instance);
    if (pool != NULL && !instance_is_special(instance->instance)) {
        memory_free(memo->vouch_asked);
        memo->vouch_asked = vouches_asked(&op->vouches, instance, pool, op->now);
    }
}

void vouch_note_answer(struct operator* op, struct memo *memo)
{
    const struct object *instance = NULL;
    if (memo->vouch_asked == NULL) {
        return;
    }
    vouches_answered(&op->vouches, memo->vouch_asked, memo->preflight.state == PREFLIGHT_PASSED,
                     op->now);
    memory_free(memo->vouch_asked);
    memo->vouch_asked = NULL;
    const struct object *pool = read_pair(op, memo, &instance);
    if (pool != NULL) {
        routes_mark_instances(op, pool);
    }
}
