/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that a controller writes, as they read in a manual: JSON with ' for ", in which $1 to $9
   stand for the words that follow. */
#ifndef ADJOINT_SIM_DRAFT_H
#define ADJOINT_SIM_DRAFT_H

#include <cjson/cJSON.h>

/* The caller's (cJSON_Delete). shape is a literal: one that is no JSON, or asks for a word that is
   not given, ends the program. A word is put inside a string or a member's name, whatever
   characters it has, and never becomes JSON. The words end with NULL. */
cJSON *draft(const char *shape, ...) __attribute__((sentinel));

#endif
