/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix's own hand on the API server: what people, the provisioner and CloudNativePG do, and
   the end of each cell. Requests go out in order of their being sent, some at the same time. */
#ifndef ADJOINT_CRASH_MATRIX_API_H
#define ADJOINT_CRASH_MATRIX_API_H

#include "api/kind.h"
#include "kube/client.h"

struct api;

#define MERGE_PATCH "application/merge-patch+json"
#define STRATEGIC_PATCH "application/strategic-merge-patch+json"

struct api_request {
    enum method method;
    enum object_kind kind;
    const char *namespace, *name; /* name NULL: POST */
    const char *subresource;      /* NULL: none */
    const char *content_type;     /* NULL: application/json */
    const char *body;             /* JSON in which ' stands for "; NULL: none */
    bool lasting;                 /* sent again until it is answered; then done is NULL */
};

struct api *api_new(struct transport transport);
void api_free(struct api *api);
void api_step(struct api *api, struct now now);

/* done NULL: nobody waits for it. What fails is seen by what does not become of it. */
void api_send(struct api *api, const struct api_request *request,
              void (*done)(void *self, const struct reply *reply), void *self);
/* self is not told any more. */
void api_forget(struct api *api, const void *self);

#endif
