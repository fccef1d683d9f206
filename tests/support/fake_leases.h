/* SPDX-License-Identifier: Apache-2.0 */
/* An API server that knows one Lease: GET, POST (once), PUT with a resourceVersion. */
#ifndef ADJOINT_SUPPORT_FAKE_LEASES_H
#define ADJOINT_SUPPORT_FAKE_LEASES_H

#include "base/text.h"
#include "kube/transport.h"

struct fake_leases {
    bool exists;
    int version;
    struct text spec; /* JSON object */
    int write_count;
};

void fake_leases_init(struct fake_leases *leases);
void fake_leases_release(struct fake_leases *leases);

/* Somebody else's write. spec: JSON object with ' for ". */
void fake_leases_write(struct fake_leases *leases, const char *spec);
void fake_leases_delete(struct fake_leases *leases);

/* Appends the reply's body and returns its status. */
int fake_leases_answer(struct fake_leases *leases, const struct request *request,
                       struct text *out_body);

/* A member of the spec as text, "" when absent; valid until the next call. */
const char *fake_leases_spec(struct fake_leases *leases, const char *key);

#endif
