/* SPDX-License-Identifier: Apache-2.0 */
/* Names of members, each kept once for all trees: objects have the same few hundred, and would else
   have a copy of each in every version and every change. Such a name is its tree's with
   cJSON_StringIsConst, and is there to the end of the process. */
#ifndef ADJOINT_SIM_MEMBER_NAME_H
#define ADJOINT_SIM_MEMBER_NAME_H

#include <stddef.h>

/* NULL: it is not among them. */
char *member_name_known(const char *bytes, size_t byte_count);

/* Now among them, if it was not. NULL: it is too long, or there are too many. */
char *member_name_keep(const char *name);

#endif
