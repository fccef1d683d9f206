/* SPDX-License-Identifier: Apache-2.0 */
/* The connection Secret is written once and never read: whatever is lost on the way. */
#include "base/log.h"
#include "operator/observe.h"
#include "support/operator_fixture.h"
#include "support/operator_objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SECRETS "/api/v1/namespaces/dev/secrets"
#define CREATE_SECRET "/secrets?fieldManager"
#define BOUND                                                                                      \
    "{'kind':'PersistentVolumeClaim','metadata':{'namespace':'dev','name':'alice-1'},'spec':{"     \
    "'volumeName':'pvc-0'},'status':{'phase':'Bound'}}"

static int set_up(void **state)
{
    static struct operator_fixture fixture;
    log_configure(LOG_ERROR, NULL, NULL);
    operator_fixture_init(&fixture, OBJECTS_WALL_MS);
    static const char *const objects[] = {GOLDEN, POOL("pools", "1"), CLONE, DEV, NULL};
    for (size_t i = 0; objects[i] != NULL; i++) {
        operator_fixture_put(&fixture, objects[i]);
    }
    operator_fixture_lead(&fixture);
    (void)fake_api_take_log(fixture.api);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    operator_fixture_release(*state);
    return 0;
}

static size_t posts(const char *log)
{
    size_t found = 0;
    for (const char *at = strstr(log, "POST " SECRETS "\n"); at != NULL;
         at = strstr(at + 1, "POST " SECRETS "\n")) {
        found++;
    }
    return found;
}

static const char *cluster(const struct operator_fixture *fixture)
{
    return api_table_find(fixture->table, KIND_CLUSTER, "dev", "alice");
}

static void it_is_there_before_the_cluster_that_names_it(void **state)
{
    struct operator_fixture *fixture = *state;
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    const char *secret = api_table_find(fixture->table, KIND_SECRET, "dev", "alice-adjoint");
    assert_non_null(secret);
    assert_non_null(strstr(secret, "\"password\":\"000102030405060708090a0b0c0d0e0f"));
    assert_null(cluster(fixture));
    operator_fixture_put(fixture, BOUND);
    operator_fixture_settle(fixture);
    assert_non_null(strstr(cluster(fixture), "\"secret\":{\"name\":\"alice-adjoint\"}"));
    const char *log = fake_api_take_log(fixture->api);
    assert_int_equal(posts(log), 1);
    assert_null(strstr(log, "GET " SECRETS));
}

static void a_lost_reply_is_asked_for_again(void **state)
{
    struct operator_fixture *fixture = *state;
    fake_api_fault(fixture->api, FAKE_LOSE, METHOD_POST, CREATE_SECRET, 0, "");
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    operator_fixture_put(fixture, BOUND);
    operator_fixture_settle(fixture);
    const char *log = fake_api_take_log(fixture->api);
    assert_int_equal(posts(log), 2); /* the second was refused: it is there */
    assert_null(strstr(log, "GET " SECRETS));
    assert_non_null(cluster(fixture));
}

static void a_successor_asks_again(void **state)
{
    struct operator_fixture *fixture = *state;
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    operator_fixture_restart(fixture);
    operator_fixture_put(fixture, BOUND);
    operator_fixture_lead(fixture);
    operator_fixture_settle(fixture);
    assert_int_equal(posts(fake_api_take_log(fixture->api)), 2);
    assert_non_null(cluster(fixture));
}

static void without_it_there_is_no_cluster(void **state)
{
    struct operator_fixture *fixture = *state;
    fake_api_fault(fixture->api, FAKE_REFUSE, METHOD_POST, CREATE_SECRET, 403, "Forbidden");
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    operator_fixture_put(fixture, BOUND);
    operator_fixture_settle(fixture);
    assert_null(cluster(fixture));
    assert_non_null(strstr(api_table_find(fixture->table, KIND_INSTANCE, "dev", "alice"),
                           "\"message\":\"secret: "));
    operator_fixture_pass(fixture, 30 * 1000);
    assert_non_null(cluster(fixture));
}

static void count_up(void *self, unsigned char *bytes, size_t byte_count)
{
    unsigned char *next = self;
    memset(bytes, *next, byte_count);
    *next += 1;
}

static void each_plan_has_bytes_of_its_own(void **state)
{
    struct operator_fixture *fixture = *state;
    operator_fixture_put(fixture, ALICE);
    operator_fixture_settle(fixture);
    unsigned char next = 7;
    struct entropy entropy = {.fill = count_up, .self = &next};
    struct view view = {.store = operator_store(fixture->op), .entropy = &entropy};
    struct key key;
    struct arena arena cleanup_arena;
    arena_init(&arena, 0);
    struct instance_observation one, other, look;
    assert_true(key_read("instance/dev/alice", &key));
    assert_true(observe_instance(&view, &key, &arena, &one));
    assert_true(observe_instance(&view, &key, &arena, &other));
    assert_int_equal(one.secret_bytes[SECRET_BYTES - 1], 7);
    assert_int_equal(other.secret_bytes[0], 8);
    view.entropy = NULL;
    assert_true(observe_instance(&view, &key, &arena, &look));
    assert_int_equal(look.secret_bytes[0], 0);
}

#define WITH_OPERATOR(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_OPERATOR(it_is_there_before_the_cluster_that_names_it),
        WITH_OPERATOR(a_lost_reply_is_asked_for_again),
        WITH_OPERATOR(a_successor_asks_again),
        WITH_OPERATOR(without_it_there_is_no_cluster),
        WITH_OPERATOR(each_plan_has_bytes_of_its_own),
    };
    return cmocka_run_group_tests_name("credentials", tests, NULL, NULL);
}
