/* SPDX-License-Identifier: Apache-2.0 */
/* Namespaces, services, secrets, config maps, events and leases.
   (pkg/registry/core/.../strategy.go, pkg/apis/core/validation, pkg/apis/coordination/validation)
 */
#include "sim/kind_rules.h"

#include "base/base64.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { SERVICE_ADDRESSES = 1 << 20, SECRET_BYTES_MAX = 2 * 1024 * 1024 };

void namespace_prepare(struct write *write)
{
    cJSON *spec = value_make(write->value, "spec", NULL);
    value_set_text(value_make(write->value, "metadata", "labels", NULL),
                   "kubernetes.io/metadata.name", write->name);
    if (write->before == NULL) {
        cJSON *finalizers = value_at(spec, "finalizers", NULL);
        if (finalizers == NULL) {
            finalizers = cJSON_CreateArray();
            value_set(spec, "finalizers", finalizers);
        }
        value_list_add(finalizers, "kubernetes");
        value_set_text(value_make(write->value, "status", NULL), "phase", "Active");
    }
}

/* Of 10.96.0.0/12, in order; the first is the API server's own. */
static void allocate_address(struct write *write, cJSON *spec)
{
    char address[32];
    uint32_t host = 1 + write->server->address_next % (SERVICE_ADDRESSES - 2);
    (void)snprintf(address, sizeof(address), "10.%u.%u.%u", 96 + (host >> 16), (host >> 8) & 0xff,
                   host & 0xff);
    value_set_text(spec, "clusterIP", address);
    if (!write->options->dry_run) {
        write->server->address_next++;
    }
}

static void default_ports(cJSON *spec)
{
    cJSON *port = NULL;
    cJSON_ArrayForEach(port, value_member(spec, "ports"))
    {
        const cJSON *number = value_at(port, "port", NULL);
        default_text(port, "protocol", "TCP");
        if (value_at(port, "targetPort", NULL) == NULL && number != NULL) {
            value_set(port, "targetPort", cJSON_Duplicate(number, true));
        }
    }
}

void service_prepare(struct write *write)
{
    cJSON *spec = value_make(write->value, "spec", NULL);
    const char *address = value_text(spec, "clusterIP", NULL);
    default_ports(spec);
    default_text(spec, "type", "ClusterIP");
    default_text(spec, "sessionAffinity", "None");
    default_text(spec, "internalTrafficPolicy", "Cluster");
    default_text(spec, "ipFamilyPolicy", "SingleStack");
    value_make(write->value, "status", "loadBalancer", NULL);
    if (value_equal_text(spec, "ExternalName", "type", NULL)) {
        return;
    }
    if (address == NULL || address[0] == '\0') {
        const char *before = write->before == NULL
                                 ? NULL
                                 : value_text(write->before->value, "spec", "clusterIP", NULL);
        if (before == NULL) {
            allocate_address(write, spec);
        } else {
            value_set_text(spec, "clusterIP", before);
        }
    }
    cJSON *addresses = cJSON_CreateArray();
    cJSON *families = cJSON_CreateArray();
    value_list_add(addresses, value_text(spec, "clusterIP", NULL));
    value_list_add(families, "IPv4");
    value_set(spec, "clusterIPs", addresses);
    value_set(spec, "ipFamilies", families);
}

void service_validate(const struct write *write, struct violations *violations)
{
    const cJSON *spec = value_member(write->value, "spec");
    if (value_equal_text(spec, "ClusterIP", "type", NULL) &&
        !value_equal_text(spec, "None", "clusterIP", NULL) &&
        cJSON_GetArraySize(value_at(spec, "ports", NULL)) == 0) {
        violations_add(violations, VIOLATION_REQUIRED, "spec.ports", NULL, "%s", "");
    }
    if (write->before != NULL && member_changed(write, "spec", "clusterIP")) {
        violations_add(violations, VIOLATION_INVALID, "spec.clusterIPs[0]",
                       value_at(spec, "clusterIP", NULL), "may not change once set");
    }
}

void secret_prepare(struct write *write)
{
    const cJSON *plain = NULL;
    default_text(write->value, "type", "Opaque");
    cJSON_ArrayForEach(plain, value_member(write->value, "stringData"))
    {
        if (cJSON_IsString(plain)) {
            cleanup_text struct text encoded;
            text_init(&encoded, SECRET_BYTES_MAX);
            base64_append(&encoded, plain->valuestring, strlen(plain->valuestring));
            value_set_text(value_make(write->value, "data", NULL), plain->string, encoded.bytes);
        }
    }
    value_set(write->value, "stringData", NULL);
}

/* KEP-1412: `immutable: true` stays, and so does the content. */
static void validate_frozen(const struct write *write, struct violations *violations)
{
    static const char *const content[] = {"immutable", "data", "binaryData"};
    if (write->before == NULL || !value_true(write->before->value, "immutable", NULL)) {
        return;
    }
    for (size_t i = 0; i < sizeof(content) / sizeof(content[0]); i++) {
        if (member_changed(write, NULL, content[i])) {
            violations_add(violations, VIOLATION_FORBIDDEN, content[i], NULL,
                           "field is immutable when `immutable` is set");
        }
    }
}

void secret_validate(const struct write *write, struct violations *violations)
{
    const cJSON *item = NULL;
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    cJSON_ArrayForEach(item, value_member(write->value, "data"))
    {
        struct error error;
        char *bytes = NULL;
        size_t byte_count = 0;
        if (!cJSON_IsString(item) ||
            !base64_decode(item->valuestring, &arena, &bytes, &byte_count, &error)) {
            violations_add(violations, VIOLATION_INVALID, "data", NULL, "illegal base64 data");
        }
    }
    if (write->before != NULL && member_changed(write, NULL, "type")) {
        violations_add(violations, VIOLATION_INVALID, "type", value_at(write->value, "type", NULL),
                       "field is immutable");
    }
    validate_frozen(write, violations);
}

void config_map_validate(const struct write *write, struct violations *violations)
{
    validate_frozen(write, violations);
}

void event_validate(const struct write *write, struct violations *violations)
{
    const cJSON *namespace = value_at(write->value, "involvedObject", "namespace", NULL);
    const char *about = value_text(write->value, "involvedObject", "namespace", NULL);
    /* What is about a cluster-scoped object may lie in either of two. */
    bool fits = about == NULL || about[0] == '\0' ? strcmp(write->namespace, "default") == 0 ||
                                                        strcmp(write->namespace, "kube-system") == 0
                                                  : strcmp(write->namespace, about) == 0;
    if (!fits) {
        violations_add(violations, VIOLATION_INVALID, "involvedObject.namespace", namespace,
                       "does not match event.namespace");
    }
}

void lease_validate(const struct write *write, struct violations *violations)
{
    const cJSON *seconds = value_at(write->value, "spec", "leaseDurationSeconds", NULL);
    const cJSON *transitions = value_at(write->value, "spec", "leaseTransitions", NULL);
    if (seconds != NULL && seconds->valuedouble <= 0) {
        violations_add(violations, VIOLATION_INVALID, "spec.leaseDurationSeconds", seconds,
                       "must be greater than 0");
    }
    if (transitions != NULL && transitions->valuedouble < 0) {
        violations_add(violations, VIOLATION_INVALID, "spec.leaseTransitions", transitions,
                       "must be greater than or equal to 0");
    }
}
