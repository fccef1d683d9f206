/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/vouch.h"

#include "base/memory.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MINUTE_MS = 60 * 1000 };

struct fixture {
    struct vouches vouches;
    struct store *store;
    struct object *instance, *elsewhere, *pool, *changed_pool;
    struct now now;
};

static void ignore(void *self, const struct object *before, const struct object *after)
{
    (void)self;
    (void)before;
    (void)after;
}

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){.now.mono_ms = 1000};
    vouches_init(&fixture.vouches);
    fixture.store = store_new(10, (struct store_listener){ignore, NULL});
    fixture.instance = object_from(KIND_INSTANCE, "{'metadata':{'name':'a','namespace':'dev'}}");
    fixture.elsewhere = object_from(KIND_INSTANCE, "{'metadata':{'name':'a','namespace':'dev2'}}");
    fixture.pool = object_from(KIND_POOL, "{'metadata':{'name':'p','uid':'u','generation':1}}");
    fixture.changed_pool =
        object_from(KIND_POOL, "{'metadata':{'name':'p','uid':'u','generation':2}}");
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    vouches_release(&fixture->vouches);
    store_free(fixture->store);
    object_free(fixture->instance);
    object_free(fixture->elsewhere);
    object_free(fixture->pool);
    object_free(fixture->changed_pool);
    return 0;
}

static void answer(struct fixture *fixture, bool passed)
{
    cleanup_memory char *asked =
        vouches_asked(&fixture->vouches, fixture->instance, fixture->pool, fixture->now);
    vouches_answered(&fixture->vouches, asked, passed, fixture->now);
}

static enum vouch vouch_for(const struct fixture *fixture, const struct object *instance,
                            const struct object *pool)
{
    return vouches_of(&fixture->vouches, fixture->store, instance, pool, fixture->now);
}

static void the_first_asks_and_the_others_wait(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->pool), VOUCH_NONE);
    cleanup_memory char *asked =
        vouches_asked(&fixture->vouches, fixture->instance, fixture->pool, fixture->now);
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->pool), VOUCH_ASKED);
    vouches_answered(&fixture->vouches, asked, true, fixture->now);
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->pool), VOUCH_PASSED);
}

static void an_answer_that_does_not_come_is_not_waited_for(void **state)
{
    struct fixture *fixture = *state;
    memory_free(vouches_asked(&fixture->vouches, fixture->instance, fixture->pool, fixture->now));
    fixture->now.mono_ms += MINUTE_MS;
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->pool), VOUCH_NONE);
}

static void it_is_for_a_namespace_and_a_generation(void **state)
{
    struct fixture *fixture = *state;
    answer(fixture, true);
    assert_int_equal(vouch_for(fixture, fixture->elsewhere, fixture->pool), VOUCH_NONE);
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->changed_pool), VOUCH_NONE);
}

static void it_ends(void **state)
{
    struct fixture *fixture = *state;
    answer(fixture, true);
    fixture->now.mono_ms += MINUTE_MS;
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->pool), VOUCH_NONE);
    answer(fixture, true); /* and what is old is dropped on the way */
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->pool), VOUCH_PASSED);
}

static void it_is_not_for_one_with_overrides(void **state)
{
    struct fixture *fixture = *state;
    static const char *const specs[] = {"{'durability':'Ordered'}",
                                        "{'cluster':{'resources':{'limits':{'cpu':1}}}}",
                                        "{'cluster':{'postgresql':{'parameters':{'jit':'off'}}}}",
                                        "{'cluster':{'labels':{'a':'b'}}}"};
    answer(fixture, true);
    for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
        struct arena arena cleanup_arena;
        arena_init(&arena, 0);
        cleanup_object struct object *special = object_from(
            KIND_INSTANCE,
            arena_print(&arena, "{'metadata':{'name':'b','namespace':'dev'},'spec':%s}", specs[i]));
        assert_int_equal(vouch_for(fixture, special, fixture->pool), VOUCH_NONE);
    }
}

static void a_refusal_vouches_for_nothing(void **state)
{
    struct fixture *fixture = *state;
    answer(fixture, false);
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->pool), VOUCH_NONE);
    answer(fixture, true);
    vouches_forget(&fixture->vouches, "de"); /* not its namespace */
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->pool), VOUCH_PASSED);
    vouches_forget(&fixture->vouches, "dev");
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->pool), VOUCH_NONE);
}

static void where_a_quota_counts_each_asks(void **state)
{
    struct fixture *fixture = *state;
    answer(fixture, true);
    (void)store_put_take(fixture->store,
                         object_from(KIND_QUOTA, "{'metadata':{'name':'q','namespace':'dev2'}}"),
                         STORE_LIST);
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->pool), VOUCH_PASSED);
    (void)store_put_take(fixture->store,
                         object_from(KIND_QUOTA, "{'metadata':{'name':'q','namespace':'dev'}}"),
                         STORE_LIST);
    assert_int_equal(vouch_for(fixture, fixture->instance, fixture->pool), VOUCH_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_asks_and_the_others_wait, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_answer_that_does_not_come_is_not_waited_for, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(it_is_for_a_namespace_and_a_generation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_is_not_for_one_with_overrides, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_refusal_vouches_for_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(where_a_quota_counts_each_asks, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
