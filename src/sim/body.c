/* SPDX-License-Identifier: Apache-2.0 */
/* The real server decodes every body into a struct, so a wrong type is found by the decoder. Here
   trees are kept, and the types of those members are looked at which somebody would trip over. */
#include "sim/body.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/patch_merge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { API_VERSION_BYTES = 256, WORDS_BYTES = 512 };

static bool refuse(struct write *write, bool is_patch, const char *format, ...) PRINTF_LIKE(3, 4);

static bool refuse(struct write *write, bool is_patch, const char *format, ...)
{
    char words[WORDS_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof(words), format, arguments);
    va_end(arguments);
    if (!is_patch) {
        return outcome_bad_request(write->outcome, "%s", words);
    }
    cleanup_memory char *body = value_print(write->value);
    cJSON *quoted = cJSON_CreateString(body);
    cleanup_memory char *value = value_print(quoted);
    cleanup_text struct text cause;
    cJSON_Delete(quoted);
    text_init(&cause, strlen(value) + sizeof(words));
    text_print(&cause, "Invalid value: %s: %s", value, words);
    outcome_add_cause(write->outcome, "FieldValueInvalid", cause.bytes, "patch");
    return outcome_refuse(write->outcome, 422, "Invalid", " \"\" is invalid: patch: %s",
                          cause.bytes);
}

/* ---- what it says of itself ---- */

static void api_version_of(const struct resource *resource, char out[API_VERSION_BYTES])
{
    (void)snprintf(out, API_VERSION_BYTES, "%s%s%s", resource->group,
                   resource->group[0] == '\0' ? "" : "/", resource->version);
}

static void put_first(cJSON *object, const char *name, const char *text)
{
    value_set_text(object, name, text);
    cJSON *member = value_member(object, name);
    if (member != object->child) {
        cJSON_InsertItemInArray(object, 0, cJSON_DetachItemViaPointer(object, member));
    }
}

/* apiVersion and kind, which become the first members: built-in kinds may lack them, custom ones
 * not. */
static bool check_type(struct write *write, bool is_patch)
{
    char expected[API_VERSION_BYTES];
    const struct resource *resource = write->resource;
    const char *kind = value_text(write->value, "kind", NULL);
    const char *version = value_text(write->value, "apiVersion", NULL);
    api_version_of(resource, expected);
    if (resource_is_custom(resource) && (kind == NULL || version == NULL)) {
        cleanup_memory char *body = value_print(write->value);
        return outcome_bad_request(write->outcome, "Object '%s' is missing in '%s'",
                                   kind == NULL ? "Kind" : "apiVersion", body);
    }
    if (version != NULL && version[0] != '\0' && strcmp(version, expected) != 0) {
        return refuse(
            write, is_patch,
            "the API version in the data (%s) does not match the expected API version (%s)",
            version, expected);
    }
    if (kind != NULL && kind[0] != '\0' && strcmp(kind, resource->kind) != 0) {
        return refuse(write, is_patch, "%s in version \"%s\" cannot be handled as a %s", kind,
                      resource->version, resource->kind);
    }
    put_first(write->value, "apiVersion", expected);
    put_first(write->value, "kind", resource->kind);
    return true;
}

static bool check_namespace(struct write *write)
{
    const char *namespace = value_namespace(write->value);
    cJSON *metadata = value_make(write->value, "metadata", NULL);
    if (!write->resource->is_namespaced) {
        value_set_text(metadata, "namespace", NULL);
        return true;
    }
    if (namespace[0] != '\0' && strcmp(namespace, write->namespace) != 0) {
        return outcome_bad_request(write->outcome,
                                   "the namespace of the provided object does not match the "
                                   "namespace sent on the request");
    }
    if (namespace[0] == '\0') {
        value_set_text(metadata, "namespace", write->namespace);
    }
    return true;
}

/* ---- the types of its members ---- */

struct member {
    const struct resource *resource; /* NULL: all */
    const char *section, *name;      /* section NULL: of the object itself */
    bool is_list;                    /* of texts or objects; else texts by name */
};

static const struct member members[] = {
    {.section = "metadata", .name = "labels"},
    {.section = "metadata", .name = "annotations"},
    {.section = "metadata", .name = "finalizers", .is_list = true},
    {.section = "metadata", .name = "ownerReferences", .is_list = true},
    {.resource = &resource_config_maps, .name = "data"},
    {.resource = &resource_config_maps, .name = "binaryData"},
    {.resource = &resource_secrets, .name = "data"},
    {.resource = &resource_secrets, .name = "stringData"},
};

static const char *type_of(const cJSON *value)
{
    return cJSON_IsString(value)   ? "string"
           : cJSON_IsNumber(value) ? "number"
           : cJSON_IsBool(value)   ? "bool"
           : cJSON_IsArray(value)  ? "array"
                                   : "object";
}

/* NULL: absent, or of another kind. */
static cJSON *find(const struct write *write, const struct member *member, cJSON **out_parent)
{
    bool applies = member->resource == NULL || member->resource == write->resource;
    *out_parent =
        member->section == NULL ? write->value : value_member(write->value, member->section);
    return applies ? value_member(*out_parent, member->name) : NULL;
}

/* NULL: it is right. */
static const char *wrong_type(const cJSON *value, const struct member *member)
{
    const cJSON *item = NULL;
    if (member->is_list) {
        return cJSON_IsArray(value) ? NULL : type_of(value);
    }
    if (!cJSON_IsObject(value)) {
        return type_of(value);
    }
    cJSON_ArrayForEach(item, value)
    {
        if (!cJSON_IsString(item)) {
            return type_of(item);
        }
    }
    return NULL;
}

static bool check_member(struct write *write, bool is_patch, const struct member *member)
{
    cJSON *parent = NULL;
    const cJSON *value = find(write, member, &parent);
    const char *type = value == NULL ? NULL : wrong_type(value, member);
    const char *kind = member->section == NULL ? write->resource->kind : "ObjectMeta.metadata";
    return type == NULL ||
           refuse(write, is_patch, "json: cannot unmarshal %s into Go struct field %s.%s", type,
                  kind, member->name);
}

/* Nulls are absent members; those of a schema's own fields are the schema's to judge. */
static void drop_nulls(struct write *write)
{
    patch_merge_drop_nulls(write->resource->schema == NULL
                               ? write->value
                               : value_make(write->value, "metadata", NULL));
}

bool body_check(struct write *write, bool is_patch)
{
    if (!cJSON_IsObject(write->value)) {
        return outcome_bad_request(write->outcome,
                                   "json: cannot unmarshal the body into an object of kind %s",
                                   write->resource->kind);
    }
    drop_nulls(write);
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        if (!check_member(write, is_patch, &members[i])) {
            return false;
        }
    }
    return check_type(write, is_patch) && check_namespace(write);
}

void body_tidy(struct write *write)
{
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        cJSON *parent = NULL;
        const cJSON *value = find(write, &members[i], &parent);
        if (value != NULL && value->child == NULL) {
            value_set(parent, members[i].name, NULL);
        }
    }
}
