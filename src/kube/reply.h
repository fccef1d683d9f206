/* SPDX-License-Identifier: Apache-2.0 */
/* What reply_classify of kube/client.h does, from a Status that is parsed already: an ERROR event
   of a watch carries one. */
#ifndef ADJOINT_KUBE_REPLY_H
#define ADJOINT_KUBE_REPLY_H

#include "base/json.h"
#include "kube/client.h"

/* status: NULL or no Status: then only http_status counts, and the message is fallback. The error's
   class is ERROR_NONE for 2xx. */
void reply_classify_status(enum method method, int http_status, int64_t retry_after_ms,
                           const struct json *status, const char *fallback, bool json_patch_tests,
                           struct error *error);

#endif
