/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/complete.h"

#include "api/instance.h"
#include "api/pool.h"
#include "cli/command.h"
#include "cli/fetch.h"

#include <inttypes.h>
#include <string.h>

enum { WORD_BYTES_MAX = 4 * 1024, TEXT_BYTES_MAX = 4 * 1024 * 1024 };

static const struct option_row NO_OPTIONS[] = {{.name = NULL}};

struct line {
    struct cli *cli;
    const struct option_row *tables[3];
    const struct option_row *pending; /* whose value stands next; NULL: none's */
    size_t operand_count;             /* of the command */
    bool options_ended, is_wrong;
    const char *typed;  /* what of the last word a candidate begins with */
    const char *before; /* and what stands before that in the word: "--pool=" */
    size_t before_bytes;
    bool files;
    struct text out;
};

/* ---- the words before ---- */

static void take_operand(struct line *line, const char *word)
{
    struct cli *cli = line->cli;
    struct error ignored;
    if (cli->command != NULL) {
        line->operand_count++;
    } else if (command_find(word, &cli->command, &ignored)) {
        line->tables[1] = cli->command->options == NULL ? NO_OPTIONS : cli->command->options;
    } else {
        line->is_wrong = true;
    }
}

/* What is wrong with a value is said when the command runs. */
static void take_value(struct line *line, const struct option_row *row, const char *value)
{
    struct error ignored;
    (void)!option_set(row, value, &line->cli->options, &ignored);
}

static void take_word(struct line *line, const char *word)
{
    const char *value = NULL;
    if (line->pending != NULL) {
        take_value(line, line->pending, word);
        line->pending = NULL;
    } else if (line->options_ended || word[0] != '-' || word[1] == '\0') {
        take_operand(line, word);
    } else if (text_equal(word, "--")) {
        line->options_ended = true;
    } else {
        const struct option_row *row = options_find(line->tables, word, &value);
        if (row != NULL && value != NULL) {
            take_value(line, row, value);
        } else if (row != NULL && option_takes_value(row)) {
            line->pending = row;
        }
    }
}

/* ---- what may be meant ---- */

static void offer(struct line *line, const char *word, const char *description)
{
    if (text_starts_with(word, line->typed)) {
        text_append_bytes(&line->out, line->before, line->before_bytes);
        text_print(&line->out, "%s%s%s\n", word, description[0] == '\0' ? "" : "\t", description);
    }
}

static void offer_choices(struct line *line, const char *const *choices)
{
    for (; *choices != NULL; choices++) {
        offer(line, *choices, "");
    }
}

static void offer_commands(struct line *line)
{
    for (const struct command *const *at = COMMANDS; *at != NULL; at++) {
        offer(line, (*at)->name, (*at)->summary);
    }
}

static void offer_options(struct line *line, const struct option_row *row)
{
    char name[WORD_BYTES_MAX];
    for (; row->name != NULL; row++) {
        (void)snprintf(name, sizeof(name), "--%s", row->name);
        offer(line, name, row->help);
        if (row->kind == OPTION_SWITCH) {
            (void)snprintf(name, sizeof(name), "--no-%s", row->name);
            offer(line, name, row->help);
        }
    }
}

/* prefix: of a key; names without their namespace when they are all of one. */
static void offer_objects(struct line *line, enum object_kind kind, const char *namespace,
                          const char *prefix)
{
    cleanup_fetched struct fetched fetched;
    cleanup_arena struct arena arena;
    struct error ignored;
    fetched_init(&fetched, kind);
    arena_init(&arena, 0);
    if (!fetch_list(line->cli, namespace, &fetched, &ignored)) {
        return;
    }
    bool bare = namespace != NULL || !kind_of(kind)->namespaced;
    for (size_t i = 0; i < fetched.count; i++) {
        const struct object *object = fetched.objects[i];
        const char *about = "";
        if (kind == KIND_INSTANCE) {
            about = instance_phase_name(object->instance->phase);
        } else if (kind == KIND_POOL) {
            about = arena_print(&arena, "%" PRId64 " warm", object->pool->counts.warm);
        }
        offer(line,
              arena_print(&arena, "%s%s%s%s", prefix, bare ? "" : object->meta.namespace,
                          bare ? "" : "/", object->meta.name),
              about);
    }
}

static void offer_keys(struct line *line)
{
    static const struct {
        const char *prefix;
        enum object_kind kind;
    } keys[] = {{"pool/", KIND_POOL}, {"instance/", KIND_INSTANCE}};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        offer_objects(line, keys[i].kind, NULL, keys[i].prefix);
    }
}

static void offer_completion(struct line *line, enum completion completion)
{
    struct error ignored;
    switch (completion) {
    case COMPLETE_NOTHING:
        return;
    case COMPLETE_FILES:
        line->files = true;
        return;
    case COMPLETE_COMMANDS:
        offer_commands(line);
        return;
    case COMPLETE_NAMESPACES:
        offer_objects(line, KIND_NAMESPACE, NULL, "");
        return;
    case COMPLETE_INSTANCES:
    case COMPLETE_POOL_NAMES:
        if (cli_connect(line->cli, &ignored)) {
            enum object_kind kind = completion == COMPLETE_INSTANCES ? KIND_INSTANCE : KIND_POOL;
            offer_objects(line, kind, cli_namespace(line->cli), "");
        }
        return;
    case COMPLETE_POOLS:
        offer_objects(line, KIND_POOL, NULL, "");
        return;
    case COMPLETE_KEYS:
        offer_keys(line);
        return;
    }
}

static void offer_values(struct line *line, const struct option_row *row)
{
    static const char *const truths[] = {"true", "false", NULL};
    if (!option_takes_value(row)) {
        offer_choices(line, truths);
    } else if (row->choices != NULL) {
        offer_choices(line, row->choices);
    } else {
        offer_completion(line, row->completion);
    }
}

static void offer_operands(struct line *line)
{
    const struct command *command = line->cli->command;
    if (command == NULL) {
        offer_commands(line);
    } else if (line->operand_count > 0) {
        return;
    } else if (command->operand_choices != NULL) {
        offer_choices(line, command->operand_choices);
    } else {
        offer_completion(line, command->operand_completion);
    }
}

static void offer_all(struct line *line, const char *word)
{
    line->typed = word;
    if (line->pending != NULL) {
        offer_values(line, line->pending);
        return;
    }
    if (line->options_ended || word[0] != '-') {
        offer_operands(line);
        return;
    }
    const char *value = NULL;
    const struct option_row *row = options_find(line->tables, word, &value);
    if (row != NULL && value != NULL) {
        line->before = word;
        line->before_bytes = (size_t)(value - word);
        line->typed = value;
        offer_values(line, row);
        return;
    }
    offer_options(line, line->tables[1]);
    offer_options(line, line->tables[0]);
}

enum exit_code complete_words(struct cli *cli, int count, char *const *words)
{
    struct line line = {.cli = cli, .tables = {COMMON_OPTIONS, NO_OPTIONS, NULL}, .before = ""};
    const struct option_row *const common[] = {COMMON_OPTIONS, NULL};
    struct error ignored;
    text_init(&line.out, TEXT_BYTES_MAX);
    cli->hurries = true;
    (void)!options_prefill(common, &cli->options, &ignored);
    for (int i = 0; i < count - 1; i++) {
        take_word(&line, words[i]);
    }
    if (!line.is_wrong) {
        offer_all(&line, count == 0 ? "" : words[count - 1]);
    }
    text_print(&line.out, ":%d\n", line.files ? 0 : 4);
    cli_print(cli, line.out.bytes);
    text_release(&line.out);
    return CLI_OK;
}
