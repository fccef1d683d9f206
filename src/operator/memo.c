/* SPDX-License-Identifier: Apache-2.0 */
/* What happens next follows from the error's class, by one table. */
#include "operator/memo.h"

#include "base/memory.h"
#include "base/text.h"

void memos_init(struct memos *memos)
{
    map_init(&memos->by_key);
    memos->leaked_count = 0;
}

static void memo_free(struct memo *memo)
{
    memory_free(memo->trouble_message);
    memory_free(memo->own_version);
    memory_free(memo->preflight_name);
    memory_free(memo->preflight_message);
    memory_free(memo->assumed_volume);
    memory_free(memo->secret_of);
    memory_free(memo->secret_name);
    memory_free(memo->vouch_asked);
    memory_free(memo->gone_owner_uid);
    memory_free(memo->finding_reason);
    memory_free(memo->fill_claim_uid);
    memory_free(memo->fill_complaint);
    for (size_t i = 0; i < memo->taken_slot_count; i++) {
        memory_free(memo->taken_slots[i]);
    }
    memory_free(memo->taken_slots);
    memory_free(memo->key);
    memory_free(memo);
}

void memos_release(struct memos *memos)
{
    struct map_entry entry;
    size_t at = 0;
    while (map_next(&memos->by_key, &at, &entry)) {
        memo_free(entry.value);
    }
    map_release(&memos->by_key);
}

struct memo *memos_find(const struct memos *memos, const char *key)
{
    return memos == NULL ? NULL : map_get(&memos->by_key, key);
}

struct memo *memos_get(struct memos *memos, const char *key)
{
    struct memo *memo = map_get(&memos->by_key, key);
    if (memo != NULL) {
        return memo;
    }
    memo = memory_new(1, sizeof *memo);
    memo->key = memory_copy_text(key);
    (void)map_put(&memos->by_key, memo->key, memo);
    return memo;
}

size_t memos_findings(const struct memos *memos)
{
    struct map_entry entry;
    size_t at = 0;
    size_t count = 0;
    while (map_next(&memos->by_key, &at, &entry)) {
        const struct memo *memo = entry.value;
        count += memo->finding_reason != NULL;
    }
    return count;
}

static void drop(struct memos *memos, struct memo *memo)
{
    (void)map_remove(&memos->by_key, memo->key);
    memos->leaked_count -= memo->leaked ? 1 : 0;
    memo_free(memo);
}

void memos_forget(struct memos *memos, const char *key)
{
    struct memo *memo = memos_find(memos, key);
    if (memo != NULL && memo->processing) {
        memo->forgotten = true;
        memo_set_preflight(memo, PREFLIGHT_NONE, ERROR_NONE, KIND_INSTANCE, NULL, NULL);
    } else if (memo != NULL) {
        drop(memos, memo);
    }
}

void memos_batch_ended(struct memos *memos, struct memo *memo)
{
    memo->processing = false;
    if (memo->forgotten) {
        drop(memos, memo);
    }
}

struct retry {
    int free_tries; /* so many failures in a row are tried again at once */
    int64_t backoff_ms_min, backoff_ms_max;
};

static struct retry retry_of(enum error_class class)
{
    switch (class) {
    case ERROR_CONFLICT:
    case ERROR_TEST_FAILED:
    case ERROR_UNKNOWN:
    case ERROR_NONE:
        return (struct retry){3, 50, 5000};
    case ERROR_EXISTS: /* it may be about to go */
        return (struct retry){0, 500, 60000};
    case ERROR_INVALID:
    case ERROR_LIMIT:
    case ERROR_FORBIDDEN:
        return (struct retry){0, 5000, 60000};
    case ERROR_NOT_FOUND:
    case ERROR_GONE:
        return (struct retry){0, 1000, 30000};
    case ERROR_SYSTEM:
    case ERROR_UNAUTHORIZED:
    case ERROR_THROTTLED:
    case ERROR_UNAVAILABLE:
    case ERROR_TIMEOUT:
        return (struct retry){0, 200, 30000};
    }
    return (struct retry){0, 1000, 30000};
}

static void replace_text(char **text, const char *with)
{
    char *copy = memory_copy_text(with);
    memory_free(*text);
    *text = copy;
}

void memo_fail(struct memo *memo, const struct error *error, enum purpose purpose,
               int64_t generation, struct now now, struct random *random)
{
    struct retry retry = retry_of(error->class);
    memo->trouble_class = error->class;
    memo->trouble_purpose = purpose;
    memo->generation = generation;
    replace_text(&memo->trouble_message, error->message);
    memo->failures++;
    int doublings = memo->failures - retry.free_tries - 1;
    if (doublings < 0) {
        return;
    }
    int64_t delay_ms = retry.backoff_ms_min;
    while (doublings-- > 0 && delay_ms < retry.backoff_ms_max) {
        delay_ms *= 2;
    }
    if (delay_ms > retry.backoff_ms_max) {
        delay_ms = retry.backoff_ms_max;
    }
    delay_ms = random_jitter(random, delay_ms, 50);
    if (delay_ms < error->retry_after_ms) {
        delay_ms = error->retry_after_ms;
    }
    if (memo->held_until_ms < now.mono_ms + delay_ms) {
        memo->held_until_ms = now.mono_ms + delay_ms;
    }
}

void memo_succeed(struct memo *memo)
{
    memo->trouble_class = ERROR_NONE;
    memo->failures = 0;
    memo->held_until_ms = 0;
}

bool memo_wake(struct memo *memo, int64_t generation, struct now now)
{
    bool due = memo->held_until_ms != 0 && memo->held_until_ms <= now.mono_ms;
    bool renewed = memo->generation != generation;
    if (!due && !renewed) {
        return false;
    }
    memo->held_until_ms = 0;
    memo->generation = generation;
    if (renewed) {
        memo->failures = 0;
    }
    if (memo->preflight.state == PREFLIGHT_FAILED || renewed) {
        memo_set_preflight(memo, PREFLIGHT_NONE, ERROR_NONE, KIND_INSTANCE, NULL, NULL);
    }
    return true;
}

void memo_set_preflight(struct memo *memo, enum preflight_state state, enum error_class class,
                        enum object_kind object, const char *name, const char *message)
{
    replace_text(&memo->preflight_name, name);
    replace_text(&memo->preflight_message, message);
    memo->preflight = (struct preflight){.state = state,
                                         .class = class,
                                         .object = object,
                                         .name = memo->preflight_name,
                                         .message = memo->preflight_message};
}

void memo_set_secret(struct memo *memo, const char *instance_uid, const char *name)
{
    replace_text(&memo->secret_of, instance_uid);
    replace_text(&memo->secret_name, name);
}

void memo_note_taken_slot(struct memo *memo, const char *name)
{
    memo->taken_slots =
        memory_resize(memo->taken_slots, memo->taken_slot_count + 1, sizeof(char *));
    memo->taken_slots[memo->taken_slot_count++] = memory_copy_text(name);
}

bool memo_held(const struct memo *memo, struct now now)
{
    return memo != NULL && memo->held_until_ms > now.mono_ms;
}

void memos_set_finding(struct memos *memos, const char *key, const struct volume_finding *finding)
{
    struct memo *memo = memos_get(memos, key);
    memos->leaked_count += finding->leaked ? 1 : 0;
    memos->leaked_count -= memo->leaked ? 1 : 0;
    replace_text(&memo->finding_reason, finding->reason);
    memo->leaked = finding->leaked;
}
