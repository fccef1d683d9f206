/* SPDX-License-Identifier: Apache-2.0 */
/* Where in an object, or in a schema, one is: a chain on the stack, so that walking down costs
   nothing and only a violation makes a text of it. */
#ifndef ADJOINT_SRC_SIM_SCHEMA_PATH_H
#define ADJOINT_SRC_SIM_SCHEMA_PATH_H

#include "base/text.h"
#include "sim/violations.h"

#include <stddef.h>

struct schema_path {
    const struct schema_path *parent; /* NULL: the root */
    enum schema_path_kind { PATH_MEMBER /* .name */, PATH_KEY /* [name] */, PATH_INDEX } kind;
    const char *name;
    size_t index;
};

/* "" for NULL. */
void schema_path_say(const struct schema_path *path, struct text *out);
void schema_path_violation(const struct schema_path *path, struct violations *violations,
                           enum violation kind, const cJSON *value, const char *detail_format, ...)
    PRINTF_LIKE(5, 6);

#endif
