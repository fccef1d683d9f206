/* SPDX-License-Identifier: Apache-2.0 */
/* x-kubernetes-validations: read when the definition is posted, run for each write.
   (apiextensions-apiserver pkg/apiserver/schema/cel/validation.go) */
#include "sim/schema_build.h"
#include "sim/schema_judge.h"

#include "sim/cel.h"
#include "sim/value.h"

#include "base/memory.h"
#include "base/text.h"

#include <string.h>

enum { SOURCE_BYTES_MAX = 16 * 1024 };

/* ---- reading ---- */

static const char *const members[] = {"rule",   "message",   "messageExpression",
                                      "reason", "fieldPath", "optionalOldSelf"};

static const struct reason {
    const char *name;
    enum violation kind;
} reasons[] = {
    {"FieldValueInvalid", VIOLATION_INVALID},
    {"FieldValueForbidden", VIOLATION_FORBIDDEN},
    {"FieldValueRequired", VIOLATION_REQUIRED},
    {"FieldValueDuplicate", VIOLATION_DUPLICATE},
};

static void refuse_unknown(const cJSON *item, const struct schema_path *path,
                           const struct schema_builder *builder)
{
    const cJSON *member = NULL;
    cJSON_ArrayForEach(member, item)
    {
        bool is_known = false;
        for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
            is_known = is_known || text_equal(members[i], member->string);
        }
        if (!is_known) {
            schema_refuse(builder, path, member->string, VIOLATION_FORBIDDEN, NULL,
                          "not supported by this simulated API server");
        }
    }
}

static void read_reason(struct schema_rule *rule, const cJSON *item, const struct schema_path *path,
                        const struct schema_builder *builder)
{
    const char *name = value_text(item, "reason", NULL);
    bool found = name == NULL;
    for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
        if (text_equal(reasons[i].name, name)) {
            rule->reason = reasons[i].kind;
            found = true;
        }
    }
    if (!found) {
        schema_refuse(builder, path, "reason", VIOLATION_UNSUPPORTED,
                      value_at(item, "reason", NULL),
                      "supported values: \"FieldValueDuplicate\", \"FieldValueForbidden\", "
                      "\"FieldValueInvalid\", \"FieldValueRequired\"");
    }
}

/* .a.b, each a property; brackets are refused. */
static void read_field_path(struct schema_rule *rule, const struct schema_node *node,
                            const cJSON *item, const struct schema_path *path,
                            const struct schema_builder *builder)
{
    const char *field_path = value_text(item, "fieldPath", NULL);
    const struct schema_node *at = node;
    rule->field_path = field_path != NULL ? field_path : "";
    for (const char *name = rule->field_path; *name != '\0' && at != NULL;) {
        cleanup_text struct text one;
        text_init(&one, SOURCE_BYTES_MAX);
        size_t byte_count = *name == '.' ? strcspn(name + 1, ".[") : 0;
        text_append_bytes(&one, name + 1, byte_count);
        at = byte_count > 0 ? schema_node_member(at, one.bytes) : NULL;
        name += 1 + byte_count;
    }
    if (at == NULL) {
        schema_refuse(builder, path, "fieldPath", VIOLATION_INVALID,
                      value_at(item, "fieldPath", NULL), "fieldPath must be a valid path");
    }
}

static struct cel *compile(const cJSON *item, const char *keyword, const struct cel_place *place,
                           enum cel_result result, const struct schema_path *path,
                           const struct schema_builder *builder)
{
    struct error error;
    struct cel *cel = NULL;
    const char *source = value_text(item, keyword, NULL);
    if (!cel_new(source, place, result, &cel, &error)) {
        schema_refuse(builder, path, keyword, VIOLATION_INVALID, value_at(item, keyword, NULL),
                      "compilation failed: %s", error.message);
    }
    return cel;
}

static void check_old_self(const struct schema_rule *rule, const struct schema_path *path,
                           const struct schema_builder *builder)
{
    bool uses_old_self = rule->condition != NULL && cel_uses_old_self(rule->condition);
    if (uses_old_self && !builder->is_correlated) {
        schema_refuse(builder, path, "rule", VIOLATION_INVALID, NULL,
                      "oldSelf cannot be used on the uncorrelatable portion of the schema");
    }
    if (rule->old_is_optional && rule->condition != NULL && !uses_old_self) {
        schema_refuse(builder, path, "optionalOldSelf", VIOLATION_INVALID, NULL,
                      "may not be set if oldSelf is not used in rule");
    }
}

static void read_rule(struct schema_rule *rule, const struct schema_node *node, const cJSON *item,
                      const struct schema_path *path, const struct schema_builder *builder)
{
    struct cel_place place = {.self = node,
                              .old_is_optional = value_true(item, "optionalOldSelf", NULL)};
    refuse_unknown(item, path, builder);
    rule->source = value_text(item, "rule", NULL);
    rule->message = value_text(item, "message", NULL);
    rule->old_is_optional = place.old_is_optional;
    rule->reason = VIOLATION_INVALID;
    read_reason(rule, item, path, builder);
    read_field_path(rule, node, item, path, builder);
    if (rule->source == NULL) {
        schema_refuse(builder, path, "rule", VIOLATION_REQUIRED, NULL, "rule is not specified");
        return;
    }
    rule->condition = compile(item, "rule", &place, CEL_GIVES_TRUTH, path, builder);
    if (value_text(item, "messageExpression", NULL) != NULL) {
        rule->message_expression =
            compile(item, "messageExpression", &place, CEL_GIVES_TEXT, path, builder);
    }
    check_old_self(rule, path, builder);
}

void schema_read_rules(struct schema_node *node, const cJSON *rules, const struct schema_path *path,
                       const struct schema_builder *builder)
{
    struct schema_path list = {
        .parent = path, .kind = PATH_MEMBER, .name = "x-kubernetes-validations"};
    node->rules = memory_new((size_t)cJSON_GetArraySize(rules) + 1, sizeof(*node->rules));
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, rules)
    {
        struct schema_path at = {.parent = &list, .kind = PATH_INDEX, .index = node->rule_count};
        read_rule(&node->rules[node->rule_count++], node, item, &at, builder);
    }
}

void schema_free_rules(struct schema_node *node)
{
    for (size_t i = 0; i < node->rule_count; i++) {
        cel_free(node->rules[i].condition);
        cel_free(node->rules[i].message_expression);
    }
    memory_free(node->rules);
}

/* ---- running ---- */

/* A value with a rule on it. */
struct case_of {
    const struct schema_node *node;
    const cJSON *value, *old;
    const struct case_of *within; /* the value that this one is part of */
    const struct schema_path *path;
    struct violations *violations;
};

static void report_failure(const struct case_of *of, const struct schema_rule *rule,
                           const struct error *error)
{
    cJSON *type = cJSON_CreateString(schema_type_name(of->node->type));
    const char *said = rule->message != NULL ? rule->message : rule->source;
    bool is_overload = text_starts_with(error->message, "no such overload");
    schema_path_violation(of->path, of->violations, VIOLATION_INVALID, type,
                          is_overload ? "'%s': call arguments did not match a supported operator, "
                                        "function or macro signature for rule: %s"
                                      : "%s evaluating rule: %s",
                          error->message, said);
    cJSON_Delete(type);
}

/* Why not, as the rule's author says it; the caller's. */
static char *reason_of(const struct case_of *of, const struct schema_rule *rule)
{
    struct error error;
    char *said = NULL;
    if (rule->message_expression != NULL &&
        cel_write(rule->message_expression, of->value, of->old, &said, &error)) {
        return said;
    }
    if (rule->message != NULL) {
        return memory_copy_text(rule->message);
    }
    cleanup_text struct text failed;
    text_init(&failed, SOURCE_BYTES_MAX);
    text_print(&failed, "failed rule: %s", rule->source);
    return text_take(&failed);
}

static void report(const struct case_of *of, const struct schema_rule *rule)
{
    bool has_parts = of->node->type == SCHEMA_OBJECT || of->node->type == SCHEMA_ARRAY;
    cleanup_memory char *said = reason_of(of, rule);
    struct schema_path within = {
        .parent = of->path, .kind = PATH_MEMBER, .name = rule->field_path + 1};
    bool shows_detail = rule->reason != VIOLATION_DUPLICATE;
    schema_path_violation(rule->field_path[0] == '\0' ? of->path : &within, of->violations,
                          rule->reason, has_parts ? NULL : of->value, "%s",
                          shows_detail ? said : "");
}

/* As before, or part of what is as before where nobody can tell which part was which. */
static bool is_unchanged(const struct case_of *of)
{
    while (of->old == NULL && of->within != NULL) {
        of = of->within;
    }
    return of->old != NULL && value_equal(of->value, of->old);
}

static void run_rules(const struct case_of *of)
{
    for (size_t i = 0; i < of->node->rule_count; i++) {
        const struct schema_rule *rule = &of->node->rules[i];
        bool is_transition = cel_uses_old_self(rule->condition);
        if (is_transition && of->old == NULL && !rule->old_is_optional) {
            continue;
        }
        struct error error;
        bool holds = false;
        if (!cel_judge(rule->condition, of->value, of->old, &holds, &error)) {
            report_failure(of, rule, &error);
        } else if (!holds && (is_transition || !is_unchanged(of))) {
            report(of, rule);
        }
    }
}

static void judge(const struct case_of *of);

/* NOLINTBEGIN(misc-no-recursion): as deep as the object, which has a limit */

static void judge_part(const struct case_of *of, const cJSON *part, size_t index)
{
    struct schema_path at = {.parent = of->path, .kind = PATH_INDEX, .index = index};
    struct case_of inner = {.value = part, .within = of, .path = &at, .violations = of->violations};
    if (cJSON_IsObject(of->value)) {
        inner.node = schema_node_member(of->node, part->string);
        inner.old = value_member(of->old, part->string);
        at.kind = inner.node == of->node->additional ? PATH_KEY : PATH_MEMBER;
        at.name = part->string;
    } else {
        inner.node = of->node->items;
        inner.old = schema_old_item(of->node, of->old, part);
    }
    if (inner.node != NULL) {
        judge(&inner);
    }
}

static void judge(const struct case_of *of)
{
    if (!of->node->has_rules_within || cJSON_IsNull(of->value)) {
        return;
    }
    run_rules(of);
    size_t index = 0;
    const cJSON *part = NULL;
    cJSON_ArrayForEach(part, of->value)
    {
        judge_part(of, part, index++);
    }
}

/* NOLINTEND(misc-no-recursion) */

void schema_judge_rules(const struct schema_node *node, const cJSON *value, const cJSON *old,
                        const struct schema_path *path, struct violations *violations)
{
    struct case_of whole = {
        .node = node, .value = value, .old = old, .path = path, .violations = violations};
    judge(&whole);
}
