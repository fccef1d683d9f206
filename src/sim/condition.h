/* SPDX-License-Identifier: Apache-2.0 */
/* The conditions in a status, as all Kubernetes objects have them (meta/v1 Condition). */
#ifndef ADJOINT_SIM_CONDITION_H
#define ADJOINT_SIM_CONDITION_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

struct condition_of {
    const char *type;
    bool is_true;
    const char *reason, *message;
};

/* status may be NULL; NULL: not there. */
const cJSON *condition_find(const cJSON *status, const char *type);
bool condition_is_true(const cJSON *status, const char *type);
/* Adds or changes it; lastTransitionTime moves with the status alone. */
void condition_set(cJSON *status, const struct condition_of *condition, int64_t wall_ms);
void condition_remove(cJSON *status, const char *type);

#endif
