/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the work queue: "pool/NAMESPACE/NAME", "instance/NAMESPACE/NAME", "volume//NAME",
   "claim/NAMESPACE/NAME" (a developer's PVC), "cluster/NAMESPACE/NAME". */
#ifndef ADJOINT_OPERATOR_KEY_H
#define ADJOINT_OPERATOR_KEY_H

#include "api/object.h"

#include <stdbool.h>

#define KEY_BYTES 384 /* a kind, a namespace of 63 and a name of 253 bytes */

struct key {
    enum object_kind kind; /* one of those above */
    char namespace[64], name[254];
};

/* Names too long to be Kubernetes' are cut; they match nothing. */
void key_write(enum object_kind kind, const char *namespace, const char *name, char out[KEY_BYTES]);
bool key_read(const char *text, struct key *out);

#endif
