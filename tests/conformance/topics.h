/* SPDX-License-Identifier: Apache-2.0 */
/* All topics, each in the file of its name. To add an assertion, add a step; a topic, a file and a
   row in topics.c. */
#ifndef ADJOINT_CONFORMANCE_TOPICS_H
#define ADJOINT_CONFORMANCE_TOPICS_H

#include "conformance/scene.h"

/* The API server. */
extern const struct topic topic_errors, topic_versions, topic_paging, topic_watches,
    topic_preconditions, topic_json_patch, topic_merge_patch, topic_strategic_patch,
    topic_subresources, topic_dry_run, topic_finalizers, topic_deletion, topic_selectors,
    topic_names, topic_admission, topic_definitions, topic_schemas, topic_tables, topic_discovery;
/* Its controllers. */
extern const struct topic topic_binder_volumes, topic_binder_claims, topic_claim_orders,
    topic_protection, topic_namespaces, topic_garbage, topic_network;

extern const struct topic *const topics[]; /* ended by NULL */

#endif
