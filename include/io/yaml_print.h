/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as YAML for people, as kubectl prints it: block style, two spaces, long texts as blocks.
   Members keep their order, numbers their spelling, and every string reads back as that string. */
#ifndef ADJOINT_IO_YAML_PRINT_H
#define ADJOINT_IO_YAML_PRINT_H

#include "base/error.h"
#include "base/text.h"

/* Appends; json is one document. ERROR_INVALID when it is none. */
MUST_CHECK bool yaml_print(const char *json, struct text *out, struct error *error);

#endif
