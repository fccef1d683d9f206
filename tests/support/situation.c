/* SPDX-License-Identifier: Apache-2.0 */
#include "support/situation.h"

#include "api/instance.h"
#include "api/names.h"
#include "base/duration.h"
#include "base/json.h"
#include "base/json_merge.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/timestamp.h"
#include "io/file.h"
#include "io/yaml.h"
#include "operator/observe.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NOW_DEFAULT "2026-08-22T10:00:00Z"
#define CREATED_DEFAULT "2026-08-22T09:00:00Z"

enum { MONO_MS = 1000 * 1000, HELD_MS = 30 * 1000, READ_AGO_MS = 60 * 1000 };

struct reading {
    struct situation *situation;
    const char *folder;
};

static const char *text_at(const struct json *object, const char *key)
{
    const char *text = json_text(json_member(object, key));
    return text == NULL ? "" : text;
}

static bool is_same_object(const char *one, const struct json *other)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(one, strlen(one), &document, &error));
    const struct json *root = json_root(document);
    const struct json *meta = json_member(root, "metadata");
    const struct json *other_meta = json_member(other, "metadata");
    return text_equal(text_at(root, "kind"), text_at(other, "kind")) &&
           text_equal(text_at(meta, "namespace"), text_at(other_meta, "namespace")) &&
           text_equal(text_at(meta, "name"), text_at(other_meta, "name"));
}

static const char *merge(struct situation *situation, const char *target, const char *patch)
{
    cleanup_text struct text out;
    text_init(&out, LIMIT_BODY_BYTES);
    struct error error;
    if (!json_merge(target, patch, &out, &error)) {
        fail_msg("%s", error.message);
    }
    return arena_copy(&situation->arena, out.bytes);
}

/* An object that is there already gets what this one says, or goes. */
static void take_object(struct situation *situation, const char *json, const struct json *root)
{
    for (size_t i = 0; i < situation->object_count; i++) {
        bool same = is_same_object(situation->objects[i], root);
        if (same && json_member(root, "absent") != NULL) {
            situation->objects[i] = situation->objects[--situation->object_count];
            return;
        }
        if (same) {
            situation->objects[i] = merge(situation, situation->objects[i], json);
            return;
        }
    }
    const char *name = text_at(json_member(root, "metadata"), "name");
    const char *defaults = arena_print(&situation->arena,
                                       "{\"metadata\":{\"uid\":\"uid-%s\",\"resourceVersion\":"
                                       "\"100\",\"generation\":1,"
                                       "\"creationTimestamp\":\"" CREATED_DEFAULT "\"}}",
                                       name);
    assert_true(name[0] != '\0' && situation->object_count < SITUATION_OBJECT_COUNT_MAX);
    situation->objects[situation->object_count++] = merge(situation, defaults, json);
}

static void read_file(struct reading *reading, const char *path);

static void take_situation(struct reading *reading, const struct json *root)
{
    struct situation *situation = reading->situation;
    struct error error;
    situation->key = arena_copy(&situation->arena, text_at(root, "key"));
    const char *now = json_text(json_member(root, "now"));
    assert_true(timestamp_parse(now == NULL ? NOW_DEFAULT : now, &situation->now.wall_ms, &error));
    situation->now.mono_ms = MONO_MS;
    const char *steady = json_text(json_member(root, "clockSteady"));
    assert_true(
        duration_parse(steady == NULL ? "1h" : steady, &situation->clock_steady_ms, &error));
    if (json_member(root, "memory") != NULL) {
        cleanup_text struct text memory;
        text_init(&memory, LIMIT_BODY_BYTES);
        json_append(&memory, json_member(root, "memory"));
        situation->memory = arena_copy(&situation->arena, memory.bytes);
    }
    const struct json *with = json_member(root, "with");
    for (const struct json *at = json_first(with); at != NULL; at = json_next(at)) {
        read_file(reading, arena_print(&situation->arena, "%s/common/%s.yaml", reading->folder,
                                       json_text(at)));
    }
}

static bool take_document(void *self, const char *json, struct error *error)
{
    struct reading *reading = self;
    cleanup_json struct json_document *document = NULL;
    assert_true(json_parse(json, strlen(json), &document, error));
    const struct json *root = json_root(document);
    if (text_equal(text_at(root, "kind"), "Situation")) {
        take_situation(reading, root);
    } else {
        take_object(reading->situation, json, root);
    }
    return true;
}

static void read_file(struct reading *reading, const char *path)
{
    cleanup_memory char *bytes = NULL;
    size_t byte_count = 0;
    struct error error;
    if (!file_read(path, LIMIT_FILE_BYTES, &bytes, &byte_count, &error) ||
        !yaml_to_json(bytes, byte_count, take_document, reading, &error)) {
        fail_msg("%s: %s", path, error.message);
    }
}

void situation_load(struct situation *situation, const char *folder, const char *name)
{
    *situation = (struct situation){0};
    arena_init(&situation->arena, 0);
    struct reading reading = {situation, folder};
    read_file(&reading, arena_print(&situation->arena, "%s/%s/observation.yaml", folder, name));
    assert_non_null(situation->key);
}

void situation_release(struct situation *situation)
{
    arena_release(&situation->arena);
}

void situation_reorder(struct situation *situation, int order)
{
    const char *before[SITUATION_OBJECT_COUNT_MAX];
    size_t count = situation->object_count;
    memcpy(before, situation->objects, sizeof(before));
    for (size_t i = 0; i < count; i++) {
        size_t from = order % 2 == 1 ? count - 1 - i : i;
        situation->objects[i] = before[(from + (size_t)order * count / 3) % count];
    }
}

/* ---- into a store ---- */

static struct object *decode(const char *json)
{
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(json, strlen(json), &document, &error));
    enum object_kind kind = api_kind_named(text_at(json_root(document), "kind"));
    return object_from_text(kind, json);
}

static bool is_selected(const struct object *object)
{
    switch (object->kind) {
    case KIND_VOLUME_CLAIM:
    case KIND_CLUSTER:
    case KIND_POD:
    case KIND_CONFIG_MAP:
    case KIND_NETWORK_POLICY:
        return object_label(object, LABEL_ROLE) != NULL;
    case KIND_JOB:
        return object_label(object, CNPG_LABEL_CLUSTER) != NULL;
    default:
        return object->kind < KIND_WATCHED_COUNT;
    }
}

struct store *situation_store(const struct situation *situation)
{
    struct store *store =
        store_new(SITUATION_OBJECT_COUNT_MAX, (struct store_listener){NULL, NULL});
    for (int volumes = 0; volumes < 2; volumes++) { /* what is kept of them is known at the end */
        for (size_t i = 0; i < situation->object_count; i++) {
            struct object *object = decode(situation->objects[i]);
            if ((object->kind == KIND_VOLUME) == (volumes == 1) && is_selected(object) &&
                observe_keeps(store, object)) {
                (void)store_put_take(store, object, STORE_WATCH);
            } else {
                object_free(object);
            }
        }
    }
    return store;
}

void situation_put(const struct situation *situation, struct api_table *table)
{
    for (size_t i = 0; i < situation->object_count; i++) {
        api_table_put(table, situation->objects[i]);
    }
}

/* ---- into memory ---- */

static enum error_class class_named(const char *name)
{
    for (int class = ERROR_NONE; class <= ERROR_TIMEOUT; class ++) {
        if (text_equal(error_class_name((enum error_class) class), name)) {
            return (enum error_class) class;
        }
    }
    fail_msg("no error class %s", name);
    return ERROR_NONE;
}

static enum purpose purpose_named(const char *name)
{
    for (int purpose = 0; purpose < PURPOSE_COUNT; purpose++) {
        if (text_equal(purpose_name((enum purpose)purpose), name)) {
            return (enum purpose)purpose;
        }
    }
    fail_msg("no purpose %s", name);
    return PURPOSE_COUNT;
}

static void remember_preflight(struct memo *memo, const struct json *preflight)
{
    if (text_equal(json_text(preflight), "passed")) {
        memo_set_preflight(memo, PREFLIGHT_PASSED, ERROR_NONE, KIND_INSTANCE, NULL, NULL);
    } else if (preflight != NULL) {
        memo_set_preflight(memo, PREFLIGHT_FAILED, class_named(text_at(preflight, "class")),
                           api_kind_named(text_at(preflight, "object")), text_at(preflight, "name"),
                           text_at(preflight, "message"));
    }
}

static void remember_one(const struct situation *situation, struct memo *memo,
                         const struct json *what)
{
    const struct json *trouble = json_member(what, "trouble");
    remember_preflight(memo, json_member(what, "preflight"));
    if (trouble != NULL) {
        memo->trouble_class = class_named(text_at(trouble, "class"));
        memo->trouble_purpose = purpose_named(text_at(trouble, "purpose"));
        memo->trouble_message = memory_copy_text(text_at(trouble, "message"));
    }
    if (json_member(what, "held") != NULL) {
        memo->held_until_ms = situation->now.mono_ms + HELD_MS;
    }
    memo->processing = json_member(what, "processing") != NULL;
    memo->assumed_volume = memory_copy_text(json_text(json_member(what, "assumed")));
    memo->secret_of = memory_copy_text(json_text(json_member(what, "secretOf")));
    const char *secret = json_text(json_member(what, "secret"));
    memo->secret_name = memory_copy_text(secret != NULL ? secret : "alice-adjoint");
    memo->gone_owner_uid = memory_copy_text(json_text(json_member(what, "goneOwner")));
    const struct json *starting = json_member(what, "starting");
    memo->starting_count = starting == NULL ? 0 : json_count(starting);
    const char *taken = json_text(json_member(what, "takenSlot"));
    if (taken != NULL) {
        memo_note_taken_slot(memo, taken);
    }
    const struct json *fill = json_member(what, "fill");
    if (fill != NULL) {
        memo->fill_claim_uid = memory_copy_text(text_at(fill, "claim"));
        memo->fill_complaint = memory_copy_text(json_text(json_member(fill, "complaint")));
        memo->fill_read_ms = situation->now.mono_ms - READ_AGO_MS;
    }
}

void situation_remember(const struct situation *situation, struct memos *memos)
{
    if (situation->memory == NULL) {
        return;
    }
    cleanup_json struct json_document *document = NULL;
    struct error error;
    assert_true(json_parse(situation->memory, strlen(situation->memory), &document, &error));
    const struct json *root = json_root(document);
    for (const struct json *at = json_first(root); at != NULL; at = json_next(at)) {
        remember_one(situation, memos_get(memos, json_key(at)), at);
    }
}

void situation_vouch(const struct situation *situation, const struct store *store,
                     struct vouches *vouches)
{
    struct key key;
    struct error error;
    cleanup_json struct json_document *document = NULL;
    if (situation->memory == NULL || !key_read(situation->key, &key)) {
        return;
    }
    assert_true(json_parse(situation->memory, strlen(situation->memory), &document, &error));
    const char *answer = json_text(json_path(json_root(document), situation->key, "vouch", NULL));
    if (answer == NULL) {
        return;
    }
    const struct object *instance = store_get(store, KIND_INSTANCE, key.namespace, key.name);
    assert_non_null(instance);
    const struct object *pool =
        store_get(store, KIND_POOL, instance->instance->pool_namespace, instance->instance->pool);
    assert_non_null(pool);
    char *asked = vouches_asked(vouches, instance, pool, situation->now);
    if (text_equal(answer, "passed")) {
        vouches_answered(vouches, asked, true, situation->now);
    }
    memory_free(asked);
}
