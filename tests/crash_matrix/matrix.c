/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/matrix.h"

#include "base/log.h"
#include "base/memory.h"
#include "crash_matrix/checker.h"
#include "crash_matrix/cnpg.h"
#include "crash_matrix/outage.h"
#include "crash_matrix/provisioner.h"
#include "crash_matrix/trial.h"
#include "io/access.h"
#include "io/http_client.h"
#include "io/loop.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    WORLDS_MAX = 32,
    CROWDS_MAX = 2, /* cells with many Instances at a time: the others would only wait for them */
    LOOK_AGAIN_MS = 20,
    TAIL_LINES = 40, /* of what happened, printed with a failure */
};

struct matrix {
    struct matrix_options options;
    struct loop *loop;
    struct access *access;
    struct http_client *http;
    struct surroundings around;
    struct provisioner *provisioner;
    struct cnpg *cnpg;
    struct world worlds[WORLDS_MAX];
    struct trial trials[WORLDS_MAX];
    bool playing[WORLDS_MAX];
    struct cells *cells;
    size_t first_cell;      /* of those that are played now */
    struct world *speaking; /* whose operator is being stepped */
};

/* The operators' log lines go to their world's trace. */
static void write_log(void *self, const char *line)
{
    struct matrix *matrix = self;
    if (matrix->speaking != NULL) {
        text_append(&matrix->speaking->trace, line);
    }
}

/* ---- the end of a cell ---- */

static void keep_trace(const struct matrix *matrix, const struct world *world,
                       const struct cell *cell)
{
    cleanup_arena struct arena arena;
    cleanup_text struct text title;
    arena_init(&arena, 0);
    text_init(&title, 4096);
    cell_title(cell, &title);
    for (char *at = strchr(title.bytes, ' '); at != NULL; at = strchr(at, ' ')) {
        *at = '-';
    }
    const char *path = arena_print(&arena, "%s/%s", matrix->options.traces, title.bytes);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return;
    }
    (void)fputs(world->trace.bytes, file);
    (void)fclose(file);
}

/* The last lines of it: where the traces themselves are thrown away, they are all there is. */
static const char *tail_of(const struct text *trace)
{
    const char *at = trace->bytes + trace->length_bytes;
    for (int lines = 0; at > trace->bytes && lines <= TAIL_LINES; at--) {
        lines += at[-1] == '\n';
    }
    return at == trace->bytes ? at : at + 1;
}

static void report(const struct matrix *matrix, const struct trial *trial)
{
    const struct cell *cell = trial->cell;
    cleanup_text struct text title;
    text_init(&title, 4096);
    cell_title(cell, &title);
    if (cell->result == RESULT_FAILED) {
        (void)fprintf(stderr, "FAILED  %s (%s): %s\n%s", title.bytes,
                      cell->write.name == NULL ? "-" : cell->write.name, cell->ending,
                      tail_of(&trial->world->trace));
    }
    if (matrix->options.traces != NULL) {
        keep_trace(matrix, trial->world, cell);
    }
}

/* ---- the step ---- */

static bool is_crowd(const struct cell *cell)
{
    return cell->scenario->expected.instance_count > 1;
}

static struct cell *take_cell(struct matrix *matrix)
{
    int crowd_count = 0;
    for (int i = 0; i < matrix->options.world_count; i++) {
        crowd_count += matrix->playing[i] && is_crowd(matrix->trials[i].cell);
    }
    for (size_t i = matrix->first_cell; i < matrix->cells->count; i++) {
        struct cell *cell = matrix->cells->cells[i];
        if (!cell->taken && (crowd_count < CROWDS_MAX || !is_crowd(cell))) {
            cell->taken = true;
            return cell;
        }
    }
    return NULL;
}

static void step_world(struct matrix *matrix, int index, struct now now)
{
    struct trial *trial = &matrix->trials[index];
    if (!matrix->playing[index]) {
        struct cell *cell = take_cell(matrix);
        if (cell == NULL) {
            return;
        }
        trial_begin(trial, &matrix->around, &matrix->worlds[index], matrix->cells, cell, now);
        matrix->playing[index] = true;
    }
    trial_step(trial, now);
    if (trial->stage == STAGE_DONE) {
        report(matrix, trial);
        matrix->playing[index] = false;
    }
}

/* An outage begins when nobody who plays is still on the way to his write. */
static void step_outage(struct matrix *matrix, struct now now)
{
    struct outage *outage = matrix->around.outage;
    const struct trial *first = NULL;
    outage_step(outage, now);
    for (int i = 0; i < matrix->options.world_count; i++) {
        const struct trial *trial = &matrix->trials[i];
        if (matrix->playing[i] && trial->stage < STAGE_OUTAGE) {
            return;
        }
        if (matrix->playing[i] && trial->stage == STAGE_OUTAGE) {
            first = trial;
        }
    }
    if (first != NULL && outage_idle(outage)) {
        outage_begin(outage, first->cell->mode == MODE_RESTART);
    }
}

static bool is_over(const struct matrix *matrix)
{
    for (int i = 0; i < matrix->options.world_count; i++) {
        if (matrix->playing[i]) {
            return false;
        }
    }
    for (size_t i = matrix->first_cell; i < matrix->cells->count; i++) {
        if (!matrix->cells->cells[i]->taken) {
            return false;
        }
    }
    return (outage_idle(matrix->around.outage) || outage_failed(matrix->around.outage));
}

static int64_t step(void *self, struct now now)
{
    struct matrix *matrix = self;
    struct surroundings *around = &matrix->around;
    int64_t wake_at_ms = now.mono_ms + LOOK_AGAIN_MS;
    checker_step(around->checker, now);
    api_step(around->api, now);
    mirror_step(around->mirror, now);
    provisioner_step(matrix->provisioner, now);
    cnpg_step(matrix->cnpg, now);
    for (int i = 0; i < matrix->options.world_count && mirror_synced(around->mirror); i++) {
        matrix->speaking = &matrix->worlds[i];
        step_world(matrix, i, now);
        int64_t at_ms = world_step_operators(&matrix->worlds[i], now);
        wake_at_ms = at_ms < wake_at_ms ? at_ms : wake_at_ms;
        matrix->speaking = NULL;
    }
    step_outage(matrix, now);
    api_step(around->api, now);
    if (is_over(matrix)) {
        loop_stop(matrix->loop);
    }
    return wake_at_ms;
}

void matrix_play(struct matrix *matrix, struct cells *cells, size_t from)
{
    matrix->cells = cells;
    matrix->first_cell = from;
    loop_set_step(matrix->loop, step, matrix);
    loop_run(matrix->loop);
    loop_set_step(matrix->loop, NULL, NULL);
}

/* ---- life ---- */

bool matrix_open(const struct matrix_options *options, struct matrix **out, struct error *error)
{
    struct matrix *matrix = memory_new(1, sizeof(*matrix));
    struct surroundings *around = &matrix->around;
    struct access_options access = {.kubeconfig = options->kubeconfig};
    matrix->options = *options;
    matrix->loop = loop_new();
    if (!access_open(matrix->loop, &access, &matrix->access, error)) {
        loop_free(matrix->loop);
        memory_free(matrix);
        return false;
    }
    log_configure(LOG_INFO, write_log, matrix);
    matrix->http = http_client_new(matrix->loop, access_credentials(matrix->access),
                                   &http_client_options_default);
    for (int i = 0; i < options->world_count; i++) {
        world_init(&matrix->worlds[i], i, options->world_count);
    }
    around->transport = http_client_transport(matrix->http);
    around->world_count = options->world_count;
    around->worlds = matrix->worlds;
    ledger_init(&around->ledger);
    around->api = api_new(around->transport);
    around->checker = checker_new(around);
    around->mirror =
        mirror_new(around->transport, (struct store_listener){checker_changed, around->checker});
    around->outage = outage_new(matrix->loop, options->outage_script);
    matrix->provisioner = provisioner_new(around);
    matrix->cnpg = cnpg_new(around);
    *out = matrix;
    return true;
}

void matrix_free(struct matrix *matrix)
{
    struct surroundings *around = &matrix->around;
    log_configure(LOG_INFO, NULL, NULL);
    for (int i = 0; i < matrix->options.world_count; i++) {
        world_release(&matrix->worlds[i]);
    }
    cnpg_free(matrix->cnpg);
    provisioner_free(matrix->provisioner);
    outage_free(around->outage);
    mirror_free(around->mirror);
    checker_free(around->checker);
    api_free(around->api);
    ledger_release(&around->ledger);
    http_client_free(matrix->http);
    access_free(matrix->access);
    loop_free(matrix->loop);
    memory_free(matrix);
}
