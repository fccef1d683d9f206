/* SPDX-License-Identifier: Apache-2.0 */
/* One object of a field test: made, waited for, deleted. Private to cli/field_test.h. */
#ifndef ADJOINT_CLI_FIELD_ITEM_H
#define ADJOINT_CLI_FIELD_ITEM_H

#include "cli/field_test.h"

/* What the store shows of it. */
void field_item_look(struct field_item *item, struct now now);

/* Mono ms when there is something to do for it; INT64_MIN: now, NOW_NEVER: something has to come
   first. */
int64_t field_item_act_at(const struct field_item *item);
void field_item_act(struct field_item *item, struct now now);

/* The end begins, because of this. */
void field_test_refuse(struct field_test *test, const struct error *error);

#endif
