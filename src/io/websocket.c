/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl has this from 7.86 on as an experiment that Debian does not build. A reader gives one
   event a call, so that its caller can stop in between when it has no room for more. */
#include "io/websocket.h"

#include <assert.h>

enum {
    OPCODE_CONTINUATION = 0,
    OPCODE_TEXT = 1,
    OPCODE_BINARY = 2,
    OPCODE_CLOSE = 8,
    OPCODE_PING = 9,
    OPCODE_PONG = 10,
    FIN = 0x80,
    RESERVED = 0x70,
    OPCODE = 0x0f,
    MASKED = 0x80,
    LENGTH = 0x7f,
    LENGTH_IN_2_BYTES = 126,
    LENGTH_IN_8_BYTES = 127,
    HEADER_BYTES = 2, /* before a longer length */
    BYTE_BITS = 8,
    CODE_BYTES = 2,    /* before the reason of a close */
    CODE_NORMAL = 1000 /* what we close with (section 7.4.1) */
};

void websocket_reader_init(struct websocket_reader *reader)
{
    *reader = (struct websocket_reader){.header_count = 0};
    text_init(&reader->message, WEBSOCKET_MESSAGE_BYTES_MAX);
    text_init(&reader->control, WEBSOCKET_CONTROL_BYTES_MAX);
}

void websocket_reader_release(struct websocket_reader *reader)
{
    text_release(&reader->message);
    text_release(&reader->control);
}

static unsigned opcode_of(const struct websocket_reader *reader)
{
    return reader->header[0] & OPCODE;
}

static bool is_control(const struct websocket_reader *reader)
{
    return opcode_of(reader) >= OPCODE_CLOSE;
}

static size_t length_bytes_of(const struct websocket_reader *reader)
{
    unsigned length = reader->header[1] & LENGTH;
    if (length < LENGTH_IN_2_BYTES) {
        return 0;
    }
    return length == LENGTH_IN_2_BYTES ? 2 : sizeof(uint64_t);
}

static bool check_kind(const struct websocket_reader *reader, struct error *error)
{
    unsigned opcode = opcode_of(reader);
    bool is_final = (reader->header[0] & FIN) != 0;
    if ((reader->header[0] & RESERVED) != 0 || opcode > OPCODE_PONG ||
        (opcode > OPCODE_BINARY && opcode < OPCODE_CLOSE)) {
        return error_set(error, ERROR_INVALID, "a WebSocket frame of an unknown kind");
    }
    if ((reader->header[1] & MASKED) != 0) {
        return error_set(error, ERROR_INVALID, "a WebSocket frame that is masked as a client's");
    }
    if (is_control(reader) && (!is_final || length_bytes_of(reader) > 0)) {
        return error_set(error, ERROR_INVALID, "a WebSocket control frame in parts or too long");
    }
    if (!is_control(reader) && (opcode == OPCODE_CONTINUATION) != reader->in_message) {
        return error_set(error, ERROR_INVALID, "WebSocket messages that are mixed up");
    }
    return true;
}

/* A length has only one spelling, the shortest (section 5.2). */
static bool read_length(struct websocket_reader *reader, struct error *error)
{
    size_t byte_count = length_bytes_of(reader);
    uint64_t length = byte_count == 0 ? reader->header[1] & LENGTH : 0;
    for (size_t i = 0; i < byte_count; i++) {
        length = length << BYTE_BITS | reader->header[HEADER_BYTES + i];
    }
    uint64_t shortest = byte_count == 0 ? 0 : byte_count == 2 ? LENGTH_IN_2_BYTES : UINT16_MAX + 1;
    if (length < shortest || length > INT64_MAX) {
        return error_set(error, ERROR_INVALID, "a WebSocket frame with a length that is none");
    }
    if (!is_control(reader) &&
        length > WEBSOCKET_MESSAGE_BYTES_MAX - (uint64_t)reader->message.length_bytes) {
        return error_set(error, ERROR_LIMIT, "a WebSocket message of more than %d bytes",
                         WEBSOCKET_MESSAGE_BYTES_MAX);
    }
    reader->left_bytes = length;
    return true;
}

static bool begin_payload(struct websocket_reader *reader, struct error *error)
{
    reader->in_payload = true;
    if (is_control(reader)) {
        text_clear(&reader->control);
    }
    return read_length(reader, error);
}

static bool take_header(struct websocket_reader *reader, const char **bytes, size_t *byte_count,
                        struct error *error)
{
    while (!reader->in_payload && *byte_count > 0) {
        reader->header[reader->header_count++] = (unsigned char)*(*bytes)++;
        --*byte_count;
        if (reader->header_count == HEADER_BYTES && !check_kind(reader, error)) {
            return false;
        }
        if (reader->header_count >= HEADER_BYTES &&
            reader->header_count == HEADER_BYTES + length_bytes_of(reader)) {
            return begin_payload(reader, error);
        }
    }
    return true;
}

static bool give_control(struct websocket_reader *reader, struct websocket_event *out,
                         struct error *error)
{
    *out = (struct websocket_event){WEBSOCKET_PING, reader->control.bytes,
                                    reader->control.length_bytes};
    if (opcode_of(reader) == OPCODE_PONG) {
        out->kind = WEBSOCKET_PONG;
    } else if (opcode_of(reader) == OPCODE_CLOSE) {
        if (out->byte_count == 1) {
            return error_set(error, ERROR_INVALID, "a WebSocket close with half a code");
        }
        out->kind = WEBSOCKET_CLOSE;
        reader->is_closed = true;
        if (out->byte_count >= CODE_BYTES) {
            out->bytes += CODE_BYTES;
            out->byte_count -= CODE_BYTES;
        }
    }
    return true;
}

static bool end_frame(struct websocket_reader *reader, struct websocket_event *out,
                      struct error *error)
{
    reader->in_payload = false;
    reader->header_count = 0;
    if (is_control(reader)) {
        return give_control(reader, out, error);
    }
    reader->in_message = (reader->header[0] & FIN) == 0;
    if (!reader->in_message) {
        *out = (struct websocket_event){WEBSOCKET_MESSAGE, reader->message.bytes,
                                        reader->message.length_bytes};
        reader->message_is_given = true;
    }
    return true;
}

bool websocket_read(struct websocket_reader *reader, const char **bytes, size_t *byte_count,
                    struct websocket_event *out, struct error *error)
{
    *out = (struct websocket_event){.kind = WEBSOCKET_NOTHING};
    if (reader->message_is_given) {
        text_clear(&reader->message);
        reader->message_is_given = false;
    }
    while (out->kind == WEBSOCKET_NOTHING && !reader->is_closed && *byte_count > 0) {
        if (!take_header(reader, bytes, byte_count, error)) {
            return false;
        }
        if (!reader->in_payload) {
            return true;
        }
        struct text *payload = is_control(reader) ? &reader->control : &reader->message;
        size_t taken = reader->left_bytes < *byte_count ? (size_t)reader->left_bytes : *byte_count;
        text_append_bytes(payload, *bytes, taken);
        *bytes += taken;
        *byte_count -= taken;
        reader->left_bytes -= taken;
        if (reader->left_bytes == 0 && !end_frame(reader, out, error)) {
            return false;
        }
    }
    return true;
}

static void append_header(struct text *out, unsigned opcode, size_t byte_count)
{
    text_append_char(out, (char)(FIN | opcode));
    size_t length_bytes = sizeof(uint64_t);
    if (byte_count < LENGTH_IN_2_BYTES) {
        text_append_char(out, (char)(MASKED | byte_count));
        return;
    }
    if (byte_count <= UINT16_MAX) {
        text_append_char(out, (char)(MASKED | LENGTH_IN_2_BYTES));
        length_bytes = 2;
    } else {
        text_append_char(out, (char)(MASKED | LENGTH_IN_8_BYTES));
    }
    for (size_t i = length_bytes; i > 0; i--) {
        text_append_char(out, (char)(byte_count >> (i - 1) * BYTE_BITS));
    }
}

static void append_masked(struct text *out, const unsigned char *mask, size_t offset,
                          const char *bytes, size_t byte_count)
{
    size_t begin = out->length_bytes;
    text_append_bytes(out, bytes, byte_count);
    for (size_t i = 0; begin + i < out->length_bytes; i++) {
        unsigned char byte = (unsigned char)out->bytes[begin + i];
        out->bytes[begin + i] = (char)(byte ^ mask[(offset + i) % WEBSOCKET_MASK_BYTES]);
    }
}

void websocket_write(struct text *out, enum websocket_kind kind,
                     const unsigned char mask[WEBSOCKET_MASK_BYTES], const char *bytes,
                     size_t byte_count)
{
    static const unsigned opcodes[] = {[WEBSOCKET_MESSAGE] = OPCODE_BINARY,
                                       [WEBSOCKET_PING] = OPCODE_PING,
                                       [WEBSOCKET_PONG] = OPCODE_PONG,
                                       [WEBSOCKET_CLOSE] = OPCODE_CLOSE};
    static const char code[CODE_BYTES] = {(char)(CODE_NORMAL >> BYTE_BITS),
                                          (char)(CODE_NORMAL & UINT8_MAX)};
    size_t code_bytes = kind == WEBSOCKET_CLOSE ? sizeof(code) : 0;
    assert(kind != WEBSOCKET_NOTHING);
    assert(kind == WEBSOCKET_MESSAGE || code_bytes + byte_count <= WEBSOCKET_CONTROL_BYTES_MAX);

    append_header(out, opcodes[kind], code_bytes + byte_count);
    text_append_bytes(out, (const char *)mask, WEBSOCKET_MASK_BYTES);
    append_masked(out, mask, 0, code, code_bytes);
    append_masked(out, mask, code_bytes, bytes, byte_count);
}
