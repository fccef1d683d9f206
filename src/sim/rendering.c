/* SPDX-License-Identifier: Apache-2.0 */
/* Objects as they are is the form of every operator's request: their texts are copied, not printed
   anew. */
#include "sim/rendering.h"

#include "base/json.h"
#include "base/memory.h"
#include "sim/table.h"
#include "sim/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Accept ---- */

enum { RANGE_BYTES = 160, TYPE_BYTES_MAX = 1024 };

/* `;as=Table` of a media range; false: it is not there. */
static bool parameter_of(const char *range, const char *name, char out[RANGE_BYTES])
{
    size_t name_length = strlen(name);
    for (const char *at = strchr(range, ';'); at != NULL; at = strchr(at, ';')) {
        at += 1 + strspn(at + 1, " ");
        if (strncmp(at, name, name_length) == 0 && at[name_length] == '=') {
            const char *value = at + name_length + 1;
            (void)snprintf(out, RANGE_BYTES, "%.*s", (int)strcspn(value, "; "), value);
            return true;
        }
    }
    return false;
}

static bool is_type(const char *range, const char *type)
{
    size_t length = strcspn(range, "; ");
    return strlen(type) == length && strncmp(range, type, length) == 0;
}

static bool form_of(const char *range, enum form *out)
{
    if (is_type(range, "*/*") || is_type(range, "application/*")) {
        *out = FORM_OBJECT;
        return true;
    }
    if (!is_type(range, "application/json")) {
        return false;
    }
    char as[RANGE_BYTES];
    if (!parameter_of(range, "as", as)) {
        *out = FORM_OBJECT;
        return true;
    }
    char group[RANGE_BYTES];
    char version[RANGE_BYTES];
    if (!parameter_of(range, "g", group) || strcmp(group, "meta.k8s.io") != 0 ||
        !parameter_of(range, "v", version) || strcmp(version, "v1") != 0) {
        return false;
    }
    *out = strcmp(as, "Table") == 0 ? FORM_TABLE : FORM_METADATA;
    return *out == FORM_TABLE || text_starts_with(as, "PartialObjectMetadata");
}

static bool choose_form(const char *accept, enum form *out)
{
    const char *at = accept;
    while (*at != '\0') {
        char range[RANGE_BYTES];
        size_t length = strcspn(at, ",");
        (void)snprintf(range, sizeof(range), "%.*s", (int)length, at);
        if (form_of(range, out)) {
            return true;
        }
        at += length;
        at += strspn(at, ", ");
    }
    return false;
}

static enum row_object row_object_of(const struct url *url)
{
    const char *include = url_get(url, "includeObject");
    if (text_equal(include, "Object")) {
        return ROW_OBJECT;
    }
    return text_equal(include, "None") ? ROW_NONE : ROW_METADATA;
}

bool rendering_choose(const char *accept, const struct url *url, int64_t wall_ms,
                      struct rendering *out)
{
    enum form form = FORM_OBJECT;
    if (accept != NULL && accept[0] != '\0' && !choose_form(accept, &form)) {
        return false;
    }
    *out = (struct rendering){form, row_object_of(url), wall_ms};
    return true;
}

/* ---- objects ---- */

void rendering_append_metadata(struct text *text, const struct record *record)
{
    text_append(text, "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                      "\"metadata\":");
    char *metadata = value_print(value_at(record->value, "metadata", NULL));
    text_append(text, metadata);
    memory_free(metadata);
    text_append_char(text, '}');
}

void rendering_append(const struct rendering *rendering, struct text *text,
                      const struct record *record, bool has_header)
{
    switch (rendering->form) {
    case FORM_OBJECT:
        text_append(text, record_text(record));
        return;
    case FORM_METADATA:
        rendering_append_metadata(text, record);
        return;
    case FORM_TABLE:
        table_append(text, rendering, record->resource,
                     &(struct list_metadata){record->revision, NULL, -1}, &record, 1, has_header);
        return;
    }
}

/* ---- lists ---- */

static void append_list_head(const struct rendering *rendering, struct text *text,
                             const struct resource *resource, const struct list_metadata *metadata)
{
    if (rendering->form == FORM_METADATA) {
        text_append(text, "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1"
                          "\",\"metadata\":{");
    } else {
        bool is_core = resource->group[0] == '\0';
        text_print(text, "{\"kind\":\"%sList\",\"apiVersion\":\"%s%s%s\",\"metadata\":{",
                   resource->kind, resource->group, is_core ? "" : "/", resource->version);
    }
    text_print(text, "\"resourceVersion\":\"%" PRIu64 "\"", metadata->revision);
    if (metadata->continue_token != NULL) {
        text_print(text, ",\"continue\":\"%s\"", metadata->continue_token);
    }
    if (metadata->remaining_count >= 0) {
        text_print(text, ",\"remainingItemCount\":%" PRId64, metadata->remaining_count);
    }
    text_append(text, "},\"items\":[");
}

/* {"kind":"Pod","apiVersion":"v1", which the body's check has put first. */
static void append_type(const struct resource *resource, struct text *text)
{
    text_print(text, "{\"kind\":\"%s\",\"apiVersion\":\"%s%s%s\",", resource->kind, resource->group,
               resource->group[0] == '\0' ? "" : "/", resource->version);
}

/* Items of built-in kinds do not say what they are. */
static void append_item(const struct rendering *rendering, struct text *text,
                        const struct record *record)
{
    cleanup_text struct text type;
    text_init(&type, TYPE_BYTES_MAX);
    append_type(record->resource, &type);
    if (rendering->form != FORM_OBJECT || resource_is_custom(record->resource) ||
        !text_starts_with(record_text(record), type.bytes)) {
        rendering_append(rendering, text, record, false);
        return;
    }
    text_append_char(text, '{');
    text_append(text, record_text(record) + type.length_bytes);
}

void rendering_append_list(const struct rendering *rendering, struct text *text,
                           const struct resource *resource, const struct list_metadata *metadata,
                           const struct record *const *records, size_t count)
{
    if (rendering->form == FORM_TABLE) {
        table_append(text, rendering, resource, metadata, records, count, true);
        return;
    }
    append_list_head(rendering, text, resource, metadata);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            text_append_char(text, ',');
        }
        append_item(rendering, text, records[i]);
    }
    text_append(text, "]}");
}
