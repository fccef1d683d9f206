/* SPDX-License-Identifier: Apache-2.0 */
/* Objects read from the API server, in both forms that commands need: decoded, and as the server
   spelled them (without managedFields, as kubectl shows them). */
#ifndef ADJOINT_CLI_FETCH_H
#define ADJOINT_CLI_FETCH_H

#include "api/object.h"
#include "base/json.h"
#include "cli/cli.h"

struct fetched {
    enum object_kind kind;
    size_t count;
    struct object **objects; /* in the server's order */
    struct text json;        /* their JSON, separated by commas; compact */
};

void fetched_init(struct fetched *fetched, enum object_kind kind);
void fetched_release(struct fetched *fetched);
#define cleanup_fetched __attribute__((cleanup(fetched_release)))

/* Adds one object, or what a list brought. A reply to a write can be added, too. */
MUST_CHECK bool fetched_add_reply(struct fetched *fetched, const char *body, size_t byte_count,
                                  struct error *error);

MUST_CHECK bool fetch_one(struct cli *cli, const char *namespace, const char *name,
                          struct fetched *fetched, struct error *error);
/* namespace NULL: of all. */
MUST_CHECK bool fetch_list(struct cli *cli, const char *namespace, struct fetched *fetched,
                           struct error *error);

/* GET path, whatever is there. The document is the caller's (cleanup_json). */
MUST_CHECK bool fetch_json(struct cli *cli, const char *path, struct json_document **out,
                           struct error *error);

#endif
