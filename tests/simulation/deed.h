/* SPDX-License-Identifier: Apache-2.0 */
/* What people do that nobody should (F8): one row each. What an edit makes impossible to promise is
   told to the judge before it is done. */
#ifndef ADJOINT_SIMULATION_DEED_H
#define ADJOINT_SIMULATION_DEED_H

#include "simulation/trial.h"

struct deed {
    const char *name;
    /* To this Instance, which may not be there. */
    void (*act)(struct trial *trial, const char *instance);
};

/* Ends with a row without a name. */
extern const struct deed deeds[];

/* So many, drawn, at any time within within_ms, each to one of the Instances. */
void deed_draw(struct trial *trial, int64_t count, int64_t within_ms);
/* One, by its name, in delay_ms. */
void deed_at(struct trial *trial, const char *name, const char *instance, int64_t delay_ms);

#endif
