/* SPDX-License-Identifier: Apache-2.0 */
/* An object goes out as the text it has already, in three parts, because several watches of several
   clients say the same. */
#include "sim/watch_line.h"

#include "base/memory.h"
#include "sim/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool watch_scope_shows(const struct watch_scope *scope, const struct change *change,
                       struct watch_line *out)
{
    if (scope->namespace != NULL && strcmp(scope->namespace, change->record->namespace) != 0) {
        return false;
    }
    bool did_match = change->type != CHANGE_ADDED && filter_matches(&scope->filter, change->before);
    bool matches = change->type != CHANGE_DELETED && filter_matches(&scope->filter, change->record);
    if (!did_match && !matches) {
        return false;
    }
    out->record = change->record;
    if (matches) {
        out->kind = did_match ? WATCH_LINE_MODIFIED : WATCH_LINE_ADDED;
    } else if (change->type == CHANGE_DELETED) {
        out->kind = WATCH_LINE_DELETED;
    } else {
        out->kind = WATCH_LINE_STRAYED;
        out->record = change->before;
    }
    return true;
}

void watch_line_free(struct watch_line *line)
{
    record_release(line->record);
    memory_free(line->status);
    memory_free(line);
}

/* ---- texts ---- */

static void append_bookmark(const struct watch_line *line, const struct resource *resource,
                            struct text *text)
{
    bool is_core = resource->group[0] == '\0';
    text_print(text,
               "{\"kind\":\"%s\",\"apiVersion\":\"%s%s%s\",\"metadata\":{\"resourceVersion\":"
               "\"%" PRIu64 "\",\"creationTimestamp\":null}}",
               resource->kind, resource->group, is_core ? "" : "/", resource->version,
               line->revision);
}

/* The version before, as if it had the revision of the change. */
static struct record *restamped(const struct watch_line *line)
{
    cJSON *value = cJSON_Duplicate(line->record->value, true);
    char revision[24];
    (void)snprintf(revision, sizeof(revision), "%" PRIu64, line->revision);
    value_set_text(value_make(value, "metadata", NULL), "resourceVersion", revision);
    return record_new(line->record->resource, value, line->revision);
}

static void append_object(const struct watch_line *line, const struct watch_scope *scope,
                          bool is_first, struct text *text)
{
    if (line->kind == WATCH_LINE_STRAYED) {
        struct record *record = restamped(line);
        rendering_append(&scope->rendering, text, record, is_first);
        record_release(record);
    } else {
        rendering_append(&scope->rendering, text, line->record, is_first);
    }
}

static const char *type_of(enum watch_line_kind kind)
{
    switch (kind) {
    case WATCH_LINE_ADDED:
        return "{\"type\":\"ADDED\",\"object\":";
    case WATCH_LINE_MODIFIED:
        return "{\"type\":\"MODIFIED\",\"object\":";
    case WATCH_LINE_DELETED:
    case WATCH_LINE_STRAYED:
        return "{\"type\":\"DELETED\",\"object\":";
    case WATCH_LINE_BOOKMARK:
        return "{\"type\":\"BOOKMARK\",\"object\":";
    case WATCH_LINE_ERROR:
        return "{\"type\":\"ERROR\",\"object\":";
    case WATCH_LINE_OPENED:
    case WATCH_LINE_END:
        break;
    }
    return "";
}

void watch_line_write(const struct watch_line *line, const struct watch_scope *scope, bool is_first,
                      void (*bytes)(void *self, const char *bytes, size_t byte_count), void *self)
{
    const char *type = type_of(line->kind);
    bytes(self, type, strlen(type));
    if (line->record != NULL && line->kind != WATCH_LINE_STRAYED &&
        scope->rendering.form == FORM_OBJECT) {
        const char *object = record_text(line->record);
        bytes(self, object, strlen(object));
    } else {
        cleanup_text struct text object;
        text_init(&object, ROUTE_BODY_BYTES_MAX);
        if (line->record != NULL) {
            append_object(line, scope, is_first, &object);
        } else if (line->kind == WATCH_LINE_BOOKMARK) {
            append_bookmark(line, scope->resource, &object);
        } else {
            text_append(&object, line->status);
        }
        bytes(self, object.bytes, object.length_bytes);
    }
    bytes(self, "}\n", 2);
}
