/* SPDX-License-Identifier: Apache-2.0 */
/* Where a write meets the admission webhooks of its resource. Here the one call stands for both of
   a webhook's, to mutate and to validate. */
#ifndef ADJOINT_SRC_SIM_WEBHOOK_H
#define ADJOINT_SRC_SIM_WEBHOOK_H

#include "sim/apiserver_state.h"

/* Of the object itself, not of subresources. false: refused. */
bool webhook_admit(struct write *write);

#endif
