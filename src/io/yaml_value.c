/* SPDX-License-Identifier: Apache-2.0 */
/* libyaml's events rather than its documents: a document there refuses an anchor that is defined
   twice, which YAML allows, and forgets whether `123` carried the tag !!str. What is open is a
   stack of bounded depth, so that input cannot make us recurse. */
#include "io/yaml_value.h"

#include "base/limits.h"
#include "base/map.h"

#include <yaml.h>

#include <assert.h>
#include <stdarg.h>
#include <string.h>

struct reading {
    struct arena *arena;
    struct map anchors; /* name -> struct yaml_value */
    struct yaml_value *open[LIMIT_JSON_DEPTH];
    size_t depth;
    const struct yaml_value *root;
    bool document_ended, stream_ended;
};

static void reading_release(struct reading *reading)
{
    map_release(&reading->anchors);
}

bool yaml_value_refuse(const struct yaml_value *value, struct error *error, const char *format, ...)
{
    char message[ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    return error_set(error, ERROR_INVALID, "line %zu, column %zu: %s", value->line, value->column,
                     message);
}

/* A reader's error has no mark, only an offset into the raw bytes. */
static size_t reader_line(const yaml_parser_t *parser)
{
    size_t line = 1;
    size_t end = (size_t)(parser->input.string.end - parser->input.string.start);
    size_t offset = parser->problem_offset < end ? parser->problem_offset : end;
    for (size_t i = 0; i < offset; i++) {
        line += parser->input.string.start[i] == '\n';
    }
    return line;
}

static bool refuse_syntax(const yaml_parser_t *parser, struct error *error)
{
    const char *problem = parser->problem != NULL ? parser->problem : "not YAML";
    switch (parser->error) {
    case YAML_MEMORY_ERROR:
        return error_set(error, ERROR_LIMIT, "out of memory while reading YAML");
    case YAML_READER_ERROR:
        return error_set(error, ERROR_INVALID, "line %zu: %s", reader_line(parser), problem);
    default:
        return error_set(error, ERROR_INVALID, "line %zu, column %zu: %s%s%s",
                         parser->problem_mark.line + 1, parser->problem_mark.column + 1, problem,
                         parser->context != NULL ? " " : "",
                         parser->context != NULL ? parser->context : "");
    }
}

static struct yaml_value *new_value(struct reading *reading, const yaml_event_t *event,
                                    enum yaml_kind kind, const yaml_char_t *tag)
{
    struct yaml_value *value = arena_new(reading->arena, 1, sizeof(*value));
    value->kind = kind;
    value->line = event->start_mark.line + 1;
    value->column = event->start_mark.column + 1;
    value->tag = arena_copy(reading->arena, (const char *)tag);
    return value;
}

static void place(struct reading *reading, const struct yaml_value *value)
{
    if (reading->depth == 0) {
        reading->root = value;
        return;
    }
    struct yaml_value *parent = reading->open[reading->depth - 1];
    struct yaml_child *child = arena_new(reading->arena, 1, sizeof(*child));
    child->value = value;
    if (parent->last == NULL) {
        parent->first = child;
    } else {
        parent->last->next = child;
    }
    parent->last = child;
}

static void name_value(struct reading *reading, const yaml_char_t *anchor, struct yaml_value *value)
{
    if (anchor != NULL) {
        map_put(&reading->anchors, arena_copy(reading->arena, (const char *)anchor), value);
    }
}

static void take_scalar(struct reading *reading, const yaml_event_t *event)
{
    struct yaml_value *value = new_value(reading, event, YAML_KIND_SCALAR, event->data.scalar.tag);
    value->text = arena_copy_bytes(reading->arena, (const char *)event->data.scalar.value,
                                   event->data.scalar.length);
    value->text_bytes = event->data.scalar.length;
    value->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    value->closed = true;
    name_value(reading, event->data.scalar.anchor, value);
    place(reading, value);
}

static bool take_alias(struct reading *reading, const yaml_event_t *event, struct error *error)
{
    const char *name = (const char *)event->data.alias.anchor;
    struct yaml_value here = {.line = event->start_mark.line + 1,
                              .column = event->start_mark.column + 1};
    const struct yaml_value *value = map_get(&reading->anchors, name);
    if (value == NULL) {
        return yaml_value_refuse(&here, error, "no anchor is named %s", name);
    }
    if (!value->closed) {
        return yaml_value_refuse(&here, error, "the alias %s is inside of what it names", name);
    }
    place(reading, value);
    return true;
}

static bool open_value(struct reading *reading, struct yaml_value *value, const yaml_char_t *anchor,
                       const char *usual_tag, struct error *error)
{
    if (value->tag != NULL && !text_equal(value->tag, usual_tag) && !text_equal(value->tag, "!")) {
        return yaml_value_refuse(value, error, "the tag %s is not supported", value->tag);
    }
    if (reading->depth == LIMIT_JSON_DEPTH) {
        return error_set(error, ERROR_LIMIT, "line %zu, column %zu: deeper than %d levels",
                         value->line, value->column, LIMIT_JSON_DEPTH);
    }
    name_value(reading, anchor, value);
    place(reading, value);
    reading->open[reading->depth++] = value;
    return true;
}

static bool take_event(struct reading *reading, const yaml_event_t *event, struct error *error)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        take_scalar(reading, event);
        return true;
    case YAML_ALIAS_EVENT:
        return take_alias(reading, event, error);
    case YAML_SEQUENCE_START_EVENT:
        return open_value(
            reading, new_value(reading, event, YAML_KIND_SEQUENCE, event->data.sequence_start.tag),
            event->data.sequence_start.anchor, YAML_SEQ_TAG, error);
    case YAML_MAPPING_START_EVENT:
        return open_value(
            reading, new_value(reading, event, YAML_KIND_MAPPING, event->data.mapping_start.tag),
            event->data.mapping_start.anchor, YAML_MAP_TAG, error);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        assert(reading->depth > 0);
        reading->open[--reading->depth]->closed = true;
        return true;
    case YAML_DOCUMENT_END_EVENT:
        reading->document_ended = true;
        return true;
    case YAML_STREAM_END_EVENT:
        reading->stream_ended = true;
        return true;
    default: /* the starts of stream and document, and libyaml's "no event" */
        return true;
    }
}

bool yaml_value_read(struct yaml_parser_s *parser, struct arena *arena,
                     const struct yaml_value **out, struct error *error)
{
    __attribute__((cleanup(reading_release))) struct reading reading = {.arena = arena};
    map_init(&reading.anchors);
    while (!reading.document_ended && !reading.stream_ended) {
        __attribute__((cleanup(yaml_event_delete))) yaml_event_t event = {0};
        if (yaml_parser_parse(parser, &event) == 0) {
            return refuse_syntax(parser, error);
        }
        if (!take_event(&reading, &event, error)) {
            return false;
        }
    }
    assert(reading.stream_ended || reading.root != NULL);
    *out = reading.root;
    return true;
}
