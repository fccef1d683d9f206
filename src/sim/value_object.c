/* SPDX-License-Identifier: Apache-2.0 */
/* The part of sim/value.h that knows what a Kubernetes object looks like. */
#include "sim/value.h"

static const char *text_or_none(const char *text)
{
    return text == NULL ? "" : text;
}

const char *value_name(const cJSON *object)
{
    return text_or_none(value_text(object, "metadata", "name", NULL));
}

const char *value_namespace(const cJSON *object)
{
    return text_or_none(value_text(object, "metadata", "namespace", NULL));
}

const char *value_uid(const cJSON *object)
{
    return text_or_none(value_text(object, "metadata", "uid", NULL));
}

const char *value_label(const cJSON *object, const char *key)
{
    return value_text(object, "metadata", "labels", key, NULL);
}

const char *value_annotation(const cJSON *object, const char *key)
{
    return value_text(object, "metadata", "annotations", key, NULL);
}

bool value_is_deleting(const cJSON *object)
{
    return value_text(object, "metadata", "deletionTimestamp", NULL) != NULL;
}

bool value_has_finalizer(const cJSON *object, const char *finalizer)
{
    return value_list_has(value_at(object, "metadata", "finalizers", NULL), finalizer);
}

const cJSON *value_controller(const cJSON *object)
{
    const cJSON *owners = value_at(object, "metadata", "ownerReferences", NULL);
    const cJSON *owner = cJSON_IsArray(owners) ? owners->child : NULL;
    while (owner != NULL && !value_true(owner, "controller", NULL)) {
        owner = owner->next;
    }
    return owner;
}
