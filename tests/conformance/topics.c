/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/topics.h"

#include <stddef.h>

const struct topic *const topics[] = {
    &topic_errors,       &topic_admission,      &topic_versions,
    &topic_paging,       &topic_watches,        &topic_preconditions,
    &topic_json_patch,   &topic_merge_patch,    &topic_strategic_patch,
    &topic_subresources, &topic_dry_run,        &topic_finalizers,
    &topic_deletion,     &topic_selectors,      &topic_names,
    &topic_definitions,  &topic_schemas,        &topic_tables,
    &topic_discovery,    &topic_binder_volumes, &topic_binder_claims,
    &topic_claim_orders, &topic_protection,     &topic_namespaces,
    &topic_garbage,      &topic_network,        NULL,
};
