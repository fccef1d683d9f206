/* SPDX-License-Identifier: Apache-2.0 */
/* One accepted connection of a test server, with or without TLS; blocking. */
#ifndef ADJOINT_SUPPORT_TEST_STREAM_H
#define ADJOINT_SUPPORT_TEST_STREAM_H

#include "support/test_authority.h"

#include <openssl/ssl.h>

#include <stdbool.h>
#include <stddef.h>

struct test_stream {
    int socket;
    SSL *tls;
    char name_asked[256], client_name[64];
    char protocols_asked[64]; /* as TLS' ALPN has them: each with its length before it */
};

SSL_CTX *test_stream_tls_new(const struct test_certificate *certificate,
                             const char *client_authority_pem, int version_max);

/* false: the client did not like our certificate, or we not its. tls may be NULL. */
bool test_stream_accept(struct test_stream *stream, SSL_CTX *tls);

/* false: the client has closed. */
bool test_stream_read(struct test_stream *stream, char *bytes, size_t byte_count);
bool test_stream_write(struct test_stream *stream, const char *bytes, size_t byte_count);
char *test_stream_read_request(struct test_stream *stream); /* memory_free; NULL: closed */
void test_stream_drain(struct test_stream *stream);

void test_stream_tunnel(struct test_stream *stream, int port);
void test_stream_reset(struct test_stream *stream);       /* when it is closed */
void test_stream_say_goodbye(struct test_stream *stream); /* TLS' close_notify */
void test_stream_close(struct test_stream *stream);

#endif
