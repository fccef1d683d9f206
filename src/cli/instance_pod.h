/* SPDX-License-Identifier: Apache-2.0 */
/* The pod that an Instance's Postgres runs in, for what goes through its subresources. */
#ifndef ADJOINT_CLI_INSTANCE_POD_H
#define ADJOINT_CLI_INSTANCE_POD_H

#include "api/object.h"
#include "cli/cli.h"

/* Its name, in the arena: the Cluster's primary; whoever may not look at that gets "NAME-1". */
MUST_CHECK bool instance_pod_find(struct cli *cli, const struct object *instance,
                                  struct arena *arena, const char **out_pod, struct error *error);

/* An error of session.forward or session.execute, in the API server's own words when it has
   replied: as for any other reply. */
void instance_pod_use_reply(struct error *error, const char *refusal);

#endif
