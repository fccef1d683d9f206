/* SPDX-License-Identifier: Apache-2.0 */
/* POSIX.1-1988, ustar interchange format: a header of 512 bytes, whose numbers are octal digits,
   the file's bytes, zeros up to the next 512; two blocks of zeros at the end. */
#include "io/archive.h"

#include "base/memory.h"
#include "base/text.h"

#include <zlib.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_BYTES = 512, OWNERS_ONLY = 0600, MS_PER_SECOND = 1000 };

struct archive {
    char *path;
    gzFile file;
    bool failed;
};

struct header {
    char name[100], mode[8], owner[8], group[8], size[12], modified[12], sum[8], type, link[100];
    char magic[6], version[2], owner_name[32], group_name[32], major[8], minor[8], prefix[155];
    char unused[12];
};
_Static_assert(sizeof(struct header) == BLOCK_BYTES, "a header is a block");

bool archive_create(const char *path, struct archive **out, struct error *error)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, OWNERS_ONLY);
    if (descriptor < 0) {
        return error_set(error, errno == EEXIST ? ERROR_EXISTS : ERROR_SYSTEM, "%s: %s", path,
                         strerror(errno));
    }
    struct archive *archive = memory_new(1, sizeof(*archive));
    archive->path = memory_copy_text(path);
    archive->file = gzdopen(descriptor, "wb");
    assert(archive->file != NULL); /* it lacks memory, or was asked wrongly */
    *out = archive;
    return true;
}

static void put(struct archive *archive, const void *bytes, size_t byte_count)
{
    if (byte_count > 0 && gzfwrite(bytes, byte_count, 1, archive->file) != 1) {
        archive->failed = true;
    }
}

/* Octal digits and a NUL, which fill the field. */
static void put_number(char *field, size_t field_bytes, uint64_t number)
{
    field[field_bytes - 1] = '\0';
    for (size_t i = field_bytes - 1; i > 0; i--) {
        field[i - 1] = (char)('0' + (number & 7U));
        number >>= 3;
    }
    assert(number == 0);
}

static void put_name(struct header *header, const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *base = slash == NULL ? name : slash + 1;
    size_t prefix_bytes = slash == NULL ? 0 : (size_t)(slash - name);
    assert(strlen(base) <= sizeof(header->name) && prefix_bytes <= sizeof(header->prefix));
    (void)memcpy(header->name, base, strlen(base));
    (void)memcpy(header->prefix, name, prefix_bytes);
}

/* The sum is of the header with blanks in its place. */
static void put_sum(struct header *header)
{
    const unsigned char *bytes = (const unsigned char *)header;
    uint64_t sum = 0;
    (void)memset(header->sum, ' ', sizeof(header->sum));
    for (size_t i = 0; i < sizeof(*header); i++) {
        sum += bytes[i];
    }
    put_number(header->sum, sizeof(header->sum) - 1, sum);
}

void archive_add(struct archive *archive, const char *name, const char *bytes, size_t byte_count,
                 int64_t modified_ms)
{
    static const char zeros[BLOCK_BYTES] = {0};
    struct header header = {.type = '0', .magic = "ustar", .version = {'0', '0'}};
    put_name(&header, name);
    put_number(header.mode, sizeof(header.mode), 0644);
    put_number(header.owner, sizeof(header.owner), 0);
    put_number(header.group, sizeof(header.group), 0);
    put_number(header.size, sizeof(header.size), byte_count);
    put_number(header.modified, sizeof(header.modified), (uint64_t)(modified_ms / MS_PER_SECOND));
    put_sum(&header);
    put(archive, &header, sizeof(header));
    put(archive, bytes, byte_count);
    put(archive, zeros, (BLOCK_BYTES - byte_count % BLOCK_BYTES) % BLOCK_BYTES);
}

bool archive_close(struct archive *archive, struct error *error)
{
    static const char end[2 * BLOCK_BYTES] = {0};
    put(archive, end, sizeof(end));
    errno = 0;
    bool closed = gzclose(archive->file) == Z_OK && !archive->failed;
    int reason = errno;
    if (!closed) {
        (void)unlink(archive->path);
        (void)error_set(error, ERROR_SYSTEM, "%s: %s", archive->path,
                        reason == 0 ? "it could not be written" : strerror(reason));
    }
    memory_free(archive->path);
    memory_free(archive);
    return closed;
}
