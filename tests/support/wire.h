/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated API server asked by requests, with the last reply at hand. It has the namespace
   "dev". In all JSON here ' stands for ". */
#ifndef ADJOINT_SUPPORT_WIRE_H
#define ADJOINT_SUPPORT_WIRE_H

#include "sim/reply.h"
#include "sim/route.h"

struct wire {
    struct world *world;
    struct apiserver *server;
    struct route_reply reply; /* the last one */
    char value[1024];
};

/* For cmocka's setup and teardown: *state is a struct wire. */
int wire_set_up(void **state);
int wire_tear_down(void **state);

#define WIRE_MAPS "/api/v1/namespaces/dev/configmaps"

/* Gives the HTTP status. json NULL: no body. A PATCH is a merge patch. */
int wire_ask(struct wire *wire, enum method method, const char *path, const char *json);
int wire_get(struct wire *wire, const char *path);
/* With that content type; accept may be NULL. */
int wire_send(struct wire *wire, enum method method, const char *path, const char *content_type,
              const char *accept, const char *json);

/* A ConfigMap in dev whose labels are `labels` ("'a':'b'"). Made, then changed by the next call. */
void wire_put_map(struct wire *wire, const char *name, const char *labels);
void wire_delete_map(struct wire *wire, const char *name);

/* The last reply's body has this. */
bool wire_has(const struct wire *wire, const char *json);
/* Fails the test, showing the body, unless it has. */
void wire_assert_has(const struct wire *wire, const char *json);
/* The text of the first member of that name; "" when there is none. Lives until the next call. */
const char *wire_text(struct wire *wire, const char *member);
/* The names of a list's objects with spaces between. Lives until the next call. */
const char *wire_names(struct wire *wire);

#endif
