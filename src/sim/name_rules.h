/* SPDX-License-Identifier: Apache-2.0 */
/* What names, label values and finalizers may look like, with the words in which the API server
   refuses them. (k8s.io/apimachinery/pkg/util/validation/validation.go) */
#ifndef ADJOINT_SRC_SIM_NAME_RULES_H
#define ADJOINT_SRC_SIM_NAME_RULES_H

#include "sim/violations.h"

#include <cjson/cJSON.h>

enum name_rule {
    NAME_SUBDOMAIN,  /* DNS-1123 subdomain: most kinds */
    NAME_LABEL,      /* DNS-1123 label: namespaces */
    NAME_LABEL_1035, /* DNS-1035 label: services */
};

/* name NULL or "": required. */
void name_check(const char *name, enum name_rule rule, const char *field,
                struct violations *violations);
/* Of a name that is generated: as if something followed it. */
void name_check_beginning(const char *beginning, enum name_rule rule, const char *field,
                          struct violations *violations);
/* [prefix/]name, as label keys and finalizers are. */
void name_check_qualified(const char *name, const char *field, struct violations *violations);
void name_check_label_value(const char *value, const char *field, struct violations *violations);

#endif
