/* SPDX-License-Identifier: Apache-2.0 */
/* What a Pool's template, the spec of a CloudNativePG Cluster, refers to in the namespace it is
   used in, and what its spec.requires says of that. */
#ifndef ADJOINT_API_TEMPLATE_H
#define ADJOINT_API_TEMPLATE_H

#include "api/object.h"
#include "base/json.h"

enum { REFERENCES_MAX = 48 }; /* what spec.requires can list */

struct reference {
    enum object_kind kind; /* ConfigMap, Secret or ServiceAccount */
    const char *name;
};

struct references {
    size_t count;
    const struct reference *items; /* each once */
};

/* text: the spec as JSON, NULL: none. By the names of the fields that hold such references in
   CloudNativePG's and Kubernetes' types, wherever they are; those marked optional are left out. A
   text that is no JSON refers to nothing; more than REFERENCES_MAX is recorded in the reader. */
struct references template_named(struct json_reader *reader, const char *text);
/* requires: spec.requires; NULL: none. */
struct references template_required(struct json_reader *reader, const struct json *requires);

#endif
