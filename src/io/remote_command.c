/* SPDX-License-Identifier: Apache-2.0 */
/* How a command ended is said on a channel of its own, as a Status, before the server closes: a
   connection that breaks brings none, and so nothing that was cut off passes for whole. */
#include "io/remote_command.h"

#include "base/json.h"
#include "base/memory.h"
#include "io/websocket_stream.h"

#define PROTOCOL "v4.channel.k8s.io"

enum { CHANNEL_OUT = 1, CHANNEL_ERR = 2, CHANNEL_END = 3, STATUS_BYTES_MAX = 64 * 1024 };

struct remote_command {
    struct websocket_stream *stream;
    struct text *out;
    struct text status;
    void (*ended)(void *self, const struct error *error, const char *refusal);
    void *self;
};

static void opened(void *self)
{
    (void)self;
}

static void sent(void *self)
{
    (void)self;
}

static bool take_message(void *self, const char *bytes, size_t byte_count, struct error *error)
{
    struct remote_command *command = self;
    unsigned channel = (unsigned char)bytes[0];
    if (channel == CHANNEL_OUT || channel == CHANNEL_ERR) {
        text_append_bytes(command->out, bytes + 1, byte_count - 1);
    } else if (channel == CHANNEL_END) {
        text_append_bytes(&command->status, bytes + 1, byte_count - 1);
    } else {
        return error_set(error, ERROR_INVALID, "the server speaks of a channel %u", channel);
    }
    return text_check(command->out, "what the command prints", error) &&
           text_check(&command->status, "how the command ended", error);
}

static bool judge(const struct text *status, struct error *error)
{
    cleanup_json struct json_document *document = NULL;
    if (status->length_bytes == 0) {
        return error_set(error, ERROR_UNAVAILABLE,
                         "the connection ended, and how the command did is not known");
    }
    if (!json_parse(status->bytes, status->length_bytes, &document, error)) {
        return error_wrap(error, "how the command ended");
    }
    const struct json *root = json_root(document);
    if (text_equal(json_text(json_member(root, "status")), "Success")) {
        return true;
    }
    const char *message = json_text(json_member(root, "message"));
    return error_set(error, ERROR_SYSTEM, "%s", message == NULL ? "it failed" : message);
}

static void stream_ended(void *self, const struct error *ending, const char *refusal)
{
    struct remote_command *command = self;
    struct error error = *ending;
    if (error.class == ERROR_NONE && judge(&command->status, &error)) {
        error.class = ERROR_NONE;
    }
    command->ended(command->self, &error, refusal);
}

struct remote_command *
remote_command_start(const struct port_forward_options *options, struct text *out,
                     void (*ended)(void *self, const struct error *error, const char *refusal),
                     void *self)
{
    struct remote_command *command = memory_new(1, sizeof(*command));
    command->out = out;
    command->ended = ended;
    command->self = self;
    text_init(&command->status, STATUS_BYTES_MAX);
    struct websocket_stream_events events = {.opened = opened,
                                             .message = take_message,
                                             .sent = sent,
                                             .ended = stream_ended,
                                             .self = command};
    command->stream = websocket_stream_new(options, PROTOCOL, events);
    return command;
}

void remote_command_free(struct remote_command *command)
{
    if (command != NULL) {
        websocket_stream_free(command->stream);
        text_release(&command->status);
        memory_free(command);
    }
}
