/* SPDX-License-Identifier: Apache-2.0 */
/* Recursive descent; precedence is a table, as the language definition has it. It knows the
 * functions and how many arguments they take, but no types. */
#include "sim/cel_lexer.h"
#include "sim/cel_tree.h"

#include "base/text.h"

#include <string.h>

/* Real rules stay below ten. */
enum { DEPTH_MAX = 64 };

struct parser {
    struct cel_lexer lexer;
    struct cel_token token; /* the next one */
    struct arena *arena;
    int depth;
};

/* target: how many arguments when it is called on a target; -1: it cannot be. free: likewise,
   without. The target counts among the node's children either way. */
static const struct function {
    const char *name;
    int on_target, free;
    enum cel_function function;
} functions[] = {
    {"size", 0, 1, CEL_SIZE},
    {"matches", 1, 2, CEL_MATCHES},
    {"startsWith", 1, -1, CEL_STARTS_WITH},
    {"endsWith", 1, -1, CEL_ENDS_WITH},
    {"contains", 1, -1, CEL_CONTAINS},
    {"hasValue", 0, -1, CEL_HAS_VALUE},
    {"value", 0, -1, CEL_VALUE},
    {"orValue", 1, -1, CEL_OR_VALUE},
};

/* By level, from the loosest; those of a level are read from left to right. */
enum { LEVEL_OR, LEVEL_AND, LEVEL_RELATION, LEVEL_SUM, LEVEL_COUNT };

static const struct binary_operator {
    const char *mark;
    int level;
    enum cel_operation operation;
} operators[] = {
    {"||", LEVEL_OR, CEL_OR},
    {"&&", LEVEL_AND, CEL_AND},
    {"==", LEVEL_RELATION, CEL_EQUAL},
    {"!=", LEVEL_RELATION, CEL_UNEQUAL},
    {"<=", LEVEL_RELATION, CEL_AT_MOST},
    {">=", LEVEL_RELATION, CEL_AT_LEAST},
    {"<", LEVEL_RELATION, CEL_LESS},
    {">", LEVEL_RELATION, CEL_MORE},
    {"in", LEVEL_RELATION, CEL_IN},
    {"+", LEVEL_SUM, CEL_JOIN},
};

static bool parse_expression(struct parser *parser, struct cel_node **out, struct error *error);

/* ---- words ---- */

static bool advance(struct parser *parser, struct error *error)
{
    return cel_lexer_next(&parser->lexer, &parser->token, error);
}

static bool refuse(const struct parser *parser, const char *what, struct error *error)
{
    return error_set(error, ERROR_INVALID, "%s at byte %zu", what, parser->token.at + 1);
}

static bool next_is(const struct parser *parser, const char *mark)
{
    enum cel_token_kind kind = parser->token.kind;
    return (kind == TOKEN_MARK || kind == TOKEN_IDENTIFIER) && text_equal(parser->token.text, mark);
}

static bool expect(struct parser *parser, const char *mark, struct error *error)
{
    if (!next_is(parser, mark)) {
        return error_set(error, ERROR_INVALID, "expected '%s' at byte %zu", mark,
                         parser->token.at + 1);
    }
    return advance(parser, error);
}

/* ---- nodes ---- */

static struct cel_node *node_new(struct parser *parser, enum cel_operation operation)
{
    struct cel_node *node = arena_new(parser->arena, 1, sizeof(*node));
    node->operation = operation;
    node->at = parser->token.at;
    return node;
}

static void add_child(struct cel_node *node, struct cel_node *child)
{
    struct cel_node **end = &node->children;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = child;
}

static struct cel_node *binary(struct parser *parser, enum cel_operation operation,
                               struct cel_node *left, struct cel_node *right)
{
    struct cel_node *node = node_new(parser, operation);
    node->at = left->at;
    add_child(node, left);
    add_child(node, right);
    return node;
}

/* ---- primaries ---- */

/* NOLINTBEGIN(misc-no-recursion): parse_expression counts the depth */

/* Up to the closing mark, which is taken. */
static bool parse_list(struct parser *parser, const char *closing, struct cel_node *node,
                       struct error *error)
{
    while (!next_is(parser, closing)) {
        struct cel_node *item = NULL;
        if (!parse_expression(parser, &item, error)) {
            return false;
        }
        add_child(node, item);
        if (!next_is(parser, closing) && !expect(parser, ",", error)) {
            return false;
        }
    }
    return advance(parser, error);
}

static bool parse_call(struct parser *parser, const char *name, struct cel_node *target,
                       struct cel_node **out, struct error *error)
{
    struct cel_node *node = node_new(parser, CEL_CALL);
    const struct function *function = functions;
    const struct function *end = functions + sizeof(functions) / sizeof(*functions);
    while (function < end && !text_equal(function->name, name)) {
        function++;
    }
    if (function == end) {
        return error_set(error, ERROR_INVALID, "%s() is not supported here, at byte %zu", name,
                         parser->token.at);
    }
    if (!expect(parser, "(", error) || !parse_list(parser, ")", node, error)) {
        return false;
    }
    int count = 0;
    for (const struct cel_node *at = node->children; at != NULL; at = at->next) {
        count++;
    }
    if (count != (target != NULL ? function->on_target : function->free)) {
        return error_set(error, ERROR_INVALID, "found no matching overload for '%s' at byte %zu",
                         name, node->at);
    }
    if (target != NULL) {
        target->next = node->children;
        node->children = target;
    }
    node->function = function->function;
    *out = node;
    return true;
}

static bool parse_has(struct parser *parser, struct cel_node **out, struct error *error)
{
    struct cel_node *field = NULL;
    if (!expect(parser, "(", error) || !parse_expression(parser, &field, error)) {
        return false;
    }
    if (field->operation != CEL_SELECT) {
        return refuse(parser, "invalid argument to has() macro,", error);
    }
    field->operation = CEL_HAS;
    *out = field;
    return expect(parser, ")", error);
}

static bool parse_word(struct parser *parser, struct cel_node **out, struct error *error)
{
    struct cel_node *node = node_new(parser, CEL_LITERAL);
    const char *word = parser->token.text;
    if (!advance(parser, error)) {
        return false;
    }
    *out = node;
    if (next_is(parser, "(") && parser->token.kind == TOKEN_MARK) {
        return text_equal(word, "has") ? parse_has(parser, out, error)
                                       : parse_call(parser, word, NULL, out, error);
    }
    if (text_equal(word, "true") || text_equal(word, "false")) {
        node->literal = (struct cel_value){.kind = CEL_BOOL, .truth = *word == 't'};
    } else if (text_equal(word, "null")) {
        node->literal = (struct cel_value){.kind = CEL_NULL};
    } else if (text_equal(word, "self") || text_equal(word, "oldSelf")) {
        node->operation = *word == 's' ? CEL_SELF : CEL_OLD_SELF;
    } else {
        return error_set(error, ERROR_INVALID, "undeclared reference to '%s' at byte %zu", word,
                         node->at + 1);
    }
    return true;
}

static bool parse_primary(struct parser *parser, struct cel_node **out, struct error *error)
{
    struct cel_node *node = node_new(parser, CEL_LITERAL);
    *out = node;
    switch (parser->token.kind) {
    case TOKEN_IDENTIFIER:
        return parse_word(parser, out, error);
    case TOKEN_STRING:
        node->literal = (struct cel_value){.kind = CEL_STRING, .text = parser->token.text};
        return advance(parser, error);
    case TOKEN_INTEGER:
    case TOKEN_DOUBLE:
        node->literal = (struct cel_value){
            .kind = parser->token.kind == TOKEN_INTEGER ? CEL_INT : CEL_DOUBLE,
            .number = parser->token.number,
        };
        return advance(parser, error);
    case TOKEN_END:
    case TOKEN_MARK:
        break;
    }
    if (next_is(parser, "[")) {
        node->operation = CEL_LITERAL_LIST;
        return advance(parser, error) && parse_list(parser, "]", node, error);
    }
    if (next_is(parser, "(")) {
        return advance(parser, error) && parse_expression(parser, out, error) &&
               expect(parser, ")", error);
    }
    return refuse(parser, "expected an expression", error);
}

/* .name or .function(...) */
static bool parse_select(struct parser *parser, struct cel_node **node, struct error *error)
{
    const char *name = parser->token.text;
    struct cel_node *select = node_new(parser, CEL_SELECT);
    if (parser->token.kind != TOKEN_IDENTIFIER || cel_is_reserved(name)) {
        return refuse(parser, "expected a name", error);
    }
    if (!advance(parser, error)) {
        return false;
    }
    if (next_is(parser, "(")) {
        return parse_call(parser, name, *node, node, error);
    }
    select->name = cel_unescape(name, parser->arena);
    add_child(select, *node);
    *node = select;
    return true;
}

static bool parse_member(struct parser *parser, struct cel_node **out, struct error *error)
{
    if (!parse_primary(parser, out, error)) {
        return false;
    }
    while (next_is(parser, ".") || next_is(parser, "[")) {
        bool is_index = next_is(parser, "[");
        struct cel_node *index = NULL;
        if (!advance(parser, error)) {
            return false;
        }
        if (!is_index && !parse_select(parser, out, error)) {
            return false;
        }
        if (is_index && (!parse_expression(parser, &index, error) || !expect(parser, "]", error))) {
            return false;
        }
        *out = is_index ? binary(parser, CEL_INDEX, *out, index) : *out;
    }
    return true;
}

/* ---- operators, from the tightest ---- */

static bool parse_negative(struct parser *parser, struct cel_node **out, struct error *error)
{
    if (!advance(parser, error)) {
        return false;
    }
    if (parser->token.kind != TOKEN_INTEGER && parser->token.kind != TOKEN_DOUBLE) {
        return refuse(parser, "arithmetic is not supported here,", error);
    }
    if (!parse_primary(parser, out, error)) {
        return false;
    }
    (*out)->literal.number = -(*out)->literal.number;
    return true;
}

static bool parse_unary(struct parser *parser, struct cel_node **out, struct error *error)
{
    int negations = 0;
    struct cel_node *first = node_new(parser, CEL_NOT);
    for (; next_is(parser, "!"); negations++) {
        if (!advance(parser, error)) {
            return false;
        }
    }
    if (negations == 0 && next_is(parser, "-")) {
        return parse_negative(parser, out, error);
    }
    if (!parse_member(parser, out, error)) {
        return false;
    }
    for (; negations > 0; negations--) {
        struct cel_node *node = negations == 1 ? first : node_new(parser, CEL_NOT);
        add_child(node, *out);
        *out = node;
    }
    return true;
}

static const struct binary_operator *operator_next(const struct parser *parser, int level)
{
    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
        if (operators[i].level == level && next_is(parser, operators[i].mark)) {
            return &operators[i];
        }
    }
    return NULL;
}

static bool parse_level(struct parser *parser, int level, struct cel_node **out,
                        struct error *error)
{
    if (level == LEVEL_COUNT) {
        return parse_unary(parser, out, error);
    }
    if (!parse_level(parser, level + 1, out, error)) {
        return false;
    }
    const struct binary_operator *operator= operator_next(parser, level);
    while (operator!= NULL) {
        struct cel_node *right = NULL;
        if (!advance(parser, error) || !parse_level(parser, level + 1, &right, error)) {
            return false;
        }
        *out = binary(parser, operator->operation, *out, right);
        operator= operator_next(parser, level);
    }
    return true;
}

static bool parse_expression(struct parser *parser, struct cel_node **out, struct error *error)
{
    if (parser->depth == DEPTH_MAX) {
        return refuse(parser, "nested too deeply,", error);
    }
    parser->depth++;
    bool ok = parse_level(parser, LEVEL_OR, out, error);
    if (ok && next_is(parser, "?")) {
        struct cel_node *yes = NULL;
        struct cel_node *no = NULL;
        ok = advance(parser, error) && parse_level(parser, LEVEL_OR, &yes, error) &&
             expect(parser, ":", error) && parse_expression(parser, &no, error);
        if (ok) {
            *out = binary(parser, CEL_CONDITION, *out, yes);
            add_child(*out, no);
        }
    }
    parser->depth--;
    return ok;
}

/* NOLINTEND(misc-no-recursion) */

bool cel_parse(const char *source, struct arena *arena, struct cel_node **out_root,
               struct error *error)
{
    struct parser parser = {.lexer = {.source = source, .arena = arena}, .arena = arena};
    struct cel_node *root = NULL;
    if (!advance(&parser, error) || !parse_expression(&parser, &root, error)) {
        return false;
    }
    if (parser.token.kind != TOKEN_END) {
        return refuse(&parser, "expected an operator", error);
    }
    *out_root = root;
    return true;
}
