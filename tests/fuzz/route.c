/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever is asked of the simulated server, and in which order: each answer is of HTTP, whole, and
   JSON where it says so; each line of a watch is JSON, too. A request is its path, method, content
   type, accepted type and body, each up to a NUL; more requests may follow. */
#include "sim/route.h"

#include "base/memory.h"
#include "sim/value.h"
#include "sim/watch.h"
#include "support/fuzz_input.h"

#include <string.h>

enum { REQUESTS_MAX = 6, EVENTS_MAX = 40, WATCH_MS = 60 * 60 * 1000 };

struct texts {
    char *path, *method, *content_type, *accept, *body;
};

static enum method method_of(const char *name)
{
    for (enum method method = METHOD_GET; method <= METHOD_DELETE; method++) {
        if (text_equal(name, method_name(method))) {
            return method;
        }
    }
    return METHOD_GET;
}

static void require_json(const char *text, const char *what)
{
    cJSON *value = NULL;
    struct error error;
    fuzz_require(value_parse(text, &value, &error), what);
    cJSON_Delete(value);
}

static void require_reply(const struct route_reply *reply)
{
    fuzz_require(reply->http_status >= 200 && reply->http_status < 600, "a status of HTTP");
    fuzz_require(strlen(reply->body) == reply->body_bytes, "the body is whole");
    fuzz_require(reply->retry_after_s >= 0, "Retry-After is a time to come");
    if (text_equal(reply->content_type, "application/json")) {
        require_json(reply->body, "the body is JSON");
    }
}

static void take_bytes(void *self, const char *bytes, size_t byte_count)
{
    text_append_bytes(self, bytes, byte_count);
}

static bool ended;

static void note_end(void *self)
{
    (void)self;
    ended = true;
}

static void require_lines(struct text *text)
{
    char *line = text->bytes;
    for (char *end = strchr(line, '\n'); end != NULL; end = strchr(line, '\n')) {
        *end = '\0';
        require_json(line, "a watch's line is JSON");
        line = end + 1;
    }
    fuzz_require(*line == '\0', "a watch's lines are whole");
}

static void watch(struct apiserver *server, const struct request *request)
{
    struct world *world = apiserver_world(server);
    cleanup_text struct text lines;
    text_init(&lines, FUZZ_TEXT_BYTES_MAX);
    cleanup_route_reply struct route_reply refusal = {0};
    struct watch_sink sink = {.bytes = take_bytes, .ended = note_end, .self = &lines};
    ended = false;
    struct watch *opened = watch_open(server, request, &sink, &refusal);
    if (opened == NULL) {
        require_reply(&refusal);
        return;
    }
    int64_t until_ms = world_now(world).mono_ms + WATCH_MS;
    for (int i = 0; i < EVENTS_MAX && !ended && world_run_next(world, until_ms); i++) {
    }
    if (!ended) {
        watch_close(opened);
    }
    require_lines(&lines);
}

static void ask(struct apiserver *server, const struct texts *texts)
{
    struct request request = {
        .method = method_of(texts->method),
        .path = texts->path,
        .content_type = texts->content_type[0] == '\0' ? NULL : texts->content_type,
        .accept = texts->accept[0] == '\0' ? NULL : texts->accept,
        .body = texts->body[0] == '\0' ? NULL : texts->body,
        .body_bytes = strlen(texts->body),
        .deadline_ms = 1000,
    };
    if (texts->path[0] != '/') {
        return;
    }
    if (route_is_watch(&request)) {
        watch(server, &request);
    }
    cleanup_route_reply struct route_reply reply = {0};
    route_handle(server, "fuzzer", &request, &reply);
    require_reply(&reply);
}

static void play(struct apiserver *server, struct fuzz_input *input)
{
    for (int i = 0; i < REQUESTS_MAX && input->byte_count > 0; i++) {
        cleanup_memory char *path = fuzz_input_text(input);
        cleanup_memory char *method = fuzz_input_text(input);
        cleanup_memory char *content_type = fuzz_input_text(input);
        cleanup_memory char *accept = fuzz_input_text(input);
        cleanup_memory char *body = fuzz_input_text(input);
        ask(server, &(struct texts){path, method, content_type, accept, body});
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    struct world *world = world_new(1, INT64_C(1782907200000));
    struct apiserver *server = apiserver_new(world);
    play(server, &input);
    apiserver_free(server);
    world_free(world);
    return 0;
}
