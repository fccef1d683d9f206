/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "support/test_adj.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define GROUP "/apis/snapshot.storage.k8s.io/v1"
#define CONTENTS GROUP "/volumesnapshotcontents"
#define CONTENT CONTENTS "/adjoint-golden.dev.orders"
#define SNAPSHOTS GROUP "/namespaces/dev/volumesnapshots"
#define SNAPSHOT SNAPSHOTS "/orders"

#define HANDLE "fsvolsnap-0123456789abcdef0"
#define SYSTEM_ID "7423456789012345678"
#define IMPORT "golden", "import", "orders"
#define DATABASE "--system-id", SYSTEM_ID, "--database", "shop", "--owner", "clerk"
#define ALL IMPORT, "--handle", HANDLE, DATABASE

#define CONTENT_BODY                                                                               \
    "{\"apiVersion\":\"snapshot.storage.k8s.io/v1\",\"kind\":\"VolumeSnapshotContent\","           \
    "\"metadata\":{\"name\":\"adjoint-golden.dev.orders\"},\"spec\":{\"deletionPolicy\":"          \
    "\"Retain\",\"driver\":\"fsx.openzfs.csi.aws.com\",\"source\":{\"snapshotHandle\":"            \
    "\"" HANDLE "\"},\"volumeSnapshotRef\":{\"apiVersion\":\"snapshot.storage.k8s.io/v1\","        \
    "\"kind\":\"VolumeSnapshot\",\"namespace\":\"dev\",\"name\":\"orders\"}}}\n"
#define SNAPSHOT_BODY                                                                              \
    "{\"apiVersion\":\"snapshot.storage.k8s.io/v1\",\"kind\":\"VolumeSnapshot\",\"metadata\":"     \
    "{\"name\":\"orders\",\"namespace\":\"dev\",\"annotations\":{\"adjoint.dev/system-id\":"       \
    "\"" SYSTEM_ID "\",\"adjoint.dev/database\":\"shop\",\"adjoint.dev/owner\":\"clerk\"}},"       \
    "\"spec\":{\"source\":{\"volumeSnapshotContentName\":\"adjoint-golden.dev.orders\"}}}\n"

#define LOOKS "GET " CONTENT "\nGET " SNAPSHOT "\n"
#define POSTS(path, body) "POST " path "\n    application/json: " body

#define CONTENT_OF(policy, handle, name, uid)                                                      \
    "{'metadata':{'name':'adjoint-golden.dev.orders','uid':'c1'},'spec':{'deletionPolicy':"        \
    "'" policy "','driver':'fsx.openzfs.csi.aws.com','source':{'snapshotHandle':'" handle          \
    "'},'volumeSnapshotRef':{'namespace':'dev','name':'" name "'" uid "}}}"
#define THE_CONTENT CONTENT_OF("Retain", HANDLE, "orders", ",'uid':'s1'")
#define UNBOUND_CONTENT CONTENT_OF("Retain", HANDLE, "orders", "")
#define SNAPSHOT_OF(uid, more, owner, source)                                                      \
    "{'metadata':{'name':'orders','namespace':'dev','uid':'" uid "'" more ",'annotations':{"       \
    "'adjoint.dev/system-id':'" SYSTEM_ID "','adjoint.dev/database':'shop',"                       \
    "'adjoint.dev/owner':'" owner "'}},'spec':{'source':{" source "}}}"
#define SOURCE "'volumeSnapshotContentName':'adjoint-golden.dev.orders'"
#define THE_SNAPSHOT SNAPSHOT_OF("s1", "", "clerk", SOURCE)

#define NOT_FOUND "{'kind':'Status','reason':'NotFound','message':'\\'orders\\' not found'}"
#define EXISTS "{'kind':'Status','reason':'AlreadyExists','message':'\\'orders\\' exists'}"

static int setup(void **state)
{
    *state = test_adj_new();
    return 0;
}

static int teardown(void **state)
{
    test_adj_free(*state);
    return 0;
}

/* NULL: it is not there. */
static void see(struct test_adj *adj, const char *content, const char *snapshot)
{
    test_adj_reply(adj, METHOD_GET, CONTENT, content == NULL ? 404 : 200,
                   content == NULL ? NOT_FOUND : content);
    test_adj_reply(adj, METHOD_GET, SNAPSHOT, snapshot == NULL ? 404 : 200,
                   snapshot == NULL ? NOT_FOUND : snapshot);
}

static void let_make(struct test_adj *adj)
{
    test_adj_reply(adj, METHOD_POST, CONTENTS, 201, "{}");
    test_adj_reply(adj, METHOD_POST, SNAPSHOTS, 201, "{}");
}

/* With the two that are seen (NULL: not there) it fails, and nothing is written. */
static void assert_refused(const char *content, const char *snapshot, const char *why)
{
    struct test_adj *adj = test_adj_new();
    see(adj, content, snapshot);
    assert_int_equal(test_adj_run(adj, ALL, NULL), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(adj), why));
    assert_string_equal(test_adj_requests(adj), LOOKS);
    test_adj_free(adj);
}

static void both_are_tried_and_then_made(void **state)
{
    struct test_adj *adj = *state;
    see(adj, NULL, NULL);
    let_make(adj);
    assert_int_equal(test_adj_run(adj, ALL, NULL), CLI_OK);
    assert_string_equal(test_adj_requests(adj),
                        LOOKS POSTS(CONTENTS "?dryRun=All", CONTENT_BODY)
                            POSTS(SNAPSHOTS "?dryRun=All", SNAPSHOT_BODY)
                                POSTS(CONTENTS, CONTENT_BODY) POSTS(SNAPSHOTS, SNAPSHOT_BODY));
    assert_non_null(strstr(test_adj_out(adj), "volumesnapshot.snapshot.storage.k8s.io/orders "
                                              "imported: of " HANDLE));
    assert_non_null(strstr(test_adj_out(adj), "A Pool in namespace dev names it so:\n\n"
                                              "  spec: {golden: {snapshot: orders}}\n"));
}

static void what_is_missing_alone_is_made(void **state)
{
    struct test_adj *adj = *state;
    see(adj, UNBOUND_CONTENT, NULL);
    let_make(adj);
    assert_int_equal(test_adj_run(adj, ALL, NULL), CLI_OK);
    assert_string_equal(test_adj_requests(adj), LOOKS POSTS(SNAPSHOTS "?dryRun=All", SNAPSHOT_BODY)
                                                    POSTS(SNAPSHOTS, SNAPSHOT_BODY));
    struct test_adj *other = test_adj_new();
    see(other, NULL, THE_SNAPSHOT);
    let_make(other);
    assert_int_equal(test_adj_run(other, ALL, NULL), CLI_OK);
    assert_string_equal(test_adj_requests(other), LOOKS POSTS(CONTENTS "?dryRun=All", CONTENT_BODY)
                                                      POSTS(CONTENTS, CONTENT_BODY));
    test_adj_free(other);
}

static void what_is_there_is_left_alone(void **state)
{
    struct test_adj *adj = *state;
    see(adj, THE_CONTENT, THE_SNAPSHOT);
    assert_int_equal(test_adj_run(adj, ALL, NULL), CLI_OK);
    assert_string_equal(test_adj_requests(adj), LOOKS);
    assert_non_null(strstr(test_adj_out(adj), " is imported already: of " HANDLE));
}

static void a_dry_run_makes_nothing(void **state)
{
    struct test_adj *adj = *state;
    see(adj, NULL, NULL);
    let_make(adj);
    assert_int_equal(test_adj_run(adj, ALL, "--dry-run", NULL), CLI_OK);
    assert_string_equal(test_adj_out(adj),
                        "volumesnapshot.snapshot.storage.k8s.io/orders could be imported\n");
    assert_string_equal(test_adj_requests(adj), LOOKS POSTS(CONTENTS "?dryRun=All", CONTENT_BODY)
                                                    POSTS(SNAPSHOTS "?dryRun=All", SNAPSHOT_BODY));
}

static void one_that_cannot_be_leaves_both_unmade(void **state)
{
    struct test_adj *adj = *state;
    see(adj, NULL, NULL);
    test_adj_reply(adj, METHOD_POST, CONTENTS, 201, "{}");
    test_adj_reply(adj, METHOD_POST, SNAPSHOTS, 404,
                   "{'kind':'Status','reason':'NotFound','message':'namespaces \\'dev\\' not "
                   "found','details':{'name':'dev','kind':'namespaces'}}");
    assert_int_equal(test_adj_run(adj, ALL, NULL), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(adj), "name an existing namespace with -n"));
    assert_null(strstr(test_adj_requests(adj), "POST " CONTENTS "\n"));
    assert_null(strstr(test_adj_requests(adj), "POST " SNAPSHOTS "\n"));
}

static void another_content_of_that_name_is_left_alone(void **state)
{
    (void)state;
    assert_refused(CONTENT_OF("Retain", "fsvolsnap-99999999", "orders", ""), NULL,
                   "adj: VolumeSnapshotContent adjoint-golden.dev.orders exists already, and its "
                   "snapshotHandle is fsvolsnap-99999999, not " HANDLE ": nothing was changed; "
                   "choose another NAME, or correct what is wrong\n");
    assert_refused(CONTENT_OF("Delete", HANDLE, "orders", ""), NULL,
                   "deletionPolicy is Delete, not Retain");
    assert_refused(CONTENT_OF("Retain", HANDLE, "other", ""), NULL,
                   "volumeSnapshotRef.name is other, not orders");
}

static void another_snapshot_of_that_name_is_left_alone(void **state)
{
    (void)state;
    assert_refused(NULL, SNAPSHOT_OF("s1", "", "clerk", "'persistentVolumeClaimName':'pg-1'"),
                   "adj: VolumeSnapshot dev/orders exists already, and its "
                   "source.volumeSnapshotContentName is absent, not adjoint-golden.dev.orders: ");
    assert_refused(THE_CONTENT, SNAPSHOT_OF("s1", "", "root", SOURCE),
                   "its annotation adjoint.dev/owner is root, not clerk: ");
}

static void the_major_version_is_told_and_asked_for(void **state)
{
    struct test_adj *adj = *state;
    see(adj, NULL, NULL);
    let_make(adj);
    assert_int_equal(test_adj_run(adj, ALL, "--major-version", "15", NULL), CLI_OK);
    assert_non_null(strstr(test_adj_requests(adj),
                           "\"adjoint.dev/owner\":\"clerk\",\"adjoint.dev/major-version\":"
                           "\"15\"}"));
    struct test_adj *other = test_adj_new();
    see(other, THE_CONTENT, THE_SNAPSHOT);
    assert_int_equal(test_adj_run(other, ALL, "--major-version", "15", NULL), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(other), "adjoint.dev/major-version is absent, not 15"));
    test_adj_free(other);
}

static void what_is_being_deleted_is_waited_for_by_its_user(void **state)
{
    (void)state;
    assert_refused(
        THE_CONTENT,
        SNAPSHOT_OF("s1", ",'deletionTimestamp':'2026-07-01T12:00:00Z'", "clerk", SOURCE),
        "adj: VolumeSnapshot dev/orders is being deleted: run this again when it is gone, or "
        "choose another NAME\n");
}

static void a_content_that_was_bound_is_not_bound_again(void **state)
{
    (void)state;
    assert_refused(THE_CONTENT, NULL,
                   "adj: VolumeSnapshotContent adjoint-golden.dev.orders is bound to a "
                   "VolumeSnapshot dev/orders that was deleted, and binds to no other. With its "
                   "policy Retain the data stays when it goes: `kubectl delete "
                   "volumesnapshotcontent adjoint-golden.dev.orders`, then run this again\n");
    assert_refused(THE_CONTENT, SNAPSHOT_OF("s2", "", "clerk", SOURCE),
                   "`kubectl delete volumesnapshot -n dev orders; kubectl delete "
                   "volumesnapshotcontent adjoint-golden.dev.orders`");
}

static void who_was_quicker_made_it(void **state)
{
    struct test_adj *adj = *state;
    see(adj, NULL, NULL);
    see(adj, UNBOUND_CONTENT, THE_SNAPSHOT);
    test_adj_reply(adj, METHOD_POST, CONTENTS, 201, "{}");
    test_adj_reply(adj, METHOD_POST, SNAPSHOTS, 409, EXISTS);
    assert_int_equal(test_adj_run(adj, ALL, NULL), CLI_OK);
}

/* A write whose reply never came may have been done. */
static void a_lost_reply_is_looked_into(void **state)
{
    struct test_adj *adj = *state;
    see(adj, NULL, NULL);
    see(adj, UNBOUND_CONTENT, NULL);
    test_adj_reply(adj, METHOD_POST, CONTENTS, 201, "{}");
    test_adj_fail(adj, METHOD_POST, CONTENTS, ERROR_UNKNOWN);
    test_adj_reply(adj, METHOD_POST, SNAPSHOTS, 201, "{}");
    assert_int_equal(test_adj_run(adj, ALL, NULL), CLI_OK);
    assert_non_null(strstr(test_adj_requests(adj), POSTS(SNAPSHOTS, SNAPSHOT_BODY)));
}

static void one_that_never_replies_is_given_up(void **state)
{
    struct test_adj *adj = *state;
    see(adj, NULL, NULL);
    test_adj_fail(adj, METHOD_POST, CONTENTS, ERROR_UNKNOWN);
    assert_int_equal(test_adj_run(adj, ALL, NULL), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(adj), "it is unknown whether this was done"));
}

static void without_the_kinds_of_snapshots_it_says_so(void **state)
{
    struct test_adj *adj = *state;
    test_adj_reply(adj, METHOD_GET, CONTENT, 404, "404 page not found\n");
    assert_int_equal(test_adj_run(adj, ALL, NULL), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(adj), "the CRDs of volume snapshots are not installed"));
}

static void a_right_that_is_lacking_is_named(void **state)
{
    struct test_adj *adj = *state;
    see(adj, NULL, NULL);
    test_adj_reply(adj, METHOD_POST, CONTENTS, 403,
                   "{'kind':'Status','reason':'Forbidden','message':'ann cannot create it'}");
    assert_int_equal(test_adj_run(adj, ALL, NULL), CLI_ERROR);
    assert_non_null(strstr(test_adj_err(adj), "ann cannot create it: ask whoever runs"));
}

static void assert_usage(const char *handle, const char *system_id, const char *why)
{
    struct test_adj *adj = test_adj_new();
    assert_int_equal(test_adj_run(adj, IMPORT, "--handle", handle, "--system-id", system_id,
                                  "--database", "shop", "--owner", "clerk", NULL),
                     CLI_USAGE);
    assert_non_null(strstr(test_adj_err(adj), why));
    assert_string_equal(test_adj_requests(adj), "");
    test_adj_free(adj);
}

static void a_handle_that_is_no_snapshot_is_refused(void **state)
{
    (void)state;
    assert_usage("fsvol-0123456789abcdef0", SYSTEM_ID, "that is a volume; take a snapshot of it");
    assert_usage("arn:aws:fsx:x:1:snapshot/fs-1/fsvol-1/" HANDLE, SYSTEM_ID,
                 "the part behind the last slash");
    static const char *const others[] = {"",         "fsvolsnap-", "fsvolsnap-0123",
                                         HANDLE "G", HANDLE "00",  "snap-0123456789abcdef0"};
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        assert_usage(others[i], SYSTEM_ID, "is no snapshot of FSx for OpenZFS: it is fsvolsnap-");
    }
}

static void a_system_identifier_that_is_none_is_refused(void **state)
{
    (void)state;
    static const char *const others[] = {"",
                                         "12",
                                         "0423456789012345678",
                                         "742345678901234567",
                                         "74234567890123456789",
                                         "742345678901234567x",
                                         "-742345678901234567"};
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        assert_usage(HANDLE, others[i], "is no number of 19 digits: pg_controldata prints it");
    }
}

static void another_drivers_handle_is_its_own_business(void **state)
{
    struct test_adj *adj = *state;
    see(adj, NULL, NULL);
    let_make(adj);
    assert_int_equal(test_adj_run(adj, IMPORT, "--handle", "snap-1", "--driver", "ebs.csi.aws.com",
                                  DATABASE, NULL),
                     CLI_OK);
    assert_non_null(strstr(test_adj_requests(adj), "\"driver\":\"ebs.csi.aws.com\",\"source\":{"
                                                   "\"snapshotHandle\":\"snap-1\"}"));
    assert_int_equal(test_adj_run(adj, IMPORT, "--handle", "", "--driver", "x", DATABASE, NULL),
                     CLI_USAGE);
}

static void all_that_is_needed_is_asked_for(void **state)
{
    struct test_adj *adj = *state;
    assert_int_equal(test_adj_run(adj, IMPORT, DATABASE, NULL), CLI_USAGE);
    assert_non_null(strstr(test_adj_err(adj), "golden import needs --handle"));
    assert_int_equal(test_adj_run(adj, IMPORT, "--handle", HANDLE, NULL), CLI_USAGE);
    assert_non_null(strstr(test_adj_err(adj), "golden import needs --system-id"));
    assert_int_equal(test_adj_run(adj, IMPORT, "--handle", HANDLE, "--system-id", SYSTEM_ID, NULL),
                     CLI_USAGE);
    assert_non_null(strstr(test_adj_err(adj), "golden import needs --database"));
    assert_int_equal(test_adj_run(adj, ALL, "--owner", "", NULL), CLI_USAGE);
    assert_non_null(strstr(test_adj_err(adj), "--owner: a name in Postgres has 1 to 63 bytes"));
    assert_int_equal(test_adj_run(adj, "golden", "export", "orders", NULL), CLI_USAGE);
    assert_non_null(strstr(test_adj_err(adj), "\"export\" is none of import"));
    assert_int_equal(test_adj_run(adj, "golden", "import", "", NULL), CLI_USAGE);
    assert_string_equal(test_adj_requests(adj), "");
}

static void a_name_that_leaves_no_room_is_refused(void **state)
{
    struct test_adj *adj = *state;
    char name[240];
    (void)memset(name, 'a', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    assert_int_equal(
        test_adj_run(adj, "golden", "import", name, "--handle", HANDLE, DATABASE, NULL), CLI_USAGE);
    assert_non_null(strstr(test_adj_err(adj), "NAME is too long"));
    assert_string_equal(test_adj_requests(adj), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(both_are_tried_and_then_made, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_missing_alone_is_made, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_there_is_left_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(a_dry_run_makes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_cannot_be_leaves_both_unmade, setup, teardown),
        cmocka_unit_test_setup_teardown(another_content_of_that_name_is_left_alone, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(another_snapshot_of_that_name_is_left_alone, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_major_version_is_told_and_asked_for, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_being_deleted_is_waited_for_by_its_user, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_content_that_was_bound_is_not_bound_again, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(who_was_quicker_made_it, setup, teardown),
        cmocka_unit_test_setup_teardown(a_lost_reply_is_looked_into, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_never_replies_is_given_up, setup, teardown),
        cmocka_unit_test_setup_teardown(without_the_kinds_of_snapshots_it_says_so, setup, teardown),
        cmocka_unit_test_setup_teardown(a_right_that_is_lacking_is_named, setup, teardown),
        cmocka_unit_test_setup_teardown(a_handle_that_is_no_snapshot_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_system_identifier_that_is_none_is_refused, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(another_drivers_handle_is_its_own_business, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(all_that_is_needed_is_asked_for, setup, teardown),
        cmocka_unit_test_setup_teardown(a_name_that_leaves_no_room_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
