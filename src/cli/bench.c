/* SPDX-License-Identifier: Apache-2.0 */
/* On a path the writes are our own. In a pod only what Postgres' image has can write: dd is in
   every coreutils, pgbench comes with Postgres; neither pg_test_fsync nor fio would write 1500
   bytes, or be there. Durability is compared in one session after another of the same clone,
   because spec.durability does not change in an Instance, and two clones are two places on the
   disk. */
#include "api/instance.h"
#include "cli/bench_report.h"
#include "cli/command.h"
#include "cli/fetch.h"
#include "cli/field_options.h"
#include "cli/figures.h"
#include "cli/instance_pod.h"
#include "cli/standing.h"
#include "io/sync_writes.h"

#include <inttypes.h>
#include <string.h>

enum { PATH_BYTES_MAX = 8 * 1024, TEXT_BYTES_MAX = 256 * 1024, DD_WRITES = 10 };

static const char *const WHAT[] = {"storage", NULL};

static const struct option_row OPTIONS[] = {
    {.name = "path",
     .argument = "FOLDER",
     .help = "where to write: a folder on this machine",
     .completion = COMPLETE_FILES,
     OPTION_SETS_TEXT(struct cli_options, path)},
    {.name = "instance",
     .argument = "NAME",
     .help = "where to write: on the clone of this Instance, by programs in its pod",
     .completion = COMPLETE_INSTANCES,
     OPTION_SETS_TEXT(struct cli_options, instance)},
    {.name = "seconds",
     .argument = "N",
     .fallback = "5",
     .help = "how long each of the four rounds of pgbench lasts; 0: none",
     .maximum = 600,
     OPTION_SETS_INTEGER(struct cli_options, seconds)},
    OPTION_OUTPUT(FIELD_FORMATS),
    {.name = NULL},
};

/* PGDATA is a folder of the volume. */
#define WRITES_SCRIPT                                                                              \
    "export LC_ALL=C; f=\"${PGDATA:?}/../adj-bench.$$\"; trap 'rm -f \"$f\"' EXIT; i=0; "          \
    "while [ $i -lt 20 ]; do dd if=/dev/zero of=\"$f\" bs=1500 count=10 oflag=dsync,append "       \
    "conv=notrunc 2>&1 || exit 1; i=$((i+1)); done"

/* %s: the database, in PGDATABASE; the table is gone however it ends. */
#define ROUNDS_SCRIPT                                                                              \
    "export LC_ALL=C PATH=\"$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' :)\"; "                \
    "t=adj_bench_$$; "                                                                             \
    "command -v pgbench >/dev/null || { echo \"there is no pgbench in the image\"; exit 1; }; "    \
    "trap 'psql -qX -c \"drop table if exists $t\" >/dev/null' EXIT; "                             \
    "psql -qX -c \"create table $t (line text)\" || exit 1; "                                      \
    "for mode in on off on off; do echo \"synchronous_commit $mode\"; "                            \
    "echo \"insert into $t values (repeat('x', 1500));\" | "                                       \
    "PGOPTIONS=\"-c synchronous_commit=$mode\" pgbench -n -c 1 -T $SECONDS_EACH -f /dev/stdin "    \
    "2>&1 | grep '^tps' || exit 1; done"

static bool execute(struct cli *cli, const char *namespace, const char *pod, const char *script,
                    struct text *out, struct error *error)
{
    cleanup_text struct text path;
    cleanup_text struct text refusal;
    text_init(&path, PATH_BYTES_MAX);
    text_init(&refusal, CLI_BODY_BYTES_MAX);
    kind_path(kind_of(KIND_POD), namespace, pod, "exec", &path);
    text_append(&path,
                "?container=postgres&stdout=true&stderr=true&command=sh&command=-c&command=");
    text_append_encoded(&path, script);
    if (!text_check(&path, "the command", error)) {
        return false;
    }
    if (!cli->session.execute(cli->session.self, path.bytes, out, &refusal, error)) {
        instance_pod_use_reply(error, refusal.bytes);
        return false;
    }
    return true;
}

/* The last line of what it printed says more than its exit code. */
static const char *explain(const struct text *out, const struct error *error, struct arena *arena)
{
    const char *line = out->bytes;
    size_t byte_count = 0;
    for (const char *at = line; *at != '\0';
         at += at[byte_count] == '\0' ? byte_count : byte_count + 1) {
        byte_count = strcspn(at, "\n");
        line = byte_count > 0 ? at : line;
    }
    byte_count = strcspn(line, "\n");
    return byte_count == 0 ? arena_copy(arena, error->message)
                           : arena_print(arena, "%.*s (%s)", (int)byte_count, line, error->message);
}

static void run_rounds(struct cli *cli, const struct object *object, const char *pod,
                       struct arena *arena, struct bench_report *report)
{
    cleanup_text struct text script;
    cleanup_text struct text out;
    text_init(&script, PATH_BYTES_MAX);
    text_init(&out, TEXT_BYTES_MAX);
    const char *database = object->instance->connection_database;
    text_append(&script, "export PGDATABASE='");
    for (const char *at = database == NULL ? "postgres" : database; *at != '\0'; at++) {
        text_append(&script, *at == '\'' ? "'\\'" : "");
        text_append_char(&script, *at);
    }
    text_print(&script, "' SECONDS_EACH=%" PRId64 "; " ROUNDS_SCRIPT, cli->options.seconds);
    struct error error;
    bool ran = execute(cli, object->meta.namespace, pod, script.bytes, &out, &error);
    if (!ran || !bench_read_rounds(out.bytes, report, &error)) {
        report->no_rounds = ran ? arena_copy(arena, error.message) : explain(&out, &error, arena);
    }
}

static enum exit_code print(struct cli *cli, struct bench_report *report)
{
    figures_sort(report->samples_us, report->count);
    return field_print(cli, &BENCH_FORMS, report);
}

static enum exit_code refuse_writes(struct cli *cli, const struct text *out,
                                    const struct error *error, struct arena *arena)
{
    if (error->class == ERROR_FORBIDDEN) {
        return cli_fail(cli, CLI_ERROR, "%s: it takes the verbs get and create on pods/exec",
                        error->message);
    }
    if (error->http_status != 0) {
        return cli_fail_with(cli, KIND_POD, error);
    }
    return cli_fail(cli, CLI_ERROR, "the writes in the pod failed: %s", explain(out, error, arena));
}

static enum exit_code bench_instance(struct cli *cli, struct arena *arena)
{
    cleanup_fetched struct fetched fetched;
    cleanup_text struct text out;
    fetched_init(&fetched, KIND_INSTANCE);
    text_init(&out, TEXT_BYTES_MAX);
    struct error error;
    const char *name = cli->options.instance;
    if (!cli_connect(cli, &error) || !fetch_one(cli, cli_namespace(cli), name, &fetched, &error)) {
        return cli_fail_with(cli, KIND_INSTANCE, &error);
    }
    const struct object *object = fetched.objects[0];
    if (object->instance->phase != PHASE_READY) {
        standing_print(object, &out);
        return cli_fail(cli, CLI_INSTANCE_FAILED, "Instance %s/%s is not ready: %s",
                        object->meta.namespace, name, out.bytes);
    }
    const char *pod = NULL;
    if (!instance_pod_find(cli, object, arena, &pod, &error)) {
        return cli_fail_with(cli, KIND_CLUSTER, &error);
    }
    struct bench_report report = {.where =
                                      arena_print(arena, "pod %s/%s", object->meta.namespace, pod),
                                  .per_sample = DD_WRITES};
    if (!execute(cli, object->meta.namespace, pod, WRITES_SCRIPT, &out, &error) ||
        !bench_read_writes(out.bytes, &report, &error)) {
        return refuse_writes(cli, &out, &error, arena);
    }
    if (cli->options.seconds > 0) {
        run_rounds(cli, object, pod, arena, &report);
    }
    return print(cli, &report);
}

static enum exit_code bench_path(struct cli *cli)
{
    struct bench_report report = {
        .where = cli->options.path, .per_sample = 1, .count = BENCH_WRITES};
    struct error error;
    if (!sync_writes_time(cli->options.path, BENCH_WRITES, BENCH_WRITE_BYTES, report.samples_us,
                          &error)) {
        return cli_fail(cli, CLI_ERROR, "--path: %s", error.message);
    }
    return print(cli, &report);
}

static enum exit_code run(struct cli *cli)
{
    if ((cli->options.path == NULL) == (cli->options.instance == NULL)) {
        return cli_fail(cli, CLI_USAGE, "say where: --path FOLDER here, or --instance NAME");
    }
    if (cli->options.path != NULL) {
        return bench_path(cli);
    }
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    return bench_instance(cli, &arena);
}

const struct command command_bench = {
    .name = "bench",
    .operands = "storage",
    .summary = "Measure writes like those of a database's log, here or on a clone",
    .details =
        "Writes 200 times 1500 bytes, each safe before the next. With --path that is write and "
        "fdatasync,\n"
        "each timed. With --instance it is dd in the pod (oflag=dsync), ten writes at a time, "
        "since it\n"
        "tells no single one's time; and then pgbench, inserts of 1500 bytes by one client, with\n"
        "synchronous_commit on and off in turn: what durability Standard and Ordered are. Its "
        "table,\n"
        "adj_bench_N, is dropped again. It takes get and create on pods/exec, and competes with "
        "whoever\n"
        "works on that file system.\n"
        "\n"
        "Exit codes: 0 it is measured (pgbench may not have run: it says why); 3 the Instance is "
        "not ready;\n"
        "1 and 2 as ever.\n",
    .example = "storage --instance alice",
    .operand_count_min = 1,
    .operand_count_max = 1,
    .operand_choices = WHAT,
    .options = OPTIONS,
    .run = run,
};
