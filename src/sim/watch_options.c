/* SPDX-License-Identifier: Apache-2.0 */
/* What a watch's query asks for. A path that names one object is answered as a GET of it, whatever
   its query says, as the real server does. */
#include "base/memory.h"
#include "sim/failure.h"
#include "sim/listing.h"
#include "sim/route.h"
#include "sim/target.h"
#include "sim/watch_line.h"

#include <string.h>

static bool refuse(const char *field, const char *message, struct route_reply *out)
{
    failure_invalid_option(out, "ListOptions", field, "FieldValueForbidden", message);
    return false;
}

static bool check_options(const struct url *url, struct route_reply *out)
{
    if (url_get(url, "sendInitialEvents") != NULL) {
        return refuse("sendInitialEvents",
                      "Forbidden: sendInitialEvents is forbidden for watch unless the WatchList "
                      "feature gate is enabled",
                      out);
    }
    const char *match = url_get(url, "resourceVersionMatch");
    return match == NULL || match[0] == '\0' ||
           refuse("resourceVersionMatch",
                  "Forbidden: resourceVersionMatch is forbidden for watch unless "
                  "sendInitialEvents is provided",
                  out);
}

static bool read_query(const struct url *url, struct watch_options *options,
                       struct route_reply *out)
{
    const char *timeout = url_get(url, "timeoutSeconds");
    struct error error;
    *options = (struct watch_options){.bookmarks = url_true(url, "allowWatchBookmarks")};
    if (timeout != NULL && timeout[0] != '\0' &&
        (!text_parse_int64(timeout, &options->timeout_s, &error) || options->timeout_s < 0 ||
         options->timeout_s > INT32_MAX)) {
        failure_bad_request(out, "timeoutSeconds is not a whole number of seconds");
        return false;
    }
    return check_options(url, out) && listing_revision(url, &options->after, out);
}

static bool read_scope(struct apiserver *server, const struct request *request,
                       const struct url *url, const struct target *target,
                       struct watch_scope *scope, struct route_reply *out)
{
    struct error error;
    int64_t wall_ms = world_now(apiserver_world(server)).wall_ms;
    if (!rendering_choose(request->accept, url, wall_ms, &scope->rendering)) {
        failure_reply(out, &(struct failure){.http_status = 406, .reason = "NotAcceptable"});
        return false;
    }
    if (!filter_parse(&scope->filter, target->resource, url_get(url, "labelSelector"),
                      url_get(url, "fieldSelector"), &error)) {
        filter_release(&scope->filter);
        failure_bad_request(out, error.message);
        return false;
    }
    scope->resource = target->resource;
    scope->namespace = memory_copy_text(target->namespace);
    return true;
}

bool watch_options_read(struct apiserver *server, const struct request *request,
                        struct watch_scope *out_scope, struct watch_options *out_options,
                        struct route_reply *out_refusal)
{
    cleanup_url struct url url;
    struct error error;
    if (!url_parse(&url, request->path, &error)) {
        failure_bad_request(out_refusal, error.message);
        return false;
    }
    struct target target;
    if (!target_find(server, &url, &target) || target.name != NULL) {
        route_handle(server, "", request, out_refusal);
        return false;
    }
    return read_query(&url, out_options, out_refusal) &&
           read_scope(server, request, &url, &target, out_scope, out_refusal);
}

void watch_scope_release(struct watch_scope *scope)
{
    filter_release(&scope->filter);
    memory_free(scope->namespace);
}
