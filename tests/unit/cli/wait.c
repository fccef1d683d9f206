/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/wait.h"

#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ALICE_WITH(uid, version, meta, status)                                                     \
    "{'apiVersion':'adjoint.dev/v1alpha1','kind':'Instance','metadata':{'name':'alice',"           \
    "'namespace':'dev','uid':'" uid "','resourceVersion':'" version                                \
    "','generation':1,'creationTimestamp':'2026-07-01T12:00:00Z'" meta                             \
    "},'spec':{'pool':{'name':'main','namespace':'golden'}},'status':{" status "}}"
#define ALICE(version, status) ALICE_WITH("u1", version, "", status)
#define LIST_OF(instance) "{'metadata':{'resourceVersion':'9'},'items':[" instance "]}"
#define EVENT(type, instance) "{'type':'" type "','object':" instance "}"
#define CONDITION(type, reason, message)                                                           \
    "'conditions':[{'type':'" type "','status':'False','reason':'" reason "','message':'" message  \
    "','observedGeneration':1,'lastTransitionTime':'2026-07-01T12:00:00Z'}]"
#define READY                                                                                      \
    "'phase':'Ready','connection':{'host':'alice-rw.dev.svc','database':'app','user':'app',"       \
    "'secret':'alice-app'}"

/* An Instance that was just made, and a list that shows it. */
static int setup(void **state)
{
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 201, ALICE("5", ""));
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200, LIST_OF(ALICE("5", "")));
    *state = adj;
    return 0;
}

static int setup_empty(void **state)
{
    *state = test_adj_new();
    return 0;
}

static int teardown(void **state)
{
    test_adj_free(*state);
    return 0;
}

static void change(struct test_adj *adj, int64_t delay_ms, const char *instance)
{
    cleanup_text struct text event;
    text_init(&event, 64 * 1024);
    text_print(&event, "{'type':'MODIFIED','object':%s}", instance);
    test_adj_event(adj, TEST_INSTANCES, delay_ms, event.bytes);
}

static int clone_and_wait(struct test_adj *adj)
{
    return test_adj_run(adj, "clone", "alice", "--pool", "golden/main", "--wait", NULL);
}

static void tell_a_whole_claim(struct test_adj *adj)
{
    change(adj, 200,
           ALICE("10", "'phase':'Waiting','queue':{'position':2,'eta':'2026-07-01T12:02:00Z'}"));
    change(adj, 60000, ALICE("11", "'phase':'Waiting','queue':{'position':1}"));
    change(adj, 500, ALICE("12", "'phase':'Waiting','queue':{'position':1},'golden':{}"));
    change(adj, 59500, ALICE("13", "'phase':'Claiming','volume':{'name':'pv-7'}"));
    change(adj, 100, ALICE("14", "'phase':'Starting','volume':{'name':'pv-7'}"));
    change(adj, 3900, ALICE("15", READY));
}

static void each_state_is_a_line_and_ready_is_the_end(void **state)
{
    struct test_adj *adj = *state;
    tell_a_whole_claim(adj);
    assert_int_equal(clone_and_wait(adj), CLI_OK);
    assert_string_equal(test_adj_err(adj),
                        "Pending: adjoint-operator has not looked at it yet (0 s)\n"
                        "Waiting for a clone: position 2 in the queue of pool golden/main, about "
                        "119s left (0 s)\n"
                        "Waiting for a clone: position 1 in the queue of pool golden/main (60 s)\n"
                        "Claiming volume pv-7 (120 s)\n"
                        "Starting on volume pv-7 (120 s)\n");
    assert_true(text_starts_with(test_adj_out(adj), "Instance dev/alice is ready after 124.2 s.\n\n"
                                                    "  host      alice-rw.dev.svc\n"));
    assert_non_null(strstr(test_adj_requests(adj), "fieldSelector=metadata.name%3Dalice"));
}

static void on_a_terminal_one_line_is_written_over_each_second(void **state)
{
    struct test_adj *adj = *state;
    change(adj, 2500,
           ALICE("10", "'phase':'Waiting','queue':{'position':1,'eta':'2026-07-01T12:00:05Z'}"));
    change(adj, 1000, ALICE("11", READY));
    test_adj_on_terminal(adj, 40);
    assert_int_equal(test_adj_run(adj, "clone", "alice", "--pool", "golden/main", NULL), CLI_OK);
    assert_string_equal(test_adj_err(adj), "\r\033[KPending: adjoint-operator has no  0 s"
                                           "\r\033[KPending: adjoint-operator has no  1 s"
                                           "\r\033[KPending: adjoint-operator has no  2 s"
                                           "\r\033[KWaiting for a clo, about 2s left  2 s"
                                           "\r\033[KWaiting for a clo, about 2s left  3 s"
                                           "\r\033[K");
}

static void no_wait_does_not_wait_on_a_terminal(void **state)
{
    struct test_adj *adj = *state;
    test_adj_on_terminal(adj, 80);
    assert_int_equal(
        test_adj_run(adj, "clone", "alice", "--pool", "golden/main", "--no-wait", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj), "instance.adjoint.dev/alice created\n");
}

static void the_ready_object_can_be_printed(void **state)
{
    struct test_adj *adj = *state;
    change(adj, 100, ALICE("15", READY));
    test_adj_reply(adj, METHOD_GET, TEST_ALICE, 200, ALICE("15", READY));
    assert_int_equal(
        test_adj_run(adj, "clone", "alice", "--pool", "golden/main", "--wait", "-o", "yaml", NULL),
        CLI_OK);
    assert_true(text_starts_with(test_adj_out(adj), "apiVersion: adjoint.dev/v1alpha1\n"));
    assert_non_null(strstr(test_adj_out(adj), "  phase: Ready\n"));
}

static void a_failure_ends_it_with_its_reason(void **state)
{
    struct test_adj *adj = *state;
    change(
        adj, 100,
        ALICE("10", "'phase':'Failed'," CONDITION("Ready", "SystemIDMismatch", "not the golden")));
    assert_int_equal(clone_and_wait(adj), CLI_INSTANCE_FAILED);
    assert_non_null(strstr(test_adj_err(adj),
                           "adj: Instance dev/alice: SystemIDMismatch: not the golden (it stays: "
                           "`adj why alice` says more)\n"));
    assert_null(strstr(test_adj_requests(adj), "DELETE"));
}

static void what_needs_a_person_ends_it(void **state)
{
    struct test_adj *adj = *state;
    change(adj, 100,
           ALICE("10", "'phase':'Pending'," CONDITION("Eligible", "NamespaceNotAllowed",
                                                      "ask the owner of the pool")));
    assert_int_equal(clone_and_wait(adj), CLI_INSTANCE_FAILED);
    assert_non_null(strstr(test_adj_err(adj), "NamespaceNotAllowed: ask the owner of the pool"));
}

static void what_passes_by_itself_is_waited_for(void **state)
{
    struct test_adj *adj = *state;
    change(adj, 100,
           ALICE("10", "'phase':'Pending'," CONDITION("Eligible", "LeftoverDeleting", "soon")));
    change(adj, 100, ALICE("15", READY));
    assert_int_equal(clone_and_wait(adj), CLI_OK);
    assert_non_null(strstr(test_adj_err(adj), "Pending: LeftoverDeleting: soon (0 s)\n"));
}

static void the_time_out_says_how_to_go_on(void **state)
{
    struct test_adj *adj = *state;
    change(adj, 100, ALICE("10", "'phase':'Waiting'"));
    assert_int_equal(test_adj_run(adj, "-n", "dev", "clone", "alice", "--pool", "golden/main",
                                  "--wait", "--timeout", "2m", NULL),
                     CLI_TIMED_OUT);
    assert_int_equal(test_adj_elapsed_ms(adj), 120 * 1000);
    assert_non_null(strstr(test_adj_err(adj), "is not ready after 120 s. It keeps its place: run "
                                              "this again to go on waiting; `adj get alice -n dev` "
                                              "and `adj why alice -n dev` say where it stands\n"));
}

static void deleted_meanwhile_ends_it(void **state)
{
    struct test_adj *adj = *state;
    test_adj_event(adj, TEST_INSTANCES, 100, EVENT("DELETED", ALICE("10", "")));
    assert_int_equal(clone_and_wait(adj), CLI_INSTANCE_FAILED);
    assert_non_null(strstr(test_adj_err(adj), "was deleted by somebody before it was ready"));
}

static void another_one_of_its_name_is_not_the_one(void **state)
{
    struct test_adj *adj = *state;
    test_adj_event(adj, TEST_INSTANCES, 100, EVENT("ADDED", ALICE_WITH("u2", "10", "", READY)));
    assert_int_equal(clone_and_wait(adj), CLI_INSTANCE_FAILED);
}

static void a_right_that_lacks_ends_it(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 201, ALICE("5", ""));
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 403,
                   "{'kind':'Status','reason':'Forbidden','message':'User \\'x\\' cannot list'}");
    assert_int_equal(clone_and_wait(adj), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(adj), "cannot list"));
}

static void a_server_that_is_away_for_a_while_is_waited_for(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_POST, TEST_INSTANCES, 201, ALICE("5", ""));
    test_adj_fail(adj, METHOD_GET, TEST_INSTANCES, ERROR_UNAVAILABLE);
    test_adj_fail(adj, METHOD_GET, TEST_INSTANCES, ERROR_TIMEOUT);
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200, LIST_OF(ALICE("15", READY)));
    assert_int_equal(clone_and_wait(adj), CLI_OK);
    assert_non_null(strstr(test_adj_err(adj), "No contact with the API server, trying again: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_state_is_a_line_and_ready_is_the_end, setup, teardown),
        cmocka_unit_test_setup_teardown(on_a_terminal_one_line_is_written_over_each_second, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(no_wait_does_not_wait_on_a_terminal, setup, teardown),
        cmocka_unit_test_setup_teardown(the_ready_object_can_be_printed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_failure_ends_it_with_its_reason, setup, teardown),
        cmocka_unit_test_setup_teardown(what_needs_a_person_ends_it, setup, teardown),
        cmocka_unit_test_setup_teardown(what_passes_by_itself_is_waited_for, setup, teardown),
        cmocka_unit_test_setup_teardown(the_time_out_says_how_to_go_on, setup, teardown),
        cmocka_unit_test_setup_teardown(deleted_meanwhile_ends_it, setup, teardown),
        cmocka_unit_test_setup_teardown(another_one_of_its_name_is_not_the_one, setup, teardown),
        cmocka_unit_test_setup_teardown(a_right_that_lacks_ends_it, setup_empty, teardown),
        cmocka_unit_test_setup_teardown(a_server_that_is_away_for_a_while_is_waited_for,
                                        setup_empty, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
