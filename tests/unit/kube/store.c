/* SPDX-License-Identifier: Apache-2.0 */
#include "kube/store.h"

#include "base/text.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { OBJECT_COUNT_MAX = 100 };

/* What the listener heard: "+name:version " added, "-" gone, "~" changed. */
struct fixture {
    struct store *store;
    struct text heard;
};

static void hear(void *self, const struct object *before, const struct object *after)
{
    struct fixture *fixture = self;
    const struct object *object = after == NULL ? before : after;
    char sign = before == NULL ? '+' : after == NULL ? '-' : '~';
    text_print(&fixture->heard, "%c%s:%s ", sign, object->meta.name, object->meta.resource_version);
    if (before != NULL && after != NULL) {
        assert_string_equal(before->meta.uid, after->meta.uid);
    }
}

static int set_up(void **state)
{
    static struct fixture fixture;
    text_init(&fixture.heard, 10000);
    struct store_listener listener = {.changed = hear, .self = &fixture};
    fixture.store = store_new(OBJECT_COUNT_MAX, listener);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    store_free(fixture->store);
    text_release(&fixture->heard);
    return 0;
}

static bool put(struct fixture *fixture, const char *name, const char *uid, const char *version,
                enum store_source source)
{
    char json[800];
    snprintf(json, sizeof(json),
             "{'metadata':{'namespace':'dev','name':'%s','uid':'%s','resourceVersion':'%s'}}", name,
             uid, version);
    return store_put_take(fixture->store, object_from(KIND_JOB, json), source);
}

static bool remove_seen(struct fixture *fixture, const char *name, const char *uid,
                        const char *version)
{
    return store_remove(fixture->store, KIND_JOB, "dev", name, uid, version);
}

static void assert_version(const struct fixture *fixture, const char *name, const char *version)
{
    const struct object *object = store_get(fixture->store, KIND_JOB, "dev", name);
    assert_non_null(object);
    assert_string_equal(object->meta.resource_version, version);
}

static void assert_absent(const struct fixture *fixture, const char *name)
{
    assert_null(store_get(fixture->store, KIND_JOB, "dev", name));
}

static void assert_heard(struct fixture *fixture, const char *expected)
{
    assert_string_equal(fixture->heard.bytes, expected);
    text_clear(&fixture->heard);
}

static void finds_by_name_and_by_uid(void **state)
{
    struct fixture *fixture = *state;
    assert_true(put(fixture, "a", "uid-a", "1", STORE_LIST));
    assert_version(fixture, "a", "1");
    assert_ptr_equal(store_get_uid(fixture->store, KIND_JOB, "uid-a"),
                     store_get(fixture->store, KIND_JOB, "dev", "a"));
    assert_null(store_get(fixture->store, KIND_JOB, "other", "a"));
    assert_null(store_get(fixture->store, KIND_VOLUME_CLAIM, "dev", "a"));
    assert_null(store_get_uid(fixture->store, KIND_JOB, "uid-b"));
    assert_int_equal(store_count(fixture->store, KIND_JOB), 1);
    assert_int_equal(store_count(fixture->store, KIND_VOLUME_CLAIM), 0);
    const char *dev = "{'metadata':{'name':'dev','uid':'u','resourceVersion':'1'}}";
    store_put_take(fixture->store, object_from(KIND_NAMESPACE, dev), STORE_LIST);
    assert_non_null(store_get(fixture->store, KIND_NAMESPACE, NULL, "dev"));
    assert_non_null(store_get(fixture->store, KIND_NAMESPACE, "", "dev"));
}

static void a_name_longer_than_any_is_dropped(void **state)
{
    struct fixture *fixture = *state;
    char name[400] = "";
    memset(name, 'n', 253);
    assert_true(put(fixture, name, "u1", "1", STORE_LIST));
    assert_version(fixture, name, "1");
    memset(name, 'n', sizeof(name) - 1);
    assert_false(put(fixture, name, "u2", "1", STORE_LIST));
    assert_absent(fixture, name);
}

static void visits_each_object_once(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "1", STORE_LIST);
    put(fixture, "b", "uid-b", "2", STORE_LIST);
    put(fixture, "c", "uid-c", "3", STORE_LIST);
    char seen[8] = "";
    size_t at = 0;
    const struct object *object = NULL;
    while ((object = store_next(fixture->store, KIND_JOB, &at)) != NULL) {
        assert_null(strchr(seen, object->meta.name[0]));
        seen[strlen(seen)] = object->meta.name[0];
    }
    assert_int_equal(strlen(seen), 3);
}

static void tells_each_change_once_and_counts_it(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "1", STORE_WATCH);
    put(fixture, "a", "uid-a", "2", STORE_WATCH);
    assert_false(put(fixture, "a", "uid-a", "2", STORE_WATCH));
    assert_true(remove_seen(fixture, "a", "uid-a", "3"));
    assert_false(remove_seen(fixture, "a", "uid-a", "3"));
    assert_heard(fixture, "+a:1 ~a:2 -a:2 ");
    assert_int_equal(store_revision(fixture->store), 3);
}

static void an_older_version_is_dropped_whoever_brings_it(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "1000", STORE_WATCH);
    assert_false(put(fixture, "a", "uid-a", "999", STORE_WATCH));
    assert_false(put(fixture, "a", "uid-a", "999", STORE_REPLY));
    store_begin_list(fixture->store, KIND_JOB);
    assert_false(put(fixture, "a", "uid-a", "999", STORE_LIST));
    store_end_list(fixture->store, KIND_JOB, "999");
    assert_version(fixture, "a", "1000");
    assert_true(put(fixture, "a", "uid-a", "1001", STORE_REPLY));
}

/* B37 */
static void our_own_write_is_read_at_once_and_not_undone_by_a_watch_that_lags(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "10", STORE_WATCH);
    put(fixture, "a", "uid-a", "20", STORE_REPLY);
    put(fixture, "new", "uid-new", "21", STORE_REPLY);
    assert_false(put(fixture, "a", "uid-a", "15", STORE_WATCH));
    assert_version(fixture, "a", "20");
    assert_version(fixture, "new", "21");
    assert_false(put(fixture, "a", "uid-a", "20", STORE_WATCH));
    assert_false(put(fixture, "new", "uid-new", "21", STORE_WATCH));
    assert_heard(fixture, "+a:10 ~a:20 +new:21 ");
}

/* B36 */
static void a_list_from_before_our_own_write_removes_nothing_of_it(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "ours", "uid-o", "20", STORE_REPLY);
    store_begin_list(fixture->store, KIND_JOB);
    store_end_list(fixture->store, KIND_JOB, "19");
    assert_version(fixture, "ours", "20");
    store_begin_list(fixture->store, KIND_JOB);
    store_end_list(fixture->store, KIND_JOB, "25");
    assert_absent(fixture, "ours");
}

/* B11 */
static void what_a_list_does_not_show_is_gone_and_told_once(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "stays", "uid-s", "1", STORE_WATCH);
    put(fixture, "gone", "uid-g", "2", STORE_WATCH);
    text_clear(&fixture->heard);
    store_begin_list(fixture->store, KIND_JOB);
    put(fixture, "stays", "uid-s", "1", STORE_LIST);
    put(fixture, "new", "uid-n", "3", STORE_LIST);
    assert_version(fixture, "gone", "2");
    store_end_list(fixture->store, KIND_JOB, "9");
    assert_heard(fixture, "+new:3 -gone:2 ");
    assert_false(put(fixture, "gone", "uid-g", "2", STORE_WATCH));
}

static void a_put_during_a_list_outlives_it_only_if_it_is_newer(void **state)
{
    struct fixture *fixture = *state;
    store_begin_list(fixture->store, KIND_JOB);
    put(fixture, "newer", "uid-n", "12", STORE_REPLY);
    put(fixture, "deleted-since", "uid-d", "8", STORE_REPLY);
    store_end_list(fixture->store, KIND_JOB, "10");
    assert_version(fixture, "newer", "12");
    assert_absent(fixture, "deleted-since");
}

static void an_abandoned_list_removes_nothing(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "1", STORE_WATCH);
    put(fixture, "b", "uid-b", "1", STORE_WATCH);
    store_begin_list(fixture->store, KIND_JOB);
    put(fixture, "a", "uid-a", "1", STORE_LIST);
    store_abandon_list(fixture->store, KIND_JOB);
    assert_int_equal(store_count(fixture->store, KIND_JOB), 2);
    /* And what it showed does not count as shown by the next. */
    store_begin_list(fixture->store, KIND_JOB);
    put(fixture, "b", "uid-b", "1", STORE_LIST);
    store_end_list(fixture->store, KIND_JOB, "9");
    assert_absent(fixture, "a");
    assert_version(fixture, "b", "1");
}

static void what_a_list_shows_and_nobody_can_decode_stands(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "1", STORE_WATCH);
    store_begin_list(fixture->store, KIND_JOB);
    store_spare_listed(fixture->store, KIND_JOB, "dev", "a");
    store_spare_listed(fixture->store, KIND_JOB, "dev", "never-seen");
    store_end_list(fixture->store, KIND_JOB, "9");
    assert_version(fixture, "a", "1");
}

static void a_name_made_anew_is_gone_and_then_added(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-1", "1", STORE_WATCH);
    assert_true(put(fixture, "a", "uid-2", "5", STORE_REPLY));
    assert_heard(fixture, "+a:1 -a:1 +a:5 ");
    assert_null(store_get_uid(fixture->store, KIND_JOB, "uid-1"));
    assert_non_null(store_get_uid(fixture->store, KIND_JOB, "uid-2"));
    /* The watch is still at the first one's end. */
    assert_false(put(fixture, "a", "uid-1", "3", STORE_WATCH));
    assert_false(remove_seen(fixture, "a", "uid-1", "4"));
    assert_version(fixture, "a", "5");
}

/* B35 */
static void a_late_reply_about_the_one_before_does_not_displace_a_name_made_anew(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-1", "v-x", STORE_WATCH);
    put(fixture, "a", "uid-2", "v-b", STORE_WATCH);
    assert_false(put(fixture, "a", "uid-1", "v-z", STORE_REPLY));
    assert_version(fixture, "a", "v-b");
}

static void what_was_deleted_stays_deleted(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "5", STORE_WATCH);
    assert_true(remove_seen(fixture, "a", "uid-a", NULL)); /* our own DELETE came back */
    assert_false(put(fixture, "a", "uid-a", "6", STORE_WATCH));
    assert_false(put(fixture, "a", "uid-a", "6", STORE_REPLY));
    assert_absent(fixture, "a");
}

static void a_removal_by_name_alone_yields_to_a_newer_state(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "5", STORE_WATCH);
    assert_true(remove_seen(fixture, "a", NULL, NULL));
    assert_false(put(fixture, "a", "uid-a", "5", STORE_WATCH));
    assert_true(put(fixture, "a", "uid-a", "6", STORE_WATCH));
}

/* A selector's watch says DELETED for what does not match any more. */
static void what_left_the_selection_may_come_back_with_a_newer_version(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "5", STORE_WATCH);
    assert_true(remove_seen(fixture, "a", "uid-a", "7"));
    assert_false(put(fixture, "a", "uid-a", "6", STORE_REPLY));
    assert_true(put(fixture, "a", "uid-a", "9", STORE_WATCH));
    assert_false(remove_seen(fixture, "a", "uid-a", "8"));
    assert_version(fixture, "a", "9");
}

static void a_list_begun_after_a_removal_shows_what_is_there(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "5", STORE_WATCH);
    store_begin_list(fixture->store, KIND_JOB);
    remove_seen(fixture, "a", "uid-a", "5");
    assert_false(put(fixture, "a", "uid-a", "5", STORE_LIST));
    store_end_list(fixture->store, KIND_JOB, "6");
    store_begin_list(fixture->store, KIND_JOB);
    assert_true(put(fixture, "a", "uid-a", "5", STORE_LIST));
    store_end_list(fixture->store, KIND_JOB, "8");
    assert_version(fixture, "a", "5");
}

static void a_late_reply_about_what_came_and_went_unseen_is_dropped(void **state)
{
    struct fixture *fixture = *state;
    store_begin_list(fixture->store, KIND_JOB);
    store_end_list(fixture->store, KIND_JOB, "100");
    assert_false(put(fixture, "a", "uid-a", "100", STORE_REPLY));
    put(fixture, "b", "uid-b", "120", STORE_WATCH);
    assert_false(put(fixture, "a", "uid-a", "119", STORE_REPLY));
    assert_true(put(fixture, "a", "uid-a", "121", STORE_REPLY));
}

/* B35 */
static void a_reply_of_no_comparable_version_stands_until_the_watch_shows_it(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "v-x", STORE_WATCH);
    assert_true(put(fixture, "a", "uid-a", "v-b", STORE_REPLY));
    assert_false(put(fixture, "a", "uid-a", "v-z", STORE_WATCH)); /* from before it */
    assert_version(fixture, "a", "v-b");
    assert_false(put(fixture, "a", "uid-a", "v-b", STORE_WATCH));
    assert_true(put(fixture, "a", "uid-a", "v-a", STORE_WATCH));
    assert_version(fixture, "a", "v-a");
}

static void a_version_that_is_shown_again_is_as_if_it_were_put_again(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "v-b", STORE_REPLY);
    store_note_shown(fixture->store, store_get(fixture->store, KIND_JOB, "dev", "a"), STORE_WATCH);
    assert_true(put(fixture, "a", "uid-a", "v-a", STORE_WATCH));
    store_begin_list(fixture->store, KIND_JOB);
    store_note_shown(fixture->store, store_get(fixture->store, KIND_JOB, "dev", "a"), STORE_LIST);
    store_end_list(fixture->store, KIND_JOB, "v-l");
    assert_version(fixture, "a", "v-a");
}

/* B35 */
static void a_list_replaces_a_reply_of_no_comparable_version(void **state)
{
    struct fixture *fixture = *state;
    put(fixture, "a", "uid-a", "v-b", STORE_REPLY);
    put(fixture, "b", "uid-b", "v-c", STORE_REPLY);
    store_begin_list(fixture->store, KIND_JOB);
    put(fixture, "during", "uid-d", "v-d", STORE_REPLY);
    assert_true(put(fixture, "a", "uid-a", "v-q", STORE_LIST));
    store_end_list(fixture->store, KIND_JOB, "v-l");
    assert_version(fixture, "a", "v-q");
    assert_absent(fixture, "b");
    assert_version(fixture, "during", "v-d");
    assert_true(put(fixture, "a", "uid-a", "v-r", STORE_WATCH));
}

static void over_the_maximum_the_rest_is_dropped_and_it_says_so(void **state)
{
    struct fixture *fixture = *state;
    char name[16];
    for (int i = 0; i < OBJECT_COUNT_MAX; i++) {
        snprintf(name, sizeof(name), "n%d", i);
        assert_true(put(fixture, name, name, "1", STORE_WATCH));
    }
    assert_false(store_overflowed(fixture->store, KIND_JOB));
    assert_false(put(fixture, "more", "uid-m", "2", STORE_WATCH));
    assert_true(store_overflowed(fixture->store, KIND_JOB));
    assert_true(put(fixture, "n0", "n0", "3", STORE_WATCH));
    assert_false(store_overflowed(fixture->store, KIND_VOLUME));
    /* A list that fits is the end of it. */
    store_begin_list(fixture->store, KIND_JOB);
    put(fixture, "n0", "n0", "3", STORE_LIST);
    assert_true(store_overflowed(fixture->store, KIND_JOB));
    store_end_list(fixture->store, KIND_JOB, "9");
    assert_false(store_overflowed(fixture->store, KIND_JOB));
    assert_int_equal(store_count(fixture->store, KIND_JOB), 1);
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_STORE(finds_by_name_and_by_uid),
        WITH_STORE(a_name_longer_than_any_is_dropped),
        WITH_STORE(visits_each_object_once),
        WITH_STORE(tells_each_change_once_and_counts_it),
        WITH_STORE(an_older_version_is_dropped_whoever_brings_it),
        WITH_STORE(our_own_write_is_read_at_once_and_not_undone_by_a_watch_that_lags),
        WITH_STORE(a_list_from_before_our_own_write_removes_nothing_of_it),
        WITH_STORE(what_a_list_does_not_show_is_gone_and_told_once),
        WITH_STORE(a_put_during_a_list_outlives_it_only_if_it_is_newer),
        WITH_STORE(an_abandoned_list_removes_nothing),
        WITH_STORE(what_a_list_shows_and_nobody_can_decode_stands),
        WITH_STORE(a_name_made_anew_is_gone_and_then_added),
        WITH_STORE(a_late_reply_about_the_one_before_does_not_displace_a_name_made_anew),
        WITH_STORE(what_was_deleted_stays_deleted),
        WITH_STORE(a_removal_by_name_alone_yields_to_a_newer_state),
        WITH_STORE(what_left_the_selection_may_come_back_with_a_newer_version),
        WITH_STORE(a_list_begun_after_a_removal_shows_what_is_there),
        WITH_STORE(a_late_reply_about_what_came_and_went_unseen_is_dropped),
        WITH_STORE(a_reply_of_no_comparable_version_stands_until_the_watch_shows_it),
        WITH_STORE(a_version_that_is_shown_again_is_as_if_it_were_put_again),
        WITH_STORE(a_list_replaces_a_reply_of_no_comparable_version),
        WITH_STORE(over_the_maximum_the_rest_is_dropped_and_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
