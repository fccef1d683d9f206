/* SPDX-License-Identifier: Apache-2.0 */
/* Integers and doubles are both doubles here, as in the trees they come from, and compare as
   numbers; that 1 == 1.0 is no expression is for cel_types.c to say. */
#include "sim/cel_value.h"

#include "base/text.h"
#include "sim/value.h"

#include <string.h>

struct cel_type cel_type_of(const struct schema_node *node)
{
    static const enum cel_kind kinds[] = {
        [SCHEMA_ANYTHING] = CEL_DYNAMIC, [SCHEMA_OBJECT] = CEL_OBJECT,
        [SCHEMA_ARRAY] = CEL_LIST,       [SCHEMA_STRING] = CEL_STRING,
        [SCHEMA_INTEGER] = CEL_INT,      [SCHEMA_NUMBER] = CEL_DOUBLE,
        [SCHEMA_BOOLEAN] = CEL_BOOL,     [SCHEMA_INT_OR_STRING] = CEL_DYNAMIC,
    };
    struct cel_type type = {.kind = CEL_DYNAMIC, .node = node};
    if (node != NULL) {
        type.kind = kinds[node->type];
    }
    if (type.kind == CEL_OBJECT && node->additional != NULL) {
        type.kind = CEL_MAP;
    }
    return type;
}

struct cel_value cel_value_of_json(const struct schema_node *node, const cJSON *json)
{
    struct cel_value value = {.kind = cel_type_of(node).kind, .node = node, .json = json};
    if (cJSON_IsNull(json)) {
        value.kind = CEL_NULL;
    } else if (cJSON_IsBool(json)) {
        value.kind = CEL_BOOL;
        value.truth = cJSON_IsTrue(json) != 0;
    } else if (cJSON_IsNumber(json)) {
        value.kind = value.kind == CEL_DOUBLE ? CEL_DOUBLE : CEL_INT;
        value.number = json->valuedouble;
    } else if (cJSON_IsString(json)) {
        value.kind = CEL_STRING;
        value.text = json->valuestring;
    } else if (cJSON_IsArray(json)) {
        value.kind = CEL_LIST;
    } else if (value.kind != CEL_MAP) {
        value.kind = CEL_OBJECT;
    }
    return value;
}

struct cel_value cel_value_of_truth(bool truth)
{
    return (struct cel_value){.kind = CEL_BOOL, .truth = truth};
}

bool cel_value_is_number(const struct cel_value *value)
{
    return value->kind == CEL_INT || value->kind == CEL_DOUBLE;
}

static size_t item_count(const struct cel_value *list)
{
    return list->json != NULL ? (size_t)cJSON_GetArraySize(list->json) : list->item_count;
}

static struct cel_value item_at(const struct cel_value *list, size_t index)
{
    return list->json != NULL ? cel_value_of_json(list->node != NULL ? list->node->items : NULL,
                                                  cJSON_GetArrayItem(list->json, (int)index))
                              : list->items[index];
}

/* NOLINTBEGIN(misc-no-recursion): lists of a rule are as deep as the rule */

/* One of them stands in the rule. */
static bool are_lists_equal(const struct cel_value *left, const struct cel_value *right)
{
    size_t count = item_count(left);
    bool equal = count == item_count(right);
    for (size_t i = 0; equal && i < count; i++) {
        struct cel_value a = item_at(left, i);
        struct cel_value b = item_at(right, i);
        equal = cel_value_equal(&a, &b);
    }
    return equal;
}

bool cel_value_equal(const struct cel_value *left, const struct cel_value *right)
{
    if (cel_value_is_number(left) && cel_value_is_number(right)) {
        return left->number == right->number;
    }
    if (left->kind != right->kind) {
        return false;
    }
    switch (left->kind) {
    case CEL_NULL:
        return true;
    case CEL_BOOL:
        return left->truth == right->truth;
    case CEL_STRING:
        return text_equal(left->text, right->text);
    case CEL_LIST:
        return left->json != NULL && right->json != NULL
                   ? schema_equal(left->node, left->json, right->json)
                   : are_lists_equal(left, right);
    case CEL_INT:
    case CEL_DOUBLE:
    case CEL_MAP:
    case CEL_OBJECT:
    case CEL_OPTIONAL:
    case CEL_DYNAMIC:
        break;
    }
    return schema_equal(left->node, left->json, right->json);
}

/* NOLINTEND(misc-no-recursion) */

bool cel_value_order(const struct cel_value *left, const struct cel_value *right, int *out_order)
{
    if (cel_value_is_number(left) && cel_value_is_number(right)) {
        *out_order = (left->number > right->number) - (left->number < right->number);
        return true;
    }
    if (left->kind == CEL_STRING && right->kind == CEL_STRING) {
        *out_order = strcmp(left->text, right->text);
        return true;
    }
    return false;
}

bool cel_value_contains(const struct cel_value *in, const struct cel_value *item, bool *out_yes)
{
    bool found = false;
    if (in->kind == CEL_MAP && item->kind == CEL_STRING) {
        *out_yes = value_member(in->json, item->text) != NULL;
        return true;
    }
    if (in->kind != CEL_LIST) {
        return false;
    }
    for (size_t i = 0; !found && i < item_count(in); i++) {
        struct cel_value candidate = item_at(in, i);
        found = cel_value_equal(item, &candidate);
    }
    *out_yes = found;
    return true;
}

/* As UTF-8 has them. */
static size_t character_count(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xC0U) != 0x80U ? 1 : 0;
    }
    return count;
}

bool cel_value_size(const struct cel_value *value, size_t *out_size)
{
    if (value->kind == CEL_STRING) {
        *out_size = character_count(value->text);
    } else if (value->kind == CEL_LIST) {
        *out_size = item_count(value);
    } else if (value->kind == CEL_MAP) {
        *out_size = (size_t)cJSON_GetArraySize(value->json);
    } else {
        return false;
    }
    return true;
}
