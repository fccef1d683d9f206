/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of the PVs of a whole cluster. What a key's planner is shown is in tests/plans. */
#include "operator/observe.h"

#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int set_up(void **state)
{
    struct store *store = store_new(100, (struct store_listener){NULL, NULL});
    (void)store_put_take(
        store,
        object_from(KIND_POOL, "{'metadata':{'name':'orders','namespace':'pools','uid':'p'}}"),
        STORE_LIST);
    (void)store_put_take(store,
                         object_from(KIND_VOLUME_CLAIM,
                                     "{'metadata':{'name':'alice-1','namespace':'dev','uid':'c',"
                                     "'labels':{'adjoint.dev/role':'data'}}}"),
                         STORE_LIST);
    *state = store;
    return 0;
}

static int tear_down(void **state)
{
    store_free(*state);
    return 0;
}

static bool keeps(const struct store *store, const char *volume)
{
    cleanup_object struct object *object = object_from(KIND_VOLUME, volume);
    return observe_keeps(store, object);
}

static void a_labelled_volume_is_kept(void **state)
{
    assert_true(keeps(*state, "{'metadata':{'name':'v','labels':{'adjoint.dev/state':'warm'}}}"));
    assert_true(keeps(*state, "{'metadata':{'name':'v','labels':{'adjoint.dev/state':'x'}}}"));
}

static void a_volume_whose_state_was_taken_off_is_kept(void **state)
{
    assert_true(
        keeps(*state, "{'metadata':{'name':'v','labels':{'adjoint.dev/instance-uid':'i'}}}"));
    assert_true(keeps(*state, "{'metadata':{'name':'v','labels':{'adjoint.dev/pool-uid':'p'}}}"));
    assert_true(keeps(*state, "{'metadata':{'name':'v'},'spec':{'claimRef':{'namespace':'dev',"
                              "'name':'alice-1','uid':'c'}}}"));
}

static void a_new_clone_is_kept_by_its_claims_namespace(void **state)
{
    assert_true(keeps(*state, "{'metadata':{'name':'v'},'spec':{'claimRef':{'namespace':'pools',"
                              "'name':'orders-0'}}}"));
}

static void other_volumes_cost_nothing(void **state)
{
    assert_false(keeps(*state, "{'metadata':{'name':'v'}}"));
    assert_false(keeps(*state, "{'metadata':{'name':'v'},'spec':{'claimRef':{'namespace':'dev',"
                               "'name':'their-claim'}}}"));
    assert_false(keeps(*state, "{'metadata':{'name':'v','labels':{'app':'adjoint'}}}"));
}

static void other_kinds_are_all_kept(void **state)
{
    cleanup_object struct object *object =
        object_from(KIND_NAMESPACE, "{'metadata':{'name':'dev'}}");
    assert_true(observe_keeps(*state, object));
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_STORE(a_labelled_volume_is_kept),
        WITH_STORE(a_volume_whose_state_was_taken_off_is_kept),
        WITH_STORE(a_new_clone_is_kept_by_its_claims_namespace),
        WITH_STORE(other_volumes_cost_nothing),
        WITH_STORE(other_kinds_are_all_kept),
    };
    return cmocka_run_group_tests_name("observe", tests, NULL, NULL);
}
