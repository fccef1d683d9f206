/* SPDX-License-Identifier: Apache-2.0 */
#include "kube/store.h"

#include "support/objects.h"
#include "support/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void finds_by_name_and_by_uid(void **state)
{
    struct store_fixture *fixture = *state;
    assert_true(store_fixture_put(fixture, "a", "uid-a", "1", STORE_LIST));
    assert_store_version(fixture, "a", "1");
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
    struct store_fixture *fixture = *state;
    char name[400] = "";
    memset(name, 'n', 253);
    assert_true(store_fixture_put(fixture, name, "u1", "1", STORE_LIST));
    assert_store_version(fixture, name, "1");
    memset(name, 'n', sizeof(name) - 1);
    assert_false(store_fixture_put(fixture, name, "u2", "1", STORE_LIST));
    assert_store_absent(fixture, name);
}

static void visits_each_object_once(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "1", STORE_LIST);
    store_fixture_put(fixture, "b", "uid-b", "2", STORE_LIST);
    store_fixture_put(fixture, "c", "uid-c", "3", STORE_LIST);
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
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "1", STORE_WATCH);
    store_fixture_put(fixture, "a", "uid-a", "2", STORE_WATCH);
    assert_false(store_fixture_put(fixture, "a", "uid-a", "2", STORE_WATCH));
    assert_true(store_fixture_remove(fixture, "a", "uid-a", "3"));
    assert_false(store_fixture_remove(fixture, "a", "uid-a", "3"));
    assert_store_heard(fixture, "+a:1 ~a:2 -a:2 ");
    assert_int_equal(store_revision(fixture->store), 3);
}

/* B37 */
static void our_own_write_is_read_at_once_and_not_undone_by_a_watch_that_lags(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "10", STORE_WATCH);
    store_fixture_put(fixture, "a", "uid-a", "20", STORE_REPLY);
    store_fixture_put(fixture, "new", "uid-new", "21", STORE_REPLY);
    assert_false(store_fixture_put(fixture, "a", "uid-a", "15", STORE_WATCH));
    assert_store_version(fixture, "a", "20");
    assert_store_version(fixture, "new", "21");
    assert_false(store_fixture_put(fixture, "a", "uid-a", "20", STORE_WATCH));
    assert_false(store_fixture_put(fixture, "new", "uid-new", "21", STORE_WATCH));
    assert_store_heard(fixture, "+a:10 ~a:20 +new:21 ");
}

static void a_name_made_anew_is_gone_and_then_added(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-1", "1", STORE_WATCH);
    assert_true(store_fixture_put(fixture, "a", "uid-2", "5", STORE_REPLY));
    assert_store_heard(fixture, "+a:1 -a:1 +a:5 ");
    assert_null(store_get_uid(fixture->store, KIND_JOB, "uid-1"));
    assert_non_null(store_get_uid(fixture->store, KIND_JOB, "uid-2"));
    /* The watch is still at the first one's end. */
    assert_false(store_fixture_put(fixture, "a", "uid-1", "3", STORE_WATCH));
    assert_false(store_fixture_remove(fixture, "a", "uid-1", "4"));
    assert_store_version(fixture, "a", "5");
}

/* B35 */
static void a_late_reply_about_the_one_before_does_not_displace_a_name_made_anew(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-1", "v-x", STORE_WATCH);
    store_fixture_put(fixture, "a", "uid-2", "v-b", STORE_WATCH);
    assert_false(store_fixture_put(fixture, "a", "uid-1", "v-z", STORE_REPLY));
    assert_store_version(fixture, "a", "v-b");
}

static void what_was_deleted_stays_deleted(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "5", STORE_WATCH);
    assert_true(store_fixture_remove(fixture, "a", "uid-a", NULL)); /* our own DELETE came back */
    assert_false(store_fixture_put(fixture, "a", "uid-a", "6", STORE_WATCH));
    assert_false(store_fixture_put(fixture, "a", "uid-a", "6", STORE_REPLY));
    assert_store_absent(fixture, "a");
}

static void a_removal_by_name_alone_yields_to_a_newer_state(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "5", STORE_WATCH);
    assert_true(store_fixture_remove(fixture, "a", NULL, NULL));
    assert_false(store_fixture_put(fixture, "a", "uid-a", "5", STORE_WATCH));
    assert_true(store_fixture_put(fixture, "a", "uid-a", "6", STORE_WATCH));
}

/* A selector's watch says DELETED for what does not match any more. */
static void what_left_the_selection_may_come_back_with_a_newer_version(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "5", STORE_WATCH);
    assert_true(store_fixture_remove(fixture, "a", "uid-a", "7"));
    assert_false(store_fixture_put(fixture, "a", "uid-a", "6", STORE_REPLY));
    assert_true(store_fixture_put(fixture, "a", "uid-a", "9", STORE_WATCH));
    assert_false(store_fixture_remove(fixture, "a", "uid-a", "8"));
    assert_store_version(fixture, "a", "9");
}

/* B35 */
static void a_reply_of_no_comparable_version_stands_until_the_watch_shows_it(void **state)
{
    struct store_fixture *fixture = *state;
    store_fixture_put(fixture, "a", "uid-a", "v-x", STORE_WATCH);
    assert_true(store_fixture_put(fixture, "a", "uid-a", "v-b", STORE_REPLY));
    assert_false(store_fixture_put(fixture, "a", "uid-a", "v-z", STORE_WATCH)); /* from before it */
    assert_store_version(fixture, "a", "v-b");
    assert_false(store_fixture_put(fixture, "a", "uid-a", "v-b", STORE_WATCH));
    assert_true(store_fixture_put(fixture, "a", "uid-a", "v-a", STORE_WATCH));
    assert_store_version(fixture, "a", "v-a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_STORE(finds_by_name_and_by_uid),
        WITH_STORE(a_name_longer_than_any_is_dropped),
        WITH_STORE(visits_each_object_once),
        WITH_STORE(tells_each_change_once_and_counts_it),
        WITH_STORE(our_own_write_is_read_at_once_and_not_undone_by_a_watch_that_lags),
        WITH_STORE(a_name_made_anew_is_gone_and_then_added),
        WITH_STORE(a_late_reply_about_the_one_before_does_not_displace_a_name_made_anew),
        WITH_STORE(what_was_deleted_stays_deleted),
        WITH_STORE(a_removal_by_name_alone_yields_to_a_newer_state),
        WITH_STORE(what_left_the_selection_may_come_back_with_a_newer_version),
        WITH_STORE(a_reply_of_no_comparable_version_stands_until_the_watch_shows_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
