/* SPDX-License-Identifier: Apache-2.0 */
/* A vouch is for (namespace, Pool's uid and generation): the golden's image and database come into
   the Cluster too, but no admission rule that let one golden's in was seen to refuse another's. */
#include "operator/vouch.h"

#include "api/instance.h"
#include "base/memory.h"
#include "base/text.h"

#include <string.h>

enum {
    PASSED_FOR_MS =
        60 * 1000,            /* a policy or a webhook may change meanwhile; the POST still tells */
    ASKING_FOR_MS = 5 * 1000, /* an answer that takes longer is not waited for */
    REFUSED_FOR_MS = 5 * 1000, /* each asks for itself so long */
};

enum answer { ANSWER_COMING, ANSWER_PASSED, ANSWER_REFUSED };

struct vouched {
    char *key;
    enum answer answer;
    int64_t until_ms; /* mono */
};

void vouches_init(struct vouches *vouches)
{
    map_init(&vouches->by_key);
}

static void vouched_free(struct vouched *vouched)
{
    memory_free(vouched->key);
    memory_free(vouched);
}

void vouches_release(struct vouches *vouches)
{
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&vouches->by_key, &at, &entry)) {
        vouched_free(entry.value);
    }
    map_release(&vouches->by_key);
}

static void write_key(const struct object *instance, const struct object *pool, struct text *key)
{
    text_init(key, 512);
    text_print(key, "%s/%s/%lld", instance->meta.namespace, pool->meta.uid,
               (long long)pool->meta.generation);
}

static bool is_limited(const struct store *store, const char *namespace)
{
    const struct object *quota;
    size_t at = 0;
    while ((quota = store_next(store, KIND_QUOTA, &at)) != NULL) {
        if (text_equal(quota->meta.namespace, namespace)) {
            return true;
        }
    }
    return false;
}

enum vouch vouches_of(const struct vouches *vouches, const struct store *store,
                      const struct object *instance, const struct object *pool, struct now now)
{
    if (vouches == NULL || pool == NULL || instance_is_special(instance->instance)) {
        return VOUCH_NONE;
    }
    struct text key cleanup_text;
    write_key(instance, pool, &key);
    const struct vouched *vouched = map_get(&vouches->by_key, key.bytes);
    if (vouched == NULL || vouched->until_ms <= now.mono_ms || vouched->answer == ANSWER_REFUSED ||
        is_limited(store, instance->meta.namespace)) {
        return VOUCH_NONE;
    }
    return vouched->answer == ANSWER_PASSED ? VOUCH_PASSED : VOUCH_ASKED;
}

static void note(struct vouches *vouches, const char *key, enum answer answer, int64_t until_ms)
{
    struct vouched *vouched = map_get(&vouches->by_key, key);
    if (vouched == NULL) {
        vouched = memory_new(1, sizeof *vouched);
        vouched->key = memory_copy_text(key);
        (void)map_put(&vouches->by_key, vouched->key, vouched);
    }
    vouched->answer = answer;
    vouched->until_ms = until_ms;
}

/* Those of Pools and namespaces that are gone would stay for ever. */
static void drop_old(struct vouches *vouches, struct now now)
{
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&vouches->by_key, &at, &entry)) {
        struct vouched *vouched = entry.value;
        if (vouched->until_ms <= now.mono_ms) {
            (void)map_remove(&vouches->by_key, vouched->key);
            vouched_free(vouched);
            at = 0; /* it changed */
        }
    }
}

char *vouches_asked(struct vouches *vouches, const struct object *instance,
                    const struct object *pool, struct now now)
{
    struct text key cleanup_text;
    write_key(instance, pool, &key);
    drop_old(vouches, now);
    note(vouches, key.bytes, ANSWER_COMING, now.mono_ms + ASKING_FOR_MS);
    return text_take(&key);
}

void vouches_answered(struct vouches *vouches, const char *asked, bool passed, struct now now)
{
    note(vouches, asked, passed ? ANSWER_PASSED : ANSWER_REFUSED,
         now.mono_ms + (passed ? PASSED_FOR_MS : REFUSED_FOR_MS));
}

void vouches_forget(struct vouches *vouches, const char *namespace)
{
    struct map_entry entry;
    size_t at = 0;
    size_t length = strlen(namespace);
    while (map_next(&vouches->by_key, &at, &entry)) {
        struct vouched *vouched = entry.value;
        if (text_starts_with(vouched->key, namespace) && vouched->key[length] == '/') {
            vouched->answer = ANSWER_REFUSED;
        }
    }
}
