/* SPDX-License-Identifier: Apache-2.0 */
/* What does not fit its column's type is an empty cell, as a real server has it; a path that is
   not understood is refused with the definition. */
#include "sim/schema_columns.h"

#include "sim/schema_json_path.h"
#include "sim/schema_path.h"
#include "sim/value.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/timestamp.h"

#include <inttypes.h>

static const int64_t minute = 60, hour = 3600, day = 86400, year = INT64_C(365) * 86400; /* s */
enum { MS_PER_SECOND = 1000, AGE_BYTES_MAX = 64 };

static const struct column only_age = {
    .name = "Age",
    .type = "date",
    .format = "",
    .description = "CreationTimestamp is a timestamp representing the server time when this object "
                   "was created.",
    .json_path = ".metadata.creationTimestamp",
};

static const char *text_or_empty(const cJSON *object, const char *name)
{
    const char *text = value_text(object, name, NULL);
    return text != NULL ? text : "";
}

static void check(const struct column *column, const struct schema_path *path,
                  struct violations *violations)
{
    static const char *const types[] = {"integer", "number", "string", "boolean", "date"};
    struct schema_path type = {.parent = path, .kind = PATH_MEMBER, .name = "type"};
    struct schema_path json_path = {.parent = path, .kind = PATH_MEMBER, .name = "jsonPath"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        is_known = is_known || text_equal(types[i], column->type);
    }
    if (!is_known || column->name[0] == '\0') {
        schema_path_violation(&type, violations, VIOLATION_INVALID, NULL,
                              "a column needs a name, and a type that is one of "
                              "boolean,date,integer,number,string");
    }
    struct error error;
    if (!json_path_check(column->json_path, &error)) {
        schema_path_violation(&json_path, violations, VIOLATION_INVALID, NULL, "%s", error.message);
    }
}

struct columns *columns_new(const cJSON *columns, const char *path, struct violations *violations)
{
    struct columns *made = memory_new(1, sizeof(*made));
    made->items = memory_new((size_t)cJSON_GetArraySize(columns) + 1, sizeof(*made->items));
    struct schema_path list = {.kind = PATH_MEMBER, .name = path};
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, columns)
    {
        struct schema_path at = {.parent = &list, .kind = PATH_INDEX, .index = made->count};
        struct column *column = &made->items[made->count++];
        *column = (struct column){
            .name = text_or_empty(item, "name"),
            .type = text_or_empty(item, "type"),
            .format = text_or_empty(item, "format"),
            .description = text_or_empty(item, "description"),
            .json_path = text_or_empty(item, "jsonPath"),
            .priority = (int)value_int64(item, 0, "priority", NULL),
        };
        check(column, &at, violations);
    }
    if (made->count == 0) {
        made->items[made->count++] = only_age;
    }
    if (!violations_none(violations)) {
        columns_free(made);
        return NULL;
    }
    return made;
}

void columns_free(struct columns *columns)
{
    if (columns != NULL) {
        memory_free(columns->items);
        memory_free(columns);
    }
}

/* ---- ages ---- */

/* Large and small unit, the small one left out when it is 0. */
static void print_two(struct text *out, int64_t large, const char *large_unit, int64_t small,
                      const char *small_unit)
{
    text_print(out, "%" PRId64 "%s", large, large_unit);
    if (small != 0) {
        text_print(out, "%" PRId64 "%s", small, small_unit);
    }
}

/* k8s.io/apimachinery/pkg/util/duration HumanDuration: two or three figures, no more. */
static void print_age(struct text *out, int64_t seconds)
{
    if (seconds < 2 * minute) {
        text_print(out, "%" PRId64 "s", seconds);
    } else if (seconds < 10 * minute) {
        print_two(out, seconds / minute, "m", seconds % minute, "s");
    } else if (seconds < 3 * hour) {
        text_print(out, "%" PRId64 "m", seconds / minute);
    } else if (seconds < 8 * hour) {
        print_two(out, seconds / hour, "h", seconds / minute % 60, "m");
    } else if (seconds < 2 * day) {
        text_print(out, "%" PRId64 "h", seconds / hour);
    } else if (seconds < 8 * day) {
        print_two(out, seconds / day, "d", seconds / hour % 24, "h");
    } else if (seconds < 2 * year) {
        text_print(out, "%" PRId64 "d", seconds / day);
    } else if (seconds < 8 * year) {
        print_two(out, seconds / year, "y", seconds / day % 365, "d");
    } else {
        text_print(out, "%" PRId64 "y", seconds / year);
    }
}

char *column_age(const char *timestamp, int64_t wall_ms)
{
    cleanup_text struct text age;
    struct error error;
    int64_t from_ms = 0;
    text_init(&age, AGE_BYTES_MAX);
    if (!timestamp_parse(timestamp, &from_ms, &error)) {
        text_append(&age, "<invalid>");
    } else {
        print_age(&age, wall_ms > from_ms ? (wall_ms - from_ms) / MS_PER_SECOND : 0);
    }
    return text_take(&age);
}

/* ---- cells ---- */

static cJSON *age_cell(const cJSON *value, int64_t wall_ms)
{
    if (!cJSON_IsString(value)) {
        return cJSON_CreateNull();
    }
    cleanup_memory char *age = column_age(value->valuestring, wall_ms);
    return cJSON_CreateString(age);
}

static cJSON *text_cell(const cJSON *value)
{
    if (cJSON_IsString(value)) {
        return cJSON_CreateString(value->valuestring);
    }
    cleanup_memory char *printed = value_print(value);
    return cJSON_CreateString(printed);
}

static cJSON *number_cell(const cJSON *value, bool is_integer)
{
    if (!cJSON_IsNumber(value)) {
        return cJSON_CreateNull();
    }
    return cJSON_CreateNumber(is_integer ? (double)(int64_t)value->valuedouble
                                         : value->valuedouble);
}

cJSON *column_cell(const struct column *column, const cJSON *object, int64_t wall_ms)
{
    const cJSON *value = json_path_first(object, column->json_path);
    if (value == NULL || cJSON_IsNull(value)) {
        return cJSON_CreateNull();
    }
    if (text_equal(column->type, "date")) {
        return age_cell(value, wall_ms);
    }
    if (text_equal(column->type, "string")) {
        return text_cell(value);
    }
    if (text_equal(column->type, "boolean")) {
        return cJSON_IsBool(value) ? cJSON_CreateBool(cJSON_IsTrue(value)) : cJSON_CreateNull();
    }
    return number_cell(value, text_equal(column->type, "integer"));
}
