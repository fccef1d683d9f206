/* SPDX-License-Identifier: Apache-2.0 */
/* What a server may do that we know no use for (extensions, another protocol) is refused: we have
   asked for none of it. */
#include "io/http_upgrade.h"

#include "base/arena.h"
#include "base/base64.h"

#include <assert.h>
#include <openssl/evp.h>
#include <string.h>

/* Of RFC 6455, section 1.3. */
#define ACCEPT_SUFFIX "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

enum { KEY_RANDOM_BYTES = 16, STATUS_SWITCHING = 101, STATUS_DIGITS = 3, ACCEPT_BYTES_MAX = 64 };

void http_upgrade_make_key(struct entropy entropy, char out_key[HTTP_UPGRADE_KEY_BYTES])
{
    unsigned char random[KEY_RANDOM_BYTES];
    entropy.fill(entropy.self, random, sizeof(random));
    cleanup_text struct text key;
    text_init(&key, HTTP_UPGRADE_KEY_BYTES - 1);
    base64_append(&key, (const char *)random, sizeof(random));
    assert(key.length_bytes == HTTP_UPGRADE_KEY_BYTES - 1);
    memcpy(out_key, key.bytes, HTTP_UPGRADE_KEY_BYTES);
}

void http_upgrade_write_headers(const char *key, const char *protocol, struct text *out)
{
    text_print(out,
               "Upgrade: websocket\r\n"
               "Connection: Upgrade\r\n"
               "Sec-WebSocket-Version: 13\r\n"
               "Sec-WebSocket-Key: %s\r\n"
               "Sec-WebSocket-Protocol: %s\r\n\r\n",
               key, protocol);
}

static void append_accept(const char *key, struct text *out)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int digest_bytes = 0;
    cleanup_text struct text salted;
    text_init(&salted, ACCEPT_BYTES_MAX + HTTP_UPGRADE_KEY_BYTES);
    text_print(&salted, "%s" ACCEPT_SUFFIX, key);
    int done =
        EVP_Digest(salted.bytes, salted.length_bytes, digest, &digest_bytes, EVP_sha1(), NULL);
    assert(done == 1);
    base64_append(out, (const char *)digest, digest_bytes);
}

/* In the arena and without the spaces around it; NULL: the head has no such header. */
static const char *find_header(struct arena *arena, const char *head, const char *name)
{
    size_t name_bytes = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line, "\r\n")) {
        line += strlen("\r\n");
        if (strncasecmp(line, name, name_bytes) != 0 || line[name_bytes] != ':') {
            continue;
        }
        const char *value = line + name_bytes + 1;
        value += strspn(value, " \t");
        size_t value_bytes = strcspn(value, "\r\n");
        while (value_bytes > 0 && strchr(" \t", value[value_bytes - 1]) != NULL) {
            value_bytes--;
        }
        return arena_copy_bytes(arena, value, value_bytes);
    }
    return NULL;
}

static int read_status(const char *head)
{
    const char *digits = text_starts_with(head, "HTTP/1.") ? strchr(head, ' ') : NULL;
    int status = 0;
    for (int i = 1; digits != NULL && i <= STATUS_DIGITS; i++) {
        if (digits[i] < '0' || digits[i] > '9') {
            return 0;
        }
        status = status * 10 + (digits[i] - '0');
    }
    return status;
}

static bool check_accepted(struct arena *arena, const char *head, const char *key,
                           const char *protocol, struct error *error)
{
    cleanup_text struct text accept;
    text_init(&accept, ACCEPT_BYTES_MAX);
    append_accept(key, &accept);
    if (!text_equal(find_header(arena, head, "Sec-WebSocket-Accept"), accept.bytes)) {
        return error_set(error, ERROR_UNAVAILABLE, "what answers there speaks no WebSocket");
    }
    if (!text_equal(find_header(arena, head, "Sec-WebSocket-Protocol"), protocol) ||
        find_header(arena, head, "Sec-WebSocket-Extensions") != NULL) {
        return error_set(error, ERROR_UNAVAILABLE, "the server does not speak %s", protocol);
    }
    return true;
}

static void read_refusal(struct arena *arena, const char *head, size_t come_bytes,
                         struct http_upgrade_reply *out)
{
    struct error ignored;
    const char *length = find_header(arena, head, "Content-Length");
    int64_t body_bytes = 0;
    if (length != NULL && text_parse_int64(length, &body_bytes, &ignored) && body_bytes >= 0) {
        out->body_is_whole = (uint64_t)body_bytes <= come_bytes;
    }
}

bool http_upgrade_read_reply(const struct text *bytes, const char *key, const char *protocol,
                             struct http_upgrade_reply *out, struct error *error)
{
    *out = (struct http_upgrade_reply){.http_status = 0};
    const char *end = strstr(bytes->bytes, "\r\n\r\n");
    if (end == NULL) {
        return text_check(bytes, "the reply", error);
    }
    cleanup_arena struct arena arena;
    arena_init(&arena, 0);
    out->head_bytes = (size_t)(end - bytes->bytes) + strlen("\r\n\r\n");
    const char *head = arena_copy_bytes(&arena, bytes->bytes, out->head_bytes - strlen("\r\n"));
    out->http_status = read_status(head);
    if (out->http_status == 0) {
        return error_set(error, ERROR_UNAVAILABLE, "what answers there speaks no HTTP/1.1");
    }
    if (out->http_status == STATUS_SWITCHING) {
        return check_accepted(&arena, head, key, protocol, error);
    }
    out->body = bytes->bytes + out->head_bytes;
    read_refusal(&arena, head, bytes->length_bytes - out->head_bytes, out);
    return true;
}
