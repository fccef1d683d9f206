/* SPDX-License-Identifier: Apache-2.0 */
/* main [SCENARIO [NUMBER [MODE]]]: all, one scenario, one write of it, or one cell. MODE is before,
   applied, replied, pause, restart or a person's deed. The writes of a scenario are learned first,
   by playing it without any fault. Settings come in the environment, see the script `run`. */
#include "base/memory.h"
#include "crash_matrix/matrix.h"
#include "crash_matrix/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORLD_COUNT_DEFAULT = 14,
    ROUNDS = 2, /* of two operators, who meet otherwise each time */
    EXIT_WRONG = 2,
};

struct selection {
    const char *scenario, *mode; /* NULL: all */
    int64_t number;              /* 0: all */
};

static bool is_selected(const struct selection *selection, const struct cell *cell)
{
    const char *mode = cell->mode == MODE_PERSON ? cell->person->name : mode_name(cell->mode);
    return (selection->scenario == NULL || text_equal(selection->scenario, cell->scenario->name)) &&
           (selection->number == 0 || selection->number == cell->number) &&
           (selection->mode == NULL || text_equal(selection->mode, mode));
}

static void add(struct cells *cells, const struct selection *selection, struct cell cell)
{
    if (is_selected(selection, &cell)) {
        (void)cells_add(cells, cell);
    }
}

/* A write that the claim itself is made of, not the pool's refill. */
static bool is_of_claim(const char *write)
{
    return strstr(write, "alice") != NULL || strstr(write, "claimed") != NULL ||
           strstr(write, "dry runs") != NULL ||
           strstr(write, "delete PersistentVolumeClaim") != NULL;
}

static void add_people(struct cells *cells, const struct selection *selection, struct cell cell)
{
    cell.mode = MODE_PERSON;
    for (const struct person *person = people; person->name != NULL; person++) {
        cell.person = person;
        bool meets =
            cell.scenario->is_claim
                ? !person->claims && (cell.scenario->operator_count == 1 || person->empties_pool)
                : person->claims;
        if (meets) {
            add(cells, selection, cell);
        }
    }
}

/* People come to claims; in `Release` they meet the same code but for the commit and the PVC. And
   one comes with a claim when a clone is about to be retired. */
static bool people_come_to(const struct scenario *scenario, const char *write)
{
    if (!scenario->is_claim) {
        return scenario->expected.has_pool && strstr(write, "retiring") != NULL;
    }
    return is_of_claim(write) &&
           (text_equal(scenario->order, "Swap") || strstr(write, "claimed") != NULL ||
            strstr(write, "create PersistentVolumeClaim") != NULL);
}

static void add_faults(struct cells *cells, const struct selection *selection,
                       const struct cell *plain)
{
    static const enum mode crashes[] = {MODE_BEFORE, MODE_APPLIED, MODE_REPLIED};
    for (size_t i = 0; i < plain->write_count; i++) {
        struct cell cell = {
            .scenario = plain->scenario, .number = (int)i + 1, .write = plain->writes[i]};
        bool alone = plain->scenario->operator_count == 1;
        for (size_t mode = 0; alone && mode < sizeof(crashes) / sizeof(*crashes); mode++) {
            cell.mode = crashes[mode];
            add(cells, selection, cell);
        }
        if (people_come_to(plain->scenario, cell.write.name)) {
            add_people(cells, selection, cell);
        }
    }
}

/* Of `Swap` only: the rest is the same. */
static void add_outages(struct cells *cells, const struct selection *selection, enum mode mode,
                        const struct cell *plain)
{
    for (size_t i = 0; i < plain->write_count; i++) {
        struct cell cell = {.scenario = plain->scenario,
                            .mode = mode,
                            .number = (int)i + 1,
                            .write = plain->writes[i]};
        if (text_equal(plain->scenario->name, "claim-swap") && is_of_claim(cell.write.name)) {
            add(cells, selection, cell);
        }
    }
}

static bool has_faults(const struct scenario *scenario)
{
    return scenario->operator_count == 1 || scenario->is_claim;
}

/* Scenarios as they are: first those whose writes are to be learned, then those in which two
   operators are the fault. */
static void add_plain(struct cells *cells, const struct selection *selection, bool with_faults)
{
    const struct selection whole = {.scenario = selection->scenario};
    for (const struct scenario *scenario = scenarios; scenario->name != NULL; scenario++) {
        for (int round = 0; round < (with_faults ? 1 : ROUNDS); round++) {
            if (has_faults(scenario) == with_faults) {
                add(cells, &whole, (struct cell){.scenario = scenario});
            }
        }
    }
}

static void play(struct matrix *matrix, struct cells *cells, const struct selection *selection)
{
    add_plain(cells, selection, true);
    size_t plain_count = cells->count;
    matrix_play(matrix, cells, 0);
    add_plain(cells, selection, false);
    for (size_t i = 0; i < plain_count; i++) {
        add_faults(cells, selection, cells->cells[i]);
    }
    matrix_play(matrix, cells, plain_count);
    const enum mode outages[] = {MODE_PAUSE, MODE_RESTART};
    for (size_t mode = 0; mode < sizeof(outages) / sizeof(*outages); mode++) {
        size_t from = cells->count;
        for (size_t i = 0; i < plain_count; i++) {
            add_outages(cells, selection, outages[mode], cells->cells[i]);
        }
        matrix_play(matrix, cells, from);
    }
}

static bool read_selection(int argc, char **argv, struct selection *out, struct error *error)
{
    static const char *const modes[] = {"before", "applied", "replied", "pause", "restart"};
    *out = (struct selection){.scenario = argc > 1 ? argv[1] : NULL,
                              .mode = argc > 3 ? argv[3] : NULL};
    bool known = out->mode == NULL || person_find(out->mode) != NULL;
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        known = known || text_equal(out->mode, modes[i]);
    }
    if (out->scenario != NULL && scenario_find(out->scenario) == NULL) {
        return error_set(error, ERROR_INVALID, "there is no scenario %s", out->scenario);
    }
    if (!known) {
        return error_set(error, ERROR_INVALID, "there is no mode and no deed %s", out->mode);
    }
    return argc <= 2 || text_parse_int64(argv[2], &out->number, error);
}

int main(int argc, char **argv)
{
    struct selection selection;
    struct error error;
    struct matrix *matrix = NULL;
    struct cells cells;
    int64_t world_count = WORLD_COUNT_DEFAULT;
    const char *worlds = getenv("CRASH_MATRIX_WORLDS");
    struct matrix_options options = {.kubeconfig = getenv("KUBECONFIG"),
                                     .outage_script = getenv("CRASH_MATRIX_OUTAGE"),
                                     .traces = getenv("CRASH_MATRIX_TRACES")};
    memory_adopt_libraries();
    if (!read_selection(argc, argv, &selection, &error) ||
        (worlds != NULL && !text_parse_int64(worlds, &world_count, &error))) {
        (void)fprintf(stderr, "%s\n", error.message);
        return EXIT_WRONG;
    }
    options.world_count = (int)world_count;
    if (!matrix_open(&options, &matrix, &error)) {
        (void)fprintf(stderr, "%s\n", error.message);
        return EXIT_WRONG;
    }
    cells_init(&cells);
    play(matrix, &cells, &selection);
    bool passed = table_print(&cells);
    matrix_free(matrix);
    cells_release(&cells);
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
