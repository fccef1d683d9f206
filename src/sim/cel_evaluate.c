/* SPDX-License-Identifier: Apache-2.0 */
/* A walk over the tree. && and || forgive an error on one side when the other decides, whichever
   comes first: that is the language's definition, and rules like `!has(self.a) || self.a.b` need
   no more than its usual half of it. */
#include "sim/cel_tree.h"

#include "base/text.h"
#include "sim/value.h"

#include <string.h>

struct scope {
    const cJSON *self, *old_self;
    struct arena *arena; /* of joined strings and lists */
};

static bool evaluate(const struct cel_node *node, struct scope *scope, struct cel_value *out,
                     struct error *error);

static bool no_such_overload(struct error *error)
{
    return error_set(error, ERROR_INVALID, "no such overload");
}

/* ---- members, elements, functions ---- */

static bool select_member(const struct cel_node *node, const struct cel_value *of,
                          struct cel_value *out, struct error *error)
{
    const cJSON *member = value_member(of->json, node->name);
    if (node->operation == CEL_HAS) {
        *out = cel_value_of_truth(member != NULL);
        return true;
    }
    if (member == NULL) {
        return error_set(error, ERROR_INVALID, "no such key: %s", node->name);
    }
    *out = cel_value_of_json(schema_node_member(of->node, node->name), member);
    return true;
}

static bool element_at(const struct cel_value *of, const struct cel_value *index,
                       struct cel_value *out, struct error *error)
{
    if (of->kind == CEL_LIST && index->kind == CEL_INT) {
        int count = cJSON_GetArraySize(of->json);
        if (index->number < 0 || index->number >= count) {
            return error_set(error, ERROR_INVALID, "index out of bounds: %.0f", index->number);
        }
        *out = cel_value_of_json(of->node->items, cJSON_GetArrayItem(of->json, (int)index->number));
        return true;
    }
    if (of->kind != CEL_MAP || index->kind != CEL_STRING) {
        return no_such_overload(error);
    }
    const cJSON *member = value_member(of->json, index->text);
    if (member == NULL) {
        return error_set(error, ERROR_INVALID, "no such key: %s", index->text);
    }
    *out = cel_value_of_json(of->node->additional, member);
    return true;
}

static bool size_of(const struct cel_value *of, struct cel_value *out, struct error *error)
{
    size_t size = 0;
    if (!cel_value_size(of, &size)) {
        return no_such_overload(error);
    }
    *out = (struct cel_value){.kind = CEL_INT, .number = (double)size};
    return true;
}

static bool call_text(const struct cel_node *node, const struct cel_value *of,
                      const struct cel_value *with, struct cel_value *out, struct error *error)
{
    if (of->kind != CEL_STRING || with->kind != CEL_STRING) {
        return no_such_overload(error);
    }
    bool yes = false;
    if (node->function == CEL_MATCHES) {
        yes = pattern_found(node->pattern, of->text);
    } else if (node->function == CEL_STARTS_WITH) {
        yes = text_starts_with(of->text, with->text);
    } else if (node->function == CEL_ENDS_WITH) {
        yes = text_ends_with(of->text, with->text);
    } else {
        yes = strstr(of->text, with->text) != NULL;
    }
    *out = cel_value_of_truth(yes);
    return true;
}

static bool call_optional(const struct cel_node *node, const struct cel_value *of,
                          const struct cel_value *otherwise, struct cel_value *out,
                          struct error *error)
{
    bool has_value = of->json != NULL;
    if (node->function == CEL_HAS_VALUE) {
        *out = cel_value_of_truth(has_value);
    } else if (has_value) {
        *out = cel_value_of_json(of->node, of->json);
    } else if (node->function == CEL_OR_VALUE) {
        *out = *otherwise;
    } else {
        return error_set(error, ERROR_INVALID, "optional.none() dereference");
    }
    return true;
}

static bool call(const struct cel_node *node, const struct cel_value *of,
                 const struct cel_value *with, struct cel_value *out, struct error *error)
{
    switch (node->function) {
    case CEL_SIZE:
        return size_of(of, out, error);
    case CEL_MATCHES:
    case CEL_STARTS_WITH:
    case CEL_ENDS_WITH:
    case CEL_CONTAINS:
        return call_text(node, of, with, out, error);
    case CEL_HAS_VALUE:
    case CEL_VALUE:
    case CEL_OR_VALUE:
        return call_optional(node, of, with, out, error);
    }
    return no_such_overload(error);
}

/* ---- operators ---- */

/* NOLINTBEGIN(misc-no-recursion): the parser has bounded the depth of the tree */

static bool evaluate_truth(const struct cel_node *node, struct scope *scope, bool *out,
                           struct error *error)
{
    struct cel_value value = {.kind = CEL_NULL};
    if (!evaluate(node, scope, &value, error)) {
        return false;
    }
    *out = value.truth;
    return value.kind == CEL_BOOL || no_such_overload(error);
}

static bool evaluate_logic(const struct cel_node *node, struct scope *scope, struct cel_value *out,
                           struct error *error)
{
    bool decides = node->operation == CEL_OR;
    bool left = false;
    bool right = false;
    struct error of_right;
    bool left_known = evaluate_truth(node->children, scope, &left, error);
    *out = cel_value_of_truth(decides);
    if (left_known && left == decides) {
        return true;
    }
    bool right_known = evaluate_truth(node->children->next, scope, &right, &of_right);
    if (right_known && right == decides) {
        return true;
    }
    *out = cel_value_of_truth(!decides);
    if (left_known && !right_known) {
        *error = of_right;
    }
    return left_known && right_known;
}

static bool evaluate_condition(const struct cel_node *node, struct scope *scope,
                               struct cel_value *out, struct error *error)
{
    bool yes = false;
    const struct cel_node *branch = node->children->next;
    return evaluate_truth(node->children, scope, &yes, error) &&
           evaluate(yes ? branch : branch->next, scope, out, error);
}

static bool join(const struct cel_value *left, const struct cel_value *right, struct scope *scope,
                 struct cel_value *out, struct error *error)
{
    if (left->kind != CEL_STRING || right->kind != CEL_STRING) {
        return no_such_overload(error);
    }
    *out = (struct cel_value){.kind = CEL_STRING,
                              .text = arena_print(scope->arena, "%s%s", left->text, right->text)};
    return true;
}

static bool is_ordered(enum cel_operation operation, int order)
{
    return (operation == CEL_LESS && order < 0) || (operation == CEL_AT_MOST && order <= 0) ||
           (operation == CEL_MORE && order > 0) || (operation == CEL_AT_LEAST && order >= 0);
}

static bool compare(const struct cel_node *node, const struct cel_value *left,
                    const struct cel_value *right, struct cel_value *out, struct error *error)
{
    int order = 0;
    bool contains = false;
    bool known = node->operation == CEL_IN ? cel_value_contains(right, left, &contains)
                                           : cel_value_order(left, right, &order);
    *out = cel_value_of_truth(node->operation == CEL_IN ? contains
                                                        : is_ordered(node->operation, order));
    return known || no_such_overload(error);
}

/* With one operand or two, all of which are needed. */
static bool evaluate_operands(const struct cel_node *node, struct scope *scope,
                              struct cel_value *out, struct error *error)
{
    struct cel_value left = {.kind = CEL_NULL};
    struct cel_value right = {.kind = CEL_NULL};
    const struct cel_node *second = node->children->next;
    if (!evaluate(node->children, scope, &left, error) ||
        (second != NULL && !evaluate(second, scope, &right, error))) {
        return false;
    }
    switch (node->operation) {
    case CEL_SELECT:
    case CEL_HAS:
        return select_member(node, &left, out, error);
    case CEL_INDEX:
        return element_at(&left, &right, out, error);
    case CEL_CALL:
        return call(node, &left, &right, out, error);
    case CEL_NOT:
        *out = cel_value_of_truth(!left.truth);
        return left.kind == CEL_BOOL || no_such_overload(error);
    case CEL_EQUAL:
    case CEL_UNEQUAL:
        *out = cel_value_of_truth(cel_value_equal(&left, &right) == (node->operation == CEL_EQUAL));
        return true;
    case CEL_JOIN:
        return join(&left, &right, scope, out, error);
    default:
        return compare(node, &left, &right, out, error);
    }
}

static bool evaluate_list(const struct cel_node *node, struct scope *scope, struct cel_value *out,
                          struct error *error)
{
    size_t count = 0;
    for (const struct cel_node *at = node->children; at != NULL; at = at->next) {
        count++;
    }
    struct cel_value *items = arena_new(scope->arena, count + 1, sizeof(*items));
    size_t i = 0;
    for (const struct cel_node *at = node->children; at != NULL; at = at->next) {
        if (!evaluate(at, scope, &items[i++], error)) {
            return false;
        }
    }
    *out = (struct cel_value){.kind = CEL_LIST, .items = items, .item_count = count};
    return true;
}

static struct cel_value old_self(const struct cel_node *node, const struct scope *scope)
{
    if (node->type.kind == CEL_OPTIONAL) {
        return (struct cel_value){
            .kind = CEL_OPTIONAL, .node = node->type.node, .json = scope->old_self};
    }
    return cel_value_of_json(node->type.node, scope->old_self);
}

static bool evaluate(const struct cel_node *node, struct scope *scope, struct cel_value *out,
                     struct error *error)
{
    switch (node->operation) {
    case CEL_LITERAL:
        *out = node->literal;
        return true;
    case CEL_LITERAL_LIST:
        return evaluate_list(node, scope, out, error);
    case CEL_SELF:
        *out = cel_value_of_json(node->type.node, scope->self);
        return true;
    case CEL_OLD_SELF:
        *out = old_self(node, scope);
        return true;
    case CEL_AND:
    case CEL_OR:
        return evaluate_logic(node, scope, out, error);
    case CEL_CONDITION:
        return evaluate_condition(node, scope, out, error);
    default:
        return evaluate_operands(node, scope, out, error);
    }
}

/* NOLINTEND(misc-no-recursion) */

bool cel_evaluate(const struct cel *cel, const cJSON *self, const cJSON *old_self_json,
                  struct arena *arena, struct cel_value *out, struct error *error)
{
    struct scope scope = {.self = self, .old_self = old_self_json, .arena = arena};
    return evaluate(cel->root, &scope, out, error);
}
