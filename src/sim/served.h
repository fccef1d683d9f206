/* SPDX-License-Identifier: Apache-2.0 */
/* All resources the server has at the moment, for what it says about itself. */
#ifndef ADJOINT_SIM_SERVED_H
#define ADJOINT_SIM_SERVED_H

#include "sim/apiserver.h"

#include <stddef.h>

enum { SERVED_MAX = 128 };

struct served {
    const struct resource *resources[SERVED_MAX];
    size_t count;
};

void served_init(struct served *served, const struct apiserver *server);

/* Something of that group and version is in it. */
bool served_has(const struct served *served, const char *group, const char *version);
/* Likewise, and it is of Kubernetes' own kinds. */
bool served_built_in(const struct served *served, const char *group, const char *version);
/* The first of its group and version in the list: for what is said once of each. */
bool served_is_first(const struct served *served, size_t at);

#endif
