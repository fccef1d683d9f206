/* SPDX-License-Identifier: Apache-2.0 */
/* Types are checked when the rule is made, as a real server does, so that a misspelt field is
   found by who posts the definition and not by who is refused an object. What is left to go wrong
   with an object is a member or an element that is not there. */
#include "sim/cel_tree.h"

#include "base/text.h"

#include <assert.h>
#include <stddef.h>

struct checker {
    const struct cel_place *place;
    bool uses_old_self;
};

static const struct cel_type truth = {.kind = CEL_BOOL};
static const struct cel_type text = {.kind = CEL_STRING};

static const char *kind_name(enum cel_kind kind)
{
    static const char *const names[] = {"null", "bool", "int",    "double",        "string",
                                        "list", "map",  "object", "optional_type", "dyn"};
    return names[kind];
}

/* The parser has seen to it that it is there. */
static const struct cel_node *operand(const struct cel_node *node, int index)
{
    const struct cel_node *child = node->children;
    for (; index > 0 && child != NULL; index--) {
        child = child->next;
    }
    assert(child != NULL);
    return child;
}

static bool refuse(const struct cel_node *node, const char *name, struct error *error)
{
    const struct cel_node *left = operand(node, 0);
    const struct cel_node *right = left->next;
    return error_set(error, ERROR_INVALID,
                     "found no matching overload for '%s' applied to '%s%s%s' at byte %zu", name,
                     kind_name(left->type.kind), right == NULL ? "" : ", ",
                     right == NULL ? "" : kind_name(right->type.kind), node->at + 1);
}

static bool is_kind(const struct cel_node *node, enum cel_kind kind)
{
    return node->type.kind == kind || node->type.kind == CEL_DYNAMIC;
}

static bool is_number(const struct cel_node *node)
{
    return is_kind(node, CEL_INT) || node->type.kind == CEL_DOUBLE;
}

/* May be compared with == */
static bool are_comparable(const struct cel_node *left, const struct cel_node *right)
{
    const struct cel_type *a = &left->type;
    const struct cel_type *b = &right->type;
    bool is_nullable = (a->node != NULL && a->node->is_nullable && b->kind == CEL_NULL) ||
                       (b->node != NULL && b->node->is_nullable && a->kind == CEL_NULL);
    return is_nullable || is_kind(left, b->kind) || b->kind == CEL_DYNAMIC;
}

/* ---- an operation whose children are checked ---- */

static bool check_select(struct cel_node *node, struct error *error)
{
    const struct cel_type *of = &operand(node, 0)->type;
    if (of->kind != CEL_OBJECT && of->kind != CEL_MAP) {
        return error_set(error, ERROR_INVALID,
                         "type '%s' does not support field selection at byte %zu",
                         kind_name(of->kind), node->at + 1);
    }
    const struct schema_node *member = schema_node_member(of->node, node->name);
    if (member == NULL) {
        return error_set(error, ERROR_INVALID, "undefined field '%s' at byte %zu", node->name,
                         node->at + 1);
    }
    node->type = node->operation == CEL_HAS ? truth : cel_type_of(member);
    return true;
}

static bool check_index(struct cel_node *node, struct error *error)
{
    const struct cel_node *of = operand(node, 0);
    const struct cel_node *index = operand(node, 1);
    bool fits = (of->type.kind == CEL_LIST && is_kind(index, CEL_INT)) ||
                (of->type.kind == CEL_MAP && is_kind(index, CEL_STRING));
    if (!fits || of->type.node == NULL) {
        return refuse(node, "_[_]", error);
    }
    const struct schema_node *schema = of->type.node;
    node->type = cel_type_of(of->type.kind == CEL_LIST ? schema->items : schema->additional);
    return true;
}

static bool check_size(struct cel_node *node, struct error *error)
{
    const struct cel_node *of = operand(node, 0);
    if (!is_kind(of, CEL_STRING) && !is_kind(of, CEL_LIST) && !is_kind(of, CEL_MAP)) {
        return refuse(node, "size", error);
    }
    node->type = (struct cel_type){.kind = CEL_INT};
    return true;
}

static bool check_optional(struct cel_node *node, struct error *error)
{
    const struct cel_node *of = operand(node, 0);
    if (of->type.kind != CEL_OPTIONAL) {
        return refuse(node, "hasValue, value or orValue", error);
    }
    node->type = node->function == CEL_HAS_VALUE ? truth : cel_type_of(of->type.node);
    if (node->function == CEL_OR_VALUE && !is_kind(operand(node, 1), node->type.kind)) {
        return refuse(node, "orValue", error);
    }
    return true;
}

static bool check_text_function(struct cel_node *node, struct error *error)
{
    const struct cel_node *of = operand(node, 0);
    const struct cel_node *with = operand(node, 1);
    if (!is_kind(of, CEL_STRING) || !is_kind(with, CEL_STRING)) {
        return refuse(node, "matches, startsWith, endsWith or contains", error);
    }
    node->type = truth;
    if (node->function != CEL_MATCHES) {
        return true;
    }
    if (with->operation != CEL_LITERAL) {
        return error_set(error, ERROR_INVALID,
                         "matches() of what is no literal is not supported here, at byte %zu",
                         node->at + 1);
    }
    return pattern_new(with->literal.text, &node->pattern, error);
}

static bool check_call(struct cel_node *node, struct error *error)
{
    switch (node->function) {
    case CEL_SIZE:
        return check_size(node, error);
    case CEL_MATCHES:
    case CEL_STARTS_WITH:
    case CEL_ENDS_WITH:
    case CEL_CONTAINS:
        return check_text_function(node, error);
    case CEL_HAS_VALUE:
    case CEL_VALUE:
    case CEL_OR_VALUE:
        return check_optional(node, error);
    }
    return false;
}

static bool check_order(struct cel_node *node, struct error *error)
{
    const struct cel_node *left = operand(node, 0);
    const struct cel_node *right = operand(node, 1);
    node->type = truth;
    return (is_number(left) && is_number(right)) ||
           (is_kind(left, CEL_STRING) && is_kind(right, CEL_STRING)) ||
           refuse(node, "<, <=, > or >=", error);
}

static bool check_logic(struct cel_node *node, struct error *error)
{
    node->type = truth;
    for (const struct cel_node *child = node->children; child != NULL; child = child->next) {
        if (!is_kind(child, CEL_BOOL)) {
            return refuse(node, "!, && or ||", error);
        }
    }
    return true;
}

static bool check_condition(struct cel_node *node, struct error *error)
{
    const struct cel_node *yes = operand(node, 1);
    node->type = yes->type;
    return (is_kind(operand(node, 0), CEL_BOOL) && are_comparable(yes, operand(node, 2))) ||
           refuse(node, "_?_:_", error);
}

static bool check_in(struct cel_node *node, struct error *error)
{
    const struct cel_node *right = operand(node, 1);
    node->type = truth;
    bool in_map = right->type.kind == CEL_MAP && is_kind(operand(node, 0), CEL_STRING);
    return right->type.kind == CEL_LIST || in_map || refuse(node, "in", error);
}

static bool check_old_self(struct cel_node *node, struct checker *checker)
{
    checker->uses_old_self = true;
    node->type = cel_type_of(checker->place->self);
    if (checker->place->old_is_optional) {
        node->type.kind = CEL_OPTIONAL;
    }
    return true;
}

static bool check_operation(struct cel_node *node, struct checker *checker, struct error *error)
{
    switch (node->operation) {
    case CEL_LITERAL:
        node->type = (struct cel_type){.kind = node->literal.kind};
        return true;
    case CEL_LITERAL_LIST:
        node->type = (struct cel_type){.kind = CEL_LIST};
        return true;
    case CEL_SELF:
        node->type = cel_type_of(checker->place->self);
        return true;
    case CEL_OLD_SELF:
        return check_old_self(node, checker);
    case CEL_SELECT:
    case CEL_HAS:
        return check_select(node, error);
    case CEL_INDEX:
        return check_index(node, error);
    case CEL_CALL:
        return check_call(node, error);
    case CEL_NOT:
    case CEL_AND:
    case CEL_OR:
        return check_logic(node, error);
    case CEL_CONDITION:
        return check_condition(node, error);
    case CEL_EQUAL:
    case CEL_UNEQUAL:
        node->type = truth;
        return are_comparable(operand(node, 0), operand(node, 1)) ||
               refuse(node, "== or !=", error);
    case CEL_LESS:
    case CEL_AT_MOST:
    case CEL_MORE:
    case CEL_AT_LEAST:
        return check_order(node, error);
    case CEL_IN:
        return check_in(node, error);
    case CEL_JOIN:
        node->type = text;
        return (is_kind(operand(node, 0), CEL_STRING) && is_kind(operand(node, 1), CEL_STRING)) ||
               refuse(node, "+ (of anything but two strings: not supported here)", error);
    }
    return false;
}

/* NOLINTNEXTLINE(misc-no-recursion): the parser has bounded the depth */
static bool check_tree(struct cel_node *node, struct checker *checker, struct error *error)
{
    for (struct cel_node *child = node->children; child != NULL; child = child->next) {
        if (!check_tree(child, checker, error)) {
            return false;
        }
    }
    return check_operation(node, checker, error);
}

bool cel_check(struct cel_node *root, const struct cel_place *place, bool *out_uses_old_self,
               struct error *error)
{
    struct checker checker = {.place = place};
    bool ok = check_tree(root, &checker, error);
    *out_uses_old_self = checker.uses_old_self;
    return ok;
}
