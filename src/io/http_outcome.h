/* SPDX-License-Identifier: Apache-2.0 */
/* What the end of a transfer means for its call, as kube/transport.h has it. Pure. */
#ifndef ADJOINT_IO_HTTP_OUTCOME_H
#define ADJOINT_IO_HTTP_OUTCOME_H

#include "base/error.h"
#include "kube/transport.h"

#include <curl/curl.h>

struct http_outcome {
    CURLcode result;
    long verify_result; /* CURLINFO_SSL_VERIFYRESULT */
    long os_error;      /* CURLINFO_OS_ERRNO */
    const char *reason; /* curl's own words; may be empty */
    const char *server;
    enum method method;
    bool sent;            /* at least a part of the request may have reached the server */
    const char *deadline; /* NULL, or which one stopped it: "no reply within 5 ms" */
};

/* Class ERROR_NONE when the reply came whole; else one line with server and reason. */
void http_outcome_judge(const struct http_outcome *outcome, struct error *out_error);

/* Whether a GET that ended so, before its status line, is worth sending once more at once: its
   connection was closed by the server. */
bool http_outcome_is_closed_connection(CURLcode result);

#endif
