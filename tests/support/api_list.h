/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of a fake API server, and which objects a request's labelSelector lets through. */
#ifndef ADJOINT_SUPPORT_API_LIST_H
#define ADJOINT_SUPPORT_API_LIST_H

#include "kube/transport.h"
#include "support/api_table.h"

bool api_list_selects(const struct request *request, const char *json);
void api_list(const struct api_table *table, const struct request *request, enum object_kind kind,
              struct text *out);

#endif
