/* SPDX-License-Identifier: Apache-2.0 */
/* A request's path taken apart: `/a/b?c=d` has the segments a, b and the parameter c. All of it is
   percent-decoded; in parameters a + is a space. */
#ifndef ADJOINT_SIM_URL_H
#define ADJOINT_SIM_URL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { URL_SEGMENTS_MAX = 10, URL_PARAMETERS_MAX = 24 };

struct url {
    const char *segments[URL_SEGMENTS_MAX];
    size_t segment_count;
    struct url_parameter {
        const char *name, *value;
    } parameters[URL_PARAMETERS_MAX];
    size_t parameter_count;
    char *buffer; /* private */
};

/* ERROR_INVALID for a bad escape and for what is no UTF-8 (it would go into replies), ERROR_LIMIT
   for more parts than there are places. */
MUST_CHECK bool url_parse(struct url *url, const char *path, struct error *error);
void url_release(struct url *url); /* of one that could not be parsed, too */
#define cleanup_url __attribute__((cleanup(url_release)))

/* The first one's value; NULL when there is none. */
const char *url_get(const struct url *url, const char *name);
/* As Kubernetes reads booleans: there, and neither "false" nor "0". (apimachinery
   runtime/conversion.go) */
bool url_true(const struct url *url, const char *name);
/* That segment is there and is this. */
bool url_segment_is(const struct url *url, size_t at, const char *text);

#endif
