/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/mirror.h"

#include "base/limits.h"
#include "base/memory.h"
#include "crash_matrix/scope.h"
#include "kube/informer.h"

static const enum object_kind kinds[] = {KIND_POOL,         KIND_INSTANCE, KIND_VOLUME,
                                         KIND_VOLUME_CLAIM, KIND_CLUSTER,  KIND_NAMESPACE,
                                         KIND_SNAPSHOT};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

struct mirror {
    struct scope scope;
    struct store *store;
    struct random random;
    struct informer_options options;
    struct informer *informers[KINDS];
};

struct mirror *mirror_new(struct transport transport, struct store_listener listener)
{
    struct mirror *mirror = memory_new(1, sizeof(*mirror));
    scope_init_all(&mirror->scope, transport);
    mirror->store = store_new(LIMIT_OBJECTS_PER_KIND, listener);
    mirror->options = informer_options_default;
    mirror->options.backoff_ms_max = 1000; /* it must not sleep longer than an outage lasts */
    random_init(&mirror->random, 1);
    for (size_t i = 0; i < KINDS; i++) {
        mirror->informers[i] =
            informer_new(kinds[i], &mirror->options, scope_transport(&mirror->scope), mirror->store,
                         NULL, NULL, &mirror->random);
    }
    return mirror;
}

void mirror_free(struct mirror *mirror)
{
    for (size_t i = 0; i < KINDS; i++) {
        informer_free(mirror->informers[i]);
    }
    store_free(mirror->store);
    scope_release(&mirror->scope);
    memory_free(mirror);
}

void mirror_step(struct mirror *mirror, struct now now)
{
    for (size_t i = 0; i < KINDS; i++) {
        informer_step(mirror->informers[i], now);
    }
}

bool mirror_synced(const struct mirror *mirror)
{
    for (size_t i = 0; i < KINDS; i++) {
        if (!informer_synced(mirror->informers[i])) {
            return false;
        }
    }
    return true;
}

const struct store *mirror_store(const struct mirror *mirror)
{
    return mirror->store;
}
