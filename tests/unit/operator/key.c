/* SPDX-License-Identifier: Apache-2.0 */
#include "operator/key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void what_is_written_is_read(void **state)
{
    (void)state;
    static const struct {
        enum object_kind kind;
        const char *namespace, *name, *text;
    } rows[] = {
        {KIND_POOL, "pools", "orders", "pool/pools/orders"},
        {KIND_INSTANCE, "dev", "alice", "instance/dev/alice"},
        {KIND_VOLUME, NULL, "pvc-0", "volume//pvc-0"},
        {KIND_VOLUME_CLAIM, "dev", "alice-1", "claim/dev/alice-1"},
        {KIND_CLUSTER, "dev", "alice", "cluster/dev/alice"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[KEY_BYTES];
        key_write(rows[i].kind, rows[i].namespace, rows[i].name, text);
        assert_string_equal(text, rows[i].text);
        struct key key;
        assert_true(key_read(text, &key));
        assert_int_equal(key.kind, rows[i].kind);
        assert_string_equal(key.namespace, rows[i].namespace == NULL ? "" : rows[i].namespace);
        assert_string_equal(key.name, rows[i].name);
    }
}

static void the_longest_names_fit(void **state)
{
    (void)state;
    char namespace[64] = {0};
    char name[254] = {0};
    memset(namespace, 'n', sizeof(namespace) - 1);
    memset(name, 'a', sizeof(name) - 1);
    char text[KEY_BYTES];
    key_write(KIND_INSTANCE, namespace, name, text);
    struct key key;
    assert_true(key_read(text, &key));
    assert_string_equal(key.namespace, namespace);
    assert_string_equal(key.name, name);
}

static void what_is_no_key_is_refused(void **state)
{
    (void)state;
    static const char *const others[] = {
        "", "pool", "pool/pools", "job/dev/alice", "poo/dev/alice", "pools/dev/alice"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct key key;
        assert_false(key_read(others[i], &key));
    }
    char long_namespace[400] = "pool/";
    memset(long_namespace + 5, 'n', 64);
    memcpy(long_namespace + 69, "/orders", 8);
    struct key key;
    assert_false(key_read(long_namespace, &key));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_longest_names_fit),
        cmocka_unit_test(what_is_no_key_is_refused),
    };
    return cmocka_run_group_tests_name("key", tests, NULL, NULL);
}
