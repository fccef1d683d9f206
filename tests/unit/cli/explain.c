/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define WHO "context a of b, server https://c"

static void assert_explained(enum error_class class, int http_status, const char *message,
                             enum object_kind kind, const char *expected)
{
    struct error error;
    (void)error_set(&error, class, "%s", message);
    error.http_status = http_status;
    cleanup_text struct text line;
    text_init(&line, 2048);
    explain_error(&error, kind, WHO, &line);
    assert_string_equal(line.bytes, expected);
}

static void a_server_that_is_not_there_is_named_with_its_kubeconfig(void **state)
{
    (void)state;
    assert_explained(ERROR_UNAVAILABLE, 0, "https://c: Connection refused", KIND_INSTANCE,
                     "cannot reach the API server: https://c: Connection refused (" WHO ")");
    assert_explained(ERROR_UNAVAILABLE, 503, "not yet", KIND_INSTANCE,
                     "the API server cannot serve this now: not yet (" WHO ")");
    assert_explained(ERROR_TIMEOUT, 0, "30 s without a reply", KIND_INSTANCE,
                     "the API server does not answer: 30 s without a reply (" WHO ")");
}

static void what_is_lacking_is_said(void **state)
{
    (void)state;
    assert_explained(ERROR_UNAUTHORIZED, 401, "Unauthorized", KIND_INSTANCE,
                     "the API server does not accept these credentials: Unauthorized (" WHO
                     "): log in again, or choose others with --context or --kubeconfig");
    assert_explained(ERROR_FORBIDDEN, 403, "User \"x\" cannot list instances", KIND_INSTANCE,
                     "User \"x\" cannot list instances: ask whoever runs the cluster for that "
                     "right");
    assert_explained(ERROR_FORBIDDEN, 403, "exceeded quota: q", KIND_INSTANCE, "exceeded quota: q");
}

static void what_is_not_there_says_where_to_look(void **state)
{
    (void)state;
    assert_explained(ERROR_NOT_FOUND, 404, "instances.adjoint.dev \"x\" not found", KIND_INSTANCE,
                     "instances.adjoint.dev \"x\" not found: `adj list -A` lists the Instances of "
                     "all namespaces");
    assert_explained(ERROR_NOT_FOUND, 404, "namespaces \"x\" not found", KIND_INSTANCE,
                     "namespaces \"x\" not found: name an existing namespace with -n");
}

static void a_kind_that_is_missing_says_what_to_install(void **state)
{
    (void)state;
    static const char *const adjoint = "Adjoint's CRDs are not installed: kubectl apply -f crds/";
    assert_explained(ERROR_NOT_FOUND, 404, "HTTP 404: 404 page not found", KIND_INSTANCE, adjoint);
    assert_explained(ERROR_NOT_FOUND, 404, "the server could not find the requested resource",
                     KIND_POOL, adjoint);
    assert_explained(ERROR_NOT_FOUND, 404, "HTTP 404: 404 page not found", KIND_SNAPSHOT,
                     "the CRDs of volume snapshots are not installed: there is no kind "
                     "VolumeSnapshot of snapshot.storage.k8s.io/v1");
    assert_explained(ERROR_NOT_FOUND, 404, "HTTP 404: 404 page not found", KIND_VOLUME,
                     "the API server has no kind PersistentVolume of v1: is it Kubernetes?");
}

static void other_errors_are_passed_on(void **state)
{
    (void)state;
    assert_explained(ERROR_INVALID, 422, "choose another name", KIND_INSTANCE,
                     "choose another name");
    assert_explained(ERROR_UNKNOWN, 0, "reset", KIND_INSTANCE,
                     "it is unknown whether this was done: reset; look before you repeat it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_server_that_is_not_there_is_named_with_its_kubeconfig),
        cmocka_unit_test(what_is_lacking_is_said),
        cmocka_unit_test(what_is_not_there_says_where_to_look),
        cmocka_unit_test(a_kind_that_is_missing_says_what_to_install),
        cmocka_unit_test(other_errors_are_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
