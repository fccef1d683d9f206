/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of an AWS API that speaks JSON (AWS JSON 1.1), signed by libcurl (Signature Version 4).
   They block: they are for commands, which have nothing else to do meanwhile. */
#ifndef ADJOINT_IO_AWS_H
#define ADJOINT_IO_AWS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

struct aws_account {
    const char *service;  /* as in its addresses: "fsx" */
    const char *endpoint; /* URL */
    const char *region;
    const char *access_key, *secret_key, *session_token; /* NULL session_token: none */
};

/* From the environment, as AWS' own tools have it: AWS_REGION (or AWS_DEFAULT_REGION),
   AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, and AWS_ENDPOINT_URL_FSX (or
   AWS_ENDPOINT_URL) in place of the service's address. Strings live in the arena or are the
   environment's. ERROR_INVALID names what is lacking. */
MUST_CHECK bool aws_account_read(const char *service, struct arena *arena, struct aws_account *out,
                                 struct error *error);

/* Calls target ("AWSSimbaAPIService_v20180301.DescribeVolumes") with a JSON body and appends the
   reply's. What is throttled or cannot be served is repeated a few times, longer and longer.
   ERROR_UNAVAILABLE no connection, 5xx; ERROR_THROTTLED; ERROR_FORBIDDEN who may not, or a
   signature that is not right; ERROR_INVALID whatever else was refused; ERROR_LIMIT a larger reply
   than out has room for. */
MUST_CHECK bool aws_call(const struct aws_account *account, const char *target, const char *body,
                         struct text *out, struct error *error);

#endif
