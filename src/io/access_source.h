/* SPDX-License-Identifier: Apache-2.0 */
/* Which kubeconfig files, or which pod: decided once, read as often as one likes. */
#ifndef ADJOINT_IO_ACCESS_SOURCE_H
#define ADJOINT_IO_ACCESS_SOURCE_H

#include "io/access.h"
#include "kube/kubeconfig.h"

struct access_source {
    char *paths;  /* kubeconfig files, ':' between them; NULL: in a pod */
    char *folder; /* of the service account, in a pod */
};

MUST_CHECK bool access_source_find(const struct access_options *options, struct access_source *out,
                                   struct error *error);
void access_source_release(struct access_source *source);

/* What the files say now. In a pod it is made up from the environment. context as in
   kubeconfig_resolve. */
MUST_CHECK bool access_source_read(const struct access_source *source, const char *context,
                                   struct arena *arena, struct kubeconfig *out,
                                   struct error *error);

#endif
