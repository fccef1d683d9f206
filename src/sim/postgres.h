/* SPDX-License-Identifier: Apache-2.0 */
/* What runs in CloudNativePG's pods: the instance manager with its Postgres, and bootstrap Jobs.
   What they do depends on what is in the volume, which is why this is neither the kubelet's nor
   the operator's part.
   Rules: CloudNativePG internal/cmd/manager/instance (run, status), initdb's
   EnsureTargetDirectoriesDoNotExist, and the reading of status.targetPrimary before a start. */
#ifndef ADJOINT_SIM_POSTGRES_H
#define ADJOINT_SIM_POSTGRES_H

#include "sim/apiserver.h"
#include "sim/fsx.h"

struct postgres; /* all of them */

/* pace and misfortune are borrowed and may change meanwhile. */
struct postgres *postgres_new(struct apiserver *server, struct fsx *fsx, const struct pace *pace,
                              const struct misfortune *misfortune);
void postgres_free(struct postgres *postgres);

bool postgres_is_instance(const cJSON *pod);
bool postgres_is_bootstrap(const cJSON *pod);

/* The instance's container began with this volume. It serves after its recovery, if there is data
   in the volume and the Cluster names it as targetPrimary, and then writes currentPrimary. */
void postgres_start(struct postgres *postgres, const struct record *pod, const char *handle);
/* The container ended; unknown ones are fine. */
void postgres_stop(struct postgres *postgres, const char *pod_uid);

/* What its probes get. */
bool postgres_answers(const struct postgres *postgres, const char *pod_uid);
/* Does an instance of this Cluster answer? */
bool postgres_serves(const struct postgres *postgres, const char *namespace, const char *cluster);
/* What its status says; NULL: it does not answer. */
const char *postgres_system_id(const struct postgres *postgres, const char *pod_uid);

/* From SIGTERM to the end: the fast shutdown's checkpoint, and before it the Cluster's
   smartShutdownTimeout when somebody has a session open. */
int64_t postgres_stop_ms(struct postgres *postgres, const cJSON *pod);

/* A bootstrap Job of the pod ends: initdb puts a new cluster in place of what is there, a recovery
   from a snapshot keeps it. false: the volume is gone. */
bool postgres_bootstrap(struct postgres *postgres, const cJSON *pod, const char *handle);

#endif
