/* SPDX-License-Identifier: Apache-2.0 */
/* meta/v1 LabelSelector: matchLabels and matchExpressions as one list of requirements. */
#ifndef ADJOINT_API_SELECTOR_H
#define ADJOINT_API_SELECTOR_H

#include "api/object.h"
#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>

/* As in matchExpressions: In, NotIn, Exists, DoesNotExist. */
enum selector_operator { SELECTOR_IN, SELECTOR_NOT_IN, SELECTOR_EXISTS, SELECTOR_ABSENT };

struct selector_requirement {
    const char *key;
    enum selector_operator operator;
    size_t value_count;
    const char *const *values;
};

struct selector {
    size_t requirement_count;
    const struct selector_requirement *requirements;
};

/* Reads the selector at parent[key]. One that is not there matches nothing, as in Kubernetes; an
   empty one matches everything. */
struct selector selector_read(struct json_reader *reader, const struct json *parent,
                              const char *key);

/* Every requirement holds for the labels. NotIn holds for a label that is not there. */
bool selector_matches(const struct selector *selector, const struct label *labels,
                      size_t label_count);

#endif
