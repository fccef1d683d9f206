/* SPDX-License-Identifier: Apache-2.0 */
/* What can be handed out. The Pool's plans are situations of tests/plans. */
#include "plan/pool.h"

#include "base/json_merge.h"
#include "base/memory.h"
#include "support/objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define WARM                                                                                       \
    "{\"metadata\":{\"name\":\"pvc-0\",\"labels\":{\"adjoint.dev/state\":\"warm\","                \
    "\"adjoint.dev/pool-namespace\":\"pools\"},\"annotations\":{\"adjoint.dev/system-id\":"        \
    "\"74\"}},\"spec\":{\"claimRef\":{\"namespace\":\"pools\",\"name\":\"orders-0\",\"uid\":"      \
    "\"h\"}},\"status\":{\"phase\":\"Bound\"}}"

static struct object *warm_with(const char *patch)
{
    cleanup_text struct text out;
    text_init(&out, 10000);
    struct error error;
    assert_true(json_merge(WARM, patch, &out, &error));
    return object_from_text(KIND_VOLUME, out.bytes);
}

static void a_warm_bound_clone_is_claimable(void **state)
{
    (void)state;
    cleanup_object struct object *volume = warm_with("{}");
    assert_true(volume_claimable(volume));
    assert_false(volume_was_claimed(volume));
}

static void nothing_else_is(void **state)
{
    (void)state;
    static const char *const others[] = {
        "{\"metadata\":{\"labels\":{\"adjoint.dev/state\":\"claimed\"}}}",
        "{\"metadata\":{\"labels\":{\"adjoint.dev/state\":\"retiring\"}}}",
        "{\"metadata\":{\"labels\":{\"adjoint.dev/state\":null}}}",
        "{\"metadata\":{\"labels\":{\"adjoint.dev/state\":\"borrowed\"}}}",
        "{\"metadata\":{\"deletionTimestamp\":\"2026-08-22T10:00:00Z\"}}",
        "{\"metadata\":{\"annotations\":{\"adjoint.dev/system-id\":null}}}",
        "{\"status\":{\"phase\":\"Released\"}}",
        "{\"status\":{\"phase\":\"Available\"}}",
        "{\"spec\":{\"claimRef\":{\"uid\":null}}}",
        "{\"spec\":{\"claimRef\":{\"namespace\":\"dev\"}}}",
        "{\"spec\":{\"claimRef\":null}}",
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        cleanup_object struct object *volume = warm_with(others[i]);
        if (volume_claimable(volume)) {
            fail_msg("claimable with %s", others[i]);
        }
        assert_false(volume_was_claimed(volume));
    }
}

static void one_that_was_claimed_never_is_again(void **state)
{
    (void)state;
    static const char *const traces[] = {
        "{\"metadata\":{\"labels\":{\"adjoint.dev/instance-uid\":\"u\"}}}",
        "{\"metadata\":{\"annotations\":{\"adjoint.dev/holding-claim-uid\":\"u\"}}}",
        "{\"metadata\":{\"annotations\":{\"adjoint.dev/data-claim-uid\":\"u\"}}}",
    };
    for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
        cleanup_object struct object *volume = warm_with(traces[i]);
        assert_true(volume_was_claimed(volume));
        assert_false(volume_claimable(volume));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warm_bound_clone_is_claimable),
        cmocka_unit_test(nothing_else_is),
        cmocka_unit_test(one_that_was_claimed_never_is_again),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
