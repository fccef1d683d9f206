/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/object_name.h"

#include <stddef.h>
#include <string.h>

bool object_name_parse(const char *typed, const char *namespace, struct object_name *out)
{
    const char *slash = strchr(typed, '/');
    namespace = slash == NULL ? namespace : typed;
    size_t namespace_bytes =
        slash == NULL ? (namespace == NULL ? 0 : strlen(namespace)) : (size_t)(slash - typed);
    out->name = slash == NULL ? typed : slash + 1;
    if (namespace_bytes == 0 || namespace_bytes >= sizeof(out->namespace) || *out->name == '\0' ||
        strchr(out->name, '/') != NULL) {
        return false;
    }
    (void)memcpy(out->namespace, namespace, namespace_bytes);
    out->namespace[namespace_bytes] = '\0';
    return true;
}
