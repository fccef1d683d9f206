/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP requests to verbs of sim/apiserver.h, and what these answer to HTTP replies: the one place
   that knows the wire, below both transports (sim/link.h in memory, the HTTP front). Whatever ends
   at once goes through route_handle; a watch, which does not, is opened with sim/watch.h.

   Left out of what kube-apiserver 1.36 takes: protobuf, CBOR and YAML bodies (415, 406 on the way
   back), server-side apply (415), streaming lists (422), the deprecated /watch/ paths (404). */
#ifndef ADJOINT_SIM_ROUTE_H
#define ADJOINT_SIM_ROUTE_H

#include "kube/transport.h"
#include "sim/apiserver.h"
#include "sim/reply.h"

/* A watch by its method and query, whatever its own flag says. */
bool route_is_watch(const struct request *request);

/* user: who asks; for the trace, and whom events name. request->watch and deadline_ms are not
   looked at; one that route_is_watch says yes to is answered with what is there now, as a list. */
void route_handle(struct apiserver *server, const char *user, const struct request *request,
                  struct route_reply *out);

#endif
