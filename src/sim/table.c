/* SPDX-License-Identifier: Apache-2.0 */
/* A custom resource's columns come from its definition, behind the name that each has; a built-in
   kind's from table_columns.c. */
#include "sim/table.h"

#include "base/json.h"
#include "base/memory.h"
#include "sim/schema.h"
#include "sim/value.h"

#include <inttypes.h>
#include <stdio.h>

static void append_definition(struct json_writer *json, const struct column *column)
{
    json_begin_object(json);
    json_member_string(json, "name", column->name);
    json_member_string(json, "type", column->type);
    json_member_string(json, "format", column->format == NULL ? "" : column->format);
    json_member_string(json, "description", column->description == NULL ? "" : column->description);
    json_member_int64(json, "priority", column->priority);
    json_end_object(json);
}

static void append_definitions(struct json_writer *json, const struct resource *resource)
{
    static const struct column name = {
        .name = "Name", .type = "string", .format = "name", .description = "Its name."};
    json_member_array(json, "columnDefinitions");
    if (resource->schema != NULL) {
        const struct columns *columns = schema_columns(resource->schema);
        append_definition(json, &name);
        for (size_t i = 0; i < columns->count; i++) {
            append_definition(json, &columns->items[i]);
        }
    } else {
        const struct table_column *column = table_columns_of(resource);
        for (; column->column.name != NULL; column++) {
            append_definition(json, &column->column);
        }
    }
    json_end_array(json);
}

static void append_cell_take(struct json_writer *json, cJSON *cell)
{
    char *text = value_print(cell);
    json_write_raw(json, text);
    memory_free(text);
    cJSON_Delete(cell);
}

/* Its printers know no null: what is absent is an empty text. */
static cJSON *built_in_cell(const struct table_column *column, const struct record *record,
                            int64_t wall_ms)
{
    cJSON *cell = column->cell != NULL ? column->cell(record->value)
                                       : column_cell(&column->column, record->value, wall_ms);
    for (size_t i = 0; i < 2 && cJSON_IsNull(cell) && column->other_paths[i] != NULL; i++) {
        struct column other = column->column;
        other.json_path = column->other_paths[i];
        cJSON_Delete(cell);
        cell = column_cell(&other, record->value, wall_ms);
    }
    if (!cJSON_IsNull(cell)) {
        return cell;
    }
    cJSON_Delete(cell);
    return cJSON_CreateString("");
}

static void append_cells(struct json_writer *json, const struct record *record, int64_t wall_ms)
{
    json_member_array(json, "cells");
    const struct resource *resource = record->resource;
    if (resource->schema != NULL) {
        const struct columns *columns = schema_columns(resource->schema);
        json_write_string(json, record->name);
        for (size_t i = 0; i < columns->count; i++) {
            append_cell_take(json, column_cell(&columns->items[i], record->value, wall_ms));
        }
    } else {
        const struct table_column *column = table_columns_of(resource);
        for (; column->column.name != NULL; column++) {
            append_cell_take(json, built_in_cell(column, record, wall_ms));
        }
    }
    json_end_array(json);
}

static void append_row(struct json_writer *json, const struct rendering *rendering,
                       const struct record *record)
{
    json_begin_object(json);
    append_cells(json, record, rendering->wall_ms);
    if (rendering->row_object == ROW_OBJECT) {
        json_member_raw(json, "object", record_text(record));
    } else if (rendering->row_object == ROW_METADATA) {
        cleanup_text struct text metadata;
        text_init(&metadata, json->text->length_bytes_max);
        rendering_append_metadata(&metadata, record);
        json_member_raw(json, "object", metadata.bytes);
    }
    json_end_object(json);
}

static void append_metadata(struct json_writer *json, const struct list_metadata *metadata)
{
    char revision[24];
    (void)snprintf(revision, sizeof(revision), "%" PRIu64, metadata->revision);
    json_member_object(json, "metadata");
    json_member_string(json, "resourceVersion", revision);
    json_member_optional(json, "continue", metadata->continue_token);
    if (metadata->remaining_count >= 0) {
        json_member_int64(json, "remainingItemCount", metadata->remaining_count);
    }
    json_end_object(json);
}

void table_append(struct text *text, const struct rendering *rendering,
                  const struct resource *resource, const struct list_metadata *metadata,
                  const struct record *const *records, size_t count, bool has_header)
{
    struct json_writer json;
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_string(&json, "kind", "Table");
    json_member_string(&json, "apiVersion", "meta.k8s.io/v1");
    append_metadata(&json, metadata);
    if (has_header) {
        append_definitions(&json, resource);
    } else {
        json_member_raw(&json, "columnDefinitions", "null");
    }
    json_member_array(&json, "rows");
    for (size_t i = 0; i < count; i++) {
        append_row(&json, rendering, records[i]);
    }
    json_end_array(&json);
    json_end_object(&json);
}
