/* SPDX-License-Identifier: Apache-2.0 */
/* A condition's time of change must survive every status write in between, or "not ready for ten
   minutes" could not be told from "not ready since just now"; so a new set is always built beside
   the one before. */
#include "api/condition.h"

#include "api/field.h"
#include "base/text.h"
#include "base/timestamp.h"

#include <assert.h>

static const char *const STATUSES[] = {
    [CONDITION_UNKNOWN] = "Unknown", [CONDITION_TRUE] = "True", [CONDITION_FALSE] = "False", NULL};

void conditions_begin(struct conditions *conditions, struct arena *arena)
{
    *conditions =
        (struct conditions){.items = arena_new(arena, CONDITIONS_MAX, sizeof(struct condition))};
}

void conditions_copy(struct conditions *conditions, const struct conditions *from,
                     struct arena *arena)
{
    conditions_begin(conditions, arena);
    for (size_t i = 0; i < from->count; i++) {
        conditions->items[conditions->count++] = from->items[i];
    }
}

void conditions_read(struct json_reader *reader, const struct json *status, struct conditions *out)
{
    const struct json *array = field_array(reader, status, "conditions");
    size_t count = json_count(array);
    if (count > CONDITIONS_MAX) {
        count = CONDITIONS_MAX;
    }
    *out = (struct conditions){
        .items = count == 0 ? NULL : arena_new(reader->arena, count, sizeof(struct condition))};
    for (const struct json *at = json_first(array); at != NULL && out->count < count;
         at = json_next(at)) {
        out->items[out->count++] = (struct condition){
            .type = field_word(reader, at, "type"),
            .reason = field_word(reader, at, "reason"),
            .message = field_word(reader, at, "message"),
            .status = (enum condition_status)field_choice_or(reader, at, "status", STATUSES,
                                                             CONDITION_UNKNOWN),
            .observed_generation = json_int64(reader, at, "observedGeneration", 0),
            .changed_ms = field_time(reader, at, "lastTransitionTime"),
        };
    }
}

static void write_condition(const struct condition *condition, struct json_writer *writer)
{
    char changed[TIMESTAMP_BYTES];
    timestamp_format_seconds(condition->changed_ms, changed);

    json_begin_object(writer);
    json_member_string(writer, "type", condition->type);
    json_member_string(writer, "status", condition_status_name(condition->status));
    json_member_int64(writer, "observedGeneration", condition->observed_generation);
    json_member_string(writer, "lastTransitionTime", changed);
    json_member_string(writer, "reason", condition->reason);
    json_member_string(writer, "message", condition->message);
    json_end_object(writer);
}

void conditions_write(const struct conditions *conditions, struct json_writer *writer)
{
    json_begin_array(writer);
    for (size_t i = 0; i < conditions->count; i++) {
        write_condition(&conditions->items[i], writer);
    }
    json_end_array(writer);
}

const struct condition *conditions_find(const struct conditions *conditions, const char *type)
{
    for (size_t i = 0; i < conditions->count; i++) {
        if (text_equal(conditions->items[i].type, type)) {
            return &conditions->items[i];
        }
    }
    return NULL;
}

static struct condition *place_of(struct conditions *conditions, const char *type)
{
    for (size_t i = 0; i < conditions->count; i++) {
        if (text_equal(conditions->items[i].type, type)) {
            return &conditions->items[i];
        }
    }
    assert(conditions->count < CONDITIONS_MAX);
    return &conditions->items[conditions->count++];
}

void conditions_set(struct conditions *conditions, const struct conditions *before,
                    struct condition condition)
{
    const struct condition *last = conditions_find(before, condition.type);
    if (last != NULL && last->status == condition.status) {
        condition.changed_ms = last->changed_ms;
    }
    *place_of(conditions, condition.type) = condition;
}

static bool condition_equal(const struct condition *one, const struct condition *other)
{
    return text_equal(one->type, other->type) && one->status == other->status &&
           text_equal(one->reason, other->reason) && text_equal(one->message, other->message) &&
           one->observed_generation == other->observed_generation;
}

bool conditions_equal(const struct conditions *one, const struct conditions *other)
{
    if (one->count != other->count) {
        return false;
    }
    for (size_t i = 0; i < one->count; i++) {
        if (!condition_equal(&one->items[i], &other->items[i])) {
            return false;
        }
    }
    return true;
}

const char *condition_status_name(enum condition_status status)
{
    assert(status <= CONDITION_FALSE);
    return STATUSES[status];
}
