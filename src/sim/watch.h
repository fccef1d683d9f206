/* SPDX-License-Identifier: Apache-2.0 */
/* A watch: lines of JSON that come from events of the world, in order of revision, each as late as
   its opener wants. As kube-apiserver's watch cache gives them (apiserver storage/cacher):

   - changes after resourceVersion; with none or "0" what is there now comes first, as ADDED;
   - a resourceVersion whose changes are forgotten: a stream with one ERROR event, a Status of code
     410, and its end;
   - an object that begins or stops to match the selectors is ADDED or DELETED;
   - with allowWatchBookmarks a BOOKMARK each minute and 2 s before the end;
   - after timeoutSeconds (half an hour to an hour without) a clean end;
   - sendInitialEvents is refused with 422, as with the WatchList feature off. */
#ifndef ADJOINT_SIM_WATCH_H
#define ADJOINT_SIM_WATCH_H

#include "kube/transport.h"
#include "sim/apiserver.h"
#include "sim/reply.h"

struct watch;

/* All are called from events of the world, and none may open or close a watch but `settled`. */
struct watch_sink {
    /* Before the first line, and as late as one: the status line, 200. NULL: nobody asks. */
    void (*opened)(void *self);
    /* Parts of lines, each borrowed for the call. */
    void (*bytes)(void *self, const char *bytes, size_t byte_count);
    /* After the last line; the watch is no more. */
    void (*ended)(void *self);
    /* The last call of each event of the world that called one of the others; it may close the
       watch, if it has not ended. NULL: nobody asks. */
    void (*settled)(void *self);
    /* How late the next line is, >= 0; a line never overtakes one before it. NULL: 0. */
    int64_t (*lag_ms)(void *self);
    void *self;
};

/* request: one of route_is_watch. NULL: refused, with *out_refusal (release it); untouched
   otherwise. Nothing is called before it returns. */
struct watch *watch_open(struct apiserver *server, const struct request *request,
                         const struct watch_sink *sink, struct route_reply *out_refusal);
/* The sink hears no more. NULL is fine. */
void watch_close(struct watch *watch);

/* The server gives up on it: an ERROR event with that Status, then the end. */
void watch_fail(struct watch *watch, int http_status, const char *reason, const char *message);

#endif
