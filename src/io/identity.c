/* SPDX-License-Identifier: Apache-2.0 */
/* libuv's, because both of its calls work the same in a container and on a laptop. */
#include "io/identity.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <uv.h>

uint64_t identity_make(char out[IDENTITY_BYTES])
{
    char host[UV_MAXHOSTNAMESIZE] = "";
    size_t host_bytes = sizeof host;
    uint64_t numbers[2] = {0, 0};
    if (uv_os_gethostname(host, &host_bytes) != 0) {
        (void)snprintf(host, sizeof host, "unknown");
    }
    int failed = uv_random(NULL, NULL, numbers, sizeof numbers, 0, NULL);
    assert(failed == 0);
    (void)failed;
    (void)snprintf(out, IDENTITY_BYTES, "%.63s_%016" PRIx64, host, numbers[0]);
    return numbers[1];
}
