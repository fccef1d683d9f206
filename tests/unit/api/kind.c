/* SPDX-License-Identifier: Apache-2.0 */
#include "api/kind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_path(enum object_kind kind, const char *namespace, const char *name,
                        const char *subresource, const char *expected)
{
    cleanup_text struct text path;
    text_init(&path, 1000);
    kind_path(kind_of(kind), namespace, name, subresource, &path);
    assert_string_equal(path.bytes, expected);
}

static void every_row_is_filled_and_its_prefix_fits_its_version(void **state)
{
    (void)state;
    for (enum object_kind kind = 0; kind < KIND_COUNT; kind++) {
        const struct kind *row = kind_of(kind);
        assert_non_null(row->kind);
        assert_non_null(row->plural);
        assert_int_equal(row->decode != NULL, kind < KIND_QUOTA || kind == KIND_EVENT);
        assert_true(text_ends_with(row->prefix, row->api_version));
        assert_true(text_starts_with(row->prefix, "/api"));
    }
}

static void only_volumes_of_the_high_volume_kinds_have_no_selector(void **state)
{
    (void)state;
    assert_null(kind_of(KIND_VOLUME)->selector);
    assert_string_equal(kind_of(KIND_VOLUME_CLAIM)->selector, "adjoint.dev%2Frole");
    assert_string_equal(kind_of(KIND_CLUSTER)->selector, "adjoint.dev%2Frole");
    assert_string_equal(kind_of(KIND_JOB)->selector, "cnpg.io%2Fcluster");
}

static void a_collection_has_no_name(void **state)
{
    (void)state;
    assert_path(KIND_VOLUME, NULL, NULL, NULL, "/api/v1/persistentvolumes");
    assert_path(KIND_JOB, NULL, NULL, NULL, "/apis/batch/v1/jobs");
    assert_path(KIND_POOL, "pools", NULL, NULL,
                "/apis/adjoint.dev/v1alpha1/namespaces/pools/pools");
    assert_path(KIND_SNAPSHOT_CONTENT, NULL, NULL, NULL,
                "/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents");
}

static void an_object_has_one_and_may_have_a_subresource(void **state)
{
    (void)state;
    assert_path(KIND_INSTANCE, "dev", "dev42", "status",
                "/apis/adjoint.dev/v1alpha1/namespaces/dev/instances/dev42/status");
    assert_path(KIND_CLUSTER, "dev", "dev42", NULL,
                "/apis/postgresql.cnpg.io/v1/namespaces/dev/clusters/dev42");
    assert_path(KIND_STORAGE_CLASS, NULL, "fsx", NULL,
                "/apis/storage.k8s.io/v1/storageclasses/fsx");
}

static void kinds_without_namespaces_leave_it_out(void **state)
{
    (void)state;
    assert_path(KIND_NAMESPACE, "dev", "dev", NULL, "/api/v1/namespaces/dev");
    assert_path(KIND_VOLUME, "dev", "pv", NULL, "/api/v1/persistentvolumes/pv");
}

static void a_name_cannot_become_another_path(void **state)
{
    (void)state;
    assert_path(KIND_VOLUME_CLAIM, "a/b", "c?d#e%f/\xc3\xa4", NULL,
                "/api/v1/namespaces/a%2Fb/persistentvolumeclaims/c%3Fd%23e%25f%2F%C3%A4");
    assert_path(KIND_VOLUME, NULL, "a-b._~9Z", NULL, "/api/v1/persistentvolumes/a-b._~9Z");
}

static void a_secret_is_never_read(void **state)
{
    (void)state;
    const char *const *skip = kind_of(KIND_SECRET)->filter.skip;
    assert_string_equal(skip[0], "data");
    assert_string_equal(skip[1], "stringData");
    assert_null(skip[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_filled_and_its_prefix_fits_its_version),
        cmocka_unit_test(only_volumes_of_the_high_volume_kinds_have_no_selector),
        cmocka_unit_test(a_collection_has_no_name),
        cmocka_unit_test(an_object_has_one_and_may_have_a_subresource),
        cmocka_unit_test(kinds_without_namespaces_leave_it_out),
        cmocka_unit_test(a_secret_is_never_read),
        cmocka_unit_test(a_name_cannot_become_another_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
