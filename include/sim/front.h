/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated API server on a socket: HTTPS with a certificate made for this one run, and one
   bearer token, both in the kubeconfig that it writes for kubectl and for adjoint-operator. It runs
   on the loop, in whose step front_step is called after the world was moved to now, and the world
   again after it, since requests leave events there. */
#ifndef ADJOINT_SIM_FRONT_H
#define ADJOINT_SIM_FRONT_H

#include "base/error.h"
#include "base/now.h"

#include <stdbool.h>
#include <stdint.h>

struct apiserver;
struct front;
struct loop;
struct text;

struct front_options {
    const char *address; /* an IPv4 address of this machine */
    int64_t port;        /* 0: any that is free */
    const char *token;   /* whose requests are taken */
    const char *user;    /* who they are from */
    /* Simulated milliseconds in a real one. How long a watch may last is asked for in real time. */
    int64_t speed;
    /* When the world's wall clock showed the real time: the kubeconfig says both, for adj and
       adjoint-operator to go by the same clock. */
    int64_t from_wall_ms;
    /* What is told at paths that no Kubernetes has: appends JSON to out; false: nothing is at path.
       NULL: nowhere is. */
    bool (*tell)(void *self, const char *path, struct text *out);
    void *self;
};

/* ERROR_SYSTEM: the port is taken, for instance. options are copied, loop and server borrowed. */
MUST_CHECK bool front_open(struct loop *loop, struct apiserver *server,
                           const struct front_options *options, struct front **out_front,
                           struct error *error);
void front_free(struct front *front); /* its connections end; NULL is fine */

/* Takes requests and sends replies; returns the mono_ms of the loop to be called at again, at the
   latest. */
int64_t front_step(struct front *front, struct now now);

const char *front_url(const struct front *front); /* https://127.0.0.1:8443 */
/* For its owner's eyes only (mode 0600). A file that front_write_kubeconfig has not made is left
   as it is, and ERROR_INVALID. */
MUST_CHECK bool front_write_kubeconfig(const struct front *front, const char *path,
                                       struct error *error);

#endif
