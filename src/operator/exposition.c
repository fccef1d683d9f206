/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Kubernetes need no escape; messages and labels of strangers do, so all values get it. */
#include "operator/exposition.h"

#include "operator/histogram.h"

#include <inttypes.h>
#include <stdio.h>

enum { BOUND_BYTES = 24 };

void exposition_family(struct text *out, const char *name, enum exposition_type type,
                       const char *help)
{
    static const char *const types[] = {"counter", "gauge", "histogram"};
    text_print(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, types[type]);
}

static void write_value(struct text *out, const char *value)
{
    for (const char *at = value; *at != '\0'; at++) {
        if (*at == '\n') {
            text_append(out, "\\n");
            continue;
        }
        if (*at == '"' || *at == '\\') {
            text_append_char(out, '\\');
        }
        text_append_char(out, *at);
    }
}

static void write_labels(struct text *out, const struct exposition_label *labels, const char *bound)
{
    const char *before = "{";
    for (; labels != NULL && labels->name != NULL; labels++) {
        if (labels->value == NULL) {
            continue;
        }
        text_print(out, "%s%s=\"", before, labels->name);
        write_value(out, labels->value);
        text_append_char(out, '"');
        before = ",";
    }
    if (bound != NULL) {
        text_print(out, "%sle=\"%s\"", before, bound);
        before = ",";
    }
    text_append(out, *before == ',' ? "}" : "");
}

static void write_sample(struct text *out, const char *name, const char *suffix,
                         const struct exposition_label *labels, const char *bound)
{
    text_print(out, "%s%s", name, suffix);
    write_labels(out, labels, bound);
    text_append_char(out, ' ');
}

void exposition_int(struct text *out, const char *name, const struct exposition_label *labels,
                    int64_t value)
{
    write_sample(out, name, "", labels, NULL);
    text_print(out, "%" PRId64 "\n", value);
}

void exposition_seconds(struct text *out, const char *name, const struct exposition_label *labels,
                        int64_t value_ms)
{
    write_sample(out, name, "", labels, NULL);
    text_print(out, "%.3f\n", (double)value_ms / 1000);
}

void exposition_histogram(struct text *out, const char *name, const struct exposition_label *labels,
                          const struct histogram *histogram)
{
    uint64_t below = 0;
    for (int i = 0; i < HISTOGRAM_BUCKETS; i++) {
        char bound[BOUND_BYTES];
        (void)snprintf(bound, sizeof(bound), "%g", histogram_bounds[i]);
        below += histogram->buckets[i];
        write_sample(out, name, "_bucket", labels, bound);
        text_print(out, "%" PRIu64 "\n", below);
    }
    write_sample(out, name, "_bucket", labels, "+Inf");
    text_print(out, "%" PRIu64 "\n", histogram->count);
    write_sample(out, name, "_sum", labels, NULL);
    text_print(out, "%.3f\n", (double)histogram->sum_ms / 1000);
    write_sample(out, name, "_count", labels, NULL);
    text_print(out, "%" PRIu64 "\n", histogram->count);
}
