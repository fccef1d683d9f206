/* SPDX-License-Identifier: Apache-2.0 */
/* An object as an option names it: NAMESPACE/NAME. */
#ifndef ADJOINT_CLI_OBJECT_NAME_H
#define ADJOINT_CLI_OBJECT_NAME_H

#include <stdbool.h>

struct object_name {
    char namespace[64];
    const char *name; /* borrowed */
};

/* namespace: of one that is typed without; NULL: there is none, and false without. */
bool object_name_parse(const char *typed, const char *namespace, struct object_name *out);

#endif
