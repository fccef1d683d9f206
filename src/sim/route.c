/* SPDX-License-Identifier: Apache-2.0 */
/* Which verb a request is: by its method and by what its path names. Health and discovery come
   first only for paths too short to name a resource. */
#include "sim/route.h"

#include "sim/discovery.h"
#include "sim/events_group.h"
#include "sim/exchange.h"
#include "sim/failure.h"
#include "sim/served.h"

#include <string.h>

enum scope { SCOPE_COLLECTION, SCOPE_OBJECT, SCOPE_SUBRESOURCE, SCOPE_COUNT };

static void (*const verbs[SCOPE_COUNT][METHOD_DELETE + 1])(struct exchange *exchange) = {
    [SCOPE_COLLECTION] =
        {
            [METHOD_GET] = exchange_read,
            [METHOD_POST] = exchange_create,
            [METHOD_DELETE] = exchange_delete_collection,
        },
    [SCOPE_OBJECT] =
        {
            [METHOD_GET] = exchange_read,
            [METHOD_PUT] = exchange_update,
            [METHOD_PATCH] = exchange_patch,
            [METHOD_DELETE] = exchange_delete,
        },
    [SCOPE_SUBRESOURCE] =
        {
            [METHOD_GET] = exchange_read,
            [METHOD_PUT] = exchange_update,
            [METHOD_PATCH] = exchange_patch,
        },
};

static enum scope scope_of(const struct target *target)
{
    if (target->name == NULL) {
        return SCOPE_COLLECTION;
    }
    return target->subresource == NULL ? SCOPE_OBJECT : SCOPE_SUBRESOURCE;
}

static void (*verb_of(const struct exchange *exchange))(struct exchange *exchange)
{
    const struct target *target = &exchange->target;
    bool is_all_namespaces = target->resource->is_namespaced && target->namespace == NULL;
    if (is_all_namespaces && exchange->request->method != METHOD_GET) {
        return NULL;
    }
    return verbs[scope_of(target)][exchange->request->method];
}

/* A built-in group says in a Status that it lacks the resource; for others there is nobody to say
   so. */
static void reply_not_found(const struct apiserver *server, const struct url *url,
                            struct route_reply *out)
{
    struct served served;
    served_init(&served, server);
    bool is_core = url_segment_is(url, 0, "api") && url->segment_count >= 2;
    bool is_group = url_segment_is(url, 0, "apis") && url->segment_count >= 3;
    bool is_served = (is_core && served_has(&served, "", url->segments[1])) ||
                     (is_group && served_built_in(&served, url->segments[1], url->segments[2]));
    if (!is_served) {
        route_reply_plain(out, 404, "404 page not found\n");
        return;
    }
    failure_reply(out, &(struct failure){
                           .http_status = 404,
                           .reason = "NotFound",
                           .message = "the server could not find the requested resource",
                           .kind = "",
                       });
}

static void handle_resource(struct exchange *exchange)
{
    int64_t wall_ms = world_now(apiserver_world(exchange->server)).wall_ms;
    void (*verb)(struct exchange * exchange) = verb_of(exchange);
    if (verb == NULL) {
        failure_reply(exchange->out,
                      &(struct failure){
                          .http_status = 405,
                          .reason = "MethodNotAllowed",
                          .message = "the server does not allow this method on the requested "
                                     "resource",
                          .kind = "",
                      });
    } else if (!rendering_choose(exchange->request->accept, exchange->url, wall_ms,
                                 &exchange->rendering)) {
        failure_reply(exchange->out, &(struct failure){
                                         .http_status = 406,
                                         .reason = "NotAcceptable",
                                         .message = "only the following media types are accepted: "
                                                    "application/json",
                                     });
    } else {
        verb(exchange);
    }
}

static void handle(struct apiserver *server, const char *user, const struct request *request,
                   struct route_reply *out)
{
    cleanup_url struct url url;
    struct error error;
    if (!url_parse(&url, request->path, &error)) {
        failure_bad_request(out, error.message);
        return;
    }
    struct exchange exchange = {
        .server = server, .user = user, .request = request, .url = &url, .out = out};
    if (target_find(server, &url, &exchange.target)) {
        handle_resource(&exchange);
    } else if (request->method != METHOD_GET || !discovery_reply(server, &url, out)) {
        reply_not_found(server, &url, out);
    }
}

void route_handle(struct apiserver *server, const char *user, const struct request *request,
                  struct route_reply *out)
{
    struct request translated;
    cleanup_text struct text path;
    cleanup_text struct text body;
    text_init(&path, ROUTE_BODY_BYTES_MAX);
    text_init(&body, ROUTE_BODY_BYTES_MAX);
    handle(server, user,
           events_group_translate(request, &path, &body, &translated) ? &translated : request, out);
}

/* Most paths have no query that begins so, and are not taken apart for it. */
bool route_is_watch(const struct request *request)
{
    const char *query = strchr(request->path, '?');
    if (request->method != METHOD_GET || query == NULL || strstr(query, "watch") == NULL) {
        return false;
    }
    cleanup_url struct url url;
    struct error ignored; /* then it is answered with a 400 */
    return url_parse(&url, request->path, &ignored) && url_true(&url, "watch");
}
