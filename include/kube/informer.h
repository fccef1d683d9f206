/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps one kind of the store equal to the API server: list in pages, then watch with bookmarks,
   resumed from the last version; a list again after 410 (as a status or as an event), an
   unparsable stream, a page token that ran out, or watches that fail again and again. Streaming
   lists (sendInitialEvents) are not used: KEP-3157's phase has hung on servers that ignore it.
   Lists are asked with resourceVersion unset: a quorum read, never an older cache ("time travel").
   Sinks only scan, decode and put; step() starts requests. */
#ifndef ADJOINT_KUBE_INFORMER_H
#define ADJOINT_KUBE_INFORMER_H

#include "api/kind.h"
#include "base/now.h"
#include "base/random.h"
#include "kube/store.h"
#include "kube/transport.h"

struct informer_options {
    int page_objects;         /* limit= of a list page */
    int64_t list_deadline_ms; /* a page */
    int64_t watch_silence_ms; /* no byte for so long: resume (bookmarks come each minute) */
    int64_t watch_seconds_min, watch_seconds_max; /* timeoutSeconds is drawn between */
    int64_t backoff_ms_min, backoff_ms_max; /* doubled with each failure, then 50% jitter; at once
                                               the maximum when the kind is refused or missing */
    const char *namespace;                  /* NULL: all */
    const char *field_selector;             /* NULL: none; percent-encoded */
    const char *label_selector;             /* instead of the kind's own; NULL: that; encoded */
};
extern const struct informer_options informer_options_default;

struct informer;

/* keep(self, object) false: seen and not stored (and removed when it was). NULL keeps all. All
   arguments are borrowed and must outlive it; of random a seed is drawn. */
struct informer *informer_new(enum object_kind kind, const struct informer_options *options,
                              struct transport transport, struct store *store,
                              bool (*keep)(void *self, const struct object *object), void *self,
                              struct random *random);
void informer_free(struct informer *informer); /* cancels its call */

/* Acts on what the sinks noted, starts what is due. A second step at the same now does nothing. */
void informer_step(struct informer *informer, struct now now);
/* mono_ms of the next start; NOW_NEVER while a call runs. */
int64_t informer_wake_at(const struct informer *informer);
/* true: informer_step has something to do now, whatever informer_wake_at says. */
bool informer_due(const struct informer *informer);

/* A first list is complete in the store, and the one that was asked for since. */
bool informer_synced(const struct informer *informer);
/* List everything again, because what `keep` keeps has grown, or the watch may be late. */
void informer_relist(struct informer *informer);
/* mono_ms of the last byte or end of a page; 0: never. Noted at the step after it. */
int64_t informer_last_contact(const struct informer *informer);
/* Why the last call failed, or else the last object that could not be decoded since the last list
   began; class ERROR_NONE while all is well. */
const struct error *informer_error(const struct informer *informer);
/* Objects skipped because they could not be decoded, ever. */
uint64_t informer_undecodable(const struct informer *informer);

#endif
