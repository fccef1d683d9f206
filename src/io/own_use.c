/* SPDX-License-Identifier: Apache-2.0 */
#include "io/own_use.h"

#include "base/memory.h"
#include "base/text.h"
#include "io/file.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STATM_BYTES = 256, MS_PER_SECOND = 1000, MICROSECONDS_PER_MS = 1000 };

/* The second number of statm, in pages. */
static int64_t resident_bytes(void)
{
    struct error ignored;
    cleanup_memory char *statm = NULL;
    if (!file_read("/proc/self/statm", STATM_BYTES, &statm, NULL, &ignored)) {
        return 0;
    }
    char *resident = strchr(statm, ' ');
    char *end = resident == NULL ? NULL : strchr(resident + 1, ' ');
    int64_t pages = 0;
    if (end == NULL) {
        return 0;
    }
    *end = '\0';
    return text_parse_int64(resident + 1, &pages, &ignored) ? pages * sysconf(_SC_PAGESIZE) : 0;
}

struct own_use own_use_read(void)
{
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
    int64_t seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
    int64_t microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    return (struct own_use){.resident_bytes = resident_bytes(),
                            .cpu_ms = seconds * MS_PER_SECOND + microseconds / MICROSECONDS_PER_MS};
}
