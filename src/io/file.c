/* SPDX-License-Identifier: Apache-2.0 */
/* Read until the end rather than by the size the system states: a kubeconfig may be a pipe, and a
   projected file may be swapped for a longer one between the two calls. */
#include "io/file.h"

#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void close_cleanup(const int *descriptor)
{
    if (*descriptor >= 0) {
        close(*descriptor);
    }
}

bool file_read(const char *path, size_t byte_count_max, char **out_bytes, size_t *out_byte_count,
               struct error *error)
{
    assert(path != NULL && out_bytes != NULL);

    __attribute__((cleanup(close_cleanup))) int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return error_set(error, ERROR_SYSTEM, "%s: %s", path, strerror(errno));
    }
    cleanup_text struct text text;
    text_init(&text, byte_count_max);
    char chunk[4096];
    ssize_t byte_count = 0;
    do {
        byte_count = read(descriptor, chunk, sizeof(chunk));
        if (byte_count < 0 && errno != EINTR) {
            return error_set(error, ERROR_SYSTEM, "%s: %s", path, strerror(errno));
        }
        text_append_bytes(&text, chunk, byte_count < 0 ? 0 : (size_t)byte_count);
    } while (byte_count != 0 && !text.overflowed);

    if (!text_check(&text, path, error)) {
        return false;
    }
    if (out_byte_count != NULL) {
        *out_byte_count = text.length_bytes;
    }
    *out_bytes = text_take(&text);
    return true;
}

bool file_write(const char *path, mode_t mode, const char *bytes, size_t byte_count,
                struct error *error)
{
    assert(path != NULL);

    __attribute__((cleanup(close_cleanup))) int descriptor =
        open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (descriptor < 0) {
        return error_set(error, ERROR_SYSTEM, "%s: %s", path, strerror(errno));
    }
    for (size_t at = 0; at < byte_count;) {
        ssize_t written = write(descriptor, bytes + at, byte_count - at);
        if (written < 0 && errno != EINTR) {
            return error_set(error, ERROR_SYSTEM, "%s: %s", path, strerror(errno));
        }
        at += written < 0 ? 0 : (size_t)written;
    }
    return true;
}
