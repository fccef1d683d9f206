/* SPDX-License-Identifier: Apache-2.0 */
/* Digits are compared as text: a version may have more of them than an int64 holds, and a version
   that is not decimal must never be taken for a small number. */
#include "kube/version.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool is_decimal(const char *version)
{
    return version[0] != '0' && version[strspn(version, "0123456789")] == '\0';
}

enum version_order version_compare(const char *version, const char *other)
{
    if (version == NULL || other == NULL || version[0] == '\0' || other[0] == '\0') {
        return VERSION_UNORDERED;
    }
    if (strcmp(version, other) == 0) {
        return VERSION_SAME;
    }
    if (!is_decimal(version) || !is_decimal(other)) {
        return VERSION_UNORDERED;
    }
    size_t length = strlen(version);
    size_t other_length = strlen(other);
    if (length != other_length) {
        return length < other_length ? VERSION_OLDER : VERSION_NEWER;
    }
    return strcmp(version, other) < 0 ? VERSION_OLDER : VERSION_NEWER;
}
