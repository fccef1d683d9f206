/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that nothing slows down does no harm to what is kept, so no other invariant sees it; it
   only wears out the API server. Told by its rate: one request in each few milliseconds, where even
   a busy Pool writes its status a few times a second. That holds of rivals, too, who write at once
   and over each other as long as they see different things. */
#include "base/limits.h"
#include "base/text.h"
#include "simulation/books.h"

#include <string.h>

enum { SPAN_MS = 10 * 1000, REQUESTS_MAX = 100 };

struct request_entry {
    int64_t since_ms;
    int count;
};

/* I22. */
static void judge_target(struct judge *judge, const struct link_request *request)
{
    cleanup_text struct text place;
    text_init(&place, LIMIT_BODY_BYTES);
    text_print(&place, "/%s", judge->options.others);
    if (request->is_write && strstr(request->path, place.bytes) != NULL) {
        judge_break(judge, "I22: %s %s", method_name(request->method), request->path);
    }
}

void judge_request(struct judge *judge, const struct link_request *request)
{
    judge_target(judge, request);
    int64_t now_ms = world_now(apiserver_world(judge->server)).mono_ms;
    cleanup_text struct text key;
    text_init(&key, LIMIT_BODY_BYTES);
    text_print(&key, "%s ", method_name(request->method));
    text_append_bytes(&key, request->path, strcspn(request->path, "?"));
    struct request_entry *entry = map_get(&judge->by_request, key.bytes);
    if (entry == NULL) {
        entry = arena_new(&judge->arena, 1, sizeof(*entry));
        (void)map_put(&judge->by_request, arena_copy(&judge->arena, key.bytes), entry);
    }
    if (now_ms - entry->since_ms >= SPAN_MS) {
        *entry = (struct request_entry){.since_ms = now_ms};
    }
    if (++entry->count > REQUESTS_MAX) {
        judge_break(judge, "I12: %s was sent %d times within %lld ms", key.bytes, entry->count,
                    (long long)(now_ms - entry->since_ms));
    }
}
