/* SPDX-License-Identifier: Apache-2.0 */
/* A YAML document as values, of which several may be the same one (aliases): what the family of
   yaml*.c files hands to each other. Everything lives in an arena. */
#ifndef ADJOINT_IO_YAML_VALUE_H
#define ADJOINT_IO_YAML_VALUE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct yaml_parser_s;

enum yaml_kind { YAML_KIND_SCALAR, YAML_KIND_SEQUENCE, YAML_KIND_MAPPING };

struct yaml_child {
    const struct yaml_value *value;
    struct yaml_child *next;
};

struct yaml_value {
    enum yaml_kind kind;
    size_t line, column; /* from 1 */
    const char *tag;     /* as libyaml resolves it; NULL: none */
    /* scalars */
    const char *text; /* ends in NUL */
    size_t text_bytes;
    bool plain; /* not quoted, no block */
    /* sequences: the items; mappings: key, value, key, value */
    struct yaml_child *first, *last;
    bool closed; /* its end was read: an alias to it is no circle */
};

/* The next document; *out is NULL at the end of the stream. */
MUST_CHECK bool yaml_value_read(struct yaml_parser_s *parser, struct arena *arena,
                                const struct yaml_value **out, struct error *error);

/* Appends it as JSON. ERROR_LIMIT when it is too deep, or too large with its aliases expanded. */
MUST_CHECK bool yaml_value_write(const struct yaml_value *value, struct text *json,
                                 struct error *error);

/* yaml_scalar.c: one scalar, by its style, its tag and the core schema. */
MUST_CHECK bool yaml_scalar_write(const struct yaml_value *scalar, struct text *json,
                                  struct error *error);
bool yaml_scalar_is_null(const struct yaml_value *scalar);

/* ERROR_INVALID, with the value's line and column in front. Always returns false. */
bool yaml_value_refuse(const struct yaml_value *value, struct error *error, const char *format, ...)
    PRINTF_LIKE(3, 4);

#endif
