/* SPDX-License-Identifier: Apache-2.0 */
/* What is found by the index of PVs has to be what a search among all of them finds. */
#include "operator/relations.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct now NOW = {.mono_ms = 1000, .wall_ms = 1787392800000};

struct fixture {
    struct store *store;
    struct memos memos;
    struct assignment assignment;
};

static void put(struct fixture *fixture, enum object_kind kind, const char *json)
{
    (void)store_put_take(fixture->store, object_from(kind, json), STORE_LIST);
}

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture.store = store_new(100, (struct store_listener){NULL, NULL});
    memos_init(&fixture.memos);
    assignment_init(&fixture.assignment);
    put(&fixture, KIND_VOLUME_CLAIM, "{'metadata':{'name':'alice-1','namespace':'dev','uid':'c'}}");
    put(&fixture, KIND_VOLUME,
        "{'metadata':{'name':'other','uid':'o'},'spec':{'claimRef':{"
        "'namespace':'dev','name':'bob-1','uid':'b'}}}");
    put(&fixture, KIND_VOLUME,
        "{'metadata':{'name':'mine','uid':'m'},'spec':{'claimRef':{"
        "'namespace':'dev','name':'alice-1','uid':'c'}}}");
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    assignment_release(&fixture->assignment);
    memos_release(&fixture->memos);
    store_free(fixture->store);
    return 0;
}

/* The name of the PV beside this one that names alice's claim: searched, and by the index. */
static const char *rival_of(struct fixture *fixture, const char *name)
{
    struct view view = {.store = fixture->store, .memos = &fixture->memos, .now = NOW};
    const struct object *claim = store_get(fixture->store, KIND_VOLUME_CLAIM, "dev", "alice-1");
    const struct object *volume = store_get(fixture->store, KIND_VOLUME, NULL, name);
    const struct object *searched = relation_rival(&view, claim, volume);
    assignment_compute(&fixture->assignment, fixture->store, &fixture->memos, NULL, NOW);
    view.assignment = &fixture->assignment;
    assert_ptr_equal(relation_rival(&view, claim, volume), searched);
    assert_null(relation_rival(&view, NULL, volume));
    return searched == NULL ? "" : searched->meta.name;
}

static void a_volume_alone_has_no_rival(void **state)
{
    assert_string_equal(rival_of(*state, "mine"), "");
}

static void who_holds_the_claim_is_the_rival_of_others(void **state)
{
    assert_string_equal(rival_of(*state, "other"), "mine");
    assert_string_equal(rival_of(*state, "none"), "mine");
}

static void of_two_that_name_a_claim_each_is_the_others(void **state)
{
    put(*state, KIND_VOLUME,
        "{'metadata':{'name':'second','uid':'s'},'spec':{'claimRef':{"
        "'namespace':'dev','name':'alice-1','uid':'c'}}}");
    assert_string_equal(rival_of(*state, "mine"), "second");
    assert_string_equal(rival_of(*state, "second"), "mine");
}

static void the_index_forgets_one_that_went(void **state)
{
    struct fixture *fixture = *state;
    of_two_that_name_a_claim_each_is_the_others(state);
    (void)store_remove(fixture->store, KIND_VOLUME, NULL, "second", "s", NULL);
    assert_string_equal(rival_of(fixture, "mine"), "");
    assert_false(fixture->assignment.two_hold);
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_STORE(a_volume_alone_has_no_rival),
        WITH_STORE(who_holds_the_claim_is_the_rival_of_others),
        WITH_STORE(of_two_that_name_a_claim_each_is_the_others),
        WITH_STORE(the_index_forgets_one_that_went),
    };
    return cmocka_run_group_tests_name("relations", tests, NULL, NULL);
}
