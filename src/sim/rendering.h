/* SPDX-License-Identifier: Apache-2.0 */
/* The form objects are answered in, by the request's Accept: as they are, as their metadata alone
   (PartialObjectMetadata) or as rows of a Table, which kubectl prints. */
#ifndef ADJOINT_SIM_RENDERING_H
#define ADJOINT_SIM_RENDERING_H

#include "base/text.h"
#include "sim/objects.h"
#include "sim/url.h"

#include <stddef.h>
#include <stdint.h>

enum form { FORM_OBJECT, FORM_METADATA, FORM_TABLE };
enum row_object { ROW_METADATA, ROW_NONE, ROW_OBJECT }; /* includeObject: what a row carries */

struct rendering {
    enum form form;
    enum row_object row_object;
    int64_t wall_ms; /* what ages in a table are counted to */
};

/* The first of Accept's forms that can be had; NULL: JSON. false: none can, which is a 406. */
bool rendering_choose(const char *accept, const struct url *url, int64_t wall_ms,
                      struct rendering *out);

/* One object by itself. has_header: a table's columns are named, too. */
void rendering_append(const struct rendering *rendering, struct text *text,
                      const struct record *record, bool has_header);

/* What is below the type of a list: resourceVersion and where it goes on. */
struct list_metadata {
    uint64_t revision;
    const char *continue_token; /* NULL: the end */
    int64_t remaining_count;    /* < 0: not said */
};

void rendering_append_list(const struct rendering *rendering, struct text *text,
                           const struct resource *resource, const struct list_metadata *metadata,
                           const struct record *const *records, size_t count);

/* {"kind":"PartialObjectMetadata",...}. */
void rendering_append_metadata(struct text *text, const struct record *record);

#endif
