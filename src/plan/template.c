/* SPDX-License-Identifier: Apache-2.0 */
/* A template is written in one namespace and used in many: that it needs something there has to be
   said, where people who make Instances can read it. */
#include "plan/template.h"

static bool is_listed(const struct references *required, const struct reference *reference)
{
    for (size_t i = 0; i < required->count; i++) {
        if (required->items[i].kind == reference->kind &&
            text_equal(required->items[i].name, reference->name)) {
            return true;
        }
    }
    return false;
}

static const char *list_of(enum object_kind kind)
{
    if (kind == KIND_CONFIG_MAP) {
        return "configMaps";
    }
    return kind == KIND_SECRET ? "secrets" : "serviceAccounts";
}

struct verdict template_check(const struct object *pool, struct arena *arena)
{
    const struct references *named = &pool->pool->named;
    for (size_t i = 0; i < named->count; i++) {
        const struct reference *reference = &named->items[i];
        if (!is_listed(&pool->pool->required, reference)) {
            return (struct verdict){
                "ReferenceNotListed",
                arena_print(arena,
                            "spec.cluster of Pool %s/%s refers to %s %s, which has to be in each "
                            "Instance's namespace: add it to spec.requires.%s of the Pool",
                            pool->meta.namespace, pool->meta.name, kind_of(reference->kind)->kind,
                            reference->name, list_of(reference->kind))};
        }
    }
    return (struct verdict){NULL, NULL};
}
