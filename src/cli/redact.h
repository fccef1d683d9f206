/* SPDX-License-Identifier: Apache-2.0 */
/* What others see of a cluster: everything but what may be a secret. What is taken away says so, so
   that nobody looks for a cause in a value that is not there. */
#ifndef ADJOINT_CLI_REDACT_H
#define ADJOINT_CLI_REDACT_H

#include "base/json.h"

#define REDACTED "REDACTED"

/* Appends the value as compact JSON, without: values of environment variables; strings and lists of
   strings under a key that speaks of a password, a token, a key or SQL; what follows such a word in
   a command line; Secrets' data; managedFields; and what redact_text takes away of each string.
   JSON inside of a string (last-applied-configuration, CloudNativePG's manifests) is gone through
   as well. */
void redact_json(const struct json *value, struct text *out);

/* Appends the text without bearer tokens, JSON web tokens, the passwords of URLs, and what a
   password= or the like gives. */
void redact_text(const char *text, struct text *out);

#endif
