/* SPDX-License-Identifier: Apache-2.0 */
/* The namespace controller: what is in a terminating namespace is deleted, pods before the rest;
   when nothing remains, finalizers gone, so is the namespace. Conditions say what it waits for.
   Rules: kubernetes pkg/controller/namespace (5 s from an event to its handling; what remains is
   looked at again after half of its grace period, or 8 s for finalizers) at v1.36, and
   OrderedNamespaceDeletion. */
#ifndef ADJOINT_SIM_NAMESPACES_H
#define ADJOINT_SIM_NAMESPACES_H

#include "sim/apiserver.h"
#include "sim/simulation.h"
#include "sim/view.h"

struct namespaces;

struct namespaces *namespaces_new(struct apiserver *server, const struct pace *pace);
void namespaces_free(struct namespaces *namespaces);
struct view *namespaces_view(struct namespaces *namespaces); /* of namespaces */

#endif
