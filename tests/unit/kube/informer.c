/* SPDX-License-Identifier: Apache-2.0 */
/* Lists, the watch, and how one follows the other. */
#include "kube/informer.h"

#include "support/informer_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MINUTE_MS = 60 * 1000 };

static void assert_stored(struct informer_fixture *fixture, const char *name, bool there)
{
    const struct object *object = store_get(fixture->store, KIND_NAMESPACE, "", name);
    assert_true((object != NULL) == there);
}

static void send(struct informer_fixture *fixture, const char *events)
{
    fake_call_json(informer_fixture_call(fixture), events);
}

/* B12, B36 */
static void the_first_list_is_a_quorum_read_in_pages_and_then_it_watches(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_step(fixture, 1);
    assert_string_equal(informer_fixture_call(fixture)->request.path, "/api/v1/namespaces?limit=2");
    assert_false(informer_fixture_call(fixture)->request.watch);
    assert_true(informer_fixture_call(fixture)->request.list);
    informer_fixture_list(fixture, "10", "a+b/c=", NAMESPACE("a", "1") "," NAMESPACE("b", "2"));
    assert_false(informer_synced(fixture->informer));
    assert_string_equal(informer_fixture_call(fixture)->request.path,
                        "/api/v1/namespaces?limit=2&continue=a%2Bb%2Fc%3D");
    informer_fixture_list(fixture, "10", NULL, NAMESPACE("c", "3"));
    assert_true(informer_synced(fixture->informer));
    informer_fixture_assert_heard(fixture, "+a +b +c ");
    assert_true(informer_fixture_call(fixture)->request.watch);
    assert_false(informer_fixture_call(fixture)->request.list);
    assert_int_equal(informer_fixture_call(fixture)->request.deadline_ms,
                     fixture->options.watch_silence_ms);
    informer_fixture_assert_path_has(fixture, "?watch=1&allowWatchBookmarks=true&timeoutSeconds=");
    informer_fixture_assert_path_has(fixture, "&resourceVersion=10");
    informer_fixture_assert_path_lacks(fixture, "sendInitialEvents");
    informer_fixture_assert_path_lacks(fixture, "limit");
}

/* B6 */
static void each_watch_asks_for_another_length(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", "");
    const char *first = strstr(informer_fixture_call(fixture)->request.path, "timeoutSeconds=");
    fake_call_end(informer_fixture_call(fixture));
    informer_fixture_step(fixture, 5 * MINUTE_MS);
    informer_fixture_assert_path_lacks(fixture, first);
}

/* B34 */
static void selectors_and_namespace_are_in_lists_and_watches(void **state)
{
    struct informer_fixture *fixture = *state;
    fixture->options.namespace = "adjoint-pools";
    fixture->options.field_selector = "metadata.name%3Done";
    informer_fixture_use(fixture, KIND_JOB, 1);
    informer_fixture_sync(fixture, "10", "");
    for (size_t i = 0; i < 2; i++) {
        const char *path = fake_transport_call(fixture->transport, i)->request.path;
        assert_non_null(strstr(path, "/apis/batch/v1/namespaces/adjoint-pools/jobs?"));
        assert_non_null(strstr(path, "labelSelector="));
        assert_non_null(strstr(path, "&fieldSelector=metadata.name%3Done"));
    }
    /* A deletion of what was never there leaves nothing behind. */
    send(fixture, EVENT("DELETED", "{'metadata':{'namespace':'adjoint-pools','name':'one',"
                                   "'uid':'u','resourceVersion':'11'}}"));
    informer_fixture_assert_heard(fixture, "");
    assert_int_equal(store_count(fixture->store, KIND_JOB), 0);
}

static void events_change_the_store(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", NAMESPACE("a", "1"));
    send(fixture, EVENT("ADDED", NAMESPACE("b", "11")) EVENT("MODIFIED", NAMESPACE("a", "12")));
    send(fixture, EVENT("DELETED", NAMESPACE("b", "13")));
    informer_fixture_assert_heard(fixture, "+b ~a -b ");
    assert_int_equal(fake_transport_count(fixture->transport), 2);
}

/* B7 */
static void a_watch_that_ended_goes_on_at_once_from_the_last_bookmark(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", "");
    send(fixture, EVENT("ADDED", NAMESPACE("a", "15")) BOOKMARK("20"));
    fake_call_end(informer_fixture_call(fixture));
    informer_fixture_step(fixture, 5 * MINUTE_MS);
    informer_fixture_assert_path_has(fixture, "watch=1");
    informer_fixture_assert_path_has(fixture, "&resourceVersion=20");
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_NONE);
}

static void a_watch_that_broke_off_goes_on_from_its_last_event(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", "");
    send(fixture, EVENT("ADDED", NAMESPACE("a", "15")) "{'type':'ADDED','object':{'metadata':{'n");
    fake_call_fail(informer_fixture_call(fixture), ERROR_TIMEOUT);
    informer_fixture_step(fixture, 2 * MINUTE_MS);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_TIMEOUT);
    informer_fixture_step_when_due(fixture);
    assert_true(fixture->mono_ms <= 2 * MINUTE_MS + 100);
    informer_fixture_assert_path_has(fixture, "&resourceVersion=15");
    fake_call_head(informer_fixture_call(fixture), 200, 0);
    informer_fixture_step(fixture, 3 * MINUTE_MS);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_NONE);
}

/* B10 */
static void a_page_token_that_ran_out_restarts_the_list_without_pages(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "5", NAMESPACE("old", "4"));
    send(fixture, EVENT("ERROR", GONE_STATUS));
    informer_fixture_step(fixture, 1);
    informer_fixture_step_when_due(fixture);
    informer_fixture_list(fixture, "10", "token", NAMESPACE("a", "6") "," NAMESPACE("b", "7"));
    fake_call_reply(informer_fixture_call(fixture), 410, GONE_STATUS);
    informer_fixture_step(fixture, fixture->mono_ms);
    informer_fixture_assert_heard(fixture, "+a +b ");
    informer_fixture_step_when_due(fixture);
    assert_string_equal(informer_fixture_call(fixture)->request.path, "/api/v1/namespaces");
    /* Meanwhile a and old have gone and c has come. */
    informer_fixture_list(fixture, "20", NULL, NAMESPACE("b", "7") "," NAMESPACE("c", "15"));
    assert_stored(fixture, "a", false);
    assert_stored(fixture, "b", true);
    assert_stored(fixture, "c", true);
    assert_stored(fixture, "old", false);
    informer_fixture_assert_path_has(fixture, "&resourceVersion=20");
}

/* B10 */
static void an_empty_token_is_the_last_page(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_step(fixture, 1);
    informer_fixture_list(fixture, "10", "", NAMESPACE("a", "1"));
    assert_true(informer_synced(fixture->informer));
}

/* B10 */
static void a_token_that_leads_nowhere_is_not_followed_for_ever(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_step(fixture, 1);
    informer_fixture_list(fixture, "10", "again", NAMESPACE("a", "1"));
    informer_fixture_list(fixture, "10", "again", NAMESPACE("a", "1"));
    assert_int_equal(fake_transport_running(fixture->transport), 0);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_INVALID);
    assert_false(informer_synced(fixture->informer));
}

static void a_list_without_a_version_is_not_believed(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", NAMESPACE("a", "1"));
    informer_relist(fixture->informer);
    informer_fixture_step(fixture, 1);
    static const char *const bodies[] = {
        "{'kind':'Status','status':'Success'}",
        "{'kind':'NamespaceList','metadata':{},'items':[]}",
    };
    for (size_t i = 0; i < 2; i++) {
        fake_call_reply(informer_fixture_call(fixture), 200, bodies[i]);
        informer_fixture_step(fixture, fixture->mono_ms + 1);
        assert_int_equal(informer_error(fixture->informer)->class, ERROR_INVALID);
        assert_stored(fixture, "a", true);
        informer_fixture_step_when_due(fixture);
    }
}

/* B11 */
static void what_went_in_the_gap_is_deleted_once(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", NAMESPACE("a", "1") "," NAMESPACE("b", "2"));
    send(fixture, EVENT("ERROR", GONE_STATUS));
    informer_fixture_step(fixture, 1);
    informer_fixture_step_when_due(fixture);
    informer_fixture_list(fixture, "50", NULL, NAMESPACE("b", "2"));
    informer_fixture_assert_heard(fixture, "-a ");
    assert_true(informer_synced(fixture->informer));
}

static void a_call_that_is_freed_is_cancelled(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_step(fixture, 1);
    struct fake_call *list = informer_fixture_call(fixture);
    informer_free(fixture->informer);
    fixture->informer = NULL;
    assert_int_equal(list->state, FAKE_CALL_CANCELLED);
    store_begin_list(fixture->store, KIND_NAMESPACE); /* none is under way */
    store_abandon_list(fixture->store, KIND_NAMESPACE);
}

#define WITH_INFORMER(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, informer_fixture_set_up, informer_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_INFORMER(the_first_list_is_a_quorum_read_in_pages_and_then_it_watches),
        WITH_INFORMER(each_watch_asks_for_another_length),
        WITH_INFORMER(selectors_and_namespace_are_in_lists_and_watches),
        WITH_INFORMER(events_change_the_store),
        WITH_INFORMER(a_watch_that_ended_goes_on_at_once_from_the_last_bookmark),
        WITH_INFORMER(a_watch_that_broke_off_goes_on_from_its_last_event),
        WITH_INFORMER(a_page_token_that_ran_out_restarts_the_list_without_pages),
        WITH_INFORMER(an_empty_token_is_the_last_page),
        WITH_INFORMER(a_token_that_leads_nowhere_is_not_followed_for_ever),
        WITH_INFORMER(a_list_without_a_version_is_not_believed),
        WITH_INFORMER(what_went_in_the_gap_is_deleted_once),
        WITH_INFORMER(a_call_that_is_freed_is_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
