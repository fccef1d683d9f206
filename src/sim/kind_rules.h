/* SPDX-License-Identifier: Apache-2.0 */
/* What differs from kind to kind, one row each; a kind without a row follows the general rules.
   (pkg/registry/.../strategy.go and pkg/apis/.../validation of Kubernetes 1.36, as far as something
   in this simulation can meet it.) */
#ifndef ADJOINT_SRC_SIM_KIND_RULES_H
#define ADJOINT_SRC_SIM_KIND_RULES_H

#include "sim/apiserver_state.h"
#include "sim/name_rules.h"

struct kind_rules {
    const struct resource *resource;
    enum name_rule name_rule;
    bool needs_version;      /* an update without resourceVersion is refused */
    bool creates_status;     /* a create may bring a status */
    bool orphans_by_default; /* a delete without propagation orphans */
    /* Each may be NULL. Defaults, and what an update leaves alone, before anything is judged. */
    void (*prepare)(struct write *write);
    void (*validate)(const struct write *write, struct violations *violations);
};

/* Never NULL. */
const struct kind_rules *kind_rules_of(const struct resource *resource);

/* kind_volume.c: claims, volumes, storage classes */
void claim_prepare(struct write *write);
void claim_validate(const struct write *write, struct violations *violations);
void volume_prepare(struct write *write);
void volume_validate(const struct write *write, struct violations *violations);
void storage_class_prepare(struct write *write);
void storage_class_validate(const struct write *write, struct violations *violations);
/* kind_pod.c: pods and jobs */
void pod_prepare(struct write *write);
void pod_validate(const struct write *write, struct violations *violations);
void job_prepare(struct write *write);
/* kind_network.c: network policies and endpoint slices */
void network_policy_prepare(struct write *write);
void endpoint_slice_prepare(struct write *write);
void endpoint_slice_validate(const struct write *write, struct violations *violations);
/* kind_core.c: the rest */
void namespace_prepare(struct write *write);
void service_prepare(struct write *write);
void service_validate(const struct write *write, struct violations *violations);
void secret_prepare(struct write *write);
void secret_validate(const struct write *write, struct violations *violations);
void config_map_validate(const struct write *write, struct violations *violations);
void event_validate(const struct write *write, struct violations *violations);
void lease_validate(const struct write *write, struct violations *violations);
/* definitions.c */
void definition_prepare(struct write *write);
void definition_validate(const struct write *write, struct violations *violations);

/* ---- for the files of these rules ---- */
/* A member that is absent becomes text, number, or an empty array. */
void default_text(cJSON *object, const char *name, const char *text);
void default_int64(cJSON *object, const char *name, int64_t number);
/* The member before and after differ (absent and empty are the same). */
bool member_changed(const struct write *write, const char *section, const char *name);
bool values_differ(const cJSON *before, const cJSON *after);

#endif
