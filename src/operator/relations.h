/* SPDX-License-Identifier: Apache-2.0 */
/* The objects an Instance has to do with besides those of its name; NULL when there is none. */
#ifndef ADJOINT_SRC_OPERATOR_RELATIONS_H
#define ADJOINT_SRC_OPERATOR_RELATIONS_H

#include "operator/observe.h"

/* The PV its status names, else one that carries its uid. */
const struct object *relation_volume(const struct view *view, const struct object *instance);
/* A claimed PV that it has besides, whatever its status says. */
const struct object *relation_own(const struct view *view, const struct object *instance,
                                  const struct object *volume);
/* The PV a reset was promised; when its status was lost, the one that is reserved for it. */
const struct object *relation_promised(const struct view *view, const struct object *instance);
/* The holding PVC that a claimed PV (NULL: none) was taken from. */
const struct object *relation_former(const struct view *view, const struct object *volume);
/* The holding PVC that a PV's claimRef names. */
const struct object *relation_holding(const struct view *view, const struct object *object);
/* Another PV than volume that says it belongs to the same PVC. */
const struct object *relation_rival(const struct view *view, const struct object *data_claim,
                                    const struct object *volume);
/* Bootstrap Jobs of its Cluster. */
size_t relation_count_jobs(const struct view *view, const struct object *instance);

#endif
