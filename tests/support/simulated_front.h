/* SPDX-License-Identifier: Apache-2.0 */
/* A front over an API server without controllers, and a client that knows the way to it from the
   kubeconfig that the front wrote. All on one loop. */
#ifndef ADJOINT_SUPPORT_SIMULATED_FRONT_H
#define ADJOINT_SUPPORT_SIMULATED_FRONT_H

#include "sim/apiserver.h"
#include "sim/front.h"
#include "support/test_client.h"
#include "support/test_folder.h"

#define FRONT_TOKEN "let-me-in"
#define FRONT_FROM_MS INT64_C(1796112000250) /* 2026-12-01T08:00:00.250Z */
#define FRONT_MAPS "/api/v1/namespaces/default/configmaps"

struct simulated_front {
    struct world *world;
    struct apiserver *server;
    struct front *front;
    struct test_client client;
    struct test_folder folder; /* the kubeconfig is its file `config` */
    struct arena arena;
    int64_t speed, started_ms;
    bool (*is_done)(void *self);
    void *self;
};

/* At /told it tells its speed. */
void simulated_front_init(struct simulated_front *front, int64_t speed);
void simulated_front_release(struct simulated_front *front);

/* Runs the loop, with the world and the front moved each turn, until is_done(self). */
void simulated_front_run(struct simulated_front *front, bool (*is_done)(void *self), void *self);
/* Starts the call and runs until it has ended well. */
void simulated_front_call(struct simulated_front *front, struct test_call *call,
                          const struct request *request);
/* The call ends well with that status and this in its body. */
void assert_front_answers(struct simulated_front *front, const struct request *request,
                          int http_status, const char *part);

/* A request that posts a ConfigMap. */
struct request front_creation(const char *body);
void front_create(struct simulated_front *front, const char *name);

#endif
