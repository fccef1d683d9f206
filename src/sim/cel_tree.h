/* SPDX-License-Identifier: Apache-2.0 */
/* A rule between its text and its judgement: cel_parser.c makes the tree, cel_types.c checks it and
   writes each node's type, cel_evaluate.c walks it. */
#ifndef ADJOINT_SRC_SIM_CEL_TREE_H
#define ADJOINT_SRC_SIM_CEL_TREE_H

#include "base/arena.h"
#include "sim/cel.h"
#include "sim/cel_value.h"

#include <stddef.h>

enum cel_operation {
    CEL_LITERAL,
    CEL_LITERAL_LIST, /* the children */
    CEL_SELF,
    CEL_OLD_SELF,
    CEL_SELECT, /* child.name */
    CEL_HAS,    /* has(child.name) */
    CEL_INDEX,  /* child[child] */
    CEL_CALL,   /* function(children) or child.function(children) */
    CEL_NOT,
    CEL_AND,
    CEL_OR,
    CEL_CONDITION, /* child ? child : child */
    CEL_EQUAL,
    CEL_UNEQUAL,
    CEL_LESS,
    CEL_AT_MOST,
    CEL_MORE,
    CEL_AT_LEAST,
    CEL_IN,
    CEL_JOIN, /* + */
};

enum cel_function {
    CEL_SIZE,
    CEL_MATCHES,
    CEL_STARTS_WITH,
    CEL_ENDS_WITH,
    CEL_CONTAINS,
    CEL_HAS_VALUE,
    CEL_VALUE,
    CEL_OR_VALUE,
};

struct cel_node {
    enum cel_operation operation;
    enum cel_function function;
    struct cel_node *children, *next; /* a list, in order */
    struct cel_value literal;
    const char *name;        /* a member's, unescaped */
    struct pattern *pattern; /* of CEL_MATCHES, made by cel_types.c */
    struct cel_type type;    /* written by cel_types.c */
    size_t at;               /* byte in the source */
};

struct cel {
    struct arena arena;
    struct cel_node *root;
    bool uses_old_self;
};

/* The tree, its memory the arena's. */
MUST_CHECK bool cel_parse(const char *source, struct arena *arena, struct cel_node **out_root,
                          struct error *error);
/* Writes all types, compiles patterns; out_uses_old_self is set if oldSelf occurs. */
MUST_CHECK bool cel_check(struct cel_node *root, const struct cel_place *place,
                          bool *out_uses_old_self, struct error *error);

MUST_CHECK bool cel_evaluate(const struct cel *cel, const cJSON *self, const cJSON *old_self_json,
                             struct arena *arena, struct cel_value *out, struct error *error);

/* The name a schema has for what is written so in a rule, where the letters of an identifier are
   all one may use: __dot__ and so on, and __in__ for the words of the language. In the arena. */
const char *cel_unescape(const char *name, struct arena *arena);
bool cel_is_reserved(const char *word);

#endif
