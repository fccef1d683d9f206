/* SPDX-License-Identifier: Apache-2.0 */
#include "io/sync_writes.h"

#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

enum { NS_PER_US = 1000 };

static bool fail(const char *folder, struct error *error)
{
    return error_set(error, ERROR_SYSTEM, "%s: %s", folder, strerror(errno));
}

bool sync_writes_time(const char *folder, size_t count, size_t byte_count, int64_t *out_us,
                      struct error *error)
{
    assert(byte_count <= SYNC_WRITE_BYTES_MAX);

    static const char bytes[SYNC_WRITE_BYTES_MAX];
    cleanup_text struct text path;
    text_init(&path, PATH_MAX);
    text_print(&path, "%s/.adj-bench-XXXXXX", folder);
    if (!text_check(&path, "--path", error)) {
        return false;
    }
    int file = mkstemp(path.bytes);
    if (file < 0) {
        return fail(folder, error);
    }
    bool wrote = unlink(path.bytes) == 0;
    for (size_t i = 0; wrote && i < count; i++) {
        uint64_t began_ns = uv_hrtime();
        wrote = write(file, bytes, byte_count) == (ssize_t)byte_count && fdatasync(file) == 0;
        out_us[i] = (int64_t)((uv_hrtime() - began_ns) / NS_PER_US);
    }
    bool well = wrote || fail(folder, error);
    close(file);
    return well;
}
