/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/request_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct action action_of(enum action_kind kind, enum object_kind object)
{
    return (struct action){.kind = kind,
                           .purpose = PURPOSE_STATUS,
                           .object = object,
                           .namespace = object == KIND_VOLUME ? "" : "dev",
                           .name = "alice",
                           .uid = "u-1",
                           .body = "{}",
                           .reason = "because"};
}

static void each_kind_of_action_is_a_request(void **state)
{
    (void)state;
    static const struct {
        enum action_kind kind;
        enum object_kind object;
        enum method method;
        const char *path, *content_type, *body;
    } rows[] = {
        {ACTION_CREATE, KIND_CLUSTER, METHOD_POST,
         "/apis/postgresql.cnpg.io/v1/namespaces/dev/clusters?fieldManager=adjoint-operator",
         "application/json", "{}"},
        {ACTION_DRY_RUN, KIND_SECRET, METHOD_POST,
         "/api/v1/namespaces/dev/secrets?dryRun=All&fieldManager=adjoint-operator",
         "application/json", "{}"},
        {ACTION_MERGE_PATCH, KIND_VOLUME, METHOD_PATCH,
         "/api/v1/persistentvolumes/alice?fieldManager=adjoint-operator",
         "application/merge-patch+json", "{}"},
        {ACTION_STATUS_PATCH, KIND_INSTANCE, METHOD_PATCH,
         "/apis/adjoint.dev/v1alpha1/namespaces/dev/instances/alice/"
         "status?fieldManager=adjoint-operator",
         "application/merge-patch+json", "{}"},
        {ACTION_JSON_PATCH, KIND_VOLUME, METHOD_PATCH,
         "/api/v1/persistentvolumes/alice?fieldManager=adjoint-operator",
         "application/json-patch+json", "{}"},
        {ACTION_DELETE, KIND_VOLUME_CLAIM, METHOD_DELETE,
         "/api/v1/namespaces/dev/persistentvolumeclaims/alice", "application/json",
         "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"propagationPolicy\":\"Background\","
         "\"preconditions\":{\"uid\":\"u-1\"}}"},
        {ACTION_READ, KIND_POOL, METHOD_GET,
         "/apis/adjoint.dev/v1alpha1/namespaces/dev/pools/alice", NULL, NULL},
        {ACTION_EVENTS, KIND_EVENT, METHOD_GET,
         "/api/v1/namespaces/dev/"
         "events?limit=50&fieldSelector=type%3DWarning,involvedObject.uid%3Du-1",
         NULL, NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct action action = action_of(rows[i].kind, rows[i].object);
        struct built_request built;
        request_build(&action, &built);
        assert_int_equal(built.request.method, rows[i].method);
        assert_string_equal(built.request.path, rows[i].path);
        if (rows[i].body == NULL) {
            assert_null(built.request.body);
        } else {
            assert_string_equal(built.request.content_type, rows[i].content_type);
            assert_string_equal(built.request.body, rows[i].body);
        }
        assert_int_equal(built.json_patch_tests, rows[i].kind == ACTION_JSON_PATCH);
        assert_true(built.request.deadline_ms > 0);
        assert_false(built.request.watch);
        request_release(&built);
    }
}

static void what_has_begun_goes_before_what_begins_and_that_before_a_refill(void **state)
{
    (void)state;
    static const struct {
        enum purpose purpose;
        enum client_priority priority;
    } rows[] = {
        {PURPOSE_CHOOSE, CLIENT_URGENT},       {PURPOSE_DATA_CLAIM, CLIENT_URGENT},
        {PURPOSE_CLAIM_VOLUME, CLIENT_URGENT}, {PURPOSE_CLUSTER, CLIENT_URGENT},
        {PURPOSE_FINALIZER, CLIENT_NORMAL},    {PURPOSE_PREFLIGHT, CLIENT_NORMAL},
        {PURPOSE_STATUS, CLIENT_NORMAL},       {PURPOSE_LABEL_VOLUME, CLIENT_NORMAL},
        {PURPOSE_FILL, CLIENT_LATER},          {PURPOSE_RETIRE_VOLUME, CLIENT_LATER},
        {PURPOSE_DELETE, CLIENT_LATER},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct action action = action_of(ACTION_JSON_PATCH, KIND_VOLUME);
        action.purpose = rows[i].purpose;
        struct built_request built;
        request_build(&action, &built);
        assert_int_equal(built.priority, rows[i].priority);
        request_release(&built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_action_is_a_request),
        cmocka_unit_test(what_has_begun_goes_before_what_begins_and_that_before_a_refill),
    };
    return cmocka_run_group_tests_name("request_build", tests, NULL, NULL);
}
