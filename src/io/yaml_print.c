/* SPDX-License-Identifier: Apache-2.0 */
/* JSON is YAML in another style, so libyaml's own events are all that is needed: its parser gives
   them, the styles are changed on the way, and its emitter writes them. The emitter decides whether
   a string can stand without quotes by its characters alone; whether it would then still be read as
   a string, and not as a number or a boolean, is decided here, for readers of YAML 1.1 (kubectl's)
   and 1.2 alike. */
#include "io/yaml_print.h"

#include <assert.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

enum { INDENT_COLUMNS = 2 };

struct printing {
    yaml_parser_t parser;
    yaml_emitter_t emitter;
};

static void printing_release(struct printing *printing)
{
    yaml_parser_delete(&printing->parser);
    yaml_emitter_delete(&printing->emitter);
}

static int append(void *text, unsigned char *bytes, size_t byte_count)
{
    text_append_bytes(text, (const char *)bytes, byte_count);
    return 1;
}

/* Words that YAML 1.1 or 1.2 reads as something else than themselves. */
static bool is_word_of_yaml(const char *string)
{
    static const char *const words[] = {"~",  "null", "true", "false", "yes", "no",
                                        "on", "off",  "y",    "n",     "<<",  "="};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcasecmp(string, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Numbers in all their bases, dates, sexagesimals, .inf: what begins like one and has only letters
   that occur in one. Now and then more gets quotes than must. */
static bool may_be_number(const char *string)
{
    static const char digits[] = "0123456789";
    const char *at = string + strspn(string, "+-");
    if (strncasecmp(at, ".inf", 4) == 0 || strncasecmp(at, ".nan", 4) == 0) {
        return true;
    }
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        return true;
    }
    const char *first = *at == '.' ? at + 1 : at;
    return *first == '\0' || (strchr(digits, *first) != NULL &&
                              strspn(at, "0123456789_+-.:,eEtTzZoObB \t") == strlen(at));
}

static yaml_scalar_style_t style_of(const char *string)
{
    if (is_word_of_yaml(string) || may_be_number(string)) {
        return YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    }
    return strchr(string, '\n') != NULL ? YAML_LITERAL_SCALAR_STYLE : YAML_PLAIN_SCALAR_STYLE;
}

static void restyle(yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        event->data.document_start.implicit = 1;
        return;
    case YAML_DOCUMENT_END_EVENT:
        event->data.document_end.implicit = 1;
        return;
    case YAML_SEQUENCE_START_EVENT:
        event->data.sequence_start.style = YAML_BLOCK_SEQUENCE_STYLE;
        return;
    case YAML_MAPPING_START_EVENT:
        event->data.mapping_start.style = YAML_BLOCK_MAPPING_STYLE;
        return;
    case YAML_SCALAR_EVENT:
        if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
            const char *string = (const char *)event->data.scalar.value;
            event->data.scalar.style = style_of(string);
            event->data.scalar.plain_implicit = 1;
        }
        return;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_ALIAS_EVENT:
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return;
    }
}

/* One event from the parser to the emitter. */
static bool pass_on(struct printing *printing, bool *out_ended, struct error *error)
{
    yaml_event_t event;
    if (yaml_parser_parse(&printing->parser, &event) == 0) {
        return error_set(error, ERROR_INVALID, "line %zu, column %zu: %s",
                         printing->parser.problem_mark.line + 1,
                         printing->parser.problem_mark.column + 1,
                         printing->parser.problem == NULL ? "no JSON" : printing->parser.problem);
    }
    *out_ended = event.type == YAML_STREAM_END_EVENT;
    restyle(&event);
    if (yaml_emitter_emit(&printing->emitter, &event) == 0) { /* takes the event, always */
        return error_set(error, ERROR_INVALID, "cannot be written as YAML: %s",
                         printing->emitter.problem);
    }
    return true;
}

bool yaml_print(const char *json, struct text *out, struct error *error)
{
    __attribute__((cleanup(printing_release))) struct printing printing;
    int made = yaml_parser_initialize(&printing.parser);
    made += yaml_emitter_initialize(&printing.emitter);
    assert(made == 2); /* fails for want of memory only */
    yaml_parser_set_input_string(&printing.parser, (const unsigned char *)json, strlen(json));
    yaml_emitter_set_output(&printing.emitter, append, out);
    yaml_emitter_set_unicode(&printing.emitter, 1);
    yaml_emitter_set_indent(&printing.emitter, INDENT_COLUMNS);
    yaml_emitter_set_width(&printing.emitter, -1);
    bool ended = false;
    while (!ended) {
        if (!pass_on(&printing, &ended, error)) {
            return false;
        }
    }
    return text_check(out, "the YAML", error);
}
