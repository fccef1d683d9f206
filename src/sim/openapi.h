/* SPDX-License-Identifier: Apache-2.0 */
/* /openapi/v3, as much of it as kubectl asks: whether PATCH of a kind takes fieldValidation and
   dryRun, so that it leaves validation to the server. Schemas are those of definitions; built-in
   kinds have none. */
#ifndef ADJOINT_SIM_OPENAPI_H
#define ADJOINT_SIM_OPENAPI_H

#include "base/json.h"
#include "sim/apiserver.h"
#include "sim/url.h"

/* false: the url is none of these, and nothing was written. */
bool openapi_write(struct json_writer *json, const struct apiserver *server, const struct url *url);

#endif
