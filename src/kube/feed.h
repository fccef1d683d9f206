/* SPDX-License-Identifier: Apache-2.0 */
/* From the body of a list page or of a watch into the store, as the bytes come. It knows nothing
   of requests and time; see kube/informer.h for the words. */
#ifndef ADJOINT_KUBE_FEED_H
#define ADJOINT_KUBE_FEED_H

#include "api/kind.h"
#include "base/text.h"
#include "kube/store.h"

struct feed {
    enum object_kind kind;
    struct store *store; /* borrowed */
    bool (*keep)(void *self, const struct object *object);
    void *keep_self;

    /* Results. Version and token are opaque; "" for none. */
    struct text version;        /* of the list (its first page's), then of each event */
    struct text continue_token; /* of the page that ended last */
    uint64_t event_count;       /* of this body; ERROR events are not among them */
    uint64_t undecodable_count; /* objects that were skipped, ever */
    struct error undecodable;   /* the last of them since feed_clear; else class ERROR_NONE */
    struct error stopped;       /* why no more of this body is read; else class ERROR_NONE */
    bool server_stopped;        /* stopped is an ERROR event's Status, not an unreadable stream */

    struct json_scan *scan; /* private; NULL between bodies */
    bool watching;          /* private */
};

/* keep NULL keeps all. */
void feed_init(struct feed *feed, enum object_kind kind, struct store *store,
               bool (*keep)(void *self, const struct object *object), void *keep_self);
void feed_release(struct feed *feed);

/* Before the first page of a list: no version, no token. */
void feed_clear(struct feed *feed);

/* A body begins: JSON_SCAN_LIST (between store_begin_list and store_end_list) or JSON_SCAN_WATCH.
   One that was not ended is dropped. */
void feed_begin(struct feed *feed, enum json_scan_shape shape);

/* What cannot be read is noted in `stopped`; the rest of the body is then ignored. */
void feed_bytes(struct feed *feed, const char *bytes, size_t byte_count);

/* The body is over. ERROR_INVALID: inside a value, or a list without a version, or one whose pages
   go round in circles; an error that stopped it before is given again. */
MUST_CHECK bool feed_end(struct feed *feed, struct error *error);

#endif
