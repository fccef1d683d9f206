/* SPDX-License-Identifier: Apache-2.0 */
/* What a list takes away, and what of it is older than what is known by then. */
#include "kube/store.h"

#include "support/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void an_older_version_is_dropped_whoever_brings_it(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "1000", STORE_WATCH);
    assert_false(store_fixture_put(fixture, "a", "uid-a", "999", STORE_WATCH));
    assert_false(store_fixture_put(fixture, "a", "uid-a", "999", STORE_REPLY));
    store_begin_list(fixture->store, KIND_JOB);
    assert_false(store_fixture_put(fixture, "a", "uid-a", "999", STORE_LIST));
    store_end_list(fixture->store, KIND_JOB, "999");
    assert_store_version(fixture, "a", "1000");
    assert_true(store_fixture_put(fixture, "a", "uid-a", "1001", STORE_REPLY));
}

/* B36 */
static void a_list_from_before_our_own_write_removes_nothing_of_it(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "ours", "uid-o", "20", STORE_REPLY);
    store_begin_list(fixture->store, KIND_JOB);
    store_end_list(fixture->store, KIND_JOB, "19");
    assert_store_version(fixture, "ours", "20");
    store_begin_list(fixture->store, KIND_JOB);
    store_end_list(fixture->store, KIND_JOB, "25");
    assert_store_absent(fixture, "ours");
}

/* B11 */
static void what_a_list_does_not_show_is_gone_and_told_once(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "stays", "uid-s", "1", STORE_WATCH);
    store_fixture_put(fixture, "gone", "uid-g", "2", STORE_WATCH);
    text_clear(&fixture->heard);
    store_begin_list(fixture->store, KIND_JOB);
    store_fixture_put(fixture, "stays", "uid-s", "1", STORE_LIST);
    store_fixture_put(fixture, "new", "uid-n", "3", STORE_LIST);
    assert_store_version(fixture, "gone", "2");
    store_end_list(fixture->store, KIND_JOB, "9");
    assert_store_heard(fixture, "+new:3 -gone:2 ");
    assert_false(store_fixture_put(fixture, "gone", "uid-g", "2", STORE_WATCH));
}

static void a_put_during_a_list_outlives_it_only_if_it_is_newer(void **state)
{
    struct store_fixture *fixture = *state;
    store_begin_list(fixture->store, KIND_JOB);
    store_fixture_put(fixture, "newer", "uid-n", "12", STORE_REPLY);
    store_fixture_put(fixture, "deleted-since", "uid-d", "8", STORE_REPLY);
    store_end_list(fixture->store, KIND_JOB, "10");
    assert_store_version(fixture, "newer", "12");
    assert_store_absent(fixture, "deleted-since");
}

static void an_abandoned_list_removes_nothing(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "1", STORE_WATCH);
    store_fixture_put(fixture, "b", "uid-b", "1", STORE_WATCH);
    store_begin_list(fixture->store, KIND_JOB);
    store_fixture_put(fixture, "a", "uid-a", "1", STORE_LIST);
    store_abandon_list(fixture->store, KIND_JOB);
    assert_int_equal(store_count(fixture->store, KIND_JOB), 2);
    /* And what it showed does not count as shown by the next. */
    store_begin_list(fixture->store, KIND_JOB);
    store_fixture_put(fixture, "b", "uid-b", "1", STORE_LIST);
    store_end_list(fixture->store, KIND_JOB, "9");
    assert_store_absent(fixture, "a");
    assert_store_version(fixture, "b", "1");
}

static void what_a_list_shows_and_nobody_can_decode_stands(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "1", STORE_WATCH);
    store_begin_list(fixture->store, KIND_JOB);
    store_spare_listed(fixture->store, KIND_JOB, "dev", "a");
    store_spare_listed(fixture->store, KIND_JOB, "dev", "never-seen");
    store_end_list(fixture->store, KIND_JOB, "9");
    assert_store_version(fixture, "a", "1");
}

static void a_list_begun_after_a_removal_shows_what_is_there(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "5", STORE_WATCH);
    store_begin_list(fixture->store, KIND_JOB);
    store_fixture_remove(fixture, "a", "uid-a", "5");
    assert_false(store_fixture_put(fixture, "a", "uid-a", "5", STORE_LIST));
    store_end_list(fixture->store, KIND_JOB, "6");
    store_begin_list(fixture->store, KIND_JOB);
    assert_true(store_fixture_put(fixture, "a", "uid-a", "5", STORE_LIST));
    store_end_list(fixture->store, KIND_JOB, "8");
    assert_store_version(fixture, "a", "5");
}

static void a_late_reply_about_what_came_and_went_unseen_is_dropped(void **state)
{
    struct store_fixture *fixture = *state;
    store_begin_list(fixture->store, KIND_JOB);
    store_end_list(fixture->store, KIND_JOB, "100");
    assert_false(store_fixture_put(fixture, "a", "uid-a", "100", STORE_REPLY));
    store_fixture_put(fixture, "b", "uid-b", "120", STORE_WATCH);
    assert_false(store_fixture_put(fixture, "a", "uid-a", "119", STORE_REPLY));
    assert_true(store_fixture_put(fixture, "a", "uid-a", "121", STORE_REPLY));
}

static void a_version_that_is_shown_again_is_as_if_it_were_put_again(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "v-b", STORE_REPLY);
    store_note_shown(fixture->store, store_get(fixture->store, KIND_JOB, "dev", "a"), STORE_WATCH);
    assert_true(store_fixture_put(fixture, "a", "uid-a", "v-a", STORE_WATCH));
    store_begin_list(fixture->store, KIND_JOB);
    store_note_shown(fixture->store, store_get(fixture->store, KIND_JOB, "dev", "a"), STORE_LIST);
    store_end_list(fixture->store, KIND_JOB, "v-l");
    assert_store_version(fixture, "a", "v-a");
}

/* B35 */
static void a_list_replaces_a_reply_of_no_comparable_version(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "v-b", STORE_REPLY);
    store_fixture_put(fixture, "b", "uid-b", "v-c", STORE_REPLY);
    store_begin_list(fixture->store, KIND_JOB);
    store_fixture_put(fixture, "during", "uid-d", "v-d", STORE_REPLY);
    assert_true(store_fixture_put(fixture, "a", "uid-a", "v-q", STORE_LIST));
    store_end_list(fixture->store, KIND_JOB, "v-l");
    assert_store_version(fixture, "a", "v-q");
    assert_store_absent(fixture, "b");
    assert_store_version(fixture, "during", "v-d");
    assert_true(store_fixture_put(fixture, "a", "uid-a", "v-r", STORE_WATCH));
}

static void over_the_maximum_the_rest_is_dropped_and_it_says_so(void **state)
{
    struct store_fixture *fixture = *state;
    char name[16];
    for (int i = 0; i < STORE_FIXTURE_OBJECTS_MAX; i++) {
        snprintf(name, sizeof(name), "n%d", i);
        assert_true(store_fixture_put(fixture, name, name, "1", STORE_WATCH));
    }
    assert_false(store_overflowed(fixture->store, KIND_JOB));
    assert_false(store_fixture_put(fixture, "more", "uid-m", "2", STORE_WATCH));
    assert_true(store_overflowed(fixture->store, KIND_JOB));
    assert_true(store_fixture_put(fixture, "n0", "n0", "3", STORE_WATCH));
    assert_false(store_overflowed(fixture->store, KIND_VOLUME));
    /* A list that fits is the end of it. */
    store_begin_list(fixture->store, KIND_JOB);
    store_fixture_put(fixture, "n0", "n0", "3", STORE_LIST);
    assert_true(store_overflowed(fixture->store, KIND_JOB));
    store_end_list(fixture->store, KIND_JOB, "9");
    assert_false(store_overflowed(fixture->store, KIND_JOB));
    assert_int_equal(store_count(fixture->store, KIND_JOB), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_STORE(an_older_version_is_dropped_whoever_brings_it),
        WITH_STORE(a_list_from_before_our_own_write_removes_nothing_of_it),
        WITH_STORE(what_a_list_does_not_show_is_gone_and_told_once),
        WITH_STORE(a_put_during_a_list_outlives_it_only_if_it_is_newer),
        WITH_STORE(an_abandoned_list_removes_nothing),
        WITH_STORE(what_a_list_shows_and_nobody_can_decode_stands),
        WITH_STORE(a_list_begun_after_a_removal_shows_what_is_there),
        WITH_STORE(a_late_reply_about_what_came_and_went_unseen_is_dropped),
        WITH_STORE(a_version_that_is_shown_again_is_as_if_it_were_put_again),
        WITH_STORE(a_list_replaces_a_reply_of_no_comparable_version),
        WITH_STORE(over_the_maximum_the_rest_is_dropped_and_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
