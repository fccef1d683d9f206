/* SPDX-License-Identifier: Apache-2.0 */
/* libuv's, because both of its calls work the same in a container and on a laptop. */
#include "io/identity.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <uv.h>

static void fill(void *self, unsigned char *bytes, size_t byte_count)
{
    (void)self;
    int failed = uv_random(NULL, NULL, bytes, byte_count, 0, NULL);
    assert(failed == 0);
    (void)failed;
}

struct entropy identity_entropy(void)
{
    return (struct entropy){.fill = fill};
}

uint64_t identity_make(char out[IDENTITY_BYTES])
{
    char host[UV_MAXHOSTNAMESIZE] = "";
    size_t host_bytes = sizeof host;
    uint64_t numbers[2] = {0, 0};
    if (uv_os_gethostname(host, &host_bytes) != 0) {
        (void)snprintf(host, sizeof host, "unknown");
    }
    fill(NULL, (unsigned char *)numbers, sizeof numbers);
    (void)snprintf(out, IDENTITY_BYTES, "%.63s_%016" PRIx64, host, numbers[0]);
    return numbers[1];
}
