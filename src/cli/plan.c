/* SPDX-License-Identifier: Apache-2.0 */
/* The operator's own planners on a view of our own: what is printed is what it would do, not what
   somebody thinks it does. */
#include "cli/cluster_view.h"
#include "cli/command.h"
#include "io/zone_files.h"
#include "operator/observe.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES_MAX = 64 * 1024 * 1024 };

static const struct option_row OPTIONS[] = {
    {.name = "bodies",
     .help = "show what each action would send",
     OPTION_SETS_FLAG(struct cli_options, bodies)},
    {.name = NULL},
};

struct keys {
    struct arena *arena;
    size_t count;
    const char **list;
};

static void add_keys(struct keys *keys, const struct store *store, enum object_kind kind)
{
    const struct object *object = NULL;
    size_t at = 0;
    while ((object = store_next(store, kind, &at)) != NULL) {
        char key[KEY_BYTES];
        key_write(kind, object->meta.namespace, object->meta.name, key);
        keys->list[keys->count++] = arena_copy(keys->arena, key);
    }
}

static int compare(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static void find_keys(struct keys *keys, const struct store *store)
{
    static const enum object_kind kinds[] = {KIND_POOL, KIND_INSTANCE, KIND_VOLUME};
    size_t count = 0;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        count += store_count(store, kinds[i]);
    }
    keys->list = arena_new(keys->arena, count + 1, sizeof(*keys->list));
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        add_keys(keys, store, kinds[i]);
    }
    qsort(keys->list, keys->count, sizeof(*keys->list), compare);
}

/* false: there is no such object. */
static bool write_plan(const struct cli *cli, const struct view *seen, const char *text,
                       struct text *out)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct key key;
    struct plan plan;
    struct volume_finding finding;
    plan_init(&plan, &arena, seen->now);
    if (!key_read(text, &key) || !observe_and_plan(seen, &key, &plan, &finding)) {
        return false;
    }
    text_print(out, "%s\n", text);
    if (finding.reason != NULL) {
        text_print(out, "needs attention: %s: %s\n", finding.reason, finding.message);
    }
    plan_write_text(&plan, cli->options.bodies, out);
    text_append_char(out, '\n');
    return true;
}

static void write_plans(const struct cli *cli, const struct view *seen, struct text *out)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct keys keys = {.arena = &arena};
    find_keys(&keys, seen->store);
    for (size_t i = 0; i < keys.count; i++) {
        (void)write_plan(cli, seen, keys.list[i], out); /* it was in the store */
    }
    if (keys.count == 0) {
        text_append(out, "There are no Pools, Instances or volumes of Adjoint.\n\n");
    }
}

static enum exit_code print_plans(struct cli *cli, const struct view *seen, const char *key)
{
    cleanup_text struct text out;
    text_init(&out, TEXT_BYTES_MAX);
    if (key == NULL) {
        write_plans(cli, seen, &out);
    } else if (!write_plan(cli, seen, key, &out)) {
        return cli_fail(cli, CLI_ERROR, "there is no %s", key);
    }
    cli_print(cli, out.bytes);
    cli_say(cli, "What was found by pre-flight dry runs, and who backs off after a failure, is in "
                 "the operator's memory alone: it may dry-run less, or wait longer, than this.");
    return CLI_OK;
}

static enum exit_code run(struct cli *cli)
{
    const char *text = cli->operands.count == 0 ? NULL : cli->operands.items[0];
    struct key key;
    if (text != NULL && !key_read(text, &key)) {
        return cli_fail(cli, CLI_USAGE,
                        "\"%s\" is no key: write pool/NAMESPACE/NAME, instance/NAMESPACE/NAME or "
                        "volume//NAME",
                        text);
    }
    struct error error;
    if (!cli_connect(cli, &error)) {
        return cli_fail_with(cli, KIND_POOL, &error);
    }
    cleanup_cluster_view struct cluster_view view;
    cluster_view_init(&view, cli);
    if (!cluster_view_read(&view)) {
        return cli_fail_with(cli, view.failed_kind, &view.error);
    }
    struct assignment assignment;
    assignment_init(&assignment);
    struct zones zones;
    zones_init(&zones, zone_files());
    assignment_compute(&assignment, view.store, NULL, &zones, cli->now);
    struct view seen = {
        .store = view.store, .assignment = &assignment, .now = cli->now, .zones = &zones};
    enum exit_code code = print_plans(cli, &seen, text);
    zones_release(&zones);
    assignment_release(&assignment);
    return code;
}

const struct command command_plan = {
    .name = "plan",
    .operands = "[KEY]",
    .summary = "Show what the operator would do now, and why",
    .details = "Reads what the operator reads, plans as it plans, and writes nothing. KEY is "
               "pool/NAMESPACE/NAME,\ninstance/NAMESPACE/NAME or volume//NAME; without one, all of "
               "them.\n",
    .example = "pool/golden/main --bodies",
    .operand_count_max = 1,
    .operand_completion = COMPLETE_KEYS,
    .options = OPTIONS,
    .run = run,
};
