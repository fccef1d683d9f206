/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a server sends and however it is cut: the same events, then the same complaint; what is
   answered is a frame. The first byte chooses how it is cut. */
#include "io/websocket.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/fuzz_input.h"

#include <string.h>

enum { CHUNK_BYTES_MAX = 7 };

static void note(const struct websocket_event *event, struct text *out)
{
    static const unsigned char mask[WEBSOCKET_MASK_BYTES] = {1, 2, 3, 4};
    static const char *const kinds[] = {"nothing", "message", "ping", "pong", "close"};
    fuzz_require(event->bytes[event->byte_count] == '\0' || event->kind == WEBSOCKET_NOTHING,
                 "an event's bytes end in NUL");
    text_print(out, "%s %zu ", kinds[event->kind], event->byte_count);
    text_append_bytes(out, event->bytes, event->byte_count);
    if (event->kind == WEBSOCKET_PING) {
        websocket_write(out, WEBSOCKET_PONG, mask, event->bytes, event->byte_count);
    }
}

static bool play_chunk(struct websocket_reader *reader, const char *bytes, size_t byte_count,
                       struct text *out)
{
    struct websocket_event event = {.kind = WEBSOCKET_NOTHING};
    struct error error = {.class = ERROR_NONE};
    while (byte_count > 0) {
        if (!websocket_read(reader, &bytes, &byte_count, &event, &error)) {
            fuzz_require(error.class != ERROR_NONE && error.message[0] != '\0',
                         "a refusal says why");
            text_print(out, "refused: %s", error.message);
            return false;
        }
        if (event.kind != WEBSOCKET_NOTHING) {
            note(&event, out);
        }
        if (event.kind == WEBSOCKET_CLOSE) {
            return false;
        }
    }
    return true;
}

static void play(const unsigned char *bytes, size_t byte_count, size_t chunk_bytes_max,
                 unsigned seed, struct text *out)
{
    struct websocket_reader reader;
    websocket_reader_init(&reader);
    struct random random;
    random_init(&random, seed);
    bool goes_on = true;
    for (size_t at = 0; goes_on && at < byte_count;) {
        size_t left = byte_count - at;
        size_t size = 1 + random_below(&random, chunk_bytes_max);
        size = size < left ? size : left;
        cleanup_memory char *chunk = memory_new(size, 1);
        (void)memcpy(chunk, bytes + at, size);
        goes_on = play_chunk(&reader, chunk, size, out);
        at += size;
    }
    websocket_reader_release(&reader);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t byte_count)
{
    struct fuzz_input input = {bytes, byte_count};
    unsigned seed = fuzz_input_byte(&input);
    cleanup_text struct text whole;
    cleanup_text struct text cut;
    text_init(&whole, FUZZ_TEXT_BYTES_MAX);
    text_init(&cut, FUZZ_TEXT_BYTES_MAX);
    play(input.bytes, input.byte_count, FUZZ_TEXT_BYTES_MAX, 0, &whole);
    play(input.bytes, input.byte_count, CHUNK_BYTES_MAX, seed, &cut);
    fuzz_require(whole.length_bytes == cut.length_bytes &&
                     memcmp(whole.bytes, cut.bytes, cut.length_bytes) == 0,
                 "it does not matter how it is cut");
    return 0;
}
