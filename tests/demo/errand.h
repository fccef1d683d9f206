/* SPDX-License-Identifier: Apache-2.0 */
/* What a script does at an API server: requests one after the other, each when the one before was
   answered, a GET again and again until it shows what is waited for. */
#ifndef ADJOINT_TESTS_DEMO_ERRAND_H
#define ADJOINT_TESTS_DEMO_ERRAND_H

#include "base/json.h"
#include "kube/client.h"
#include "sim/world.h"

struct errand;

enum errand_verdict { ERRAND_ASKS_AGAIN, ERRAND_GOES_ON, ERRAND_IS_LOST };

/* In path and body $N, $S, $V and $H stand for the errand's name, namespace, volume and holding
   PVC, and ' for ". */
struct errand_step {
    enum method method;
    const char *path, *body; /* body NULL: none */
    /* Of a GET; object NULL: there is none. */
    enum errand_verdict (*judge)(struct errand *errand, const struct json *object);
    int64_t pause_ms; /* before it is asked again */
};

struct errand {
    struct client *client;
    struct world *world;
    const struct errand_step *step; /* the list ends with a path NULL */
    const char *name, *namespace;
    char holding[64], volume[64];
    void (*ended)(struct errand *errand, bool is_lost);
    void *self; /* ended's */
};

/* In an event of the world. The program ends if a request is refused. */
void errand_start(struct errand *errand);

#endif
