/* SPDX-License-Identifier: Apache-2.0 */
/* Events have two APIs and one store: what is written to events.k8s.io/v1 is read as core Events,
   by `kubectl describe` for one. Only writing is known here, and the reply is a core Event.
   (pkg/apis/events/v1/conversion.go) */
#ifndef ADJOINT_SIM_EVENTS_GROUP_H
#define ADJOINT_SIM_EVENTS_GROUP_H

#include "base/text.h"
#include "kube/transport.h"

/* true: out is request as one to core Events; its strings are those of the two texts, which the
   caller has initialized and releases. */
bool events_group_translate(const struct request *request, struct text *path, struct text *body,
                            struct request *out);

#endif
