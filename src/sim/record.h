/* SPDX-License-Identifier: Apache-2.0 */
/* One version of one object. Never changed; shared by counting. */
#ifndef ADJOINT_SIM_RECORD_H
#define ADJOINT_SIM_RECORD_H

#include "sim/resource.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

struct record {
    int references; /* private */
    const struct resource *resource;
    const char *namespace, *name, *uid; /* borrowed from value; "" for no namespace */
    uint64_t revision;                  /* of this version: metadata.resourceVersion */
    const cJSON *value;
    char *text; /* compact JSON, made when it is first asked for: record_text */
};

/* value: ownership is taken; it is left as it is, its resourceVersion, too. One reference, the
   caller's. The namespace of a resource that has none is "" whatever the value says. */
struct record *record_new(const struct resource *resource, cJSON *value, uint64_t revision);
struct record *record_keep(const struct record *record); /* NULL is fine, here and below */
void record_release(const struct record *record);
const char *record_text(const struct record *record);

#endif
