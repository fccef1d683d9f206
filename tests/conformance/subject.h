/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked: an API server with its controllers behind a transport, and a way to let its time
   pass. Two are the same to those who ask, the simulator on virtual time and a real cluster. */
#ifndef ADJOINT_CONFORMANCE_SUBJECT_H
#define ADJOINT_CONFORMANCE_SUBJECT_H

#include "base/now.h"
#include "kube/transport.h"

enum { SUBJECT_TAG_BYTES = 12 };

struct subject {
    const char *name;
    char tag[SUBJECT_TAG_BYTES]; /* in names that are to differ from those of an earlier run */
    struct transport transport;
    struct now (*now)(void *self);
    /* Lets time pass until is_done(asker), which is asked whenever something may have happened, or
       for_ms are over: then false. */
    bool (*pass)(void *self, int64_t for_ms, bool (*is_done)(void *asker), void *asker);
    /* The server forgets what happened up to now: versions before it can no longer be asked for. */
    bool (*compact)(void *self, struct error *error);
    void (*free)(void *self);
    void *self;
    bool is_virtual; /* its time costs nobody's */
};

/* Of src/sim, at its default pace. */
void subject_open_simulator(struct subject *out);

/* KUBECONFIG says where it is, etcd is the URL of its etcd (for compact alone; borrowed). */
MUST_CHECK bool subject_open_cluster(const char *etcd, struct subject *out, struct error *error);

/* Lets that much time pass. */
void subject_rest(const struct subject *subject, int64_t for_ms);

#endif
