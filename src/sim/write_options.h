/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a write, from its query and, of a DELETE, its body. */
#ifndef ADJOINT_SIM_WRITE_OPTIONS_H
#define ADJOINT_SIM_WRITE_OPTIONS_H

#include "kube/transport.h"
#include "sim/apiserver.h"
#include "sim/reply.h"
#include "sim/url.h"

/* dryRun and fieldValidation; false: one has a value the server does not take, and *out says so.
   fieldManager is taken as it comes: nobody asks whose a field is. */
MUST_CHECK bool write_options_read(const struct request *request, const struct url *url,
                                   struct verb_options *options, struct route_reply *out);

/* DeleteOptions from the body, or from the query when there is none. Their texts are body's, which
   is the caller's to delete; NULL when there was none. dryRun in the body counts, too. */
MUST_CHECK bool write_options_read_delete(const struct request *request, const struct url *url,
                                          struct preconditions *out_preconditions,
                                          struct verb_options *options, cJSON **out_body,
                                          struct route_reply *out);

#endif
