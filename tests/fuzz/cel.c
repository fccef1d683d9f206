/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever the rule: in parentheses it is the same rule, and its negation, where that is one, holds
   when it does not. Behind the rule come self and oldSelf; there are some where they are not. */
#include "sim/cel.h"

#include "base/memory.h"
#include "sim/schema_node.h"
#include "support/fuzz_input.h"

#include <string.h>

static const char SCHEMA[] =
    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},\"d\":{\"type\":\"number\"},"
    "\"s\":{\"type\":\"string\"},\"t\":{\"type\":\"string\",\"nullable\":true},"
    "\"b\":{\"type\":\"boolean\"},\"either\":{\"x-kubernetes-int-or-string\":true},"
    "\"list\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"map\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"}},"
    "\"o\":{\"type\":\"object\",\"properties\":{\"in\":{\"type\":\"string\"}}}}}";
static const char OBJECT[] = "{\"n\":3,\"d\":2.5,\"s\":\"ab\",\"b\":true,\"either\":\"x\","
                             "\"list\":[\"a\",\"b\"],\"map\":{\"one\":1},\"o\":{\"in\":\"i\"}}";

enum verdict { VERDICT_REFUSED, VERDICT_ERROR, VERDICT_NO, VERDICT_YES };

static cJSON *value_of(const char *text)
{
    struct fuzz_input input = {(const unsigned char *)text, strlen(text)};
    return fuzz_input_value(&input);
}

struct subject {
    const struct schema_node *node;
    const cJSON *self, *old_self;
};

static enum verdict judge(const struct subject *subject, const char *before, const char *rule,
                          const char *after)
{
    cleanup_text struct text source;
    text_init(&source, FUZZ_TEXT_BYTES_MAX);
    text_print(&source, "%s%s%s", before, rule, after);
    struct cel_place place = {.self = subject->node};
    struct cel *cel = NULL;
    struct error error;
    bool holds = false;
    if (!cel_new(source.bytes, &place, CEL_GIVES_TRUTH, &cel, &error)) {
        return VERDICT_REFUSED;
    }
    bool judged = cel_judge(cel, subject->self, subject->old_self, &holds, &error);
    cel_free(cel);
    return !judged ? VERDICT_ERROR : holds ? VERDICT_YES : VERDICT_NO;
}

static void play(const struct subject *subject, const char *rule)
{
    enum verdict verdict = judge(subject, "", rule, "");
    if (verdict == VERDICT_REFUSED) {
        return;
    }
    enum verdict enclosed = judge(subject, "(", rule, ")");
    fuzz_require(enclosed == verdict || enclosed == VERDICT_REFUSED, "parentheses change nothing");
    enum verdict negated = judge(subject, "!(", rule, ")");
    fuzz_require(negated == VERDICT_REFUSED ||
                     (verdict == VERDICT_ERROR
                          ? negated == VERDICT_ERROR
                          : (negated == VERDICT_YES) != (verdict == VERDICT_YES)),
                 "a rule or its negation holds");
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    cleanup_memory char *rule = fuzz_input_text(&input);
    cleanup_violations struct violations violations;
    violations_init(&violations);
    cJSON *schema = value_of(SCHEMA);
    cJSON *self = fuzz_input_value(&input);
    cJSON *old_self = fuzz_input_value(&input);
    self = self == NULL ? value_of(OBJECT) : self;
    old_self = old_self == NULL ? value_of(OBJECT) : old_self;
    struct schema_node *node = schema_node_new(schema, "schema", &violations);
    play(&(struct subject){node, self, old_self}, rule);
    schema_node_free(node);
    cJSON_Delete(schema);
    cJSON_Delete(self);
    cJSON_Delete(old_self);
    return 0;
}
