/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated API server with those storage controllers that a test starts, an FSx behind them with
   round numbers (a create takes 60 s of which all is served one after another), and no misfortune.
   Objects are written as simulated_api.h's tests write them; $1 to $9 stand for words. */
#ifndef ADJOINT_TESTS_SUPPORT_STORAGE_WORLD_H
#define ADJOINT_TESTS_SUPPORT_STORAGE_WORLD_H

#include "sim/binder.h"
#include "sim/draft.h"
#include "sim/fsx_driver.h"
#include "sim/garbage.h"
#include "sim/namespaces.h"
#include "sim/protection.h"
#include "sim/provisioner.h"
#include "sim/snapshotter.h"
#include "support/simulated_api.h"

enum { SECOND_MS = 1000, MINUTE_MS = 60 * 1000 };

struct storage_world {
    struct simulated_api *api;
    struct world *world;
    struct apiserver *server;
    struct pace pace;
    struct misfortune misfortune;
    struct fsx *fsx;
    struct fsx_driver *driver;
    /* NULL until the test makes it; freed by the fixture. */
    struct binder *binder;
    struct protection *protection;
    struct garbage *garbage;
    struct namespaces *namespaces;
    struct provisioner *provisioner;
    struct snapshotter *snapshotter;
    int writes; /* that took effect, by whomever but the tester */
};

/* With the StorageClass "clones": Immediate, Delete, of the FSx driver. */
int storage_world_set_up(void **state);
int storage_world_tear_down(void **state);

void storage_world_run(struct storage_world *storage, int64_t for_ms);

/* Made by the tester, with its status. The record is the caller's. value is taken. */
struct record *storage_world_make(struct storage_world *storage, const struct resource *resource,
                                  cJSON *value);
/* A merge patch by the tester. patch is taken. */
void storage_world_change(struct storage_world *storage, const struct resource *resource,
                          const char *name, cJSON *patch);
void storage_world_delete(struct storage_world *storage, const struct resource *resource,
                          const char *name);
/* As it is now; borrowed, NULL: absent. Objects are in the namespace "dev", if in any. */
const struct record *storage_world_get(struct storage_world *storage,
                                       const struct resource *resource, const char *name);

/* A plain Immediate claim of class clones, or one with `more` (", 'volumeName': 'a'") in its spec.
 */
struct record *storage_world_make_claim(struct storage_world *storage, const char *name,
                                        const char *more);
/* "" when absent. */
const char *storage_world_phase(struct storage_world *storage, const struct resource *resource,
                                const char *name);

/* A golden: a volume with data, its snapshot, and the VolumeSnapshot "golden" of it, ready, with
   its content. The handle of the snapshot. */
const char *storage_world_make_golden(struct storage_world *storage, const char *system_id);

#endif
