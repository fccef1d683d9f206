/* SPDX-License-Identifier: Apache-2.0 */
/* A coordination.k8s.io/v1 Lease as JSON. */
#ifndef ADJOINT_KUBE_LEASE_RECORD_H
#define ADJOINT_KUBE_LEASE_RECORD_H

#include "base/json.h"

struct lease_record {
    const char *resource_version;          /* NULL: to be created */
    const char *holder;                    /* "": nobody */
    int64_t duration_seconds;              /* as its holder declared it */
    const char *acquire_time, *renew_time; /* MicroTime; of others never compared with our clock */
    int64_t transitions;
};

/* Strings live in the arena. ERROR_INVALID for a wrong type or no resourceVersion. */
MUST_CHECK bool lease_record_read(const char *json, size_t byte_count, struct arena *arena,
                                  struct lease_record *out, struct error *error);

void lease_record_write(const struct lease_record *record, const char *namespace, const char *name,
                        struct text *out);

#endif
