/* SPDX-License-Identifier: Apache-2.0 */
/* What runs in a pod that ends by itself and is nobody's Postgres: psql, with the server it logs in
   to, its user and its password in its environment (PGHOST, and PGUSER and PGPASSWORD from
   Secrets). */
#ifndef ADJOINT_SIM_PSQL_H
#define ADJOINT_SIM_PSQL_H

#include "sim/postgres.h"

bool psql_is(const cJSON *pod);
/* Or the container does not start: CreateContainerConfigError. */
bool psql_secrets_are_there(struct apiserver *server, const cJSON *pod);
/* An instance of the host's Cluster answers, and the first line of its spec.postgresql.pg_hba that
   is about the user does not reject. */
bool psql_is_let_in(struct apiserver *server, const struct postgres *postgres, const cJSON *pod);

#endif
