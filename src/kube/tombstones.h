/* SPDX-License-Identifier: Apache-2.0 */
/* The uids that were seen deleted, the last 4,096 of them: a uid never comes back to life, so what
   is still on its way about it (a slow reply, an event behind our own DELETE) is known as old. */
#ifndef ADJOINT_KUBE_TOMBSTONES_H
#define ADJOINT_KUBE_TOMBSTONES_H

#include "base/map.h"

#include <stddef.h>
#include <stdint.h>

struct tombstone {
    char *uid;
    char *version;       /* of the deletion; NULL: not known */
    uint64_t list_epoch; /* what store.c counts: a list begun later knows better */
};

struct tombstones {
    struct tombstone *ring; /* private; allocated with the first */
    size_t next;            /* private */
    struct map by_uid;      /* private */
};

void tombstones_init(struct tombstones *tombstones);
void tombstones_release(struct tombstones *tombstones);

/* Strings are copied. A uid that has one gets the new values; over the maximum the oldest goes. */
void tombstones_add(struct tombstones *tombstones, const char *uid, const char *version,
                    uint64_t list_epoch);

/* Borrowed until the next add; NULL: never seen deleted, or too long ago. */
const struct tombstone *tombstones_find(const struct tombstones *tombstones, const char *uid);

#endif
