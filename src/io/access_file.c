/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and taking are two steps, since a client certificate and its key are two files that are
   not swapped at one instant: only together do they show whether they are good. */
#include "io/access_file.h"

#include "base/limits.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/file.h"
#include "io/pem.h"
#include "kube/bearer_token.h"

#include <string.h>

void access_file_release(struct access_file *file)
{
    memory_free(file->bytes);
    file->bytes = NULL;
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static void trim(char *text)
{
    size_t start = 0;
    size_t end = strlen(text);
    while (end > 0 && is_space(text[end - 1])) {
        end--;
    }
    while (start < end && is_space(text[start])) {
        start++;
    }
    memmove(text, text + start, end - start);
    text[end - start] = '\0';
}

static bool check(const struct access_file *file, char *bytes, struct error *error)
{
    const char *problem = NULL;
    switch (file->kind) {
    case ACCESS_FILE_TOKEN:
        trim(bytes);
        problem = bearer_token_problem(bytes);
        return problem == NULL || error_set(error, ERROR_INVALID, "the token %s", problem);
    case ACCESS_FILE_CERTIFICATES:
        return pem_check_certificates(bytes, error);
    case ACCESS_FILE_KEY:
        return true; /* pem_check_pair does it */
    }
    return true;
}

bool access_file_read(const struct access_file *file, char **out, struct error *error)
{
    if (file->path == NULL) {
        *out = NULL;
        return true;
    }
    cleanup_memory char *bytes = NULL;
    size_t byte_count = 0;
    if (!file_read(file->path, LIMIT_FILE_BYTES, &bytes, &byte_count, error)) {
        return false;
    }
    if (byte_count == 0 || strlen(bytes) != byte_count) {
        return error_set(error, ERROR_INVALID, "%s: %s", file->path,
                         byte_count == 0 ? "it is empty" : "it is no text");
    }
    if (!check(file, bytes, error)) {
        return error_wrap(error, "%s", file->path);
    }
    *out = text_equal(bytes, file->bytes) ? NULL : bytes;
    bytes = *out == NULL ? bytes : NULL;
    return true;
}

bool access_file_take(struct access_file *file, char *bytes)
{
    if (bytes == NULL) {
        return false;
    }
    memory_free(file->bytes);
    file->bytes = bytes;
    return true;
}
