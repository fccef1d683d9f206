/* SPDX-License-Identifier: Apache-2.0 */
/* Storage object in use protection: a claim that is being deleted stays as long as a pod of a node
   names it, were that pod's containers long done; a volume stays as long as it is Bound.
   Rules: kubernetes pkg/controller/volume/pvcprotection and pvprotection at v1.36 (pods are looked
   for in the cache, then at the server). The finalizers are put on by admission. */
#ifndef ADJOINT_SIM_PROTECTION_H
#define ADJOINT_SIM_PROTECTION_H

#include "sim/apiserver.h"
#include "sim/simulation.h"
#include "sim/view.h"

struct protection;

struct protection *protection_new(struct apiserver *server, const struct pace *pace);
void protection_free(struct protection *protection);
struct view *protection_view(struct protection *protection); /* of pods, claims and volumes */

#endif
