/* SPDX-License-Identifier: Apache-2.0 */
/* A change of an Instance's spec that depends on what it is now: read, written at the version that
   was read, and tried again when somebody else was quicker. So nothing is counted twice, and
   nothing that another wrote meanwhile is lost. */
#ifndef ADJOINT_CLI_CHANGE_H
#define ADJOINT_CLI_CHANGE_H

#include "cli/fetch.h"

struct change {
    struct cli *cli;
    const char *name;
    /* Members of the spec's merge patch. false: it cannot be; error says why. */
    bool (*write)(void *self, const struct object *instance, struct json_writer *json,
                  struct error *error);
    void *self;
    struct fetched fetched; /* objects[0]: as it was when it was changed */
};

/* Connects when need be. The caller releases fetched. Not CLI_OK: it has been said on err. */
enum exit_code change_instance(struct change *change);

/* This merge patch of it, once. Connected. */
MUST_CHECK bool change_send(struct cli *cli, const struct object *instance, const char *body,
                            size_t body_bytes, struct error *error);

/* "instance.adjoint.dev/alice", the format, a newline: on out. */
void change_say(const struct change *change, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
