/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void columns_are_as_wide_as_their_widest_cell(void **state)
{
    (void)state;
    static const char *const headings[] = {"NAME", "AGE", "X", NULL};
    cleanup_arena struct arena arena;
    cleanup_text struct text out;
    arena_init(&arena, 0);
    text_init(&out, 4096);
    struct table table;
    table_init(&table, &arena, headings);
    table_add(&table, "alice");
    table_print(&table, "%ds", 5);
    table_add(&table, "");
    table_add(&table, "caf\xc3\xa9");
    table_add(&table, NULL);
    table_add(&table, "last");
    table_write(&table, &out);
    assert_string_equal(out.bytes, "NAME    AGE   X\n"
                                   "alice   5s    -\n"
                                   "caf\xc3\xa9    -     last\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
