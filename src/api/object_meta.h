/* SPDX-License-Identifier: Apache-2.0 */
/* ObjectMeta, as far as it is kept. */
#ifndef ADJOINT_API_OBJECT_META_H
#define ADJOINT_API_OBJECT_META_H

#include "api/object.h"

/* root: the whole object, whose kind and common are set. A missing name is recorded as wrong. Of
   labels and annotations those are kept whose key is one of api/names.h; of a Namespace all labels,
   since selectors match them. */
void object_meta_read(struct json_reader *reader, const struct json *root, struct object *object);

#endif
