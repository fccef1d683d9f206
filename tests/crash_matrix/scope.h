/* SPDX-License-Identifier: Apache-2.0 */
/* Decorators that change what a list or a watch brings. Many worlds run side by side on one API
   server, each with an operator that must see its own alone; and the mirror must see what no
   operator asks for, such as a thief's PVC. */
#ifndef ADJOINT_CRASH_MATRIX_SCOPE_H
#define ADJOINT_CRASH_MATRIX_SCOPE_H

#include "base/text.h"
#include "kube/transport.h"

/* PVs have no namespace: the provisioner writes its world's number on each. */
#define SCOPE_WORLD_LABEL "crash-matrix/world"

struct scope {
    struct transport inner;
    int world;
    struct text others; /* field selector without the namespaces of the other worlds */
};

/* Only one world's objects. Namespaces, classes and snapshot contents are everybody's. */
void scope_init_world(struct scope *scope, struct transport inner, int world, int world_count);
/* Objects of all worlds, labelled or not. */
void scope_init_all(struct scope *scope, struct transport inner);
void scope_release(struct scope *scope);

/* Borrows the scope. */
struct transport scope_transport(struct scope *scope);

#endif
