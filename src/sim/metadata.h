/* SPDX-License-Identifier: Apache-2.0 */
/* metadata, the same for all kinds: what the server sets, what an update cannot change, what is
   refused. (k8s.io/apiserver/pkg/registry/rest/create.go, update.go;
   k8s.io/apimachinery/pkg/api/validation/objectmeta.go) */
#ifndef ADJOINT_SRC_SIM_METADATA_H
#define ADJOINT_SRC_SIM_METADATA_H

#include "sim/apiserver_state.h"
#include "sim/name_rules.h"

/* The name that generateName asks for, one that is free; write->name and the value get it. */
void metadata_generate_name(struct write *write);
/* Of a create: uid, creationTimestamp, generation; drops what a client may not set. */
void metadata_fill(struct write *write);
/* Of an update: what is missing of the system's fields is as before, those that cannot change are
   as before whatever is given. */
void metadata_carry(struct write *write);
/* Counts a change of anything but metadata and status. */
void metadata_count_generation(struct write *write);
void metadata_validate(const struct write *write, enum name_rule rule,
                       struct violations *violations);

#endif
