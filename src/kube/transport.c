/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the wire, here and not in a transport: messages need them, too. */
#include "kube/transport.h"

#include <assert.h>

const char *method_name(enum method method)
{
    switch (method) {
    case METHOD_GET:
        return "GET";
    case METHOD_POST:
        return "POST";
    case METHOD_PUT:
        return "PUT";
    case METHOD_PATCH:
        return "PATCH";
    case METHOD_DELETE:
        return "DELETE";
    }
    assert(false);
    return "";
}
