/* SPDX-License-Identifier: Apache-2.0 */
#include "io/own_use.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MANY_BYTES = 64 * 1024 * 1024 };

static void what_is_used_shows(void **state)
{
    (void)state;
    struct own_use before = own_use_read();
    cleanup_memory char *bytes = memory_new(MANY_BYTES, 1);
    struct own_use after = before;
    for (int round = 1; after.cpu_ms <= before.cpu_ms; round++) {
        memset(bytes, round, MANY_BYTES);
        after = own_use_read();
    }
    assert_true(before.resident_bytes > 0);
    assert_true(after.resident_bytes >= before.resident_bytes + MANY_BYTES / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_used_shows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
