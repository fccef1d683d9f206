/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include "cli/table.h"

#include <inttypes.h>
#include <string.h>

#define CLEAR_LINE "\r\033[K"

enum { STANDING_BYTES_MAX = 4 * 1024, SECONDS_COLUMNS = 8, SECOND_MS = 1000 };

void progress_init(struct progress *progress, struct cli *cli)
{
    *progress = (struct progress){.cli = cli};
    text_init(&progress->shown, STANDING_BYTES_MAX);
}

void progress_release(struct progress *progress)
{
    text_release(&progress->shown);
}

static void write_over(struct progress *progress, const char *left, int64_t elapsed_s)
{
    struct cli *cli = progress->cli;
    /* A line that wraps could not be written over. */
    const char *standing = progress->shown.bytes;
    size_t taken = SECONDS_COLUMNS + strlen(left);
    size_t columns = cli->err_columns > taken ? cli->err_columns - taken : 1;
    (void)fprintf(cli->err, CLEAR_LINE "%.*s%s  %" PRId64 " s",
                  (int)table_fitting_bytes(standing, columns), standing, left, elapsed_s);
    (void)fflush(cli->err);
    progress->line_is_open = true;
}

void progress_show(struct progress *progress, const char *standing, const char *left,
                   int64_t elapsed_ms)
{
    int64_t elapsed_s = elapsed_ms / SECOND_MS;
    bool changed = !text_equal(progress->shown.bytes, standing);
    bool is_live = progress->cli->err_is_terminal;
    if (!changed && (!is_live || elapsed_s == progress->shown_s)) {
        return;
    }
    text_clear(&progress->shown);
    text_append(&progress->shown, standing);
    progress->shown_s = elapsed_s;
    if (is_live) {
        write_over(progress, left, elapsed_s);
    } else {
        cli_say(progress->cli, "%s%s (%" PRId64 " s)", standing, left, elapsed_s);
    }
}

void progress_end(struct progress *progress)
{
    if (progress->line_is_open) {
        (void)fputs(CLEAR_LINE, progress->cli->err);
        (void)fflush(progress->cli->err);
        progress->line_is_open = false;
    }
}

int64_t progress_next_ms(const struct progress *progress, int64_t elapsed_ms)
{
    return progress->cli->err_is_terminal ? (elapsed_ms / SECOND_MS + 1) * SECOND_MS : NOW_NEVER;
}
