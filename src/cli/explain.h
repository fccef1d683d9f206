/* SPDX-License-Identifier: Apache-2.0 */
/* Errors for people: what is wrong, with what, and what to do about it, in one line. */
#ifndef ADJOINT_CLI_EXPLAIN_H
#define ADJOINT_CLI_EXPLAIN_H

#include "api/kind.h"
#include "base/error.h"
#include "base/text.h"

/* Appends. kind: what the request was about. description: of the session; NULL: there is none. */
void explain_error(const struct error *error, enum object_kind kind, const char *description,
                   struct text *out);

/* A 404 that means the kind itself: its CRD is not there. */
bool explain_is_missing_kind(const struct error *error);

#endif
