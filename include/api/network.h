/* SPDX-License-Identifier: Apache-2.0 */
/* What we read of a NetworkPolicy of ours, and of where the API server is. */
#ifndef ADJOINT_API_NETWORK_H
#define ADJOINT_API_NETWORK_H

#include "api/object.h"

struct network_policy {
    const char *spec; /* JSON text, as the API server spells it */
};
void network_policy_decode(struct json_reader *reader, const struct json *root,
                           struct object *object);

struct endpoint_slice {
    size_t address_count, port_count;
    const char *const *addresses; /* IPv4 or IPv6 */
    const int64_t *ports;
};
void endpoint_slice_decode(struct json_reader *reader, const struct json *root,
                           struct object *object);

#endif
