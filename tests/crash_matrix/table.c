/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_matrix/table.h"

#include <stdio.h>

static const struct cell *find(const struct cells *cells, const struct scenario *scenario,
                               enum mode mode, const struct person *person, int number)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = cells->cells[i];
        if (cell->scenario == scenario && cell->mode == mode && cell->person == person &&
            cell->number == number && cell->result != RESULT_NONE) {
            return cell;
        }
    }
    return NULL;
}

static int last_number(const struct cells *cells, const struct scenario *scenario)
{
    int last = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = cells->cells[i];
        if (cell->scenario == scenario && cell->number > last) {
            last = cell->number;
        }
    }
    return last;
}

static const struct cell *any_of(const struct cells *cells, const struct scenario *scenario,
                                 int number)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = cells->cells[i];
        if (cell->scenario == scenario && cell->number == number) {
            return cell;
        }
    }
    return NULL;
}

/* "ok" where there is one way to end, else the ending. */
static const char *word(const struct cell *cell, bool with_ending)
{
    if (cell == NULL) {
        return "";
    }
    switch (cell->result) {
    case RESULT_NONE:
        return "";
    case RESULT_PASSED:
        return with_ending ? cell->ending : "ok";
    case RESULT_FAILED:
        return "FAILED";
    case RESULT_MISSED:
        return "-";
    case RESULT_NOTHING:
    case RESULT_COUNT:
        return ".";
    }
    return "";
}

static bool has_mode(const struct cells *cells, const struct scenario *scenario, enum mode mode)
{
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->cells[i]->scenario == scenario && cells->cells[i]->mode == mode) {
            return true;
        }
    }
    return false;
}

static void print_row(const struct cells *cells, const struct scenario *scenario, int number)
{
    static const enum mode modes[] = {MODE_BEFORE, MODE_APPLIED, MODE_REPLIED, MODE_PAUSE,
                                      MODE_RESTART};
    const struct cell *any = any_of(cells, scenario, number);
    if (any == NULL || any->scenario->operator_count > 1) {
        return;
    }
    cleanup_text struct text title;
    text_init(&title, 4096);
    text_append(&title, any->write.name);
    if (any->write.occurrence > 1) {
        text_print(&title, " (%d)", any->write.occurrence);
    }
    (void)printf("  %2d  %-44s", number, title.bytes);
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        (void)printf(" %-8s", word(find(cells, scenario, modes[i], NULL, number), false));
    }
    (void)printf("\n");
}

/* One row a person: how the claim ended, by the number of the write it was done at. */
static void print_person(const struct cells *cells, const struct scenario *scenario,
                         const struct person *person, int last)
{
    bool begun = false;
    for (int number = 1; number <= last; number++) {
        const struct cell *cell = find(cells, scenario, MODE_PERSON, person, number);
        if (cell == NULL) {
            continue;
        }
        if (!begun) {
            (void)printf("  %-20s", person->name);
        }
        begun = true;
        (void)printf(" %d:%s", number, word(cell, true));
    }
    if (begun) {
        (void)printf("\n");
    }
}

/* No fault but that there are two of them: one word a round. */
static void print_plain(const struct cells *cells, const struct scenario *scenario)
{
    bool begun = false;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = cells->cells[i];
        if (cell->scenario == scenario && cell->mode == MODE_PLAIN) {
            (void)printf("%s%s%s", begun ? "" : "\n", begun ? "" : scenario->name,
                         begun ? "" : ":");
            (void)printf(" %s", word(cell, false));
            begun = true;
        }
    }
    (void)printf(begun ? "\n" : "");
}

static void print_scenario(const struct cells *cells, const struct scenario *scenario)
{
    int last = last_number(cells, scenario);
    if (last == 0) {
        print_plain(cells, scenario);
        return;
    }
    (void)printf("\n%s\n  %2s  %-44s %-8s %-8s %-8s %-8s %s\n", scenario->name, "#", "write",
                 "before", "applied", "replied", "pause", "restart");
    for (int number = 1; number <= last; number++) {
        print_row(cells, scenario, number);
    }
    if (has_mode(cells, scenario, MODE_PERSON)) {
        (void)printf("\n%s, and a person acts while write # is on its way; how it ends\n",
                     scenario->name);
    }
    for (const struct person *person = people; person->name != NULL; person++) {
        print_person(cells, scenario, person, last);
    }
}

bool table_print(const struct cells *cells)
{
    int counts[RESULT_COUNT] = {0};
    for (const struct scenario *scenario = scenarios; scenario->name != NULL; scenario++) {
        print_scenario(cells, scenario);
    }
    for (size_t i = 0; i < cells->count; i++) {
        counts[cells->cells[i]->result]++;
    }
    (void)printf(
        "\nok, or how it ended; `.` what the person was after was not there; `-` the write "
        "was not made this time (%d)\n%d passed, %d failed\n",
        counts[RESULT_MISSED], counts[RESULT_PASSED], counts[RESULT_FAILED]);
    (void)fflush(stdout);
    return counts[RESULT_FAILED] == 0 && counts[RESULT_PASSED] > 0;
}
