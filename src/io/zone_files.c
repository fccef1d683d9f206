/* SPDX-License-Identifier: Apache-2.0 */
/* A name comes from whoever may write a Pool: it names nothing outside the folder. */
#include "io/zone_files.h"

#include "base/text.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

#define FOLDER "/usr/share/zoneinfo"

enum { PATH_BYTES = sizeof(FOLDER) + 1 + TIME_ZONE_NAME_BYTES_MAX };

static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "_+-/";
    size_t length = strnlen(name, TIME_ZONE_NAME_BYTES_MAX + 1);
    return length > 0 && length <= TIME_ZONE_NAME_BYTES_MAX && name[0] != '/' &&
           strspn(name, letters) == length;
}

static bool read_file(void *self, const char *name, char **out_bytes, size_t *out_byte_count,
                      struct error *error)
{
    char path[PATH_BYTES];
    (void)self;
    if (!is_name(name)) {
        return error_set(error, ERROR_NOT_FOUND, "\"%s\" is no name of a time zone", name);
    }
    (void)snprintf(path, sizeof path, FOLDER "/%s", name);
    return file_read(path, TIME_ZONE_BYTES_MAX, out_bytes, out_byte_count, error);
}

struct time_zone_source zone_files(void)
{
    return (struct time_zone_source){.read = read_file};
}
