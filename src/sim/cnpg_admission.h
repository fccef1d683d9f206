/* SPDX-License-Identifier: Apache-2.0 */
/* CloudNativePG's admission webhooks for Clusters: what they fill in and what they refuse.
   Rules: api/v1/cluster_defaults.go, internal/webhook/v1/cluster_webhook.go. */
#ifndef ADJOINT_SIM_CNPG_ADMISSION_H
#define ADJOINT_SIM_CNPG_ADMISSION_H

#include "sim/apiserver.h"

/* A merge patch with what is missing, the caller's; NULL: nothing is. The operator uses it too,
   for a Cluster that came past the webhook. */
cJSON *cnpg_defaults(const cJSON *cluster);

/* For apiserver_add_webhook; self is not used. */
bool cnpg_admit(void *self, const cJSON *before, cJSON *cluster, char *out_message,
                size_t message_bytes);

#endif
