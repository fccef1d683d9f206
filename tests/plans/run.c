/* SPDX-License-Identifier: Apache-2.0 */
/* Each folder beside this file is a situation; README.md describes them. Two tests a folder: the
   plan is what plan.txt says, whatever the order the objects came in; and the whole operator, put
   before such a cluster, comes to rest, because a plan that goes through leads to an empty one.
   The plans are all compared first, which takes a tenth of the time. UPDATE=1 writes plan.txt
   anew. */
#include "base/limits.h"
#include "base/log.h"
#include "base/memory.h"
#include "io/file.h"
#include "operator/observe.h"
#include "support/json_lines.h"
#include "support/line_diff.h"
#include "support/operator_fixture.h"
#include "support/situation.h"
#include "support/test_zones.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CASE_COUNT_MIN = 50, CASE_COUNT_MAX = 2000, ORDER_COUNT = 3 };
/* A clone that does not come is given up step by step: after twenty minutes it is put aside, and
   what is made in its place after twenty more. At rest is what sends nothing for longer. */
enum { LOOK_MS = 60 * 1000, RESTING_MS = 25 * LOOK_MS, SETTLING_MS = 150 * LOOK_MS };

/* Where the folders are: PLANS, or found from the root of the repository. */
static const char *folder(void)
{
    const char *named = getenv("PLANS");
    return named == NULL ? "tests/plans" : named;
}

/* plan_write_text with its bodies, each of which is a line there, laid out. */
static void write_plan(const struct plan *plan, struct text *out)
{
    static const char indent[] = "    ";
    cleanup_text struct text text;
    text_init(&text, LIMIT_BODY_BYTES);
    plan_write_text(plan, true, &text);
    for (char *line = text.bytes; *line != '\0';) {
        char *end = strchr(line, '\n');
        *end = '\0';
        if (text_starts_with(line, indent)) {
            json_lines(line + strlen(indent), strlen(indent), out);
        } else {
            text_print(out, "%s\n", line);
        }
        line = end + 1;
    }
    if (plan->look_again_ms != NOW_NEVER) {
        text_print(out, "look again in %lld s\n",
                   (long long)(plan->look_again_ms - plan->now.mono_ms) / 1000);
    }
}

static void make_plan(const struct situation *situation, struct text *out)
{
    struct store *store = situation_store(situation);
    struct memos memos;
    memos_init(&memos);
    situation_remember(situation, &memos);
    struct assignment assignment;
    assignment_init(&assignment);
    struct zones zones;
    zones_init(&zones, test_zones());
    assignment_compute(&assignment, store, &memos, &zones, situation->now);
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    struct plan plan;
    plan_init(&plan, &arena, situation->now);
    struct vouches vouches;
    vouches_init(&vouches);
    situation_vouch(situation, store, &vouches);
    struct view view = {
        store, &memos, &assignment, &vouches, situation->now, NULL, situation->clock_steady_ms,
        NULL,  &zones};
    struct key key;
    struct volume_finding finding;
    assert_true(key_read(situation->key, &key));
    if (!observe_and_plan(&view, &key, &plan, &finding)) {
        fail_msg("there is no %s", situation->key);
    }
    write_plan(&plan, out);
    if (finding.reason != NULL) {
        text_print(out, "finding %s: %s\n", finding.reason, finding.message);
    }
    vouches_release(&vouches);
    zones_release(&zones);
    assignment_release(&assignment);
    memos_release(&memos);
    store_free(store);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void compare(const char *made, const char *expected)
{
    if (text_equal(made, expected)) {
        return;
    }
    cleanup_text struct text diff;
    text_init(&diff, LIMIT_BODY_BYTES);
    line_diff(expected, made, &diff);
    print_message("%s", diff.bytes);
    fail_msg("another plan than expected (-: plan.txt, +: made; UPDATE=1 rewrites it)");
}

static void plans_as_expected(void **state)
{
    struct situation situation;
    situation_load(&situation, folder(), *state);
    const char *path =
        arena_print(&situation.arena, "%s/%s/plan.txt", folder(), (const char *)*state);
    cleanup_text struct text first;
    text_init(&first, LIMIT_BODY_BYTES);
    make_plan(&situation, &first);
    for (int order = 1; order < ORDER_COUNT; order++) {
        cleanup_text struct text again;
        text_init(&again, LIMIT_BODY_BYTES);
        situation_reorder(&situation, order);
        make_plan(&situation, &again);
        compare(again.bytes, first.bytes);
    }
    if (getenv("UPDATE") != NULL) {
        write_file(path, first.bytes);
    }
    cleanup_memory char *expected = NULL;
    struct error error;
    if (!file_read(path, LIMIT_FILE_BYTES, &expected, NULL, &error)) {
        fail_msg("%s; it was made\n%s", error.message, first.bytes);
    }
    compare(first.bytes, expected);
    situation_release(&situation);
}

static void comes_to_rest(void **state)
{
    struct situation situation;
    situation_load(&situation, folder(), *state);
    struct operator_fixture fixture;
    operator_fixture_init(&fixture, situation.now.wall_ms);
    situation_put(&situation, fixture.table);
    operator_fixture_lead(&fixture);
    cleanup_text struct text sent; /* the last that was */
    text_init(&sent, LIMIT_BODY_BYTES);
    int64_t quiet_ms = 0;
    for (int64_t ms = 0; ms < SETTLING_MS && quiet_ms < RESTING_MS; ms += LOOK_MS) {
        operator_fixture_pass(&fixture, LOOK_MS);
        const char *log = fake_api_take_log(fixture.api);
        quiet_ms += LOOK_MS;
        if (log[0] != '\0') {
            quiet_ms = 0;
            text_clear(&sent);
            text_append(&sent, log);
        }
    }
    if (quiet_ms < RESTING_MS) {
        fail_msg("it does not come to rest: %s", sent.bytes);
    }
    operator_fixture_release(&fixture);
    situation_release(&situation);
}

static int is_case(const struct dirent *entry)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof(path), "%s/%s/observation.yaml", folder(), entry->d_name);
    return length < (int)sizeof(path) && access(path, R_OK) == 0;
}

int main(void)
{
    log_configure(LOG_ERROR, NULL, NULL);
    struct dirent **entries = NULL;
    int count = scandir(folder(), &entries, is_case, alphasort);
    assert_in_range(count, CASE_COUNT_MIN, CASE_COUNT_MAX);
    static struct CMUnitTest tests[2 * CASE_COUNT_MAX];
    static char names[2 * CASE_COUNT_MAX][300];
    for (int i = 0; i < count; i++) {
        char *name = entries[i]->d_name;
        snprintf(names[i], sizeof(names[0]), "%s", name);
        snprintf(names[count + i], sizeof(names[0]), "%s comes to rest", name);
        tests[i] = (struct CMUnitTest){
            .name = names[i], .test_func = plans_as_expected, .initial_state = name};
        tests[count + i] = (struct CMUnitTest){
            .name = names[count + i], .test_func = comes_to_rest, .initial_state = name};
    }
    int failed = _cmocka_run_group_tests("plans", tests, (size_t)count * 2, NULL, NULL);
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    return failed;
}
