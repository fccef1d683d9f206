/* SPDX-License-Identifier: Apache-2.0 */
/* Leader election on a coordination.k8s.io/v1 Lease, after client-go's tools/leaderelection: a
   candidate takes the lease when it has not seen it change for the duration *on its own clock*;
   renewTime of others is never compared with our time. The lease does not make writes safe
   (preconditions do); it keeps two operators from wasting work.
   While not held: looked at about each 0.8 s. While held: renewed each retry_ms; an attempt may
   take attempt_ms; not renewed for renew_ms: no longer held, before another may take it (renew_ms <
   duration_ms), but held again when a later renewal succeeds, since then nobody took it. */
#ifndef ADJOINT_KUBE_LEASE_H
#define ADJOINT_KUBE_LEASE_H

#include "base/now.h"
#include "base/random.h"
#include "kube/client.h"

struct lease;

struct lease_options {
    const char *namespace, *name;
    const char *identity; /* no two processes may ever have the same */
    int64_t duration_ms, renew_ms, retry_ms, attempt_ms; /* 15000, 10000, 2000, 4000 */
};

/* Strings are copied; renew_ms < duration_ms and 2 * attempt_ms <= renew_ms. client is borrowed and
   must outlive it; of random a seed is drawn. */
struct lease *lease_new(const struct lease_options *options, struct client *client,
                        struct random *random);
void lease_free(struct lease *lease);

/* Between a client_step, which brings its replies, and the next, which sends its requests. */
void lease_step(struct lease *lease, struct now now);
/* mono_ms; 0 when a reply waits to be looked at. The end of its being held is such a time, too. */
int64_t lease_wake_at(const struct lease *lease);

/* May we write at this moment? Pure clock arithmetic: false from the instant renew_ms has run out.
 */
bool lease_held(const struct lease *lease, struct now now);
/* Who holds it, as last seen; "" nobody. */
const char *lease_holder(const struct lease *lease);
bool lease_is_others(const struct lease *lease); /* somebody else, as last seen */
/* Gives it back (holderIdentity "", one second): at a clean stop. From here on it is not held. Done
   when lease_released, at the latest when it would have run out anyway (duration_ms). */
void lease_release(struct lease *lease, struct now now);
bool lease_released(const struct lease *lease);
/* Why the last attempt failed; class ERROR_NONE while all is well. */
const struct error *lease_error(const struct lease *lease);

#endif
