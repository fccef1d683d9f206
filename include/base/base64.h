/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 with the standard alphabet and padding (RFC 4648 section 4), as Kubernetes writes bytes
   into JSON. */
#ifndef ADJOINT_BASE_BASE64_H
#define ADJOINT_BASE_BASE64_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <stddef.h>

/* Line breaks between the characters are skipped, as Go does. The bytes live in the arena and have
   a NUL behind them. ERROR_INVALID says where the text is wrong and never quotes it: it is mostly
   a secret. */
MUST_CHECK bool base64_decode(const char *text, struct arena *arena, char **out_bytes,
                              size_t *out_byte_count, struct error *error);

/* On one line. */
void base64_append(struct text *text, const char *bytes, size_t byte_count);

#endif
