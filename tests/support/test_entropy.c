/* SPDX-License-Identifier: Apache-2.0 */
#include "support/test_entropy.h"

static void fill(void *self, unsigned char *bytes, size_t byte_count)
{
    (void)self;
    for (size_t i = 0; i < byte_count; i++) {
        bytes[i] = (unsigned char)i;
    }
}

struct entropy test_entropy(void)
{
    return (struct entropy){.fill = fill};
}
