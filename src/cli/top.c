/* SPDX-License-Identifier: Apache-2.0 */
/* Two watches, and a picture of what they have brought: a claim takes seconds, and whoever looks on
   wants to see it. Who may not see all Instances sees their own namespace's; who may not see Pools
   sees Instances. */
#include "base/limits.h"
#include "cli/command.h"
#include "cli/screen.h"
#include "cli/top_picture.h"
#include "cli/wait.h"
#include "kube/informer.h"

enum {
    KEYS_MS = 250, /* between looks at the keys and the terminal's size, in real time */
    INTERVAL_MS = 10 * 1000,
    LIVE_INTERVAL_MS = 1000,
    TEXT_BYTES_MAX = 16 * 1024 * 1024,
};

static const struct option_row OPTIONS[] = {
    {.name = "once",
     .help = "print it once, whole, and end",
     OPTION_SETS_FLAG(struct cli_options, once)},
    {.name = "interval",
     .argument = "DURATION",
     .minimum = 100,
     .maximum = INT64_C(60) * 60 * 1000,
     .help = "show it again so often (default: 1s on a terminal, 10s elsewhere)",
     OPTION_SETS_DURATION(struct cli_options, interval_ms)},
    {.name = NULL},
};

/* One kind, as far as it may be seen. */
struct feed {
    enum object_kind kind;
    struct informer_options options;
    struct informer *informer;
    const char *namespace; /* it is narrowed to; NULL: all */
    struct error error;    /* class ERROR_NONE, or why it is not seen at all */
};

struct top {
    struct cli *cli;
    struct store *store;
    struct random random;
    struct feed pools, instances;
    bool live;
    struct screen screen;
    bool stop_asked;
    enum exit_code written; /* not CLI_OK: nobody reads it any more, or the disk is full */
    int64_t shown_ms;       /* mono */
    uint64_t shown_revision;
    struct text note;
};

/* ---- watching ---- */

static void begin_feed(struct top *top, struct feed *feed, enum object_kind kind,
                       const char *namespace)
{
    informer_free(feed->informer);
    *feed =
        (struct feed){.kind = kind, .options = informer_options_default, .namespace = namespace};
    feed->options.namespace = namespace;
    feed->informer = informer_new(kind, &feed->options, top->cli->session.transport, top->store,
                                  NULL, NULL, &top->random);
}

/* Why it is in vain to go on; NULL: it is not. */
static const struct error *step_informer(struct informer *informer, struct now now)
{
    do {
        informer_step(informer, now);
    } while (informer_due(informer));
    const struct error *error = informer_error(informer);
    return informer_synced(informer) || !wait_is_in_vain(error->class) ? NULL : error;
}

static void step_feed(struct top *top, struct feed *feed, struct now now)
{
    if (feed->error.class != ERROR_NONE) {
        return;
    }
    const struct error *error = step_informer(feed->informer, now);
    if (error != NULL && error->class == ERROR_FORBIDDEN && feed->kind == KIND_INSTANCE &&
        feed->namespace == NULL) {
        begin_feed(top, feed, feed->kind, cli_namespace(top->cli));
        error = step_informer(feed->informer, now);
    }
    if (error != NULL) {
        feed->error = *error;
    }
}

static bool is_settled(const struct feed *feed)
{
    return feed->error.class != ERROR_NONE || informer_synced(feed->informer);
}

static int64_t wake_of(const struct feed *feed)
{
    return feed->error.class != ERROR_NONE ? NOW_NEVER : informer_wake_at(feed->informer);
}

/* ---- showing ---- */

static void note_feed(struct top *top, const struct feed *feed)
{
    const struct error *error =
        feed->error.class != ERROR_NONE ? &feed->error : informer_error(feed->informer);
    const char *plural = feed->kind == KIND_POOL ? "Pools" : "Instances";
    const char *before = top->note.length_bytes == 0 ? "" : "; ";
    if (error->class != ERROR_NONE) {
        text_print(&top->note, "%s%s are not seen: %s", before, plural, error->message);
    } else if (!informer_synced(feed->informer)) {
        text_print(&top->note, "%s%s are being read", before, plural);
    } else if (feed->namespace != NULL && top->cli->options.namespace == NULL) {
        text_print(&top->note, "%s%s of namespace %s alone: you may not see those of others",
                   before, plural, feed->namespace);
    }
}

static void show(struct top *top, struct now now)
{
    cleanup_text struct text lines;
    text_init(&lines, TEXT_BYTES_MAX);
    text_clear(&top->note);
    note_feed(top, &top->pools);
    note_feed(top, &top->instances);
    struct top_seen seen = {.store = top->store,
                            .wall_ms = now.wall_ms,
                            .note = top->note.length_bytes == 0 ? NULL : top->note.bytes};
    top_picture_write(&seen, top->live ? top->screen.rows : 0, top->live ? top->screen.columns : 0,
                      &lines);
    if (top->live) {
        screen_draw(&top->screen, lines.bytes);
        return;
    }
    cli_print(top->cli, top->shown_ms == INT64_MIN ? "" : "\n");
    cli_print(top->cli, lines.bytes);
    top->written = cli_flush(top->cli);
}

/* In the server's time, in which a simulated one's seconds are short. */
static int64_t scaled(const struct top *top, int64_t real_ms)
{
    return real_ms * (top->cli->session.speed > 1 ? top->cli->session.speed : 1);
}

static int64_t interval(const struct top *top)
{
    int64_t asked_ms = top->cli->options.interval_ms;
    return scaled(top, asked_ms > 0 ? asked_ms : top->live ? LIVE_INTERVAL_MS : INTERVAL_MS);
}

/* When to look again, the watches aside. */
static int64_t show_when_due(struct top *top, struct now now)
{
    int64_t due_ms = top->shown_ms == INT64_MIN ? now.mono_ms : top->shown_ms + interval(top);
    bool resized = top->live && screen_measure(&top->screen);
    bool changed = top->live && store_revision(top->store) != top->shown_revision;
    if (now.mono_ms >= due_ms || resized || changed) {
        show(top, now);
        top->shown_ms = now.mono_ms;
        top->shown_revision = store_revision(top->store);
        due_ms = now.mono_ms + interval(top);
    }
    int64_t keys_ms = now.mono_ms + scaled(top, KEYS_MS);
    return top->live && keys_ms < due_ms ? keys_ms : due_ms;
}

/* ---- the command ---- */

static bool has_failed(const struct top *top)
{
    bool all = top->pools.error.class != ERROR_NONE && top->instances.error.class != ERROR_NONE;
    const struct error *error = informer_error(top->pools.informer);
    return all || (top->cli->options.once && !is_settled(&top->pools) &&
                   error->class != ERROR_NONE && error->class != ERROR_THROTTLED);
}

static int64_t step(void *self, struct now now)
{
    struct top *top = self;
    top->cli->now = now;
    step_feed(top, &top->pools, now);
    step_feed(top, &top->instances, now);
    bool is_read = is_settled(&top->pools) && is_settled(&top->instances);
    if (top->stop_asked || has_failed(top) || (top->live && screen_pressed(&top->screen, 'q'))) {
        return SESSION_DONE;
    }
    int64_t wake_at_ms = NOW_NEVER;
    if (is_read || top->live) {
        wake_at_ms = show_when_due(top, now);
    }
    if ((is_read && top->cli->options.once) || top->written != CLI_OK) {
        return SESSION_DONE;
    }
    int64_t pools_ms = wake_of(&top->pools);
    int64_t instances_ms = wake_of(&top->instances);
    int64_t feeds_ms = pools_ms < instances_ms ? pools_ms : instances_ms;
    return feeds_ms < wake_at_ms ? feeds_ms : wake_at_ms;
}

static void stop(void *self, int signal_number)
{
    struct top *top = self;
    (void)signal_number;
    top->stop_asked = true;
}

static enum exit_code watch(struct top *top)
{
    struct cli *cli = top->cli;
    struct session *session = &cli->session;
    session->on_stop(session->self, stop, top);
    if (top->live) {
        screen_begin(&top->screen, cli);
    }
    session->run(session->self, step, top);
    if (top->live) {
        screen_end(&top->screen);
    }
    if (top->stop_asked || !has_failed(top)) {
        return top->written;
    }
    bool refused = top->pools.error.class != ERROR_NONE;
    const struct error *error = refused ? &top->pools.error : informer_error(top->pools.informer);
    return cli_fail_with(cli, KIND_POOL, error);
}

static enum exit_code run(struct cli *cli)
{
    struct error error;
    if (!cli_connect(cli, &error)) {
        return cli_fail_with(cli, KIND_POOL, &error);
    }
    struct top top = {
        .cli = cli, .live = cli->out_is_terminal && !cli->options.once, .shown_ms = INT64_MIN};
    random_init(&top.random, (uint64_t)cli->now.wall_ms);
    text_init(&top.note, TEXT_BYTES_MAX);
    top.store = store_new(LIMIT_OBJECTS_PER_KIND, (struct store_listener){.changed = NULL});
    begin_feed(&top, &top.pools, KIND_POOL, NULL);
    begin_feed(&top, &top.instances, KIND_INSTANCE, cli->options.namespace);
    enum exit_code code = watch(&top);
    informer_free(top.pools.informer);
    informer_free(top.instances.informer);
    store_free(top.store);
    text_release(&top.note);
    return code;
}

const struct command command_top = {
    .name = "top",
    .operands = "",
    .summary = "Watch Pools, lanes, who waits and who is served; q or Ctrl-C ends it",
    .details =
        "On a terminal, a screen that follows every change; elsewhere, lines again and again. "
        "Instances are\nthose of all namespaces, or of the one that -n names.\n\n"
        "A lane is what makes clones one after another, a file system: GAP is how far apart they "
        "come,\nLATENCY what one takes that waits for no other, DEPTH how many are asked for at "
        "once, NEXT when the\nnext one is expected. Of those who wait, POSITION 1 is next; ENDS is "
        "what is left of a lifetime, and\nPROTECTED of what keeps it from ending.\n",
    .options = OPTIONS,
    .run = run,
};
