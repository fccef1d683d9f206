/* SPDX-License-Identifier: Apache-2.0 */
#include "support/api_table.h"

#include "base/json.h"
#include "base/json_merge.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/timestamp.h"
#include "support/json_patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ENTRY_COUNT_MAX = 2000 };

struct row {
    struct api_entry entry;
    char *namespace, *name, *json;
};

struct api_table {
    struct row rows[ENTRY_COUNT_MAX];
    size_t count;
    int64_t version, uid_count, wall_ms;
    void (*changed)(void *self, enum api_event event, const struct api_entry *entry);
    void *self;
};

struct api_table *api_table_new(void (*changed)(void *self, enum api_event event,
                                                const struct api_entry *entry),
                                void *self)
{
    struct api_table *table = memory_new(1, sizeof(*table));
    table->version = 1000;
    table->changed = changed;
    table->self = self;
    return table;
}

static void row_release(struct row *row)
{
    memory_free(row->namespace);
    memory_free(row->name);
    memory_free(row->json);
}

void api_table_free(struct api_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        row_release(&table->rows[i]);
    }
    memory_free(table);
}

void api_table_set_time(struct api_table *table, int64_t wall_ms)
{
    table->wall_ms = wall_ms;
}

enum object_kind api_kind_named(const char *name)
{
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (text_equal(kind_of((enum object_kind)kind)->kind, name)) {
            return (enum object_kind)kind;
        }
    }
    fail_msg("no kind %s", name);
    return KIND_COUNT;
}

static struct row *find(const struct api_table *table, enum object_kind kind, const char *namespace,
                        const char *name)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[i];
        if (row->entry.kind == kind && text_equal(row->namespace, namespace) &&
            text_equal(row->name, name)) {
            return (struct row *)(uintptr_t)row;
        }
    }
    return NULL;
}

/* ---- texts ---- */

static char *merged(const char *target, const char *patch)
{
    cleanup_text struct text out;
    text_init(&out, LIMIT_BODY_BYTES);
    struct error error;
    if (!json_merge(target, patch, &out, &error)) {
        fail_msg("%s: %s", error.message, patch);
    }
    return text_take(&out);
}

/* A member as text without quotes; "" when absent. */
static char *member(const char *json, const char *path)
{
    cleanup_text struct text out;
    text_init(&out, LIMIT_BODY_BYTES);
    struct error error;
    bool found = false;
    assert_true(json_extract(json, path, &out, &found, &error));
    if (!found || text_equal(out.bytes, "null") || text_equal(out.bytes, "[]")) {
        return memory_copy_text("");
    }
    size_t length = out.length_bytes;
    bool quoted = out.bytes[0] == '"';
    if (quoted) {
        out.bytes[length - 1] = '\0';
    }
    return memory_copy_text(out.bytes + quoted);
}

static bool has(const char *json, const char *path)
{
    cleanup_memory char *text = member(json, path);
    return text[0] != '\0';
}

static void set_text(char **json, const char *key, const char *value)
{
    cleanup_text struct text patch;
    text_init(&patch, LIMIT_BODY_BYTES);
    text_print(&patch, "{\"metadata\":{\"%s\":\"%s\"}}", key, value);
    char *with = merged(*json, patch.bytes);
    memory_free(*json);
    *json = with;
}

static void set_time(const struct api_table *table, char **json, const char *key)
{
    char at[TIMESTAMP_BYTES];
    timestamp_format_seconds(table->wall_ms, at);
    set_text(json, key, at);
}

static void set_number(char **json, const char *key, const char *prefix, int64_t number)
{
    cleanup_text struct text value;
    text_init(&value, 100);
    text_print(&value, "%s%lld", prefix, (long long)number);
    set_text(json, key, value.bytes);
}

static int refuse(struct text *out, int http_status, const char *reason, const char *message)
{
    text_print(out,
               "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"%s\",\"message\":\"%s\"}",
               reason, message);
    return http_status;
}

/* ---- changes ---- */

static void tell(struct api_table *table, enum api_event event, const struct row *row)
{
    if (table->changed != NULL) {
        table->changed(table->self, event, &row->entry);
    }
}

static struct row *add_take(struct api_table *table, enum object_kind kind, const char *namespace,
                            const char *name, char *json)
{
    assert_true(table->count < ENTRY_COUNT_MAX);
    struct row *row = &table->rows[table->count++];
    *row = (struct row){
        .namespace = memory_copy_text(namespace), .name = memory_copy_text(name), .json = json};
    row->entry = (struct api_entry){kind, row->namespace, row->name, row->json};
    tell(table, API_ADDED, row);
    return row;
}

static void remove_row(struct api_table *table, struct row *row)
{
    set_number(&row->json, "resourceVersion", "", ++table->version);
    row->entry.json = row->json;
    tell(table, API_DELETED, row);
    row_release(row);
    size_t index = (size_t)(row - table->rows);
    memmove(row, row + 1, (table->count - index - 1) * sizeof(*row));
    table->count--;
}

/* true: the row is still there. */
static bool replace_take(struct api_table *table, struct row *row, char *json)
{
    set_number(&json, "resourceVersion", "", ++table->version);
    memory_free(row->json);
    row->json = json;
    row->entry.json = json;
    if (has(json, "metadata.deletionTimestamp") && !has(json, "metadata.finalizers")) {
        remove_row(table, row);
        return false;
    }
    tell(table, API_MODIFIED, row);
    return true;
}

static void complete(struct api_table *table, char **json)
{
    if (!has(*json, "metadata.uid")) {
        set_number(json, "uid", "made-", ++table->uid_count);
    }
    if (!has(*json, "metadata.creationTimestamp")) {
        set_time(table, json, "creationTimestamp");
    }
    if (!has(*json, "metadata.resourceVersion")) {
        set_number(json, "resourceVersion", "", ++table->version);
    }
}

void api_table_put(struct api_table *table, const char *json)
{
    cleanup_memory char *kind_name = member(json, "kind");
    cleanup_memory char *namespace = member(json, "metadata.namespace");
    cleanup_memory char *name = member(json, "metadata.name");
    enum object_kind kind = api_kind_named(kind_name);
    struct row *row = find(table, kind, namespace, name);
    char *whole = merged(row == NULL ? "{}" : row->json, json);
    if (row != NULL) {
        (void)replace_take(table, row, whole);
        return;
    }
    complete(table, &whole);
    (void)add_take(table, kind, namespace, name, whole);
}

int api_table_get(struct api_table *table, enum object_kind kind, const char *namespace,
                  const char *name, struct text *out)
{
    const struct row *row = find(table, kind, namespace, name);
    if (row == NULL) {
        return refuse(out, 404, "NotFound", "not found");
    }
    text_append(out, row->json);
    return 200;
}

int api_table_create(struct api_table *table, enum object_kind kind, const char *namespace,
                     const char *body, bool dry_run, struct text *out)
{
    cleanup_memory char *name = member(body, "metadata.name");
    assert_true(name[0] != '\0');
    if (find(table, kind, namespace, name) != NULL) {
        return refuse(out, 409, "AlreadyExists", "already exists");
    }
    char *json =
        merged(body, kind == KIND_VOLUME_CLAIM
                         ? "{\"metadata\":{\"finalizers\":[\"kubernetes.io/pvc-protection\""
                           "]},\"status\":{\"phase\":\"Pending\"}}"
                         : "{}");
    if (namespace[0] != '\0') {
        set_text(&json, "namespace", namespace);
    }
    if (dry_run) {
        text_append(out, json);
        memory_free(json);
        return 201;
    }
    complete(table, &json);
    text_append(out, add_take(table, kind, namespace, name, json)->json);
    return 201;
}

static int take_patched(struct api_table *table, struct row *row, char *json, struct text *out)
{
    cleanup_memory char *copy = memory_copy_text(json);
    if (replace_take(table, row, json)) {
        text_append(out, row->json);
    } else {
        text_append(out, copy); /* its last finalizer went */
    }
    return 200;
}

int api_table_merge_patch(struct api_table *table, enum object_kind kind, const char *namespace,
                          const char *name, bool status, const char *body, struct text *out)
{
    struct row *row = find(table, kind, namespace, name);
    if (row == NULL) {
        return refuse(out, 404, "NotFound", "not found");
    }
    cleanup_memory char *expected = member(body, "metadata.resourceVersion");
    cleanup_memory char *version = member(row->json, "metadata.resourceVersion");
    if (expected[0] != '\0' && !text_equal(expected, version)) {
        return refuse(out, 409, "Conflict", "the object has been modified");
    }
    if (!status) {
        return take_patched(table, row, merged(row->json, body), out);
    }
    cleanup_memory char *part = member(body, "status");
    cleanup_text struct text patch;
    text_init(&patch, LIMIT_BODY_BYTES);
    text_print(&patch, "{\"status\":%s}", part);
    return take_patched(table, row, merged(row->json, patch.bytes), out);
}

int api_table_json_patch(struct api_table *table, enum object_kind kind, const char *namespace,
                         const char *name, const char *body, struct text *out)
{
    struct row *row = find(table, kind, namespace, name);
    if (row == NULL) {
        return refuse(out, 404, "NotFound", "not found");
    }
    cleanup_text struct text patched;
    text_init(&patched, LIMIT_BODY_BYTES);
    if (!json_patch_apply(row->json, body, &patched)) {
        return refuse(out, 422, "Invalid",
                      "the server rejected our request due to an error in our request");
    }
    return take_patched(table, row, text_take(&patched), out);
}

int api_table_delete(struct api_table *table, enum object_kind kind, const char *namespace,
                     const char *name, const char *uid, struct text *out)
{
    struct row *row = find(table, kind, namespace, name);
    if (row == NULL) {
        return refuse(out, 404, "NotFound", "not found");
    }
    cleanup_memory char *current = member(row->json, "metadata.uid");
    if (uid[0] != '\0' && !text_equal(uid, current)) {
        return refuse(out, 409, "Conflict", "the UID in the precondition does not match");
    }
    if (!has(row->json, "metadata.finalizers")) {
        remove_row(table, row);
        text_append(out, "{\"kind\":\"Status\",\"status\":\"Success\"}");
        return 200;
    }
    if (!has(row->json, "metadata.deletionTimestamp")) {
        char *json = memory_copy_text(row->json);
        set_time(table, &json, "deletionTimestamp");
        (void)replace_take(table, row, json);
    }
    text_append(out, row->json);
    return 200;
}

void api_table_delete_any(struct api_table *table, enum object_kind kind, const char *namespace,
                          const char *name)
{
    cleanup_text struct text reply;
    text_init(&reply, LIMIT_BODY_BYTES);
    (void)api_table_delete(table, kind, namespace, name, "", &reply);
}

size_t api_table_count(const struct api_table *table)
{
    return table->count;
}

const struct api_entry *api_table_at(const struct api_table *table, size_t index)
{
    assert_true(index < table->count);
    return &table->rows[index].entry;
}

const char *api_table_find(const struct api_table *table, enum object_kind kind,
                           const char *namespace, const char *name)
{
    const struct row *row = find(table, kind, namespace, name);
    return row == NULL ? NULL : row->json;
}

int64_t api_table_version(const struct api_table *table)
{
    return table->version;
}
