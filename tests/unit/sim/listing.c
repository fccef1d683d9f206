/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/listing.h"

#include "base/text.h"
#include "support/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void put_maps(struct wire *wire, const char *names)
{
    for (const char *at = names; *at != '\0'; at++) {
        wire_put_map(wire, (const char[]){*at, '\0'}, "'letter':'yes'");
    }
}

static uint64_t revision(const struct wire *wire)
{
    return objects_revision(apiserver_objects(wire->server));
}

/* GET of the maps with that query. */
static int list(struct wire *wire, const char *query)
{
    char path[2000];
    snprintf(path, sizeof(path), WIRE_MAPS "?%s", query);
    return wire_get(wire, path);
}

/* The page behind the last reply's, from its token. */
static int list_on(struct wire *wire, const char *query)
{
    char whole[1500];
    snprintf(whole, sizeof(whole), "%s&continue=%s", query, wire_text(wire, "continue"));
    return list(wire, whole);
}

static void assert_names(struct wire *wire, const char *names)
{
    assert_string_equal(wire_names(wire), names);
}

static void a_list_says_what_it_is_and_of_when(void **state)
{
    struct wire *wire = *state;
    put_maps(wire, "ba");
    assert_int_equal(wire_get(wire, WIRE_MAPS), 200);
    char metadata[100];
    snprintf(metadata, sizeof(metadata), "'metadata':{'resourceVersion':'%llu'},'items':[{",
             (unsigned long long)revision(wire));
    wire_assert_has(wire, "{'kind':'ConfigMapList','apiVersion':'v1',");
    wire_assert_has(wire, metadata);
    assert_names(wire, "a b");
    assert_int_equal(wire_get(wire, "/apis/storage.k8s.io/v1/storageclasses"), 200);
    wire_assert_has(wire, "{'kind':'StorageClassList','apiVersion':'storage.k8s.io/v1',");
    wire_assert_has(wire, "'items':[]}");
}

static void all_namespaces_are_listed_in_their_order(void **state)
{
    struct wire *wire = *state;
    put_maps(wire, "b");
    wire_ask(wire, METHOD_POST, "/api/v1/namespaces", "{'metadata':{'name':'aaa'}}");
    wire_ask(wire, METHOD_POST, "/api/v1/namespaces/aaa/configmaps", "{'metadata':{'name':'z'}}");
    assert_int_equal(wire_get(wire, "/api/v1/configmaps"), 200);
    assert_names(wire, "z b");
    assert_int_equal(wire_get(wire, "/api/v1/namespaces/aaa/configmaps"), 200);
    assert_names(wire, "z");
}

static void selectors_narrow_it(void **state)
{
    struct wire *wire = *state;
    put_maps(wire, "ab");
    wire_put_map(wire, "c", "'letter':'no'");
    assert_int_equal(list(wire, "labelSelector=letter%3Dyes"), 200);
    assert_names(wire, "a b");
    assert_int_equal(list(wire, "labelSelector=letter&fieldSelector=metadata.name%3Dc"), 200);
    assert_names(wire, "c");
    assert_int_equal(list(wire, "labelSelector=a%20b%20c"), 400);
    wire_assert_has(wire, "'reason':'BadRequest'");
    assert_int_equal(list(wire, "fieldSelector=data.x%3D1"), 400);
    wire_assert_has(wire, "'reason':'BadRequest'");
}

static void pages_go_through_all_of_it(void **state)
{
    struct wire *wire = *state;
    put_maps(wire, "abcde");
    assert_int_equal(list(wire, "limit=2"), 200);
    assert_names(wire, "a b");
    wire_assert_has(wire, "'remainingItemCount':3");
    assert_int_equal(list_on(wire, "limit=2"), 200);
    assert_names(wire, "c d");
    wire_assert_has(wire, "'remainingItemCount':1");
    assert_int_equal(list_on(wire, "limit=2"), 200);
    assert_names(wire, "e");
    assert_false(wire_has(wire, "continue"));
    assert_false(wire_has(wire, "remainingItemCount"));
}

static void a_full_last_page_has_no_token(void **state)
{
    struct wire *wire = *state;
    put_maps(wire, "ab");
    assert_int_equal(list(wire, "limit=2"), 200);
    assert_false(wire_has(wire, "continue"));
    assert_int_equal(list(wire, "limit=0"), 200);
    assert_names(wire, "a b");
}

static void pages_count_what_matches(void **state)
{
    struct wire *wire = *state;
    put_maps(wire, "ac");
    wire_put_map(wire, "b", "'letter':'no'");
    put_maps(wire, "de");
    assert_int_equal(list(wire, "limit=2&labelSelector=letter%3Dyes"), 200);
    assert_names(wire, "a c");
    assert_false(wire_has(wire, "remainingItemCount"));
    assert_int_equal(list_on(wire, "limit=2&labelSelector=letter%3Dyes"), 200);
    assert_names(wire, "d e");
}

/* What was made, changed and deleted since must not show, whichever side of the page's border. */
static void later_pages_show_the_state_of_the_first(void **state)
{
    struct wire *wire = *state;
    put_maps(wire, "bdfh");
    assert_int_equal(list(wire, "limit=1"), 200);
    char first[40];
    snprintf(first, sizeof(first), "%s", wire_text(wire, "resourceVersion"));
    char token[300];
    snprintf(token, sizeof(token), "limit=10&continue=%s", wire_text(wire, "continue"));

    put_maps(wire, "aceg");
    wire_put_map(wire, "d", "'changed':'yes'");
    wire_put_map(wire, "d", "'changed':'twice'");
    wire_delete_map(wire, "f");
    wire_delete_map(wire, "g");
    wire_delete_map(wire, "h");
    put_maps(wire, "h");

    assert_int_equal(list(wire, token), 200);
    assert_names(wire, "d f h");
    assert_false(wire_has(wire, "changed"));
    assert_string_equal(wire_text(wire, "resourceVersion"), first);
}

static void a_token_outlives_no_compaction(void **state)
{
    struct wire *wire = *state;
    put_maps(wire, "abc");
    assert_int_equal(list(wire, "limit=1"), 200);
    char token[300];
    snprintf(token, sizeof(token), "limit=1&continue=%s", wire_text(wire, "continue"));
    objects_compact(apiserver_objects(wire->server), revision(wire));
    assert_int_equal(list(wire, token), 200); /* nothing has happened since */

    put_maps(wire, "x");
    objects_compact(apiserver_objects(wire->server), revision(wire));
    assert_int_equal(list(wire, token), 410);
    wire_assert_has(wire, "'reason':'Expired'");
    wire_assert_has(wire, "'code':410");
    wire_assert_has(wire, "'status':'Failure'");

    snprintf(token, sizeof(token), "limit=10&continue=%s", wire_text(wire, "continue"));
    wire_put_map(wire, "ba", "");
    wire_delete_map(wire, "c");
    assert_int_equal(list(wire, token), 200);
    assert_names(wire, "b ba x"); /* inconsistent, as its Status says */
}

static void tokens_made_up_are_refused(void **state)
{
    struct wire *wire = *state;
    put_maps(wire, "ab");
    const char *const tokens[] = {
        "continue=x",
        "continue=!!!!",
        "continue=YWJj" /* "abc" */,
        "continue=OTk5IGRldi9h" /* "999 dev/a" */,
        "continue=LTEgZGV2L2E%3D" /* "-1 dev/a" */,
        "continue=MSBkZXY%3D" /* "1 dev" */,
    };
    for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
        assert_int_equal(list(wire, tokens[i]), 400);
    }
    assert_int_equal(list(wire, "limit=1"), 200);
    assert_int_equal(list_on(wire, "resourceVersion=0"), 200);
    assert_int_equal(list(wire, "limit=1"), 200);
    assert_int_equal(list_on(wire, "resourceVersion=1"), 400);
    assert_int_equal(list(wire, "limit=1"), 200);
    assert_int_equal(list_on(wire, "resourceVersion=0&resourceVersionMatch=NotOlderThan"), 422);
    assert_int_equal(list(wire, "limit=-1"), 400);
    assert_int_equal(list(wire, "limit=x"), 400);
}

static void a_revision_asks_for_at_least_that(void **state)
{
    struct wire *wire = *state;
    put_maps(wire, "a");
    uint64_t then = revision(wire);
    put_maps(wire, "b");
    char query[200];
    snprintf(query, sizeof(query), "resourceVersion=%llu", (unsigned long long)then);
    assert_int_equal(list(wire, query), 200);
    assert_names(wire, "a b");
    assert_int_equal(list(wire, "resourceVersion=0"), 200);
    assert_names(wire, "a b");
    assert_int_equal(list(wire, "resourceVersion=x"), 400);
    snprintf(query, sizeof(query), "resourceVersion=%llu", (unsigned long long)then + 100);
    assert_int_equal(list(wire, query), 504);
    wire_assert_has(wire, "'reason':'Timeout'");
    wire_assert_has(wire, "'reason':'ResourceVersionTooLarge'");
    assert_int_equal(wire->reply.retry_after_s, 1);
    snprintf(query, sizeof(query), WIRE_MAPS "/a?resourceVersion=%llu",
             (unsigned long long)then + 100);
    assert_int_equal(wire_get(wire, query), 504);
}

static void a_revision_with_a_match_or_a_limit_is_exact(void **state)
{
    struct wire *wire = *state;
    put_maps(wire, "a");
    unsigned long long then = revision(wire);
    put_maps(wire, "b");
    char query[200];
    snprintf(query, sizeof(query), "resourceVersion=%llu&resourceVersionMatch=Exact", then);
    assert_int_equal(list(wire, query), 200);
    assert_names(wire, "a");
    snprintf(query, sizeof(query), "resourceVersion=%llu&limit=5", then);
    assert_int_equal(list(wire, query), 200);
    assert_names(wire, "a");
    snprintf(query, sizeof(query), "resourceVersion=%llu&limit=5&resourceVersionMatch=NotOlderThan",
             then);
    assert_int_equal(list(wire, query), 200);
    assert_names(wire, "a b");

    objects_compact(apiserver_objects(wire->server), revision(wire));
    snprintf(query, sizeof(query), "resourceVersion=%llu&limit=5", then);
    assert_int_equal(list(wire, query), 410);
    wire_assert_has(wire, "'reason':'Expired'");
}

static void a_match_needs_a_revision(void **state)
{
    struct wire *wire = *state;
    const char *const queries[] = {
        "resourceVersionMatch=Exact",
        "resourceVersion=0&resourceVersionMatch=Exact",
        "resourceVersion=1&resourceVersionMatch=Newest",
    };
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        assert_int_equal(list(wire, queries[i]), 422);
        wire_assert_has(wire, "'reason':'Invalid'");
        wire_assert_has(wire, "'field':'resourceVersionMatch'");
        wire_assert_has(wire, "'kind':'ListOptions'");
    }
}

#define WITH_WIRE(test) cmocka_unit_test_setup_teardown(test, wire_set_up, wire_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_WIRE(a_list_says_what_it_is_and_of_when),
        WITH_WIRE(all_namespaces_are_listed_in_their_order),
        WITH_WIRE(selectors_narrow_it),
        WITH_WIRE(pages_go_through_all_of_it),
        WITH_WIRE(a_full_last_page_has_no_token),
        WITH_WIRE(pages_count_what_matches),
        WITH_WIRE(later_pages_show_the_state_of_the_first),
        WITH_WIRE(a_token_outlives_no_compaction),
        WITH_WIRE(tokens_made_up_are_refused),
        WITH_WIRE(a_revision_asks_for_at_least_that),
        WITH_WIRE(a_revision_with_a_match_or_a_limit_is_exact),
        WITH_WIRE(a_match_needs_a_revision),
    };
    return cmocka_run_group_tests_name("sim/listing", tests, NULL, NULL);
}
