/* SPDX-License-Identifier: Apache-2.0 */
/* Selection is done by the API server, so that nothing has to be parsed here, and calls need no
   wrapping: the inner transport's are handed out as they are. */
#include "crash_matrix/scope.h"

#include "api/kind.h"
#include "base/limits.h"
#include "crash_matrix/world.h"

#include <string.h>

enum { ALL_WORLDS = -1 };

void scope_init_world(struct scope *scope, struct transport inner, int world, int world_count)
{
    *scope = (struct scope){.inner = inner, .world = world};
    text_init(&scope->others, LIMIT_BODY_BYTES);
    for (int other = 0; other < world_count; other++) {
        if (other != world) {
            text_print(&scope->others, "%smetadata.namespace!%%3D%s%d,metadata.namespace!%%3D%s%d",
                       scope->others.length_bytes > 0 ? "," : "", WORLD_POOLS, other, WORLD_DEV,
                       other);
        }
    }
}

void scope_init_all(struct scope *scope, struct transport inner)
{
    *scope = (struct scope){.inner = inner, .world = ALL_WORLDS};
    text_init(&scope->others, 0);
}

void scope_release(struct scope *scope)
{
    text_release(&scope->others);
}

/* The kind whose cluster-wide collection this is; KIND_COUNT: none. */
static enum object_kind collection_of(const char *path)
{
    size_t bytes = strcspn(path, "?");
    for (int kind = 0; kind < KIND_WATCHED_COUNT; kind++) {
        cleanup_text struct text collection;
        text_init(&collection, LIMIT_BODY_BYTES);
        kind_path(kind_of((enum object_kind)kind), NULL, NULL, NULL, &collection);
        if (collection.length_bytes == bytes && strncmp(collection.bytes, path, bytes) == 0) {
            return (enum object_kind)kind;
        }
    }
    return KIND_COUNT;
}

static void narrow(const struct scope *scope, enum object_kind kind, struct text *path)
{
    const char *joint = strchr(path->bytes, '?') == NULL ? "?" : "&";
    if (kind == KIND_VOLUME) {
        text_print(path, "%slabelSelector=crash-matrix%%2Fworld%%3D%d", joint, scope->world);
    } else if (kind_of(kind)->namespaced && scope->others.length_bytes > 0) {
        text_print(path, "%sfieldSelector=%s", joint, scope->others.bytes);
    }
}

/* The selector's place in the query keeps its `&`. */
static void widen(struct text *path)
{
    char *selector = strstr(path->bytes, "labelSelector=");
    if (selector != NULL) {
        const char *rest = selector + strcspn(selector, "&");
        memmove(selector, rest, strlen(rest) + 1);
        path->length_bytes = strlen(path->bytes);
    }
}

static struct call *start(void *self, const struct request *request, struct sink sink)
{
    struct scope *scope = self;
    enum object_kind kind =
        request->method == METHOD_GET ? collection_of(request->path) : KIND_COUNT;
    struct request scoped = *request;
    cleanup_text struct text path;
    text_init(&path, LIMIT_BODY_BYTES);
    text_append(&path, request->path);
    if (kind != KIND_COUNT && scope->world == ALL_WORLDS) {
        widen(&path);
    } else if (kind != KIND_COUNT) {
        narrow(scope, kind, &path);
    }
    scoped.path = path.bytes;
    return scope->inner.start(scope->inner.self, &scoped, sink);
}

static void cancel(void *self, struct call *call)
{
    struct scope *scope = self;
    scope->inner.cancel(scope->inner.self, call);
}

struct transport scope_transport(struct scope *scope)
{
    return (struct transport){.start = start, .cancel = cancel, .self = scope};
}
