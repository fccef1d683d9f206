/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define POOLS "/apis/adjoint.dev/v1alpha1/pools"
#define INSTANCES "/apis/adjoint.dev/v1alpha1/instances"
#define LIST_OF(items) "{'metadata':{'resourceVersion':'9'},'items':[" items "]}"
#define FORBIDDEN "{'kind':'Status','reason':'Forbidden','message':'you may not'}"

#define POOL(name, counts, gap, completed)                                                         \
    "{'metadata':{'name':'" name "','namespace':'golden','uid':'u-" name                           \
    "','resourceVersion':'1'},'spec':{'golden':{'snapshot':'snap'},'size':3,'storage':{"           \
    "'storageClassName':'fsx'},'allowedNamespaces':{'from':'All'}},'status':{" counts              \
    ",'lane':{'name':'fs-1','width':3,'gapMilliseconds':" gap ",'latencyMilliseconds':130000,"     \
    "'completedAt':'2026-07-01T" completed "Z'},'conditions':[{'type':'Ready','status':'True',"    \
    "'reason':'Warm','message':'m','lastTransitionTime':'2026-07-01T11:00:00Z'}]}}"
#define TWO_POOLS                                                                                  \
    LIST_OF(POOL("side", "'warm':0,'filling':1,'claimed':1,'waiting':1", "50000",                  \
                 "11:50:00") "," POOL("main", "'warm':2,'filling':2,'stale':1,'claimed':4",        \
                                      "61000", "11:59:30"))
#define INSTANCE(name, version, spec, status)                                                      \
    "{'metadata':{'name':'" name "','namespace':'dev','uid':'u-" name                              \
    "','resourceVersion':'" version                                                                \
    "','creationTimestamp':'2026-07-01T11:00:00Z'},'spec':{'pool':{'name':'main',"                 \
    "'namespace':'golden'}" spec "},'status':{" status "}}"
#define READY(name) INSTANCE(name, "2", "", "'phase':'Ready'")
#define WAITING(name, position)                                                                    \
    INSTANCE(name, "2", "",                                                                        \
             "'phase':'Waiting','queue':{'position':" position                                     \
             ",'eta':'2026-07-01T12:01:10Z'},'conditions':[{'type':'Ready','status':'False',"      \
             "'reason':'WaitingForClone','message':'m',"                                           \
             "'lastTransitionTime':'2026-07-01T11:00:00Z'}]")
#define SOME_INSTANCES                                                                             \
    LIST_OF(READY("zoe") "," WAITING("carl", "2") "," WAITING("bea", "1") "," INSTANCE(            \
        "alice", "2", ",'protectedUntil':'2026-07-04T12:00:00Z'",                                  \
        "'phase':'Ready','expiresAt':'2026-07-01T15:00:00Z'"))

static struct test_adj *with(int pools_status, const char *pools, int instances_status,
                             const char *instances)
{
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, POOLS, pools_status, pools);
    test_adj_reply(adj, METHOD_GET, INSTANCES, instances_status, instances);
    return adj;
}

static void assert_has(const struct test_adj *adj, const char *part)
{
    if (strstr(test_adj_out(adj), part) == NULL) {
        fail_msg("\n%s\nis not in\n%s%s", part, test_adj_out(adj), test_adj_err(adj));
    }
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void once_shows_all_of_it(void **state)
{
    (void)state;
    struct test_adj *adj = with(200, TWO_POOLS, 200, SOME_INSTANCES);
    assert_int_equal(test_adj_run(adj, "top", "--once", NULL), CLI_OK);
    assert_string_equal(
        test_adj_out(adj),
        "2026-07-01T12:00:00Z  Pools: 2  Instances: 2 waiting, 2 served\n"
        "\n"
        "POOL          SIZE   WARM   STALE   FILLING   CLAIMED   WAITING   GOLDEN   REASON\n"
        "golden/main   3      2      1       2         4         0         snap     Warm\n"
        "golden/side   3      0      0       1         1         1         snap     Warm\n"
        "\n"
        "LANE   GAP   LATENCY   DEPTH   IN-FLIGHT   NEXT\n"
        "fs-1   61s   2m10s     3       3           31s\n"
        "\n"
        "WAITING    POOL          POSITION   ETA   AGE   REASON\n"
        "dev/bea    golden/main   1          70s   60m   WaitingForClone\n"
        "dev/carl   golden/main   2          70s   60m   WaitingForClone\n"
        "\n"
        "SERVED      PHASE   POOL          AGE   ENDS   PROTECTED\n"
        "dev/alice   Ready   golden/main   60m   3h     3d\n"
        "dev/zoe     Ready   golden/main   60m   -      -\n");
    test_adj_free(adj);
}

static void one_namespace_can_be_named(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_reply(adj, METHOD_GET, POOLS, 200, LIST_OF(""));
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200, LIST_OF(READY("zoe")));
    assert_int_equal(test_adj_run(adj, "top", "--once", "-n", "dev", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj),
                        "2026-07-01T12:00:00Z  Pools: 0  Instances: 0 waiting, 1 served\n\n"
                        "SERVED    PHASE   POOL          AGE   ENDS   PROTECTED\n"
                        "dev/zoe   Ready   golden/main   60m   -      -\n");
    test_adj_free(adj);
}

static void who_may_not_see_all_sees_their_own(void **state)
{
    (void)state;
    struct test_adj *adj = with(403, FORBIDDEN, 403, FORBIDDEN);
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 200, LIST_OF(READY("zoe")));
    assert_int_equal(test_adj_run(adj, "top", "--once", NULL), CLI_OK);
    assert_has(adj, "\nPools are not seen: you may not; Instances of namespace dev alone: you may "
                    "not see those of others\n");
    assert_has(adj, "dev/zoe");
    test_adj_free(adj);
}

static void who_may_see_nothing_is_told(void **state)
{
    (void)state;
    struct test_adj *adj = with(403, FORBIDDEN, 403, FORBIDDEN);
    test_adj_reply(adj, METHOD_GET, TEST_INSTANCES, 403, FORBIDDEN);
    assert_int_equal(test_adj_run(adj, "top", NULL), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(adj), "adj: "));
    assert_string_equal(test_adj_out(adj), "");
    test_adj_free(adj);
}

static void once_does_not_wait_for_a_server_that_is_away(void **state)
{
    (void)state;
    struct test_adj *adj = test_adj_new();
    test_adj_fail(adj, METHOD_GET, POOLS, ERROR_UNAVAILABLE);
    test_adj_reply(adj, METHOD_GET, INSTANCES, 200, LIST_OF(""));
    assert_int_equal(test_adj_run(adj, "top", "--once", NULL), CLI_ERROR);
    test_adj_free(adj);
}

static void elsewhere_lines_come_again_and_again(void **state)
{
    (void)state;
    struct test_adj *adj = with(200, TWO_POOLS, 200, SOME_INSTANCES);
    test_adj_interrupts(adj, 25000);
    assert_int_equal(test_adj_run(adj, "top", NULL), CLI_OK);
    assert_int_equal(count_of(test_adj_out(adj), "Pools: 2"), 3);
    assert_has(adj, "\n\n2026-07-01T12:00:20Z  Pools: 2");
    assert_null(strchr(test_adj_out(adj), '\033'));
    test_adj_interrupts(adj, 25000);
    assert_int_equal(test_adj_run(adj, "top", "--interval", "5s", NULL), CLI_OK);
    assert_int_equal(count_of(test_adj_out(adj), "Pools: 2"), 5);
    test_adj_free(adj);
}

static void it_ends_when_nobody_reads_it(void **state)
{
    (void)state;
    struct test_adj *adj = with(200, TWO_POOLS, 200, SOME_INSTANCES);
    test_adj_cannot_write(adj);
    assert_int_equal(test_adj_run(adj, "top", NULL), CLI_ERROR);
    assert_string_equal(test_adj_err(adj), "adj: cannot write: No space left on device\n");
    test_adj_free(adj);
}

static void on_a_terminal_a_change_shows_at_once(void **state)
{
    (void)state;
    struct test_adj *adj = with(200, TWO_POOLS, 200, SOME_INSTANCES);
    test_adj_on_terminal(adj, 80);
    test_adj_event(
        adj, INSTANCES, 1300,
        "{'type':'ADDED','object':" INSTANCE("dora", "11", "", "'phase':'Claiming'") "}");
    test_adj_interrupts(adj, 1400);
    assert_int_equal(test_adj_run(adj, "top", NULL), CLI_OK);
    assert_has(adj, "dev/dora");
    assert_true(text_starts_with(test_adj_out(adj), "\033[?1049h\033[?25l\033[H"));
    assert_true(text_ends_with(test_adj_out(adj), "\033[J\033[?25h\033[?1049l"));
    test_adj_free(adj);
}

static void a_screen_holds_as_much_as_fits(void **state)
{
    (void)state;
    cleanup_text struct text many;
    text_init(&many, 64 * 1024);
    text_append(&many, "{'metadata':{'resourceVersion':'9'},'items':[");
    for (int i = 0; i < 50; i++) {
        text_print(&many, "%s" INSTANCE("i%d", "2", "", "'phase':'Ready'"), i == 0 ? "" : ",", i,
                   i);
    }
    text_append(&many, "]}");
    struct test_adj *adj = with(200, TWO_POOLS, 200, many.bytes);
    test_adj_on_terminal(adj, 80);
    test_adj_interrupts(adj, 100);
    assert_int_equal(test_adj_run(adj, "top", NULL), CLI_OK);
    const char *frame = test_adj_out(adj);
    for (const char *at = frame; at != NULL; at = strstr(at + 1, "\033[H")) {
        frame = at; /* the last one */
    }
    assert_int_equal(count_of(frame, "\n"), 24 - 1); /* of a terminal whose size is not known */
    assert_has(adj, "and 37 more");
    test_adj_free(adj);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(once_shows_all_of_it),
        cmocka_unit_test(one_namespace_can_be_named),
        cmocka_unit_test(who_may_not_see_all_sees_their_own),
        cmocka_unit_test(who_may_see_nothing_is_told),
        cmocka_unit_test(once_does_not_wait_for_a_server_that_is_away),
        cmocka_unit_test(elsewhere_lines_come_again_and_again),
        cmocka_unit_test(it_ends_when_nobody_reads_it),
        cmocka_unit_test(on_a_terminal_a_change_shows_at_once),
        cmocka_unit_test(a_screen_holds_as_much_as_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
