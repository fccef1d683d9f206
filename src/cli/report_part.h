/* SPDX-License-Identifier: Apache-2.0 */
/* What `adj report` lists of the API server, and which of it is Adjoint's business. */
#ifndef ADJOINT_CLI_REPORT_PART_H
#define ADJOINT_CLI_REPORT_PART_H

#include "base/json.h"
#include "cli/cli.h"

/* The namespaces that are spoken of: of Pools, Instances and operators. */
struct report_scope {
    struct arena *arena;
    const char *lease_name; /* the operator's */
    size_t count, capacity;
    const char **namespaces;
};

void report_scope_add(struct report_scope *scope, const char *namespace);

struct report_part {
    const char *name; /* of the file, without its ending */
    const char *path; /* with its query */
    bool namespaced;
    bool widens; /* the scope, by the namespaces of its objects */
    bool (*is_ours)(const struct report_scope *scope, const struct json *object); /* NULL: all */
};

/* In the order they are to be read; ends with a NULL name. */
extern const struct report_part REPORT_PARTS[];

/* The part's own objects, redacted, as a laid out List; who may not read those of all namespaces
   gets their own. *out_note, in the scope's arena: how many, and of what they are but a part.
   Errors of cli_call. */
MUST_CHECK bool report_part_read(struct cli *cli, const struct report_part *part,
                                 struct report_scope *scope, struct text *out,
                                 const char **out_note, struct error *error);

#endif
