/* SPDX-License-Identifier: Apache-2.0 */
/* Which changes a watch shows, and as what line of JSON. */
#ifndef ADJOINT_SIM_WATCH_LINE_H
#define ADJOINT_SIM_WATCH_LINE_H

#include "kube/transport.h"
#include "sim/apiserver.h"
#include "sim/filter.h"
#include "sim/rendering.h"
#include "sim/reply.h"

/* What of the store a watch is of, and in which form. */
struct watch_scope {
    const struct resource *resource;
    char *namespace; /* NULL: all */
    struct filter filter;
    struct rendering rendering;
};

struct watch_options {
    uint64_t after;    /* resourceVersion; 0: from what is there */
    int64_t timeout_s; /* 0: the server's choice */
    bool bookmarks;
};

/* false: refused, with *out_refusal, and nothing to release. */
MUST_CHECK bool watch_options_read(struct apiserver *server, const struct request *request,
                                   struct watch_scope *out_scope, struct watch_options *out_options,
                                   struct route_reply *out_refusal);
void watch_scope_release(struct watch_scope *scope);

enum watch_line_kind {
    WATCH_LINE_OPENED, /* and END: no lines, but they wait in the same queue */
    WATCH_LINE_ADDED,
    WATCH_LINE_MODIFIED,
    WATCH_LINE_DELETED,
    WATCH_LINE_STRAYED, /* stopped to match: DELETED, the version before under the new revision */
    WATCH_LINE_BOOKMARK,
    WATCH_LINE_ERROR,
    WATCH_LINE_END,
};

struct watch_line {
    struct watch_line *next;
    enum watch_line_kind kind;
    int64_t due_ms;
    uint64_t revision;
    struct record *record; /* NULL: none */
    char *status;          /* of an ERROR */
};

/* Sets kind and record (borrowed); false: the watch shows nothing of it. The change is of the
   scope's resource. */
bool watch_scope_shows(const struct watch_scope *scope, const struct change *change,
                       struct watch_line *out);

/* is_first: of the watch's events; a table then names its columns. */
void watch_line_write(const struct watch_line *line, const struct watch_scope *scope, bool is_first,
                      void (*bytes)(void *self, const char *bytes, size_t byte_count), void *self);
void watch_line_free(struct watch_line *line);

#endif
