/* SPDX-License-Identifier: Apache-2.0 */
#include "io/websocket.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SEEN_BYTES_MAX = 8 * 1024 * 1024 };

#define LITERAL(bytes) (bytes), sizeof(bytes) - 1

static const unsigned char MASK[WEBSOCKET_MASK_BYTES] = {0x11, 0x22, 0x33, 0x44};

/* What a reader makes of frames that come chunk_bytes at a time: "message(abc) ping() ". */
static void read_frames(const char *bytes, size_t byte_count, size_t chunk_bytes, struct text *out,
                        struct error *out_error)
{
    static const char *const kinds[] = {"", "message", "ping", "pong", "close"};
    struct websocket_reader reader;
    websocket_reader_init(&reader);
    *out_error = (struct error){.class = ERROR_NONE};
    bool good = true;
    while (good && byte_count > 0) {
        size_t left = chunk_bytes < byte_count ? chunk_bytes : byte_count;
        byte_count -= left;
        while (good && left > 0) {
            struct websocket_event event;
            good = websocket_read(&reader, &bytes, &left, &event, out_error);
            if (good && event.kind != WEBSOCKET_NOTHING) {
                text_print(out, "%s(%s) ", kinds[event.kind], event.bytes);
            }
            if (good && event.kind == WEBSOCKET_CLOSE) {
                left = byte_count = 0;
            }
        }
    }
    websocket_reader_release(&reader);
}

static void expect(const char *bytes, size_t byte_count, const char *seen)
{
    for (size_t chunk_bytes = 1; chunk_bytes <= byte_count; chunk_bytes++) {
        cleanup_text struct text out;
        text_init(&out, SEEN_BYTES_MAX);
        struct error error;
        read_frames(bytes, byte_count, chunk_bytes, &out, &error);
        assert_int_equal(error.class, ERROR_NONE);
        assert_string_equal(out.bytes, seen);
    }
}

static void refuse(const char *bytes, size_t byte_count, enum error_class class,
                   const char *message)
{
    cleanup_text struct text out;
    text_init(&out, SEEN_BYTES_MAX);
    struct error error;
    read_frames(bytes, byte_count, byte_count, &out, &error);
    assert_int_equal(error.class, class);
    assert_string_equal(error.message, message);
}

static void messages_are_read_however_they_are_cut(void **state)
{
    (void)state;
    expect(LITERAL("\x82\x03one\x81\x03two\x82\x00"), "message(one) message(two) message() ");
    expect(LITERAL("\x82\x7e\x00\x7e"
                   "0123456789012345678901234567890123456789012345678901234567890123456789"
                   "01234567890123456789012345678901234567890123456789012345"),
           "message("
           "0123456789012345678901234567890123456789012345678901234567890123456789"
           "01234567890123456789012345678901234567890123456789012345) ");
}

static void parts_of_a_message_are_joined(void **state)
{
    (void)state;
    expect(LITERAL("\x02\x01"
                   "a\x00\x00\x00\x01"
                   "b\x80\x01"
                   "c"),
           "message(abc) ");
}

/* RFC 6455, 5.4. */
static void a_ping_may_come_amid_a_message(void **state)
{
    (void)state;
    expect(LITERAL("\x02\x01"
                   "a\x89\x02hi\x80\x01"
                   "b\x8a\x00"),
           "ping(hi) message(ab) pong() ");
}

static void a_close_has_a_reason_and_is_the_last(void **state)
{
    (void)state;
    expect(LITERAL("\x88\x05\x03\xe8"
                   "bye\x82\x01x"),
           "close(bye) ");
    expect(LITERAL("\x88\x00"), "close() ");
}

static void what_no_server_may_send_is_refused(void **state)
{
    (void)state;
    refuse(LITERAL("\x82\x81\x01\x02\x03\x04x"), ERROR_INVALID,
           "a WebSocket frame that is masked as a client's");
    refuse(LITERAL("\xc2\x00"), ERROR_INVALID, "a WebSocket frame of an unknown kind");
    refuse(LITERAL("\x83\x00"), ERROR_INVALID, "a WebSocket frame of an unknown kind");
    refuse(LITERAL("\x8b\x00"), ERROR_INVALID, "a WebSocket frame of an unknown kind");
    refuse(LITERAL("\x09\x00"), ERROR_INVALID, "a WebSocket control frame in parts or too long");
    refuse(LITERAL("\x89\x7e\x00\x7e"), ERROR_INVALID,
           "a WebSocket control frame in parts or too long");
    refuse(LITERAL("\x80\x00"), ERROR_INVALID, "WebSocket messages that are mixed up");
    refuse(LITERAL("\x02\x00\x82\x00"), ERROR_INVALID, "WebSocket messages that are mixed up");
    refuse(LITERAL("\x82\x7e\x00\x7d"), ERROR_INVALID,
           "a WebSocket frame with a length that is none");
    refuse(LITERAL("\x82\x7f\x00\x00\x00\x00\x00\x00\xff\xff"), ERROR_INVALID,
           "a WebSocket frame with a length that is none");
    refuse(LITERAL("\x82\x7f\x80\x00\x00\x00\x00\x00\x00\x00"), ERROR_INVALID,
           "a WebSocket frame with a length that is none");
    refuse(LITERAL("\x88\x01\x03"), ERROR_INVALID, "a WebSocket close with half a code");
}

/* Before anything of it is kept, and over all its parts. */
static void a_message_has_a_limit(void **state)
{
    (void)state;
    refuse(LITERAL("\x82\x7f\x00\x00\x00\x00\x00\x40\x00\x01"), ERROR_LIMIT,
           "a WebSocket message of more than 4194304 bytes");
    refuse(LITERAL("\x02\x01x\x80\x7f\x00\x00\x00\x00\x00\x40\x00\x00"), ERROR_LIMIT,
           "a WebSocket message of more than 4194304 bytes");
}

/* A frame of ours as the server reads it: masked, of the shortest length. */
static void expect_written(size_t byte_count, const char *header, size_t header_bytes)
{
    cleanup_text struct text payload;
    cleanup_text struct text frame;
    text_init(&payload, SEEN_BYTES_MAX);
    text_init(&frame, SEEN_BYTES_MAX);
    for (size_t i = 0; i < byte_count; i++) {
        text_append_char(&payload, (char)('a' + i % 23));
    }
    websocket_write(&frame, WEBSOCKET_MESSAGE, MASK, payload.bytes, byte_count);
    assert_int_equal(frame.length_bytes, header_bytes + WEBSOCKET_MASK_BYTES + byte_count);
    assert_memory_equal(frame.bytes, header, header_bytes);
    assert_memory_equal(frame.bytes + header_bytes, MASK, WEBSOCKET_MASK_BYTES);
    for (size_t i = 0; i < byte_count; i++) {
        char sent = frame.bytes[header_bytes + WEBSOCKET_MASK_BYTES + i];
        assert_int_equal(sent ^ (char)MASK[i % WEBSOCKET_MASK_BYTES], payload.bytes[i]);
    }
}

static void frames_are_masked_and_have_the_shortest_length(void **state)
{
    (void)state;
    expect_written(0, LITERAL("\x82\x80"));
    expect_written(125, LITERAL("\x82\xfd"));
    expect_written(126, LITERAL("\x82\xfe\x00\x7e"));
    expect_written(65535, LITERAL("\x82\xfe\xff\xff"));
    expect_written(65536, LITERAL("\x82\xff\x00\x00\x00\x00\x00\x01\x00\x00"));
}

static void a_pong_carries_its_pings_bytes_and_a_close_its_code(void **state)
{
    (void)state;
    cleanup_text struct text out;
    text_init(&out, SEEN_BYTES_MAX);
    websocket_write(&out, WEBSOCKET_PONG, MASK, LITERAL("hi"));
    assert_string_equal(out.bytes, "\x8a\x82\x11\x22\x33\x44\x79\x4b");
    text_clear(&out);
    websocket_write(&out, WEBSOCKET_CLOSE, MASK, LITERAL(""));
    assert_string_equal(out.bytes, "\x88\x82\x11\x22\x33\x44\x12\xca");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_read_however_they_are_cut),
        cmocka_unit_test(parts_of_a_message_are_joined),
        cmocka_unit_test(a_ping_may_come_amid_a_message),
        cmocka_unit_test(a_close_has_a_reason_and_is_the_last),
        cmocka_unit_test(what_no_server_may_send_is_refused),
        cmocka_unit_test(a_message_has_a_limit),
        cmocka_unit_test(frames_are_masked_and_have_the_shortest_length),
        cmocka_unit_test(a_pong_carries_its_pings_bytes_and_a_close_its_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
