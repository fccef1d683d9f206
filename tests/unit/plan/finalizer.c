/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/finalizer.h"

#include "base/text.h"
#include "support/json_patch.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BARE "{\"metadata\":{\"name\":\"a\"}}"
#define FOREIGN "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"x/y\"]}}"
#define BOTH                                                                                       \
    "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"x/y\",\"adjoint.dev/volumes\",\"z/z\"]}}"

/* "": refused. */
static void becomes(const char *seen, bool present, const char *is, const char *expected)
{
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    cleanup_object struct object *object = object_from_text(KIND_INSTANCE, seen);
    cleanup_text struct text out;
    text_init(&out, 10000);
    (void)json_patch_apply(is, finalizer_patch(object, present, &arena), &out);
    if (expected[0] == '\0') {
        assert_string_equal(out.bytes, "");
    } else if (strstr(out.bytes, expected) == NULL) {
        fail_msg("no %s in %s", expected, out.bytes);
    }
}

static void is_added_to_none_and_to_others(void **state)
{
    (void)state;
    becomes(BARE, true, BARE, "\"finalizers\":[\"adjoint.dev/volumes\"]");
    becomes(FOREIGN, true, FOREIGN, "\"finalizers\":[\"x/y\",\"adjoint.dev/volumes\"]");
}

static void never_drops_one_that_came_meanwhile(void **state)
{
    (void)state;
    becomes(BARE, true, FOREIGN, "");
    becomes(FOREIGN, true, BARE, "");
}

static void is_removed_alone(void **state)
{
    (void)state;
    becomes(BOTH, false, BOTH, "\"finalizers\":[\"x/y\",\"z/z\"]");
}

static void is_not_removed_from_a_list_that_moved(void **state)
{
    (void)state;
    becomes(BOTH, false, FOREIGN, "");
    becomes(BOTH, false,
            "{\"metadata\":{\"finalizers\":[\"adjoint.dev/volumes\",\"x/y\",\"z/z\"]}}", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_added_to_none_and_to_others),
        cmocka_unit_test(never_drops_one_that_came_meanwhile),
        cmocka_unit_test(is_removed_alone),
        cmocka_unit_test(is_not_removed_from_a_list_that_moved),
    };
    return cmocka_run_group_tests_name("finalizer", tests, NULL, NULL);
}
