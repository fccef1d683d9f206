/* SPDX-License-Identifier: Apache-2.0 */
/* What a hand-off is about: Instance dev/alice, Pool pools/orders, and a volume. */
#ifndef ADJOINT_SUPPORT_HANDOFF_FIXTURE_H
#define ADJOINT_SUPPORT_HANDOFF_FIXTURE_H

#include "plan/desired.h"

struct handoff_fixture {
    struct arena arena;
    struct object *instance, *volume, *pool;
};

/* volume, pool_spec: JSON with ' for ". */
void handoff_fixture_init(struct handoff_fixture *fixture, const char *volume,
                          const char *pool_spec);
void handoff_fixture_release(struct handoff_fixture *fixture);

void handoff_fixture_set_pool(struct handoff_fixture *fixture, const char *pool_spec);
void handoff_fixture_set_volume(struct handoff_fixture *fixture, const char *volume);
struct handoff handoff_fixture_get(const struct handoff_fixture *fixture);

#endif
