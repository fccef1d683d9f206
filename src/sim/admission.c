/* SPDX-License-Identifier: Apache-2.0 */
/* plugin/pkg/admission/{storage,namespace} and k8s.io/apiserver's namespace/lifecycle. */
#include "sim/admission.h"

#include "sim/amount.h"

#include <stdio.h>
#include <string.h>

static bool namespace_lifecycle(struct write *write)
{
    struct outcome *outcome = write->outcome;
    if (!write->resource->is_namespaced) {
        return true;
    }
    const struct record *namespace =
        objects_get(write->server->objects, &resource_namespaces, "", write->namespace);
    if (namespace == NULL) {
        return outcome_no_namespace(outcome, write->namespace);
    }
    if (write->before != NULL ||
        !value_equal_text(namespace->value, "Terminating", "status", "phase", NULL)) {
        return true;
    }
    char cause[sizeof(outcome->message)];
    (void)snprintf(cause, sizeof(cause), "namespace %s is being terminated", write->namespace);
    outcome_add_cause(outcome, "NamespaceTerminating", cause, "metadata.namespace");
    return outcome_forbidden(
        outcome, write->resource, write->name,
        "unable to create new content in namespace %s because it is being terminated",
        write->namespace);
}

static void protect(struct write *write)
{
    const char *finalizer =
        write->resource == &resource_persistent_volume_claims ? "kubernetes.io/pvc-protection"
        : write->resource == &resource_persistent_volumes     ? "kubernetes.io/pv-protection"
                                                              : NULL;
    if (finalizer == NULL) {
        return;
    }
    cJSON *metadata = value_make(write->value, "metadata", NULL);
    cJSON *finalizers = value_at(metadata, "finalizers", NULL);
    if (finalizers == NULL) {
        finalizers = cJSON_CreateArray();
        value_set(metadata, "finalizers", finalizers);
    }
    value_list_add(finalizers, finalizer);
}

/* Of several defaults the newest, then the first by name. */
static const struct record *default_class(const struct objects *objects)
{
    const struct record *found = NULL;
    for (const struct record *class = objects_next(objects, &resource_storage_classes, NULL, NULL);
         class != NULL; class = objects_next(objects, &resource_storage_classes, NULL, class)) {
        const char *mark =
            value_annotation(class->value, "storageclass.kubernetes.io/is-default-class");
        if (mark == NULL || strcmp(mark, "true") != 0) {
            continue;
        }
        if (found == NULL ||
            strcmp(value_text(class->value, "metadata", "creationTimestamp", NULL),
                   value_text(found->value, "metadata", "creationTimestamp", NULL)) > 0) {
            found = class;
        }
    }
    return found;
}

static void set_default_class(struct write *write)
{
    if (write->resource != &resource_persistent_volume_claims ||
        value_at(write->value, "spec", "storageClassName", NULL) != NULL ||
        value_annotation(write->value, "volume.beta.kubernetes.io/storage-class") != NULL) {
        return;
    }
    const struct record *class = default_class(write->server->objects);
    if (class != NULL) {
        value_set_text(value_make(write->value, "spec", NULL), "storageClassName", class->name);
    }
}

bool admission_mutate(struct write *write)
{
    if (!namespace_lifecycle(write)) {
        return false;
    }
    if (write->before == NULL && write->options->subresource == NULL) {
        protect(write);
        set_default_class(write);
    }
    return true;
}

static bool class_allows_expansion(const struct write *write)
{
    const char *name = value_text(write->value, "spec", "storageClassName", NULL);
    const struct record *class =
        name == NULL ? NULL
                     : objects_get(write->server->objects, &resource_storage_classes, "", name);
    return class != NULL && value_true(class->value, "allowVolumeExpansion", NULL);
}

bool admission_validate(struct write *write)
{
    int64_t was = 0;
    int64_t is = 0;
    if (write->resource != &resource_persistent_volume_claims || write->before == NULL) {
        return true;
    }
    bool grows =
        amount_parse(
            value_at(write->before->value, "spec", "resources", "requests", "storage", NULL),
            &was) &&
        amount_parse(value_at(write->value, "spec", "resources", "requests", "storage", NULL),
                     &is) &&
        is > was;
    if (grows && !class_allows_expansion(write)) {
        return outcome_forbidden(write->outcome, write->resource, write->name,
                                 "only dynamically provisioned pvc can be resized and the "
                                 "storageclass that provisions the pvc must support resize");
    }
    return true;
}

bool admission_delete(const struct resource *resource, const char *name, struct outcome *outcome)
{
    static const char *const immortal[] = {"default", "kube-system", "kube-public"};
    for (size_t i = 0; i < sizeof(immortal) / sizeof(immortal[0]); i++) {
        if (resource == &resource_namespaces && strcmp(name, immortal[i]) == 0) {
            return outcome_forbidden(outcome, resource, name, "this namespace may not be deleted");
        }
    }
    return true;
}
