/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/kind_rules.h"

#include <string.h>

static const struct kind_rules RULES[] = {
    {.resource = &resource_namespaces, .name_rule = NAME_LABEL, .prepare = namespace_prepare},
    {.resource = &resource_pods, .prepare = pod_prepare, .validate = pod_validate},
    {.resource = &resource_services,
     .name_rule = NAME_LABEL_1035,
     .prepare = service_prepare,
     .validate = service_validate},
    {.resource = &resource_secrets, .prepare = secret_prepare, .validate = secret_validate},
    {.resource = &resource_config_maps, .validate = config_map_validate},
    {.resource = &resource_events, .validate = event_validate},
    {.resource = &resource_persistent_volumes,
     .prepare = volume_prepare,
     .validate = volume_validate},
    {.resource = &resource_persistent_volume_claims,
     .prepare = claim_prepare,
     .validate = claim_validate},
    {.resource = &resource_service_accounts, .needs_version = true},
    {.resource = &resource_nodes, .creates_status = true},
    {.resource = &resource_jobs, .orphans_by_default = true, .prepare = job_prepare},
    {.resource = &resource_leases, .needs_version = true, .validate = lease_validate},
    {.resource = &resource_network_policies, .prepare = network_policy_prepare},
    {.resource = &resource_endpoint_slices,
     .prepare = endpoint_slice_prepare,
     .validate = endpoint_slice_validate},
    {.resource = &resource_storage_classes,
     .prepare = storage_class_prepare,
     .validate = storage_class_validate},
    {.resource = &resource_csi_drivers, .needs_version = true},
    {.resource = &resource_definitions,
     .needs_version = true,
     .creates_status = true, /* definition_prepare makes it */
     .prepare = definition_prepare,
     .validate = definition_validate},
};

static const struct kind_rules BUILT_IN = {.name_rule = NAME_SUBDOMAIN};
static const struct kind_rules CUSTOM = {.name_rule = NAME_SUBDOMAIN, .needs_version = true};

const struct kind_rules *kind_rules_of(const struct resource *resource)
{
    for (size_t i = 0; i < sizeof(RULES) / sizeof(RULES[0]); i++) {
        if (RULES[i].resource == resource) {
            return &RULES[i];
        }
    }
    return resource_is_custom(resource) ? &CUSTOM : &BUILT_IN;
}

void default_text(cJSON *object, const char *name, const char *text)
{
    if (value_at(object, name, NULL) == NULL) {
        value_set_text(object, name, text);
    }
}

void default_int64(cJSON *object, const char *name, int64_t number)
{
    if (value_at(object, name, NULL) == NULL) {
        value_set_int64(object, name, number);
    }
}

static bool is_empty(const cJSON *value)
{
    return value == NULL || cJSON_IsNull(value) ||
           ((cJSON_IsObject(value) || cJSON_IsArray(value)) && value->child == NULL);
}

bool values_differ(const cJSON *before, const cJSON *after)
{
    if (is_empty(before) || is_empty(after)) {
        return is_empty(before) != is_empty(after);
    }
    return !value_equal(before, after);
}

bool member_changed(const struct write *write, const char *section, const char *name)
{
    const cJSON *before = write->before->value;
    const cJSON *after = write->value;
    if (section != NULL) {
        before = value_member(before, section);
        after = value_member(after, section);
    }
    return values_differ(value_member(before, name), value_member(after, name));
}
