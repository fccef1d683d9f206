/* SPDX-License-Identifier: Apache-2.0 */
/* The scale subresource: autoscaling/v1 Scale over the paths that the definition names.
   (apiextensions-apiserver pkg/registry/customresource/etcd.go) */
#ifndef ADJOINT_SRC_SIM_SCALE_H
#define ADJOINT_SRC_SIM_SCALE_H

#include "sim/apiserver_state.h"

/* NULL: the object has no number at the path (the outcome says so). The caller's. */
cJSON *scale_of(const struct record *record, struct outcome *outcome);
/* write->value, a Scale made from a PUT or a patch, becomes the object with its replicas; false:
   refused. */
bool scale_to_object(struct write *write);
/* Of the numbers that the write may have changed. */
void scale_validate(const struct write *write, struct violations *violations);
/* The outcome's record, an object, becomes its Scale. */
void scale_outcome(struct outcome *outcome);

#endif
