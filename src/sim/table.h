/* SPDX-License-Identifier: Apache-2.0 */
/* meta.k8s.io/v1 Table: columns named, and a row of cells for each object. */
#ifndef ADJOINT_SIM_TABLE_H
#define ADJOINT_SIM_TABLE_H

#include "sim/rendering.h"
#include "sim/schema_columns.h"

void table_append(struct text *text, const struct rendering *rendering,
                  const struct resource *resource, const struct list_metadata *metadata,
                  const struct record *const *records, size_t count, bool has_header);

/* A built-in kind's column: cell (the caller's) says what no path can; NULL: the column's own. */
struct table_column {
    struct column column;
    cJSON *(*cell)(const cJSON *object);
    const char *other_paths[2]; /* where nothing is at the column's own; NULL: no other */
};

/* Ended by a column without a name. As in kube-apiserver's
   printers/internalversion/printers.go and, for those of CRDs, their additionalPrinterColumns. */
const struct table_column *table_columns_of(const struct resource *resource);

/* The cells that table_columns_of's rows name. */
cJSON *cell_pod_ready(const cJSON *pod);
cJSON *cell_pod_status(const cJSON *pod);
cJSON *cell_pod_restarts(const cJSON *pod);
cJSON *cell_volume_claim(const cJSON *volume);
cJSON *cell_claim_capacity(const cJSON *claim);
cJSON *cell_claim_access_modes(const cJSON *claim);
cJSON *cell_access_modes(const cJSON *object);
cJSON *cell_attributes_class(const cJSON *object); /* of a claim or volume */
cJSON *cell_phase(const cJSON *object);            /* or Terminating */
cJSON *cell_event_object(const cJSON *event);
cJSON *cell_service_ports(const cJSON *service);
cJSON *cell_data_count(const cJSON *object);
cJSON *cell_node_status(const cJSON *node);
cJSON *cell_job_status(const cJSON *job);
cJSON *cell_job_completions(const cJSON *job);
cJSON *cell_external_address(const cJSON *service);

#endif
