/* SPDX-License-Identifier: Apache-2.0 */
/* OpenSSL's blocking calls. They must not be under a lock: a script may wait in one for ever. */
#include "support/test_stream.h"

#include "base/memory.h"
#include "base/text.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REQUEST_BYTES_MAX = 16 * 1024 * 1024 };

static X509 *read_certificate(const char *pem)
{
    BIO *bio = BIO_new_mem_buf(pem, -1);
    X509 *certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL);
    BIO_free(bio);
    assert(certificate != NULL);
    return certificate;
}

static int note_protocols(SSL *tls, const unsigned char **out, unsigned char *out_length,
                          const unsigned char *asked, unsigned int asked_bytes, void *self)
{
    (void)out, (void)out_length, (void)self;
    struct test_stream *stream = SSL_get_app_data(tls);
    if (asked_bytes < sizeof(stream->protocols_asked)) {
        memcpy(stream->protocols_asked, asked, asked_bytes);
    }
    return SSL_TLSEXT_ERR_NOACK;
}

SSL_CTX *test_stream_tls_new(const struct test_certificate *certificate,
                             const char *client_authority_pem, int version_max)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    X509 *own = read_certificate(certificate->certificate_pem);
    SSL_CTX_use_certificate(tls, own);
    X509_free(own);
    BIO *bio = BIO_new_mem_buf(certificate->key_pem, -1);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
    BIO_free(bio);
    SSL_CTX_use_PrivateKey(tls, key);
    EVP_PKEY_free(key);
    if (client_authority_pem != NULL) {
        X509 *authority = read_certificate(client_authority_pem);
        X509_STORE_add_cert(SSL_CTX_get_cert_store(tls), authority);
        X509_free(authority);
        SSL_CTX_set_verify(tls, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    }
    SSL_CTX_set_alpn_select_cb(tls, note_protocols, NULL);
    if (version_max != 0) {
        SSL_CTX_set_min_proto_version(tls, 0);
        SSL_CTX_set_max_proto_version(tls, version_max);
    }
    return tls;
}

static void note_names(struct test_stream *stream)
{
    const char *asked = SSL_get_servername(stream->tls, TLSEXT_NAMETYPE_host_name);
    if (asked != NULL && strlen(asked) < sizeof(stream->name_asked)) {
        memcpy(stream->name_asked, asked, strlen(asked) + 1);
    }
    X509 *client = SSL_get1_peer_certificate(stream->tls);
    if (client != NULL) {
        X509_NAME_get_text_by_NID(X509_get_subject_name(client), NID_commonName,
                                  stream->client_name, sizeof(stream->client_name));
        X509_free(client);
    }
}

bool test_stream_accept(struct test_stream *stream, SSL_CTX *tls)
{
    if (tls == NULL) {
        return true;
    }
    stream->tls = SSL_new(tls);
    SSL_set_app_data(stream->tls, stream);
    SSL_set_fd(stream->tls, stream->socket);
    bool accepted = SSL_accept(stream->tls) == 1;
    if (accepted) {
        note_names(stream);
    }
    ERR_clear_error();
    return accepted;
}

static ssize_t read_some(struct test_stream *stream, char *bytes, size_t byte_count)
{
    if (stream->tls == NULL) {
        return recv(stream->socket, bytes, byte_count, 0);
    }
    ssize_t got = SSL_read(stream->tls, bytes, (int)byte_count);
    ERR_clear_error();
    return got;
}

bool test_stream_read(struct test_stream *stream, char *bytes, size_t byte_count)
{
    size_t done = 0;
    while (done < byte_count) {
        ssize_t got = read_some(stream, bytes + done, byte_count - done);
        if (got <= 0) {
            return false;
        }
        done += (size_t)got;
    }
    return true;
}

static bool write_plain(int socket, const char *bytes, size_t byte_count)
{
    size_t done = 0;
    while (done < byte_count) {
        ssize_t sent = send(socket, bytes + done, byte_count - done, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        done += (size_t)sent;
    }
    return true;
}

bool test_stream_write(struct test_stream *stream, const char *bytes, size_t byte_count)
{
    if (byte_count == 0 || stream->tls == NULL) {
        return write_plain(stream->socket, bytes, byte_count);
    }
    bool written = SSL_write(stream->tls, bytes, (int)byte_count) > 0;
    ERR_clear_error();
    return written;
}

static size_t content_length(const char *head)
{
    static const char name[] = "\r\nContent-Length: ";
    const char *found = strstr(head, name);
    size_t length = 0;
    for (const char *at = found == NULL ? "" : found + strlen(name); *at >= '0' && *at <= '9';
         at++) {
        length = length * 10 + (size_t)(*at - '0');
    }
    return length;
}

/* Byte by byte, so that nothing of what follows the head is taken with it. */
char *test_stream_read_request(struct test_stream *stream)
{
    cleanup_text struct text text;
    text_init(&text, REQUEST_BYTES_MAX);
    while (!text_ends_with(text.bytes, "\r\n\r\n")) {
        char byte = 0;
        if (!test_stream_read(stream, &byte, 1)) {
            return NULL;
        }
        text_append_char(&text, byte);
    }
    size_t body_bytes = content_length(text.bytes);
    char *body = memory_new(1, body_bytes + 1);
    bool whole = test_stream_read(stream, body, body_bytes);
    text_append_bytes(&text, body, body_bytes);
    memory_free(body);
    return whole ? text_take(&text) : NULL;
}

void test_stream_drain(struct test_stream *stream)
{
    char bytes[1024];
    while (read_some(stream, bytes, sizeof(bytes)) > 0) {
    }
}

static int connect_to(int port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int upstream = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(upstream, (struct sockaddr *)&address, sizeof(address)) != 0) {
        close(upstream);
        return -1;
    }
    return upstream;
}

static bool pump(struct test_stream *stream, int upstream)
{
    char bytes[16 * 1024];
    struct pollfd polled[] = {{.fd = stream->socket, .events = POLLIN},
                              {.fd = upstream, .events = POLLIN}};
    bool is_buffered = stream->tls != NULL && SSL_pending(stream->tls) > 0;
    if (poll(polled, 2, is_buffered ? 0 : -1) < 0) {
        return false;
    }
    if (is_buffered || polled[0].revents != 0) {
        ssize_t got = read_some(stream, bytes, sizeof(bytes));
        if (got <= 0 || !write_plain(upstream, bytes, (size_t)got)) {
            return false;
        }
    }
    if (polled[1].revents != 0) {
        ssize_t got = recv(upstream, bytes, sizeof(bytes), 0);
        return got > 0 && test_stream_write(stream, bytes, (size_t)got);
    }
    return true;
}

void test_stream_tunnel(struct test_stream *stream, int port)
{
    int upstream = connect_to(port);
    if (upstream < 0) {
        return;
    }
    while (pump(stream, upstream)) {
    }
    close(upstream);
}

void test_stream_reset(struct test_stream *stream)
{
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(stream->socket, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    SSL_free(stream->tls);
    stream->tls = NULL;
}

void test_stream_say_goodbye(struct test_stream *stream)
{
    if (stream->tls != NULL) {
        SSL_shutdown(stream->tls);
        ERR_clear_error();
    }
}

void test_stream_close(struct test_stream *stream)
{
    SSL_free(stream->tls);
    stream->tls = NULL;
    close(stream->socket);
    stream->socket = -1;
}
