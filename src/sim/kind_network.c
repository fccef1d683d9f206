/* SPDX-License-Identifier: Apache-2.0 */
/* Network policies and endpoint slices: their defaults, and what of a slice cannot change.
   (pkg/apis/networking/v1/defaults.go, pkg/apis/discovery/v1/defaults.go and validation) */
#include "sim/kind_rules.h"

static void default_protocols(cJSON *ports)
{
    cJSON *port = NULL;
    cJSON_ArrayForEach(port, ports)
    {
        default_text(port, "protocol", "TCP");
    }
}

static void default_rules(cJSON *rules)
{
    cJSON *rule = NULL;
    cJSON_ArrayForEach(rule, rules)
    {
        default_protocols(value_at(rule, "ports", NULL));
    }
}

void network_policy_prepare(struct write *write)
{
    cJSON *spec = value_make(write->value, "spec", NULL);
    default_rules(value_at(spec, "ingress", NULL));
    default_rules(value_at(spec, "egress", NULL));
    if (cJSON_GetArraySize(value_at(spec, "policyTypes", NULL)) == 0) {
        cJSON *types = cJSON_CreateArray();
        value_list_add(types, "Ingress");
        if (cJSON_GetArraySize(value_at(spec, "egress", NULL)) > 0) {
            value_list_add(types, "Egress");
        }
        value_set(spec, "policyTypes", types);
    }
}

void endpoint_slice_prepare(struct write *write)
{
    default_protocols(value_at(write->value, "ports", NULL));
}

void endpoint_slice_validate(const struct write *write, struct violations *violations)
{
    const cJSON *type = value_at(write->value, "addressType", NULL);
    if (type == NULL) {
        violations_add(violations, VIOLATION_REQUIRED, "addressType", NULL, "%s", "");
    } else if (write->before != NULL && member_changed(write, NULL, "addressType")) {
        violations_add(violations, VIOLATION_INVALID, "addressType", type, "field is immutable");
    }
}
