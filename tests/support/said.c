/* SPDX-License-Identifier: Apache-2.0 */
#include "support/said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

size_t said_times(const char *whole, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(whole, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

void assert_says(const char *whole, const char *part)
{
    if (strstr(whole, part) == NULL) {
        fail_msg("\n%s\nis not in\n%s", part, whole);
    }
}
