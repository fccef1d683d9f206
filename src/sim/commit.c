/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/commit.h"

#include "sim/definitions.h"
#include "sim/quota.h"

struct record *commit_put(struct apiserver *server, const struct resource *resource, cJSON *value)
{
    struct record *record = record_keep(objects_put(server->objects, resource, value));
    if (resource == &resource_definitions) {
        definitions_register(server, record->value);
    }
    quota_settle(server, resource, record->namespace);
    return record;
}

struct record *commit_remove(struct apiserver *server, const struct record *record)
{
    const struct resource *resource = record->resource;
    uint64_t revision = objects_revision(server->objects);
    objects_remove(server->objects, resource, record->namespace, record->name);
    struct record *last = record_keep(objects_change_after(server->objects, revision)->record);
    if (resource == &resource_definitions) {
        definitions_unregister(server, last->value);
    } else if (resource->schema != NULL) {
        definitions_finish(server, resource);
    }
    quota_settle(server, resource, last->namespace);
    return last;
}
