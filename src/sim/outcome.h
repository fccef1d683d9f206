/* SPDX-License-Identifier: Apache-2.0 */
/* Refusals in Kubernetes' own words. All return false, so that `return outcome_...` reads as what
   it is. (k8s.io/apimachinery/pkg/api/errors/errors.go) */
#ifndef ADJOINT_SRC_SIM_OUTCOME_H
#define ADJOINT_SRC_SIM_OUTCOME_H

#include "sim/apiserver.h"
#include "sim/violations.h"

/* reason: a literal; "": a refusal without one. */
bool outcome_refuse(struct outcome *outcome, int http_status, const char *reason,
                    const char *format, ...) PRINTF_LIKE(4, 5);

/* "pods", "clusters.postgresql.cnpg.io". */
struct resource_text {
    char text[256];
};
struct resource_text resource_qualified(const struct resource *resource);

bool outcome_bad_request(struct outcome *outcome, const char *format, ...) PRINTF_LIKE(2, 3);
bool outcome_not_found(struct outcome *outcome, const struct resource *resource, const char *name);
/* A path that is not served: no such resource, no such subresource. */
bool outcome_not_served(struct outcome *outcome);
bool outcome_no_namespace(struct outcome *outcome, const char *namespace);
bool outcome_exists(struct outcome *outcome, const struct record *record);
bool outcome_conflict(struct outcome *outcome, const struct resource *resource, const char *name,
                      const char *format, ...) PRINTF_LIKE(4, 5);
bool outcome_forbidden(struct outcome *outcome, const struct resource *resource, const char *name,
                       const char *format, ...) PRINTF_LIKE(4, 5);
/* 422 for the object `name`, called by the kind and group of its resource. */
bool outcome_invalid(struct outcome *outcome, const struct resource *resource, const char *name,
                     const struct violations *violations);

/* Adds {reason, message, field} to details.causes. */
void outcome_add_cause(struct outcome *outcome, const char *reason, const char *message,
                       const char *field);

#endif
