/* SPDX-License-Identifier: Apache-2.0 */
/* What adjoint-operator answers under --listen. */
#ifndef ADJOINT_SRC_CLI_TELEMETRY_H
#define ADJOINT_SRC_CLI_TELEMETRY_H

#include "io/clock.h"
#include "io/http_server.h"
#include "io/loop.h"
#include "operator/operator.h"

struct telemetry {
    const struct loop *loop;
    const struct clock *clock;
    const struct operator* op;
};

/* An http_answer_function; self is a struct telemetry. */
void telemetry_answer(void *self, const char *path, struct http_answer *answer);

#endif
