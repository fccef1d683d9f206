/* SPDX-License-Identifier: Apache-2.0 */
/* What is there before anybody acts: namespaces, the crds, classes and a golden. */
#ifndef ADJOINT_SIMULATION_SCENE_H
#define ADJOINT_SIMULATION_SCENE_H

#include "simulation/trial.h"

#define SCENE_SYSTEM "adjoint-system"
#define SCENE_LEASE "adjoint-operator"
#define SCENE_OPERATOR "system:serviceaccount:adjoint-system:adjoint-operator"
#define SCENE_POOLS "pools"
#define SCENE_DEV "dev"
#define SCENE_TESTS "tests"   /* another namespace of developers */
#define SCENE_OTHERS "others" /* of people who have nothing to do with Adjoint */
#define SCENE_POOL "shop"
#define SCENE_STOCK "stock" /* another Pool */
#define SCENE_GOLDEN "golden"
#define SCENE_CLASS "fsx-clone"
#define SCENE_SYSTEM_ID "7412345678901234567"
#define SCENE_SHORT_LIFE "5m" /* a lifetime that ends within a run */
#define SCENE_THIEF "thief"
/* Of the second file system. */
#define SCENE_OTHER_CLASS "fsx-clone-2"

/* The simulation's options of this run. Before anything is in it. */
struct simulation_options scene_options(const struct trial_options *options);
/* false: the judge's verdict says why. */
MUST_CHECK bool scene_set(struct trial *trial, struct error *error);
/* A golden of this name; the first is part of the scene, unless the scenario begins without it. */
void scene_make_golden(struct trial *trial, const char *name);
/* On this file system, from 0; the class of its clones differs. */
void scene_make_golden_on(struct trial *trial, const char *name, size_t file_system);

#endif
