/* SPDX-License-Identifier: Apache-2.0 */
/* The whole of a version: a copy of what was posted, which the nodes borrow their texts from, and
   the nodes. */
#include "sim/schema.h"

#include "sim/schema_columns.h"
#include "sim/schema_judge.h"
#include "sim/schema_shape.h"
#include "sim/value.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES_MAX = 256 };

struct schema {
    cJSON *version;
    struct schema_node *root;
    struct columns *columns;
};

struct schema *schema_new(const cJSON *version, const char *path, struct violations *violations)
{
    struct schema *schema = memory_new(1, sizeof(*schema));
    cleanup_text struct text at;
    text_init(&at, PATH_BYTES_MAX);
    schema->version = cJSON_Duplicate(version, true);
    text_print(&at, "%s.schema.openAPIV3Schema", path);
    schema->root = schema_node_new(schema_open_api(schema), at.bytes, violations);
    text_clear(&at);
    text_print(&at, "%s.additionalPrinterColumns", path);
    schema->columns = columns_new(value_at(schema->version, "additionalPrinterColumns", NULL),
                                  at.bytes, violations);
    if (schema->root == NULL || schema->columns == NULL) {
        schema_free(schema);
        return NULL;
    }
    return schema;
}

void schema_free(struct schema *schema)
{
    if (schema != NULL) {
        schema_node_free(schema->root);
        columns_free(schema->columns);
        cJSON_Delete(schema->version);
        memory_free(schema);
    }
}

/* ---- pruning ---- */

/* k8s.io/apimachinery meta/v1 ObjectMeta. */
static const char *const metadata_members[] = {
    "name",
    "generateName",
    "namespace",
    "selfLink",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    "managedFields",
};

static bool is_of_metadata(const char *name)
{
    for (size_t i = 0; i < sizeof(metadata_members) / sizeof(*metadata_members); i++) {
        if (text_equal(metadata_members[i], name)) {
            return true;
        }
    }
    return false;
}

static void say_unknown(struct text *out, const char *parent, const char *name)
{
    if (out != NULL) {
        text_print(out, "%sunknown field \"%s%s\"", out->length_bytes == 0 ? "" : ", ", parent,
                   name);
    }
}

static void prune_metadata(cJSON *metadata, struct text *unknown)
{
    cJSON *next = NULL;
    for (cJSON *member = metadata != NULL ? metadata->child : NULL; member != NULL; member = next) {
        next = member->next;
        if (!is_of_metadata(member->string)) {
            say_unknown(unknown, "metadata.", member->string);
            cJSON_Delete(cJSON_DetachItemViaPointer(metadata, member));
        }
    }
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Sorted, as the server has them. */
static void say_all_unknown(const cJSON *paths, struct text *out)
{
    size_t count = (size_t)cJSON_GetArraySize(paths);
    cleanup_memory const char **sorted = memory_new(count + 1, sizeof(*sorted));
    size_t i = 0;
    const cJSON *path = NULL;
    cJSON_ArrayForEach(path, paths)
    {
        sorted[i++] = path->valuestring;
    }
    qsort(sorted, count, sizeof(*sorted), compare_texts);
    for (i = 0; i < count; i++) {
        say_unknown(out, "", sorted[i]);
    }
}

void schema_prune(const struct schema *schema, cJSON *value, struct text *unknown)
{
    cJSON *paths = unknown != NULL ? cJSON_CreateArray() : NULL;
    prune_metadata(value_at(value, "metadata", NULL), unknown);
    schema_shape_prune(schema->root, value, paths);
    if (unknown != NULL) {
        say_all_unknown(paths, unknown);
    }
    cJSON_Delete(paths);
}

/* ---- the rest ---- */

void schema_default(const struct schema *schema, cJSON *value)
{
    schema_shape_default(schema->root, value);
}

void schema_judge(const struct schema_node *node, const cJSON *value, const cJSON *old,
                  const struct schema_path *path, struct violations *violations)
{
    schema_judge_value(node, value, old, path, violations);
    schema_judge_lists(node, value, path, violations);
    if (!node->has_rules_within) {
        return;
    }
    if (violations->blocks_rules) {
        cJSON *null = cJSON_CreateNull();
        violations_add(violations, VIOLATION_INVALID, "<nil>", null,
                       "some validation rules were not checked because the object was invalid; "
                       "correct the existing errors to complete validation");
        cJSON_Delete(null);
        return;
    }
    schema_judge_rules(node, value, old, path, violations);
}

void schema_validate(const struct schema *schema, const cJSON *value, const cJSON *old,
                     struct violations *violations)
{
    schema_judge(schema->root, value, old, NULL, violations);
}

const struct columns *schema_columns(const struct schema *schema)
{
    return schema->columns;
}

const cJSON *schema_open_api(const struct schema *schema)
{
    return value_at(schema->version, "schema", "openAPIV3Schema", NULL);
}
