/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of x-kubernetes-validations in the Common Expression Language, as much of it as is listed
   here; the rest is refused when a rule is made, so that no rule is silently not judged.

   Literals (null, booleans, numbers, strings, lists), self, oldSelf, a.b, a['b'], a[0], has(a.b),
   ! - && || ?: == != < <= > >= in, + of two strings, size, matches (of a literal), startsWith,
   endsWith, contains; for optionalOldSelf hasValue, value and orValue of oldSelf. Types are checked
   against the schema, as a real server does. No macros, no arithmetic.
   (github.com/google/cel-spec doc/langdef.md; k8s.io/apiserver/pkg/cel) */
#ifndef ADJOINT_SRC_SIM_CEL_H
#define ADJOINT_SRC_SIM_CEL_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

struct cel;
struct schema_node;

enum cel_result { CEL_GIVES_TRUTH, CEL_GIVES_TEXT };

/* What a rule stands on: self is a value of that node, and must outlive the rule. */
struct cel_place {
    const struct schema_node *self;
    bool old_is_optional; /* oldSelf is an optional */
};

/* ERROR_INVALID: what is wrong in the source, and at which byte. */
MUST_CHECK bool cel_new(const char *source, const struct cel_place *place, enum cel_result result,
                        struct cel **out_cel, struct error *error);
void cel_free(struct cel *cel); /* NULL is fine */
bool cel_uses_old_self(const struct cel *cel);

/* old_self NULL: there is none; then a rule that uses it must have old_is_optional. ERROR_INVALID
   for what goes wrong only with this object, in CEL's words ("no such key: a"). */
MUST_CHECK bool cel_judge(const struct cel *cel, const cJSON *self, const cJSON *old_self,
                          bool *out_holds, struct error *error);
/* Of one that CEL_GIVES_TEXT; the caller's (memory_free). */
MUST_CHECK bool cel_write(const struct cel *cel, const cJSON *self, const cJSON *old_self,
                          char **out_text, struct error *error);

#endif
