/* SPDX-License-Identifier: Apache-2.0 */
/* CustomResourceDefinitions and the resources they bring. One version of a definition is served,
   the stored one: conversion is not done. (k8s.io/apiextensions-apiserver) */
#ifndef ADJOINT_SRC_SIM_DEFINITIONS_H
#define ADJOINT_SRC_SIM_DEFINITIONS_H

#include "sim/apiserver_state.h"

#define DEFINITION_FINALIZER "customresourcecleanup.apiextensions.k8s.io"

/* A definition that was found valid, new or changed. A resource of the same group and plural stays
   the same struct, so that who holds it sees the new schema. */
void definitions_register(struct apiserver *server, const cJSON *definition);
void definitions_unregister(struct apiserver *server, const cJSON *definition);
/* An object of it is gone: if its definition is terminating and this was the last one, the
   definition goes, too. */
void definitions_finish(struct apiserver *server, const struct resource *resource);
bool definitions_is_terminating(const struct apiserver *server, const struct resource *resource);
/* Of a definition that is deleted; the caller's. */
cJSON *definitions_terminating_condition(const struct apiserver *server);
void definitions_free(struct apiserver *server);

/* In order of registering; NULL at the end. Those not served now are left out. */
const struct resource *definitions_resource(const struct apiserver *server, size_t index);
/* What a definition's resource is; NULL: none is served. */
const struct resource *definitions_of(const struct apiserver *server, const cJSON *definition);

#endif
