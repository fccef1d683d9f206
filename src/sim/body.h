/* SPDX-License-Identifier: Apache-2.0 */
/* What a write's body must be before any rule is asked: an object of the path's kind and namespace
   whose members have the types that Kubernetes decodes them into. */
#ifndef ADJOINT_SRC_SIM_BODY_H
#define ADJOINT_SRC_SIM_BODY_H

#include "sim/apiserver_state.h"

/* Fills in what the path says. false: refused; 400, or 422 for what a patch has made of the object
   (apiserver pkg/endpoints/handlers/patch.go). */
bool body_check(struct write *write, bool is_patch);

/* Removes members that are empty, where Go's types leave these out. */
void body_tidy(struct write *write);

#endif
