/* SPDX-License-Identifier: Apache-2.0 */
/* What gets from the bytes into the store: what is kept, what cannot be decoded, sizes, chunks. */
#include "base/limits.h"
#include "base/memory.h"
#include "kube/informer.h"
#include "support/informer_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LABELLED(name, version, label)                                                             \
    "{'metadata':{'name':'" name "','uid':'uid-" name "','resourceVersion':'" version              \
    "','labels':{'" label "':'1'}}}"
#define BROKEN(name, version)                                                                      \
    "{'metadata':{'name':'" name "','uid':'uid-" name "','resourceVersion':'" version              \
    "','labels':[]}}"

static void send(struct informer_fixture *fixture, const char *events)
{
    fake_call_json(informer_fixture_call(fixture), events);
}

static const struct object *get(struct informer_fixture *fixture, const char *name)
{
    return store_get(fixture->store, KIND_NAMESPACE, "", name);
}

static void what_is_not_wanted_is_not_stored_and_goes_when_it_changes_to_that(void **state)
{
    struct informer_fixture *fixture = *state;
    fixture->kept_label = "ours";
    informer_fixture_step(fixture, 0);
    informer_fixture_list(fixture, "10", NULL,
                          LABELLED("a", "1", "ours") "," LABELLED("b", "2", "foreign"));
    fake_call_head(informer_fixture_call(fixture), 200, 0);
    send(fixture, EVENT("ADDED", LABELLED("c", "11", "foreign")));
    informer_fixture_assert_heard(fixture, "+a ");
    send(fixture, EVENT("MODIFIED", LABELLED("a", "12", "foreign")));
    informer_fixture_assert_heard(fixture, "-a ");
    send(fixture, EVENT("MODIFIED", LABELLED("a", "13", "ours")));
    informer_fixture_assert_heard(fixture, "+a ");
    send(fixture, EVENT("DELETED", LABELLED("b", "14", "foreign")));
    informer_fixture_assert_heard(fixture, "");
}

static void what_is_wanted_from_now_on_comes_with_a_new_list(void **state)
{
    struct informer_fixture *fixture = *state;
    fixture->kept_label = "ours";
    informer_fixture_sync(fixture, "10", LABELLED("a", "1", "foreign"));
    struct fake_call *watch = informer_fixture_call(fixture);
    fixture->kept_label = "foreign";
    informer_relist(fixture->informer);
    assert_true(informer_due(fixture->informer));
    informer_fixture_step(fixture, 5);
    assert_int_equal(watch->state, FAKE_CALL_CANCELLED);
    informer_fixture_list(fixture, "12", NULL, LABELLED("a", "1", "foreign"));
    informer_fixture_assert_heard(fixture, "+a ");
    informer_fixture_assert_path_has(fixture, "&resourceVersion=12");
}

static void a_list_under_way_begins_anew_when_more_is_wanted(void **state)
{
    struct informer_fixture *fixture = *state;
    fixture->kept_label = "ours";
    informer_fixture_step(fixture, 0);
    informer_fixture_list(fixture, "10", "token", LABELLED("a", "1", "foreign"));
    fake_call_reply(informer_fixture_call(fixture), 200,
                    "{'metadata':{'resourceVersion':'10','continue':'third'},'items':[]}");
    fixture->kept_label = "foreign";
    informer_relist(fixture->informer);
    informer_fixture_step(fixture, 1);
    assert_string_equal(informer_fixture_call(fixture)->request.path, "/api/v1/namespaces?limit=2");
    informer_fixture_list(fixture, "11", NULL, LABELLED("a", "1", "foreign"));
    assert_non_null(get(fixture, "a"));
}

static void a_wish_for_a_list_does_not_shorten_a_back_off(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_step(fixture, 0);
    fake_call_reply(informer_fixture_call(fixture), 403, NULL);
    informer_fixture_step(fixture, 1);
    int64_t wake_ms = informer_wake_at(fixture->informer);
    informer_relist(fixture->informer);
    informer_fixture_step(fixture, 2);
    assert_int_equal(informer_wake_at(fixture->informer), wake_ms);
    assert_int_equal(fake_transport_running(fixture->transport), 0);
}

static void an_object_that_cannot_be_decoded_is_skipped_counted_and_told(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", NAMESPACE("a", "1") "," BROKEN("b", "2"));
    assert_int_equal(informer_undecodable(fixture->informer), 1);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_INVALID);
    assert_non_null(strstr(informer_error(fixture->informer)->message, "labels"));
    assert_null(get(fixture, "b"));
    send(fixture, EVENT("MODIFIED", BROKEN("a", "11")) EVENT("ADDED", NAMESPACE("c", "12")));
    informer_fixture_step(fixture, 1);
    assert_int_equal(informer_undecodable(fixture->informer), 2);
    assert_string_equal(get(fixture, "a")->meta.resource_version, "1");
    assert_non_null(get(fixture, "c"));
    /* Nor is it taken for deleted when a list shows it like that. */
    informer_relist(fixture->informer);
    informer_fixture_step(fixture, 2);
    informer_fixture_list(fixture, "20", NULL, BROKEN("a", "11") "," NAMESPACE("c", "12"));
    assert_non_null(get(fixture, "a"));
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_INVALID);
    informer_relist(fixture->informer);
    informer_fixture_step(fixture, 3);
    informer_fixture_list(fixture, "30", NULL, NAMESPACE("a", "25"));
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_NONE);
}

/* BROKEN tells whether it was. */
static void what_is_held_in_that_version_is_not_decoded_again(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", NAMESPACE("a", "1") "," NAMESPACE("b", "2"));
    send(fixture, EVENT("MODIFIED", BROKEN("a", "1")));
    informer_fixture_step(fixture, 1);
    assert_int_equal(informer_undecodable(fixture->informer), 0);
    informer_relist(fixture->informer);
    informer_fixture_step(fixture, 2);
    informer_fixture_list(fixture, "20", NULL, BROKEN("a", "1"));
    assert_int_equal(informer_undecodable(fixture->informer), 0);
    informer_fixture_assert_heard(fixture, "-b "); /* the list did show the other */
    fake_call_head(informer_fixture_call(fixture), 200, 0);
    send(fixture, EVENT("MODIFIED", BROKEN("a", "21")));
    informer_fixture_step(fixture, 3);
    assert_int_equal(informer_undecodable(fixture->informer), 1);
}

static void the_last_contact_is_the_last_byte_and_not_the_end_of_a_dead_call(void **state)
{
    struct informer_fixture *fixture = *state;
    assert_int_equal(informer_last_contact(fixture->informer), 0);
    informer_fixture_step(fixture, 5);
    informer_fixture_list(fixture, "10", NULL, "");
    assert_int_equal(informer_last_contact(fixture->informer), 5);
    fake_call_head(informer_fixture_call(fixture), 200, 0);
    informer_fixture_step(fixture, 70);
    informer_fixture_step(fixture, 80);
    assert_int_equal(informer_last_contact(fixture->informer), 70);
    send(fixture, BOOKMARK("11"));
    informer_fixture_step(fixture, 90);
    assert_int_equal(informer_last_contact(fixture->informer), 90);
    fake_call_fail(informer_fixture_call(fixture), ERROR_TIMEOUT);
    informer_fixture_step(fixture, 300);
    assert_int_equal(informer_last_contact(fixture->informer), 90);
}

/* B25 */
static void chunks_of_any_size_give_the_same_store(void **state)
{
    struct informer_fixture *fixture = *state;
    for (size_t chunk_bytes = 1; chunk_bytes <= 70; chunk_bytes++) {
        fake_transport_set_chunk(fixture->transport, chunk_bytes);
        informer_fixture_sync(
            fixture, "10", LABELLED("a", "1", "gr\u00fc\u00df\U0001F418") "," NAMESPACE("b", "2"));
        send(fixture, EVENT("ADDED", LABELLED("c", "11", "\\u00e9\\ud83d\\udc18")));
        send(fixture, EVENT("DELETED", NAMESPACE("b", "12")));
        assert_string_equal(get(fixture, "a")->meta.labels[0].key, "gr\u00fc\u00df\U0001F418");
        assert_string_equal(get(fixture, "c")->meta.labels[0].key, "\u00e9\U0001F418");
        assert_int_equal(store_count(fixture->store, KIND_NAMESPACE), 2);
        informer_fixture_tear_down(state);
        informer_fixture_set_up(state);
    }
}

/* An event with a metadata member of so many bytes. */
static void send_large(struct informer_fixture *fixture, const char *name, const char *opening,
                       size_t byte_count, const char *closing)
{
    cleanup_text struct text event;
    text_init(&event, byte_count + 1000);
    text_print(&event, "{'type':'ADDED','object':{'metadata':{'name':'%s','uid':'%s',", name, name);
    text_append(&event, opening);
    cleanup_memory char *filling = memory_new(byte_count + 1, 1);
    memset(filling, 'x', byte_count);
    text_append(&event, filling);
    text_append(&event, closing);
    text_append(&event, ",'resourceVersion':'77'}}}\n");
    assert_false(event.overflowed);
    send(fixture, event.bytes);
}

/* B25 */
static void an_object_of_one_and_a_half_mebibytes_is_read(void **state)
{
    struct informer_fixture *fixture = *state;
    fake_transport_set_chunk(fixture->transport, 16 * 1024);
    informer_fixture_sync(fixture, "10", "");
    send_large(fixture, "large", "'annotations':{'a':'", 3 * 512 * 1024, "'}");
    send(fixture, EVENT("ADDED", NAMESPACE("next", "78")));
    assert_non_null(get(fixture, "large"));
    assert_non_null(get(fixture, "next"));
    assert_true(get(fixture, "large")->arena.used_bytes < 2000);
}

/* B24 */
static void managed_fields_are_never_held_however_large(void **state)
{
    struct informer_fixture *fixture = *state;
    fake_transport_set_chunk(fixture->transport, 16 * 1024);
    informer_fixture_sync(fixture, "10", "");
    send_large(fixture, "managed", "'managedFields':[{'fieldsV1':{'f':'", LIMIT_OBJECT_BYTES + 1,
               "'}}]");
    assert_non_null(get(fixture, "managed"));
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_NONE);
}

static void an_object_over_the_limit_is_an_error_and_no_end(void **state)
{
    struct informer_fixture *fixture = *state;
    informer_fixture_sync(fixture, "10", "");
    send_large(fixture, "huge", "'annotations':{'a':'", LIMIT_OBJECT_BYTES + 1, "'}");
    informer_fixture_step(fixture, 1);
    assert_int_equal(informer_error(fixture->informer)->class, ERROR_LIMIT);
    informer_fixture_step_when_due(fixture);
    informer_fixture_list(fixture, "20", NULL, NAMESPACE("a", "1"));
    assert_non_null(get(fixture, "a"));
}

/* B25 */
static void a_burst_of_events_is_read_to_the_last(void **state)
{
    struct informer_fixture *fixture = *state;
    enum { COUNT = 20 * 1000 };
    fake_transport_set_chunk(fixture->transport, 1000);
    informer_fixture_sync(fixture, "10", "");
    cleanup_text struct text burst;
    text_init(&burst, 4 * 1000 * 1000);
    for (int i = 0; i < COUNT; i++) {
        text_print(&burst,
                   EVENT("MODIFIED", "{'metadata':{'name':'n%d','uid':'u%d',"
                                     "'resourceVersion':'%d'}}"),
                   i % 100, i % 100, 100 + i);
    }
    assert_false(burst.overflowed);
    send(fixture, burst.bytes);
    assert_int_equal(store_count(fixture->store, KIND_NAMESPACE), 100);
    assert_string_equal(get(fixture, "n99")->meta.resource_version, "20099");
}

#define WITH_INFORMER(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, informer_fixture_set_up, informer_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_INFORMER(what_is_not_wanted_is_not_stored_and_goes_when_it_changes_to_that),
        WITH_INFORMER(what_is_wanted_from_now_on_comes_with_a_new_list),
        WITH_INFORMER(a_list_under_way_begins_anew_when_more_is_wanted),
        WITH_INFORMER(a_wish_for_a_list_does_not_shorten_a_back_off),
        WITH_INFORMER(an_object_that_cannot_be_decoded_is_skipped_counted_and_told),
        WITH_INFORMER(what_is_held_in_that_version_is_not_decoded_again),
        WITH_INFORMER(the_last_contact_is_the_last_byte_and_not_the_end_of_a_dead_call),
        WITH_INFORMER(chunks_of_any_size_give_the_same_store),
        WITH_INFORMER(an_object_of_one_and_a_half_mebibytes_is_read),
        WITH_INFORMER(managed_fields_are_never_held_however_large),
        WITH_INFORMER(an_object_over_the_limit_is_an_error_and_no_end),
        WITH_INFORMER(a_burst_of_events_is_read_to_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
