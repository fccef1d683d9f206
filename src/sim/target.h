/* SPDX-License-Identifier: Apache-2.0 */
/* What a request is about: a resource's collection, one object, or a subresource of one. */
#ifndef ADJOINT_SIM_TARGET_H
#define ADJOINT_SIM_TARGET_H

#include "sim/apiserver.h"
#include "sim/url.h"

struct target {
    const struct resource *resource;
    const char *namespace;   /* NULL: all of them, or a resource without */
    const char *name;        /* NULL: the collection */
    const char *subresource; /* NULL: the object itself */
};

/* false: nothing of this path is served. The texts are the url's. */
bool target_find(const struct apiserver *server, const struct url *url, struct target *out);

#endif
