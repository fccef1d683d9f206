/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a list or a watch brings and however it is cut: the store ends up with the same objects,
   and the feed at the same version with the same complaint. The first byte chooses shape and kind,
   the second how it is cut. */
#include "kube/feed.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/fuzz_input.h"

#include <string.h>

enum { OBJECTS_MAX = 100, CHUNK_BYTES_MAX = 16 };

struct body {
    enum json_scan_shape shape;
    enum object_kind kind;
    const char *bytes;
    size_t byte_count;
};

static bool feed_body(struct feed *feed, const struct body *body, size_t chunk_bytes_max,
                      unsigned seed, struct error *error)
{
    struct random random;
    random_init(&random, seed);
    feed_begin(feed, body->shape);
    for (size_t at = 0; at < body->byte_count;) {
        size_t left = body->byte_count - at;
        size_t size = 1 + random_below(&random, chunk_bytes_max);
        size = size < left ? size : left;
        cleanup_memory char *chunk = memory_new(size, 1);
        (void)memcpy(chunk, body->bytes + at, size);
        feed_bytes(feed, chunk, size);
        at += size;
    }
    return feed_end(feed, error);
}

static void append_store(struct text *out, const struct store *store, enum object_kind kind)
{
    const struct object *object = NULL;
    size_t at = 0;
    while ((object = store_next(store, kind, &at)) != NULL) {
        const struct object_meta *meta = &object->meta;
        fuzz_require(meta->name[0] != '\0', "what is stored has a name");
        fuzz_require(store_get(store, kind, meta->namespace, meta->name) == object,
                     "what is stored is found");
        text_print(out, "%s/%s %s %s\n", meta->namespace, meta->name, meta->uid,
                   meta->resource_version);
    }
}

static void play(const struct body *body, size_t chunk_bytes_max, unsigned seed, struct text *out)
{
    struct feed feed;
    struct store *store = store_new(OBJECTS_MAX, (struct store_listener){0});
    feed_init(&feed, body->kind, store, NULL, NULL);
    feed_clear(&feed);
    store_begin_list(store, body->kind);
    struct error error = {0};
    bool ended = feed_body(&feed, body, chunk_bytes_max, seed, &error);
    if (ended && body->shape == JSON_SCAN_LIST) {
        fuzz_require(feed.version.length_bytes > 0, "a list that ended has a version");
        store_end_list(store, body->kind, feed.version.bytes);
    } else {
        store_abandon_list(store, body->kind);
    }
    append_store(out, store, body->kind);
    text_print(out, "%s %s: version %s, then %s; %d events, %d skipped: %s",
               ended ? "ended" : error_class_name(error.class), ended ? "" : error.message,
               feed.version.bytes, feed.continue_token.bytes, (int)feed.event_count,
               (int)feed.undecodable_count, feed.undecodable.message);
    feed_release(&feed);
    store_free(store);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    unsigned choice = fuzz_input_byte(&input);
    unsigned seed = fuzz_input_byte(&input);
    struct body body = {
        .shape = choice % 2 == 0 ? JSON_SCAN_LIST : JSON_SCAN_WATCH,
        .kind = (enum object_kind)(choice / 2 % KIND_WATCHED_COUNT),
        .bytes = (const char *)input.bytes,
        .byte_count = input.byte_count,
    };
    cleanup_text struct text whole;
    cleanup_text struct text cut;
    text_init(&whole, FUZZ_TEXT_BYTES_MAX);
    text_init(&cut, FUZZ_TEXT_BYTES_MAX);
    play(&body, FUZZ_TEXT_BYTES_MAX, 0, &whole);
    play(&body, CHUNK_BYTES_MAX, seed, &cut);
    fuzz_require(text_equal(whole.bytes, cut.bytes), "it does not matter how it is cut");
    return 0;
}
