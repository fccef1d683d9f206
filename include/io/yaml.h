/* SPDX-License-Identifier: Apache-2.0 */
/* YAML documents as JSON text, by the core schema of YAML 1.2 as sigs.k8s.io/yaml reads it for
   kubectl: quoted scalars are strings, plain ones null, booleans (true and false), numbers, else
   strings; 0644 is octal; anchors, aliases and merge keys (<<) are followed within limits;
   duplicate keys are an error. */
#ifndef ADJOINT_IO_YAML_H
#define ADJOINT_IO_YAML_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>

/* Calls give once a document, in order (an empty one is left out). JSON input is YAML too. UTF-16
   with a byte-order mark is read. ERROR_INVALID with line and column; ERROR_LIMIT when a document
   is deeper than LIMIT_JSON_DEPTH or larger than LIMIT_OBJECT_BYTES with its aliases expanded.
   libyaml refuses the one thing that JSON has and YAML has not: surrogates as \u escapes. */
MUST_CHECK bool yaml_to_json(const char *bytes, size_t byte_count,
                             bool (*give)(void *self, const char *json, struct error *error),
                             void *self, struct error *error);

#endif
