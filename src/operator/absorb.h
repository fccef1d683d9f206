/* SPDX-License-Identifier: Apache-2.0 */
/* The object in a reply, put into the store before the watch shows it. */
#ifndef ADJOINT_SRC_OPERATOR_ABSORB_H
#define ADJOINT_SRC_OPERATOR_ABSORB_H

#include "operator/state.h"

struct absorbed {
    bool ours;      /* in our watches; true as well when there was nothing to look at */
    bool other_uid; /* than the action's */
};

/* reply: a 2xx. reading: it answers a GET of the action's object, not the action. key: for the log.
   What our watches would not bring is taken out of the store instead: nobody would tell of its
   end. */
struct absorbed absorb_reply(struct operator* op, const struct action *action, bool reading,
                             const struct reply *reply, const char *key);

#endif
