/* SPDX-License-Identifier: Apache-2.0 */
/* The API server says why it refuses only in words: a quota and a terminating namespace are both
   403 (k8s.io/apiserver admission plugins resourcequota and lifecycle). */
#include "plan/trouble.h"

#include <string.h>

bool trouble_is_lasting(const struct trouble *trouble)
{
    switch (trouble->class) {
    case ERROR_INVALID:
    case ERROR_LIMIT:
    case ERROR_FORBIDDEN:
    case ERROR_EXISTS:
    case ERROR_NOT_FOUND:
        return true;
    case ERROR_NONE:
    case ERROR_SYSTEM:
    case ERROR_UNAUTHORIZED:
    case ERROR_CONFLICT:
    case ERROR_TEST_FAILED:
    case ERROR_GONE:
    case ERROR_THROTTLED:
    case ERROR_UNAVAILABLE:
    case ERROR_UNKNOWN:
    case ERROR_TIMEOUT:
        return false;
    }
    return false;
}

bool trouble_silences(const struct trouble *trouble, bool held)
{
    return held && trouble->class != ERROR_NONE &&
           (trouble->purpose == PURPOSE_STATUS || !trouble_is_lasting(trouble));
}

const char *trouble_reason(const struct trouble *trouble)
{
    const char *message = trouble->message == NULL ? "" : trouble->message;
    if (trouble->class == ERROR_EXISTS) {
        return "NameTaken";
    }
    if (strstr(message, "exceeded quota") != NULL || strstr(message, "must specify") != NULL) {
        return "QuotaExceeded";
    }
    if (strstr(message, "being terminated") != NULL) {
        return "NamespaceTerminating";
    }
    if (trouble->class == ERROR_NOT_FOUND && strstr(message, "namespaces") != NULL) {
        return "NamespaceNotFound";
    }
    return error_class_name(trouble->class);
}
