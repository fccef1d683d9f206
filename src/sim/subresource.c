/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/subresource.h"

#include "base/text.h"

#include <string.h>

bool subresource_exists(const struct resource *resource, const char *subresource)
{
    if (subresource == NULL) {
        return true;
    }
    if (strcmp(subresource, "status") == 0) {
        return resource->has_status;
    }
    if (strcmp(subresource, "scale") == 0) {
        return resource->scale_replicas_path != NULL;
    }
    return strcmp(subresource, "finalize") == 0 && resource == &resource_namespaces;
}

/* to's member becomes as from has it. */
static void put_back(cJSON *to, const cJSON *from, const char *name)
{
    const cJSON *member = value_member(from, name);
    value_set(to, name, member == NULL ? NULL : cJSON_Duplicate(member, true));
}

/* The object as it was, with the status of the new one; of built-in kinds its metadata, too. */
static void keep_status_alone(struct write *write)
{
    cJSON *value = cJSON_Duplicate(write->before->value, true);
    put_back(value, write->value, "status");
    if (!resource_is_custom(write->resource)) {
        put_back(value, write->value, "metadata");
    }
    if (write->resource == &resource_pods) {
        put_back(value_make(value, "metadata", NULL),
                 value_member(write->before->value, "metadata"), "ownerReferences");
    }
    cJSON_Delete(write->value);
    write->value = value;
}

static void put_back_namespace_finalizers(struct write *write)
{
    put_back(value_make(write->value, "spec", NULL), value_member(write->before->value, "spec"),
             "finalizers");
}

void subresource_restrict(struct write *write)
{
    const char *subresource = write->options->subresource;
    if (text_equal(subresource, "status")) {
        keep_status_alone(write);
        return;
    }
    if (write->resource->has_status) {
        put_back(write->value, write->before->value, "status");
    }
    if (write->resource == &resource_namespaces && subresource == NULL) {
        put_back_namespace_finalizers(write);
    }
}

static void set_scheduled(struct write *write, cJSON *pod)
{
    char now[32];
    cJSON *status = value_make(pod, "status", NULL);
    cJSON *conditions = value_at(status, "conditions", NULL);
    cJSON *condition = cJSON_CreateObject();
    if (conditions == NULL) {
        conditions = cJSON_CreateArray();
        value_set(status, "conditions", conditions);
    }
    cJSON *old = NULL;
    cJSON_ArrayForEach(old, conditions)
    {
        if (value_equal_text(old, "PodScheduled", "type", NULL)) {
            cJSON_Delete(cJSON_DetachItemViaPointer(conditions, old));
            break;
        }
    }
    apiserver_stamp(write->server, 0, now);
    value_set_text(condition, "type", "PodScheduled");
    value_set_text(condition, "status", "True");
    value_set_text(condition, "lastTransitionTime", now);
    cJSON_AddItemToArray(conditions, condition);
}

bool subresource_bind(struct write *write)
{
    const char *node = value_text(write->value, "target", "name", NULL);
    const struct record *pod =
        objects_get(write->server->objects, write->resource, write->namespace, write->name);
    if (write->resource != &resource_pods || node == NULL || node[0] == '\0') {
        return write->resource == &resource_pods
                   ? outcome_bad_request(write->outcome, "target.name: Required value")
                   : outcome_not_served(write->outcome);
    }
    if (pod == NULL) {
        return outcome_not_found(write->outcome, write->resource, write->name);
    }
    const char *bound_to = value_text(pod->value, "spec", "nodeName", NULL);
    const char *uid = value_uid(write->value);
    if (uid[0] != '\0' && strcmp(uid, pod->uid) != 0) {
        return outcome_conflict(write->outcome, write->resource, write->name,
                                "Precondition failed: UID in precondition: %s, UID in object "
                                "meta: %s",
                                uid, pod->uid);
    }
    if (value_is_deleting(pod->value)) {
        return outcome_conflict(write->outcome, write->resource, write->name,
                                "pod %s is being deleted, cannot be assigned to a host",
                                write->name);
    }
    if (bound_to != NULL && bound_to[0] != '\0') {
        return outcome_conflict(write->outcome, write->resource, write->name,
                                "pod %s is already assigned to node \"%s\"", write->name, bound_to);
    }
    write->before = record_keep(pod);
    write->name = write->before->name;
    cJSON *bound = cJSON_Duplicate(pod->value, true);
    value_set_text(value_make(bound, "spec", NULL), "nodeName", node);
    set_scheduled(write, bound);
    cJSON_Delete(write->value);
    write->value = bound;
    return true;
}
