/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADJOINT_IO_HTTP_IDENTITY_H
#define ADJOINT_IO_HTTP_IDENTITY_H

#include "base/error.h"
#include "base/text.h"
#include "kube/credentials.h"

enum { HTTP_IDENTITY_BYTES_MAX = 64 * 1024 };

/* Appends the header that says who we are, without its line break: a token goes before a password.
   Nothing when a certificate says it, or nobody. ERROR_UNAUTHORIZED for a token that no header can
   hold. */
MUST_CHECK bool http_identity_append(const struct credential_set *set, struct text *out,
                                     struct error *error);

#endif
