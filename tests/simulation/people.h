/* SPDX-License-Identifier: Apache-2.0 */
/* The hands of people on the API server: verbs that take effect at once, tried once. What is
   refused is not done. */
#ifndef ADJOINT_SIMULATION_PEOPLE_H
#define ADJOINT_SIMULATION_PEOPLE_H

#include "simulation/trial.h"

/* "pools" or "instances". */
const struct resource *people_kind(const struct trial *trial, const char *plural);

/* Borrowed until the next change; NULL: absent. */
const struct record *people_see(const struct trial *trial, const struct resource *resource,
                                const char *namespace, const char *name);

/* JSON in which ' stands for ". */
void people_create(struct trial *trial, const struct resource *resource, const char *namespace,
                   const char *format, ...) PRINTF_LIKE(4, 5);
/* A merge patch, likewise. subresource NULL: none. */
void people_patch(struct trial *trial, const struct resource *resource, const char *namespace,
                  const char *name, const char *subresource, const char *format, ...)
    PRINTF_LIKE(6, 7);
void people_delete(struct trial *trial, const struct resource *resource, const char *namespace,
                   const char *name);

void people_make_namespace(struct trial *trial, const char *name);
/* As the scenario has it, with so many clones. */
void people_make_pool(struct trial *trial, const char *name, int64_t size);
/* Of this golden and this class. */
void people_make_pool_of(struct trial *trial, const char *name, int64_t size, const char *golden,
                         const char *class);
void people_scale_pool(struct trial *trial, int64_t size);
void people_make_instance(struct trial *trial, const char *namespace, const char *pool,
                          const char *name);
void people_delete_instance(struct trial *trial, const char *name);

/* The PV an Instance has or has chosen, else a warm one of the Pool's; NULL: none. */
const struct record *people_see_volume(const struct trial *trial, const char *instance);

#endif
