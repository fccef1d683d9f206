/* SPDX-License-Identifier: Apache-2.0 */
/* The etcd of it: every object's present version under (resource, namespace, name), one revision
   counter for all, and the history of changes that watches and caches are fed from. It knows no
   rules; sim/apiserver.h does. */
#ifndef ADJOINT_SIM_OBJECTS_H
#define ADJOINT_SIM_OBJECTS_H

#include "sim/record.h"
#include "sim/resource.h"
#include "sim/world.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

enum change_type { CHANGE_ADDED, CHANGE_MODIFIED, CHANGE_DELETED };

/* record: the new version; of a DELETED one the last, with the deletion's revision. */
struct change {
    enum change_type type;
    uint64_t revision;
    int64_t at_ms; /* mono */
    struct record *record;
    struct record *before; /* the version it replaced; NULL for ADDED */
};

struct objects;

struct objects *objects_new(struct world *world);
void objects_free(struct objects *objects);

uint64_t objects_revision(const struct objects *objects); /* of the last change; starts at 1 */

/* Borrowed until the next change; NULL: absent. namespace: "" or NULL where there is none. */
const struct record *objects_get(const struct objects *objects, const struct resource *resource,
                                 const char *namespace, const char *name);
/* In order of (namespace, name); NULL begins, NULL ends. namespace NULL: all. The record given as
   `after` must still be there or be kept; then what follows its place is given. */
const struct record *objects_next(const struct objects *objects, const struct resource *resource,
                                  const char *namespace, const struct record *after);

/* Commits a change and makes it the present: value (ownership is taken) gets its resourceVersion.
   Returned borrowed. objects_remove: the object must be there. */
const struct record *objects_put(struct objects *objects, const struct resource *resource,
                                 cJSON *value);
void objects_remove(struct objects *objects, const struct resource *resource, const char *namespace,
                    const char *name);

/* ---- history: each change has the revision after the one before it ---- */
/* No more than so many changes are remembered: the oldest are compacted by themselves, as the
   server's watch cache forgets them. */
enum { OBJECTS_CHANGES_MAX = 4096 };

/* The first change after `revision` (which is not compacted), of any resource; NULL: none yet.
   Borrowed until the next change. */
const struct change *objects_change_after(const struct objects *objects, uint64_t revision);
/* Changes up to it are forgotten: who asks for them gets 410. */
void objects_compact(struct objects *objects, uint64_t revision);
uint64_t objects_compacted(const struct objects *objects);

/* Told of each change right after it, inside the call that made it: note, do not write. In order of
   registering. */
struct objects_listener;
struct objects_listener *objects_listen(struct objects *objects,
                                        void (*changed)(void *self, const struct change *change),
                                        void *self);
void objects_unlisten(struct objects *objects, struct objects_listener *listener);

#endif
