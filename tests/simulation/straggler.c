/* SPDX-License-Identifier: Apache-2.0 */
#include "simulation/straggler.h"

#include <string.h>

struct straggler {
    struct link *link;
    enum method method;
    const char *path, *body;
};

static void ignore_head(void *self, int http_status, int64_t retry_after_ms)
{
    (void)self;
    (void)http_status;
    (void)retry_after_ms;
}

static void ignore_bytes(void *self, const char *bytes, size_t byte_count)
{
    (void)self;
    (void)bytes;
    (void)byte_count;
}

static void ignore_end(void *self, const struct error *error)
{
    (void)self;
    (void)error;
}

static const char *content_type_of(const struct straggler *straggler)
{
    if (straggler->method != METHOD_PATCH) {
        return straggler->body == NULL ? NULL : "application/json";
    }
    return straggler->body[0] == '[' ? "application/json-patch+json"
                                     : "application/merge-patch+json";
}

static void send_straggler(void *self)
{
    struct straggler *straggler = self;
    struct transport transport = link_transport(straggler->link);
    struct request request = {
        .method = straggler->method,
        .path = straggler->path,
        .content_type = content_type_of(straggler),
        .body = straggler->body,
        .body_bytes = straggler->body == NULL ? 0 : strlen(straggler->body),
        .deadline_ms = 60000,
    };
    struct sink sink = {.head = ignore_head, .bytes = ignore_bytes, .end = ignore_end};
    (void)transport.start(transport.self, &request, sink);
}

void straggler_send(struct trial *trial, struct link *link, const struct link_request *request,
                    int64_t delay_ms)
{
    struct arena *arena = &trial->arena;
    struct straggler *straggler = arena_new(arena, 1, sizeof(*straggler));
    *straggler = (struct straggler){.link = link,
                                    .method = request->method,
                                    .path = arena_copy(arena, request->path),
                                    .body = arena_copy(arena, request->body)};
    (void)world_after(trial->world, delay_ms, send_straggler, straggler);
}
