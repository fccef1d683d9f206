/* SPDX-License-Identifier: Apache-2.0 */
/* What several parts read of a pod. */
#ifndef ADJOINT_SIM_POD_H
#define ADJOINT_SIM_POD_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Name of the next PVC among its volumes, borrowed; *at begins NULL. NULL: no more. */
const char *pod_next_claim(const cJSON *pod, const cJSON **at);
bool pod_uses_claim(const cJSON *pod, const char *claim);

bool pod_is_finished(const cJSON *pod); /* Succeeded or Failed */
/* Neither finished nor being deleted (CloudNativePG's IsPodActive). */
bool pod_is_active(const cJSON *pod);
bool pod_is_ready(const cJSON *pod);    /* condition Ready */
const char *pod_node(const cJSON *pod); /* "" when it has none */

#endif
