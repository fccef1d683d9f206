/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with the fields of an object, as Kubernetes' field errors say it: to people as one
   text, to programs as the Status' details.causes.
   (k8s.io/apimachinery/pkg/util/validation/field/errors.go, api/errors NewInvalid) */
#ifndef ADJOINT_SRC_SIM_VIOLATIONS_H
#define ADJOINT_SRC_SIM_VIOLATIONS_H

#include "base/error.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

enum violation {
    VIOLATION_REQUIRED,    /* field: Required value */
    VIOLATION_INVALID,     /* field: Invalid value: VALUE */
    VIOLATION_TYPE,        /* the same words, another reason */
    VIOLATION_UNSUPPORTED, /* field: Unsupported value: VALUE */
    VIOLATION_DUPLICATE,   /* field: Duplicate value: VALUE */
    VIOLATION_FORBIDDEN,   /* field: Forbidden */
    VIOLATION_TOO_LONG,    /* field: Too long */
    VIOLATION_TOO_MANY,    /* field: Too many: VALUE */
};

struct violations {
    cJSON *causes;     /* [{reason, message, field}], in the order they were found */
    bool blocks_rules; /* one of them keeps CEL rules from being run */
};

void violations_init(struct violations *violations);
void violations_release(struct violations *violations);
#define cleanup_violations __attribute__((cleanup(violations_release)))

/* value: printed after the words as JSON; NULL: left out. The detail follows after ": "; "" none.
 */
void violations_add(struct violations *violations, enum violation kind, const char *field,
                    const cJSON *value, const char *detail_format, ...) PRINTF_LIKE(5, 6);

bool violations_none(const struct violations *violations);
/* Where they stand now, and back to there: what came since is forgotten. */
struct violations_mark {
    const cJSON *last;
    bool blocks_rules;
};
struct violations_mark violations_mark(const struct violations *violations);
void violations_back(struct violations *violations, struct violations_mark mark);
/* Appends "field: words", or "[field: words, field: words]" when there are more; what an object is
   said to be after `is invalid: `. */
void violations_say(const struct violations *violations, struct text *out);

#endif
