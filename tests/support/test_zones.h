/* SPDX-License-Identifier: Apache-2.0 */
/* Time zones as their rules are now, wherever the tests run. */
#ifndef ADJOINT_TESTS_SUPPORT_TEST_ZONES_H
#define ADJOINT_TESTS_SUPPORT_TEST_ZONES_H

#include "base/text.h"
#include "base/time_zone.h"

/* Europe/Berlin, America/New_York, Asia/Kolkata, Australia/Lord_Howe; the others are not there. */
struct time_zone_source test_zones(void);

/* A file (TZif) with these changes, in an offset of 0 before them, and with that footer. */
void test_zone_write(const struct time_zone_change *changes, size_t change_count,
                     const char *footer, struct text *out);

#endif
