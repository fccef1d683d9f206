/* SPDX-License-Identifier: Apache-2.0 */
#include "kube/tombstones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void knows_what_was_added_with_its_last_values(void **state)
{
    (void)state;
    struct tombstones tombstones;
    tombstones_init(&tombstones);
    assert_null(tombstones_find(&tombstones, "u1"));
    tombstones_add(&tombstones, "u1", "7", 1);
    tombstones_add(&tombstones, "u2", NULL, 1);
    const struct tombstone *found = tombstones_find(&tombstones, "u1");
    assert_string_equal(found->version, "7");
    assert_null(tombstones_find(&tombstones, "u2")->version);
    tombstones_add(&tombstones, "u1", found->version, 2);
    found = tombstones_find(&tombstones, "u1");
    assert_string_equal(found->version, "7");
    assert_int_equal(found->list_epoch, 2);
    tombstones_release(&tombstones);
}

static void the_oldest_of_4097_is_forgotten(void **state)
{
    (void)state;
    enum { COUNT_MAX = 4096 };
    struct tombstones tombstones;
    tombstones_init(&tombstones);
    char uid[32];
    for (int i = 0; i <= COUNT_MAX; i++) {
        snprintf(uid, sizeof(uid), "uid-%d", i);
        tombstones_add(&tombstones, uid, "1", 0);
    }
    assert_null(tombstones_find(&tombstones, "uid-0"));
    assert_non_null(tombstones_find(&tombstones, "uid-1"));
    assert_non_null(tombstones_find(&tombstones, "uid-4096"));
    assert_int_equal(tombstones.by_uid.count, COUNT_MAX);
    tombstones_release(&tombstones);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_what_was_added_with_its_last_values),
        cmocka_unit_test(the_oldest_of_4097_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
