/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/csi.h"

#include <stddef.h>

const char *csi_code_name(enum csi_code code)
{
    switch (code) {
    case CSI_OK:
        return "OK";
    case CSI_INVALID_ARGUMENT:
        return "InvalidArgument";
    case CSI_ALREADY_EXISTS:
        return "AlreadyExists";
    case CSI_ABORTED:
        return "Aborted";
    case CSI_DEADLINE_EXCEEDED:
        return "DeadlineExceeded";
    case CSI_INTERNAL:
        return "Internal";
    }
    return NULL;
}
