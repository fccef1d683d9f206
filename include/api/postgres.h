/* SPDX-License-Identifier: Apache-2.0 */
/* What decides whether a Postgres starts on another's data: its major version, and the settings
   that a standby must have at least as large as its primary had (Postgres, CheckRequiredParameter-
   Values). A golden says them in pg_controldata's words, a Cluster in its parameters. */
#ifndef ADJOINT_API_POSTGRES_H
#define ADJOINT_API_POSTGRES_H

#include "base/json.h"

#include <stdint.h>

enum postgres_setting {
    POSTGRES_CONNECTIONS,
    POSTGRES_WORKER_PROCESSES,
    POSTGRES_WAL_SENDERS,
    POSTGRES_PREPARED_TRANSACTIONS,
    POSTGRES_LOCKS,
    POSTGRES_SETTING_COUNT,
};

struct postgres {
    const char *image;                        /* NULL: not named */
    int64_t major;                            /* 0: not known */
    int64_t settings[POSTGRES_SETTING_COUNT]; /* -1: not said */
};

/* From a Cluster's spec: imageName or imageCatalogRef, and postgresql.parameters. spec may be
   NULL. */
struct postgres postgres_of_cluster(struct json_reader *reader, const struct json *spec);
/* Adds what pg_controldata printed; NULL: nothing. */
void postgres_add_controldata(struct postgres *postgres, const char *controldata);

/* "max_connections", ...; and what it is when nothing is said: CloudNativePG's default, or
   Postgres'. */
const char *postgres_setting_name(enum postgres_setting setting);
int64_t postgres_setting_default(enum postgres_setting setting);

#endif
