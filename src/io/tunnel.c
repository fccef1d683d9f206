/* SPDX-License-Identifier: Apache-2.0 */
/* Neither side may outrun the other: the client is read only when all it said is sent, the server
   only while the client takes what it is given.

   v4.channel.k8s.io: each message is for the channel that its first byte names, 0 for data and 1
   for a complaint; the server begins both with the port in two bytes. It has no way to close one
   direction alone, so a client that ends ends both: Postgres' clients say goodbye first. */
#include "io/tunnel.h"

#include "base/memory.h"
#include "io/loop.h"
#include "io/websocket_stream.h"

#include <assert.h>
#include <string.h>

#define PROTOCOL "v4.channel.k8s.io"

enum {
    CHUNK_BYTES = 32 * 1024,
    UNTAKEN_BYTES_MAX = 256 * 1024, /* that the client has not read */
    CHANNEL_DATA = 0,
    CHANNEL_COMPLAINT = 1,
    CHANNEL_COUNT = 2,
    PORT_BYTES = 2,
};

struct tunnel {
    struct websocket_stream *server;
    uv_tcp_t client;
    bool has_client, is_open, client_ended, server_ended, freed;
    size_t port_bytes[CHANNEL_COUNT]; /* that have come */
    char chunk[1 + CHUNK_BYTES];      /* what the client said, behind its channel */
    void (*ended)(void *self, const struct tunnel *tunnel, const struct error *error,
                  const char *refusal);
    void *self;
};

/* ---- the end ---- */

static void client_closed(uv_handle_t *client)
{
    memory_free(client->data);
}

void tunnel_free(struct tunnel *tunnel)
{
    tunnel->freed = true;
    websocket_stream_free(tunnel->server);
    uv_close((uv_handle_t *)&tunnel->client, client_closed);
}

static void end_with(struct tunnel *tunnel, const struct error *error, const char *refusal)
{
    tunnel_free(tunnel);
    tunnel->ended(tunnel->self, tunnel, error, refusal);
}

static void end(struct tunnel *tunnel)
{
    struct error none = {.class = ERROR_NONE};
    end_with(tunnel, &none, "");
}

static void client_has_ended(struct tunnel *tunnel)
{
    if (!tunnel->client_ended) {
        tunnel->client_ended = true;
        uv_read_stop((uv_stream_t *)&tunnel->client);
        websocket_stream_close(tunnel->server);
    }
}

/* ---- from the client ---- */

static void give_chunk(uv_handle_t *client, size_t suggested_bytes, uv_buf_t *out_chunk)
{
    (void)suggested_bytes;
    struct tunnel *tunnel = client->data;
    *out_chunk = uv_buf_init(tunnel->chunk + 1, CHUNK_BYTES);
}

static void client_said(uv_stream_t *client, ssize_t byte_count, const uv_buf_t *chunk)
{
    (void)chunk;
    struct tunnel *tunnel = client->data;
    if (byte_count < 0 || tunnel->server_ended) {
        client_has_ended(tunnel);
    } else if (byte_count > 0) {
        tunnel->chunk[0] = CHANNEL_DATA;
        uv_read_stop(client);
        websocket_stream_say(tunnel->server, tunnel->chunk, 1 + (size_t)byte_count);
    }
}

static void read_client(void *self)
{
    struct tunnel *tunnel = self;
    if (!tunnel->client_ended) {
        int status = uv_read_start((uv_stream_t *)&tunnel->client, give_chunk, client_said);
        assert(status == 0 || status == UV_EALREADY);
    }
}

static void server_is_open(void *self)
{
    struct tunnel *tunnel = self;
    if (tunnel->has_client) {
        read_client(tunnel);
    } else {
        end(tunnel);
    }
}

/* ---- from the server ---- */

struct giving {
    uv_write_t write;
    struct tunnel *tunnel;
    char *bytes;
};

static size_t untaken_bytes(const struct tunnel *tunnel)
{
    return uv_stream_get_write_queue_size((const uv_stream_t *)&tunnel->client);
}

static void client_took(uv_write_t *write, int status)
{
    struct giving *giving = write->data;
    struct tunnel *tunnel = giving->tunnel;
    memory_free(giving->bytes);
    memory_free(giving);
    if (tunnel->freed) {
        return;
    }
    if (tunnel->server_ended && (status < 0 || untaken_bytes(tunnel) == 0)) {
        end(tunnel);
    } else if (status < 0) {
        client_has_ended(tunnel);
    } else if (untaken_bytes(tunnel) < UNTAKEN_BYTES_MAX) {
        websocket_stream_pause(tunnel->server, false);
    }
}

static void give_client(struct tunnel *tunnel, const char *bytes, size_t byte_count)
{
    struct giving *giving = memory_new(1, sizeof(*giving));
    giving->tunnel = tunnel;
    giving->write.data = giving;
    giving->bytes = memory_new(byte_count, 1);
    memcpy(giving->bytes, bytes, byte_count);
    uv_buf_t buffer = uv_buf_init(giving->bytes, (unsigned int)byte_count);
    int status = uv_write(&giving->write, (uv_stream_t *)&tunnel->client, &buffer, 1, client_took);
    assert(status == 0); /* what is wrong with the connection client_took is told */
    if (untaken_bytes(tunnel) >= UNTAKEN_BYTES_MAX) {
        websocket_stream_pause(tunnel->server, true);
    }
}

static bool take_message(void *self, const char *bytes, size_t byte_count, struct error *error)
{
    struct tunnel *tunnel = self;
    unsigned channel = (unsigned char)bytes[0];
    if (channel >= CHANNEL_COUNT) {
        return error_set(error, ERROR_INVALID, "the server speaks of a channel %u", channel);
    }
    size_t missing = PORT_BYTES - tunnel->port_bytes[channel];
    size_t skipped = missing < byte_count - 1 ? missing : byte_count - 1;
    tunnel->port_bytes[channel] += skipped;
    bytes += 1 + skipped;
    byte_count -= 1 + skipped;
    if (channel == CHANNEL_COMPLAINT && byte_count > 0) {
        return error_set(error, ERROR_UNAVAILABLE, "%s", bytes);
    }
    if (byte_count > 0 && !tunnel->client_ended) {
        give_client(tunnel, bytes, byte_count);
    }
    return true;
}

/* What is on its way to the client still gets there. */
static void server_has_ended(void *self, const struct error *error, const char *refusal)
{
    struct tunnel *tunnel = self;
    tunnel->server_ended = true;
    if (error->class != ERROR_NONE || tunnel->client_ended || untaken_bytes(tunnel) == 0) {
        end_with(tunnel, error, refusal);
    }
}

struct tunnel *tunnel_new(const struct port_forward_options *options, uv_stream_t *listener,
                          void (*ended)(void *self, const struct tunnel *tunnel,
                                        const struct error *error, const char *refusal),
                          void *self)
{
    struct tunnel *tunnel = memory_new(1, sizeof(*tunnel));
    tunnel->ended = ended;
    tunnel->self = self;
    int status = uv_tcp_init(loop_uv(options->loop), &tunnel->client);
    assert(status == 0);
    tunnel->client.data = tunnel;
    if (listener != NULL) {
        tunnel->has_client = true;
        status = uv_accept(listener, (uv_stream_t *)&tunnel->client);
        assert(status == 0); /* one waits, as we were told */
        (void)uv_tcp_nodelay(&tunnel->client, 1);
    }
    struct websocket_stream_events events = {.opened = server_is_open,
                                             .message = take_message,
                                             .sent = read_client,
                                             .ended = server_has_ended,
                                             .self = tunnel};
    tunnel->server = websocket_stream_new(options, PROTOCOL, events);
    return tunnel;
}
