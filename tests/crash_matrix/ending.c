/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/ending.h"

#include "api/cluster.h"
#include "api/instance.h"
#include "api/names.h"
#include "api/pool.h"
#include "api/volume.h"

struct sight {
    struct surroundings *around;
    const struct store *store;
    const struct world *world;
    const struct expectation *expected;
    struct text *out;
};

static bool lacks(const struct sight *sight, const char *format, ...) PRINTF_LIKE(2, 3);

static bool lacks(const struct sight *sight, const char *format, ...)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    va_list arguments;
    va_start(arguments, format);
    text_append(sight->out, arena_print_list(&arena, format, arguments));
    va_end(arguments);
    return false;
}

static const struct object *instance_at(const struct sight *sight, int index)
{
    char name[WORLD_NAME_BYTES];
    world_instance_name(index, sight->expected->instance_count, name);
    return store_get(sight->store, KIND_INSTANCE, sight->world->dev, name);
}

static const struct object *claim_of(const struct sight *sight, const struct object *instance)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    return store_get(sight->store, KIND_VOLUME_CLAIM, instance->meta.namespace,
                     arena_print(&arena, "%s-1", instance->meta.name));
}

/* ---- the pool ---- */

static bool holds_warm(const struct sight *sight, const struct object *claim)
{
    const char *name = claim->volume_claim->volume;
    const struct object *volume =
        name == NULL ? NULL : store_get(sight->store, KIND_VOLUME, NULL, name);
    return claim->meta.deleting_ms == 0 && claim->volume_claim->phase == CLAIM_BOUND &&
           volume != NULL && volume->volume->state == VOLUME_STATE_WARM &&
           volume->volume->phase == VOLUME_BOUND && volume->meta.deleting_ms == 0 &&
           text_equal(volume->volume->claim_uid, claim->meta.uid) &&
           object_label(volume, LABEL_INSTANCE_UID) == NULL;
}

static bool pool_is_full(const struct sight *sight)
{
    const struct object *claim;
    size_t at = 0;
    int64_t warm_count = 0;
    while ((claim = store_next(sight->store, KIND_VOLUME_CLAIM, &at)) != NULL) {
        if (!text_equal(claim->meta.namespace, sight->world->pools)) {
            continue;
        }
        if (!holds_warm(sight, claim)) {
            return lacks(sight, "holding PVC %s is not one of a warm clone", claim->meta.name);
        }
        warm_count++;
    }
    return warm_count == sight->expected->pool_size ||
           lacks(sight, "the pool has %d warm clones of %d", (int)warm_count,
                 (int)sight->expected->pool_size);
}

/* ---- volumes ---- */

static bool is_instances(const struct sight *sight, const struct object *volume)
{
    for (int i = 0; i < sight->expected->instance_count; i++) {
        const struct object *instance = instance_at(sight, i);
        if (instance == NULL) {
            continue;
        }
        if (text_equal(instance->instance->volume, volume->meta.name) ||
            text_equal(object_label(volume, LABEL_INSTANCE_UID), instance->meta.uid)) {
            return true;
        }
    }
    return false;
}

/* What deletionPolicy Retain leaves: nobody's but its user's, and without our labels. */
static bool is_left_alone(const struct sight *sight, const struct object *volume)
{
    const struct volume *fields = volume->volume;
    const struct object *claim = store_get(sight->store, KIND_VOLUME_CLAIM, sight->world->dev,
                                           fields->claim_name == NULL ? "" : fields->claim_name);
    return text_equal(fields->claim_namespace, sight->world->dev) && claim != NULL &&
           fields->phase == VOLUME_BOUND && fields->policy == RECLAIM_RETAIN &&
           object_label_count(volume) == 0 && object_label(claim, LABEL_ROLE) == NULL &&
           claim->volume_claim->phase == CLAIM_BOUND &&
           text_equal(claim->volume_claim->volume, volume->meta.name) &&
           text_equal(fields->claim_uid, claim->meta.uid);
}

static bool is_known(const struct sight *sight, const struct object *volume)
{
    const struct volume *fields = volume->volume;
    if (text_equal(fields->claim_name, WORLD_THIEF) &&
        text_equal(fields->claim_namespace, sight->world->dev)) {
        return true;
    }
    if ((sight->expected->endings & ENDING_LEFT) != 0 && is_left_alone(sight, volume)) {
        return true;
    }
    return (sight->expected->has_pool && fields->state == VOLUME_STATE_WARM &&
            fields->phase == VOLUME_BOUND &&
            text_equal(fields->claim_namespace, sight->world->pools)) ||
           is_instances(sight, volume);
}

static bool volumes_are_known(const struct sight *sight)
{
    const struct ledger *ledger = &sight->around->ledger;
    for (size_t i = 0; i < ledger->count; i++) {
        const struct ledger_volume *entry = ledger->volumes[i];
        if (entry->world != sight->world) {
            continue;
        }
        const struct object *volume = store_get(sight->store, KIND_VOLUME, NULL, entry->volume);
        if (!entry->destroyed && volume == NULL) {
            return lacks(sight, "%s is leaked: FSx has it, and no PV", entry->handle);
        }
        if (entry->destroyed && volume != NULL) {
            return lacks(sight, "PV %s is still there and its volume is not", entry->volume);
        }
        if (volume != NULL && !is_known(sight, volume)) {
            return lacks(sight, "volume %s is left over", entry->volume);
        }
    }
    return true;
}

/* ---- Instances ---- */

static bool is_proven(const struct sight *sight, const struct object *object)
{
    const struct instance *instance = object->instance;
    const struct object *claim = claim_of(sight, object);
    const struct object *cluster =
        store_get(sight->store, KIND_CLUSTER, object->meta.namespace, object->meta.name);
    const struct object *volume =
        instance->volume == NULL ? NULL
                                 : store_get(sight->store, KIND_VOLUME, NULL, instance->volume);
    if (instance->phase != PHASE_READY || claim == NULL || cluster == NULL || volume == NULL) {
        const struct condition *ready = conditions_find(&instance->conditions, CONDITION_READY);
        return lacks(sight, "Instance %s is %s (%s)", object->meta.name,
                     instance_phase_name(instance->phase), ready == NULL ? "-" : ready->reason);
    }
    const struct volume *fields = volume->volume;
    bool bound = claim->meta.deleting_ms == 0 && claim->volume_claim->phase == CLAIM_BOUND &&
                 text_equal(claim->volume_claim->volume, instance->volume) &&
                 text_equal(fields->claim_uid, claim->meta.uid) && fields->phase == VOLUME_BOUND;
    bool ours = fields->state == VOLUME_STATE_CLAIMED && fields->policy == RECLAIM_RETAIN &&
                text_equal(object_label(volume, LABEL_INSTANCE_UID), object->meta.uid) &&
                text_equal(object_label(claim, LABEL_INSTANCE_UID), object->meta.uid);
    bool golden = text_equal(instance->system_id, WORLD_SYSTEM_ID) && cluster->cluster->ready &&
                  text_equal(cluster->cluster->system_id, WORLD_SYSTEM_ID);
    return (bound && ours && golden) ||
           lacks(sight, "Instance %s is Ready and not proven:%s%s%s", object->meta.name,
                 bound ? "" : " its PVC is not on its volume", ours ? "" : " the volume is not its",
                 golden ? "" : " it is not the golden's data");
}

static bool all_are_ready(const struct sight *sight)
{
    for (int i = 0; i < sight->expected->instance_count; i++) {
        const struct object *instance = instance_at(sight, i);
        if (instance == NULL) {
            return lacks(sight, "an Instance is not there");
        }
        if (!is_proven(sight, instance)) {
            return false;
        }
    }
    return true;
}

/* No PVC in the developer's namespace but those of Instances that are there, and the thief's. */
static bool claims_are_known(const struct sight *sight)
{
    const struct object *claim;
    size_t at = 0;
    while ((claim = store_next(sight->store, KIND_VOLUME_CLAIM, &at)) != NULL) {
        bool known = !text_equal(claim->meta.namespace, sight->world->dev) ||
                     text_equal(claim->meta.name, WORLD_THIEF);
        for (int i = 0; i < sight->expected->instance_count && !known; i++) {
            const struct object *instance = instance_at(sight, i);
            known = instance != NULL && claim_of(sight, instance) == claim;
        }
        known = known || ((sight->expected->endings & ENDING_LEFT) != 0 &&
                          object_label(claim, LABEL_ROLE) == NULL);
        if (!known) {
            return lacks(sight, "PVC %s is left over", claim->meta.name);
        }
    }
    return true;
}

static bool is_gone(const struct sight *sight)
{
    enum { OF_AN_INSTANCE = 2 };
    static const enum object_kind kinds[OF_AN_INSTANCE] = {KIND_INSTANCE, KIND_CLUSTER};
    const struct object *object;
    for (size_t i = 0; i < OF_AN_INSTANCE; i++) {
        size_t at = 0;
        while ((object = store_next(sight->store, kinds[i], &at)) != NULL) {
            if (world_has(sight->world, object)) {
                return lacks(sight, "%s %s is still there", kind_of(object->kind)->kind,
                             object->meta.name);
            }
        }
    }
    if (!sight->expected->has_pool &&
        store_get(sight->store, KIND_POOL, sight->world->pools, WORLD_POOL) != NULL) {
        return lacks(sight, "the Pool is still there");
    }
    return true;
}

static bool all_run_on(const struct sight *sight)
{
    char name[WORLD_NAME_BYTES];
    world_instance_name(0, sight->expected->instance_count, name);
    const struct object *cluster = store_get(sight->store, KIND_CLUSTER, sight->world->dev, name);
    if (instance_at(sight, 0) != NULL) {
        return lacks(sight, "the Instance is still there");
    }
    if (cluster == NULL || !cluster->cluster->ready || object_label_count(cluster) > 0) {
        return lacks(sight, "the Cluster does not run on by itself");
    }
    const struct object *volume;
    size_t at = 0;
    while ((volume = store_next(sight->store, KIND_VOLUME, &at)) != NULL) {
        if (is_left_alone(sight, volume)) {
            return true;
        }
    }
    return lacks(sight, "the volume is not left alone");
}

static const char *kept_reason(const struct sight *sight)
{
    const struct object *object = instance_at(sight, 0);
    if (object == NULL || object->meta.deleting_ms != 0 || sight->expected->reasons == NULL) {
        return NULL;
    }
    const struct conditions *conditions = &object->instance->conditions;
    const struct condition *eligible = conditions_find(conditions, INSTANCE_CONDITION_ELIGIBLE);
    const struct condition *ready = conditions_find(conditions, CONDITION_READY);
    for (const char *const *reason = sight->expected->reasons; *reason != NULL; reason++) {
        if ((ready != NULL && text_equal(ready->reason, *reason)) ||
            (eligible != NULL && text_equal(eligible->reason, *reason))) {
            return *reason;
        }
    }
    return NULL;
}

/* NULL: none of the expected; then sight->out says what the first of them lacks. */
static const char *name_ending(const struct sight *sight, enum ending *out_ending)
{
    static const struct {
        enum ending ending;
        const char *name;
        bool (*holds)(const struct sight *sight);
    } rows[] = {{ENDING_READY, "Ready", all_are_ready},
                {ENDING_GONE, "gone", is_gone},
                {ENDING_LEFT, "left", all_run_on}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        text_clear(sight->out);
        if ((sight->expected->endings & rows[i].ending) == 0) {
            continue;
        }
        if (rows[i].holds(sight)) {
            *out_ending = rows[i].ending;
            return rows[i].name;
        }
        break;
    }
    *out_ending = ENDING_KEPT;
    return (sight->expected->endings & ENDING_KEPT) != 0 ? kept_reason(sight) : NULL;
}

bool ending_reached(struct surroundings *around, const struct world *world,
                    const struct expectation *expected, enum ending *out_ending, struct text *out)
{
    struct sight sight = {around, mirror_store(around->mirror), world, expected, out};
    enum ending ending;
    const char *name = name_ending(&sight, &ending);
    if (name == NULL) {
        return false;
    }
    text_clear(out);
    if ((expected->has_pool && !pool_is_full(&sight)) || !volumes_are_known(&sight) ||
        !claims_are_known(&sight)) {
        return false;
    }
    *out_ending = ending;
    text_append(out, name);
    return true;
}

bool ending_nothing_left(struct surroundings *around, const struct world *world, struct text *out)
{
    static const enum object_kind kinds[] = {KIND_POOL, KIND_INSTANCE, KIND_VOLUME_CLAIM,
                                             KIND_CLUSTER, KIND_VOLUME};
    struct sight sight = {around, mirror_store(around->mirror), world, NULL, out};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        const struct object *object;
        size_t at = 0;
        while ((object = store_next(sight.store, kinds[i], &at)) != NULL) {
            if (surroundings_world_of(around, object) == world) {
                return lacks(&sight, "%s %s is left", kind_of(object->kind)->kind,
                             object->meta.name);
            }
        }
    }
    size_t alive = ledger_alive(&around->ledger, world);
    return alive == 0 || lacks(&sight, "%zu volumes are leaked", alive);
}
