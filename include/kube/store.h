/* SPDX-License-Identifier: Apache-2.0 */
/* What we know of the cluster: one table of objects a kind. It never goes backwards: of two
   versions of one uid the older is dropped (kube/version.h), and what was deleted stays deleted
   (a tombstone by uid). Where versions cannot be compared, a reply to our own write stands until
   the watch shows that version or a list replaces everything. A kind has one informer: what that
   has delivered up to a version is complete. */
#ifndef ADJOINT_KUBE_STORE_H
#define ADJOINT_KUBE_STORE_H

#include "api/object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

enum store_source {
    STORE_LIST,
    STORE_WATCH,
    STORE_REPLY, /* to a request of ours */
};

/* One listener, told of each change after it is in (before NULL: added; after NULL: gone; both have
   one uid: a name that is made anew is gone, then added). It may read the store, must not change
   it. before is freed when it returns. */
struct store_listener {
    void (*changed)(void *self, const struct object *before, const struct object *after);
    void *self;
};

/* object_count_max: objects kept a kind (base/limits.h). */
struct store *store_new(size_t object_count_max, struct store_listener listener);
void store_free(struct store *store);

/* What its objects are decoded with. */
struct commons *store_commons(const struct store *store);

/* Takes the object, whatever the result. true: the store changed. ERROR-free: over the maximum the
   object is dropped and store_overflowed says so. */
bool store_put_take(struct store *store, struct object *object, enum store_source source);

/* As if an object that is held, from store_get, were put again in the version that it has. */
void store_note_shown(struct store *store, const struct object *held, enum store_source source);

/* A deletion was seen: by its last state's name, uid and resourceVersion (NULL or "": not known).
   Without the uid it is whatever is there, and a newer state of that may still come: a name that
   was not found may have been made anew since. With the uid and no version nothing of it comes back
   but by a list. true: something was removed. Also for what is not wanted any more: with its
   version. */
bool store_remove(struct store *store, enum object_kind kind, const char *namespace,
                  const char *name, const char *uid, const char *resource_version);

/* A list: begin before it is asked for, put what came (source LIST), end with the list's own
   version. end removes what the list did not show and is not newer than it (where versions cannot
   be compared: what was put by nobody since begin), and so is gone: a deletion nobody told us of.
   abandon forgets the list. */
void store_begin_list(struct store *store, enum object_kind kind);
void store_end_list(struct store *store, enum object_kind kind, const char *resource_version);
void store_abandon_list(struct store *store, enum object_kind kind);
/* The list shows it in a state that cannot be decoded: what is known of it stands. */
void store_spare_listed(struct store *store, enum object_kind kind, const char *namespace,
                        const char *name);

/* Borrowed until the next change of the store; NULL: not there. namespace "" or NULL for kinds
   that have none. */
const struct object *store_get(const struct store *store, enum object_kind kind,
                               const char *namespace, const char *name);
const struct object *store_get_uid(const struct store *store, enum object_kind kind,
                                   const char *uid);

/* `size_t at = 0; while ((object = store_next(store, kind, &at)))`. In no order: sort by
   object_compare_age what a decision reads. */
const struct object *store_next(const struct store *store, enum object_kind kind, size_t *at);
size_t store_count(const struct store *store, enum object_kind kind);

/* Grows with each change of any kind. */
uint64_t store_revision(const struct store *store);
bool store_overflowed(const struct store *store, enum object_kind kind);

#endif
