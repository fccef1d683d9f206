/* SPDX-License-Identifier: Apache-2.0 */
/* The index that stands for the real ones (podOwnerKey and the like) and for lists by label: a
   ward knows the names, the view has the objects. */
#include "sim/cnpg_ward.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/draft.h"
#include "sim/value.h"

#include <stdio.h>
#include <string.h>

/* By resource, then by name; -1, 0, 1. */
static int compare(const struct relative *relative, const struct record *record)
{
    int by_resource = strcmp(relative->resource->plural, record->resource->plural);
    return by_resource != 0 ? by_resource : strcmp(relative->name, record->name);
}

static size_t place_of(const struct ward *ward, const struct record *record)
{
    size_t at = 0;
    while (at < ward->relative_count && compare(&ward->relatives[at], record) < 0) {
        at++;
    }
    return at;
}

static bool is_at(const struct ward *ward, size_t at, const struct record *record)
{
    return at < ward->relative_count && compare(&ward->relatives[at], record) == 0;
}

void ward_add(struct ward *ward, const struct record *record)
{
    size_t at = place_of(ward, record);
    if (is_at(ward, at, record)) {
        return;
    }
    ward->relatives =
        memory_resize(ward->relatives, ward->relative_count + 1, sizeof(*ward->relatives));
    memmove(&ward->relatives[at + 1], &ward->relatives[at],
            (ward->relative_count - at) * sizeof(*ward->relatives));
    ward->relatives[at] =
        (struct relative){.resource = record->resource, .name = memory_copy_text(record->name)};
    ward->relative_count++;
}

void ward_remove(struct ward *ward, const struct record *record)
{
    size_t at = place_of(ward, record);
    if (!is_at(ward, at, record)) {
        return;
    }
    memory_free(ward->relatives[at].name);
    ward->relative_count--;
    memmove(&ward->relatives[at], &ward->relatives[at + 1],
            (ward->relative_count - at) * sizeof(*ward->relatives));
}

const struct record *ward_next(const struct ward *ward, const struct resource *resource, size_t *at)
{
    while (*at < ward->relative_count) {
        const struct relative *relative = &ward->relatives[(*at)++];
        const struct record *record =
            relative->resource == resource
                ? view_get(ward->cnpg->view, resource, ward->namespace, relative->name)
                : NULL;
        if (record != NULL) {
            return record;
        }
    }
    return NULL;
}

const struct record *ward_next_owned(const struct ward *ward, const struct resource *resource,
                                     size_t *at)
{
    const struct record *record;
    while ((record = ward_next(ward, resource, at)) != NULL) {
        if (ward_owns(ward, record->value)) {
            return record;
        }
    }
    return NULL;
}

bool ward_owns(const struct ward *ward, const cJSON *object)
{
    const cJSON *owner = value_controller(object);
    return value_equal_text(owner, "Cluster", "kind", NULL) &&
           value_equal_text(owner, CNPG_API_VERSION_TEXT, "apiVersion", NULL) &&
           value_equal_text(owner, ward->name, "name", NULL);
}

void ward_mark(const struct ward *ward, cJSON *object)
{
    cJSON *metadata = value_make(object, "metadata", NULL);
    value_set(metadata, "ownerReferences",
              draft("[{'apiVersion':'" CNPG_API_VERSION_TEXT "','kind':'Cluster','name':'$1',"
                    "'uid':'$2','controller':true}]",
                    ward->name, ward->cluster->uid, NULL));
    cJSON *labels = value_make(metadata, "labels", NULL);
    value_set_text(labels, CNPG_LABEL_OF_CLUSTER, ward->name);
    value_set_text(labels, "app.kubernetes.io/managed-by", "cloudnative-pg");
    value_set_text(labels, "app.kubernetes.io/name", "postgresql");
    value_set_text(labels, "app.kubernetes.io/component", "database");
    value_set_text(value_make(metadata, "annotations", NULL), "cnpg.io/operatorVersion", "1.30.0");
}

void ward_instance_name(const struct ward *ward, int64_t serial, char out[CNPG_NAME_BYTES_MAX])
{
    (void)snprintf(out, CNPG_NAME_BYTES_MAX, "%s-%lld", ward->name, (long long)serial);
}
