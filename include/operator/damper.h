/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps two operators that write at once from writing over each other's statuses without a pause.
 */
#ifndef ADJOINT_OPERATOR_DAMPER_H
#define ADJOINT_OPERATOR_DAMPER_H

#include "operator/memo.h"

/* The key's object, as our own write of it has left it. */
void damper_note_write(struct memo *memo, const struct object *object);

/* Takes what only tells a status out of the plan while that is held back, and has the key planned
   again when it is over; true: it has. memo, object: the key's; NULL: nothing is known of it. */
MUST_CHECK bool damper_apply(struct memo *memo, const struct object *object, struct plan *plan,
                             struct random *random);

#endif
