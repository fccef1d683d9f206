/* SPDX-License-Identifier: Apache-2.0 */
/* A CustomResourceDefinition's version at work: the structural schema with its defaults, pruning,
   validation and CEL rules, and the columns of its tables. As apiextensions-apiserver 1.36 does it;
   what of a schema is not done here is refused when the definition is posted, so that nothing is
   accepted here which a real server would judge.

   For a write, in this order: schema_prune (which gives what strict decoding complains about),
   schema_default, schema_validate. The status subresource is validated with the whole object. */
#ifndef ADJOINT_SRC_SIM_SCHEMA_H
#define ADJOINT_SRC_SIM_SCHEMA_H

#include "base/text.h"
#include "sim/violations.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

struct schema;
struct columns; /* sim/schema_columns.h */

/* version: an item of spec.versions, of which a copy is kept; path: where it stands
   ("spec.versions[0]"). NULL: refused, for the violations. */
struct schema *schema_new(const cJSON *version, const char *path, struct violations *violations);
void schema_free(struct schema *schema); /* NULL is fine */

/* Removes members that the schema does not know. unknown (NULL: nobody wants to know) gets
   `unknown field "spec.a"` for each, separated by ", ": with fieldValidation=Strict the server says
   400 `KIND in version "v1" cannot be handled as a KIND: strict decoding error: ` and that. */
void schema_prune(const struct schema *schema, cJSON *value, struct text *unknown);
/* Fills in defaults, and removes nulls that the schema does not allow. */
void schema_default(const struct schema *schema, cJSON *value);
/* old: the stored version of an update; what did not change is not judged again (ratcheting), and
   rules with oldSelf compare with it. NULL: a create. The metadata is the caller's to judge. */
void schema_validate(const struct schema *schema, const cJSON *value, const cJSON *old,
                     struct violations *violations);

const struct columns *schema_columns(const struct schema *schema);
/* openAPIV3Schema as it was posted. */
const cJSON *schema_open_api(const struct schema *schema);

#endif
