/* SPDX-License-Identifier: Apache-2.0 */
/* An action as an HTTP request. */
#ifndef ADJOINT_SRC_OPERATOR_REQUEST_BUILD_H
#define ADJOINT_SRC_OPERATOR_REQUEST_BUILD_H

#include "base/text.h"
#include "kube/client.h"
#include "plan/plan.h"

struct built_request {
    struct request request; /* points into the two texts */
    enum client_priority priority;
    bool json_patch_tests;
    struct text path, body;
};

void request_build(const struct action *action, struct built_request *out);
void request_release(struct built_request *built);

/* Asks, and changes nothing: part of a pre-flight. */
bool action_is_probe(const struct action *action);
bool action_is_write(const struct action *action);

#endif
