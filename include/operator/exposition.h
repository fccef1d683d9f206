/* SPDX-License-Identifier: Apache-2.0 */
/* Prometheus' text format, version 0.0.4: a family's head, then its samples. */
#ifndef ADJOINT_OPERATOR_EXPOSITION_H
#define ADJOINT_OPERATOR_EXPOSITION_H

#include "base/text.h"

/* Pairs of a name and a value, ended by a NULL name; a NULL value leaves its pair out. */
struct exposition_label {
    const char *name, *value;
};

struct histogram;

enum exposition_type { EXPOSITION_COUNTER, EXPOSITION_GAUGE, EXPOSITION_HISTOGRAM };

void exposition_family(struct text *out, const char *name, enum exposition_type type,
                       const char *help);
void exposition_int(struct text *out, const char *name, const struct exposition_label *labels,
                    int64_t value);
/* As seconds with three digits. */
void exposition_seconds(struct text *out, const char *name, const struct exposition_label *labels,
                        int64_t value_ms);
void exposition_histogram(struct text *out, const char *name, const struct exposition_label *labels,
                          const struct histogram *histogram);

#endif
