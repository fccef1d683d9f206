/* SPDX-License-Identifier: Apache-2.0 */
/* labelSelector and fieldSelector of a request, both of which an object must satisfy. */
#ifndef ADJOINT_SIM_FILTER_H
#define ADJOINT_SIM_FILTER_H

#include "base/arena.h"
#include "sim/objects.h"

enum requirement_kind {
    REQUIRE_ONE_OF,
    REQUIRE_NONE_OF, /* satisfied, too, when the label is not there */
    REQUIRE_PRESENT,
    REQUIRE_ABSENT,
    REQUIRE_LESS, /* there and whole numbers, here and below */
    REQUIRE_MORE,
};

struct requirement {
    struct requirement *next;
    bool is_field; /* key is then a path: "status.phase" */
    enum requirement_kind kind;
    const char *key;
    const char **values; /* ends with NULL */
};

struct filter {
    struct arena arena;
    struct requirement *requirements; /* NULL: everything matches */
};

/* labels and fields may be NULL. ERROR_INVALID with the server's words; release it then, too. */
MUST_CHECK bool filter_parse(struct filter *filter, const struct resource *resource,
                             const char *labels, const char *fields, struct error *error);
void filter_release(struct filter *filter);

bool filter_matches(const struct filter *filter, const struct record *record);

/* The two halves of filter_parse, each adding its requirements. */
MUST_CHECK bool filter_parse_labels(struct filter *filter, const char *labels, struct error *error);
MUST_CHECK bool filter_parse_fields(struct filter *filter, const struct resource *resource,
                                    const char *fields, struct error *error);

#endif
