/* SPDX-License-Identifier: Apache-2.0 */
/* What all the bodies of plan/desired.h have. */
#ifndef ADJOINT_SRC_PLAN_DESIRED_PARTS_H
#define ADJOINT_SRC_PLAN_DESIRED_PARTS_H

#include "api/kind.h"
#include "plan/body.h"
#include "plan/desired.h"

/* Begins the object and its metadata, and leaves both open. namespace NULL: left out. */
void desired_begin(struct body *body, enum object_kind kind, const char *namespace,
                   const char *name);
/* The annotation that says when it was sent. */
void desired_write_at(struct json_writer *json, int64_t wall_ms);
/* The golden's database and the role that owns it, for the volume or, in a dry run, by the Pool. */
const char *desired_database(const struct handoff *handoff);
const char *desired_owner(const struct handoff *handoff);
/* An entry of ownerReferences. */
void desired_write_owner(struct json_writer *json, const struct object *owner);
/* The labels by which an object in the developer's namespace is the Instance's. */
void desired_write_instance_labels(struct json_writer *json, const char *role,
                                   const struct object *instance);
/* With the role of what holds or serves data. */
void desired_write_data_labels(struct json_writer *json, const struct object *instance);

#endif
