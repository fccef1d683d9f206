/* SPDX-License-Identifier: Apache-2.0 */
/* What each size would have done. From a file it needs no cluster: a team sizes before it
   installs. */
#include "api/pool.h"
#include "base/limits.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/requests.h"
#include "cli/size_chart.h"
#include "cli/table.h"
#include "io/file.h"
#include "plan/autosize.h"

#include <inttypes.h>

/* FSx for OpenZFS makes a clone a minute, and takes two for one. */
#define GAP "60"
enum { TEXT_BYTES_MAX = 256 * 1024, SECOND_MS = 1000, LATENCY_GAPS = 2 };

static const char *const FORMATS[] = {"svg", NULL};

static const struct option_row OPTIONS[] = {
    {.name = "from",
     .argument = "FILE",
     .help = "a line for each request, its time (2026-08-22T09:00:00Z) in the first column",
     .completion = COMPLETE_FILES,
     OPTION_SETS_TEXT(struct cli_options, from)},
    {.name = "gap",
     .argument = "SECONDS",
     .help = "between two clones (default: as the Pool's lane was measured, or " GAP ")",
     .minimum = 1,
     .maximum = 86400,
     OPTION_SETS_INTEGER(struct cli_options, gap_s)},
    {.name = "target",
     .argument = "PERCENT",
     .fallback = "99",
     .help = "of a hundred requests, how many are to find a warm clone",
     .minimum = 50,
     .maximum = 100,
     OPTION_SETS_INTEGER(struct cli_options, target)},
    OPTION_OUTPUT(FORMATS),
    {.name = NULL},
};

/* The requests, and what serves them. */
struct question {
    struct arena arena;
    int64_t *times_ms;
    size_t count;
    int64_t from_ms, to_ms;
    struct replay_lane lane;
};

static bool read_requests(struct cli *cli, struct question *out, struct error *error)
{
    cleanup_memory char *text = NULL;
    if (!file_read(cli->options.from, LIMIT_FILE_BYTES, &text, NULL, error)) {
        return false;
    }
    if (!requests_read(text, &out->arena, &out->times_ms, &out->count, error)) {
        return error_wrap(error, "%s", cli->options.from);
    }
    out->from_ms = out->times_ms[0];
    out->to_ms = out->times_ms[out->count - 1];
    return true;
}

static bool read_pool(const struct object *object, struct question *out, struct error *error)
{
    const struct pool *pool = object->pool;
    struct arrivals *arrivals = arena_new(&out->arena, 1, sizeof *arrivals);
    if (!arrivals_read(&pool->arrivals, &out->arena, arrivals, error)) {
        return false;
    }
    if (arrivals->until == 0) {
        return error_set(error, ERROR_INVALID,
                         "nothing is recorded of Pool %s yet: the first request is, some minutes "
                         "after it came; --from reads a file",
                         object->meta.name);
    }
    out->count = arrivals_times(arrivals, &out->arena, &out->times_ms);
    out->from_ms = arrivals_first(arrivals) * ARRIVAL_BUCKET_MS;
    out->to_ms = arrivals->until * ARRIVAL_BUCKET_MS;
    out->lane = (struct replay_lane){pool->measured.gap_ms, pool->measured.latency_ms};
    return true;
}

static void set_lane(const struct cli *cli, struct question *question)
{
    struct replay_lane *lane = &question->lane;
    if (cli->options.gap_s > 0) {
        *lane = (struct replay_lane){cli->options.gap_s * SECOND_MS, 0};
    }
    lane->gap_ms = lane->gap_ms > 0 ? lane->gap_ms : INT64_C(60) * SECOND_MS;
    lane->latency_ms = lane->latency_ms > 0 ? lane->latency_ms : LATENCY_GAPS * lane->gap_ms;
}

static void write_table(const struct question *question, const struct size_row *rows, size_t count,
                        int64_t recommended, struct text *out)
{
    static const char *const headings[] = {"SIZE", "WARM", "P95-WAIT", "VOLUMES", "", NULL};
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct table table;
    table_init(&table, &arena, headings);
    for (size_t i = 0; i < count; i++) {
        const struct replay *replay = &rows[i].replay;
        int64_t hits = replay_hits(replay);
        table_print(&table, "%" PRId64, rows[i].size);
        table_print(&table, "%" PRId64 ".%02" PRId64 "%%", hits / 100, hits % 100);
        table_print(&table, "%" PRId64 "s", replay->wait_p95_ms / SECOND_MS);
        table_print(&table, "%" PRId64, replay->volumes_most);
        table_add(&table, rows[i].size == recommended ? "recommended" : NULL);
    }
    int64_t days = (question->to_ms - question->from_ms) / (INT64_C(24) * 3600 * SECOND_MS) + 1;
    text_print(out, "%zu requests in %" PRId64 " day%s, a clone each %" PRId64 " s:\n\n",
               question->count, days, days == 1 ? "" : "s", question->lane.gap_ms / SECOND_MS);
    table_write(&table, out);
}

static enum exit_code answer(struct cli *cli, struct question *question)
{
    struct autosize_wish wish = {.target = cli->options.target, .min = 0, .max = LIMIT_POOL_SIZE};
    struct fixed_advice advice =
        autosize_fixed(question->times_ms, question->count, question->from_ms, question->to_ms,
                       &wish, &question->lane, &question->arena);
    size_t count = (size_t)advice.size + SIZE_ROWS_BEYOND + 1;
    struct size_row *rows = arena_new(&question->arena, count, sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        rows[i].size = (int64_t)i;
        rows[i].replay =
            replay_fixed(question->times_ms, question->count, question->from_ms, question->to_ms,
                         (int64_t)i, &question->lane, &question->arena);
    }
    cleanup_text struct text out;
    text_init(&out, TEXT_BYTES_MAX);
    if (text_equal(cli->options.output, "svg")) {
        size_chart_write(rows, count, advice.size, &out);
    } else {
        write_table(question, rows, count, advice.size, &out);
    }
    cli_print(cli, out.bytes);
    if (!advice.reaches) {
        cli_say(cli, "No size up to %d reaches %" PRId64 "%%: the file system is too slow for it.",
                LIMIT_POOL_SIZE, cli->options.target);
    }
    return CLI_OK;
}

static enum exit_code ask(struct cli *cli, struct question *question)
{
    struct error error;
    if (cli->options.from != NULL) {
        if (!read_requests(cli, question, &error)) {
            return cli_fail(cli, CLI_ERROR, "%s", error.message);
        }
    } else {
        cleanup_fetched struct fetched fetched;
        fetched_init(&fetched, KIND_POOL);
        if (!cli_connect(cli, &error) ||
            !fetch_one(cli, cli_namespace(cli), cli->operands.items[0], &fetched, &error)) {
            return cli_fail_with(cli, KIND_POOL, &error);
        }
        if (!read_pool(fetched.objects[0], question, &error)) {
            return cli_fail(cli, CLI_ERROR, "%s", error.message);
        }
    }
    set_lane(cli, question);
    return answer(cli, question);
}

static enum exit_code run(struct cli *cli)
{
    if ((cli->options.from == NULL) != (cli->operands.count == 1)) {
        return cli_fail(cli, CLI_USAGE,
                        "say of which requests: a Pool's name with its namespace (-n), or a file "
                        "with --from");
    }
    struct question question = {.count = 0};
    arena_init(&question.arena, 0);
    enum exit_code code = ask(cli, &question);
    arena_release(&question.arena);
    return code;
}

const struct command command_size = {
    .name = "size",
    .operands = "[POOL]",
    .summary = "Show how many warm clones a Pool needs, by what was asked of it",
    .details = "Plays the requests that a Pool has recorded, or those of a file, against the file "
               "system that makes\nthe clones: how many of them find one with each size, and how "
               "long one in twenty waits.\n-o svg draws that.\n",
    .example = "--from requests.csv --gap 60",
    .operand_count_max = 1,
    .operand_completion = COMPLETE_POOL_NAMES,
    .options = OPTIONS,
    .run = run,
};
