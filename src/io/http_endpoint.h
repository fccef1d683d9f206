/* SPDX-License-Identifier: Apache-2.0 */
/* Where the server is and how its TLS is checked: that part of the credentials on which a
   connection depends. Its plain calls share kept connections. */
#ifndef ADJOINT_IO_HTTP_ENDPOINT_H
#define ADJOINT_IO_HTTP_ENDPOINT_H

#include "base/error.h"
#include "base/text.h"
#include "io/http_connections.h"
#include "kube/credentials.h"

struct http_endpoint;

/* Copies what it needs and is held once, by the caller. connections become its own, also when it
   fails: ERROR_UNAVAILABLE for a server that is no URL. */
MUST_CHECK bool http_endpoint_new(const struct credential_set *set,
                                  struct http_connections *connections,
                                  struct http_endpoint **out_endpoint, struct error *error);

/* The last one to release it closes its connections; NULL is fine. */
struct http_endpoint *http_endpoint_hold(struct http_endpoint *endpoint);
void http_endpoint_release(struct http_endpoint *endpoint);

/* Whether connections made for it may be used with set: a new token needs no new connection. */
bool http_endpoint_serves(const struct http_endpoint *endpoint, const struct credential_set *set);

struct http_connections *http_endpoint_connections(const struct http_endpoint *endpoint);

/* Sets URL, TLS and proxy; path as in struct request. *headers, which easy is to use, may get one
   more; *out_routes must live as long as easy and is the caller's (curl_slist_free_all). */
void http_endpoint_apply(const struct http_endpoint *endpoint, CURL *easy, const char *path,
                         struct curl_slist **headers, struct curl_slist **out_routes);

/* Appends "GET target HTTP/1.1" and the Host header, a line each, for who writes the request. */
void http_endpoint_write_head(const struct http_endpoint *endpoint, const char *path,
                              struct text *out);

/* As the credentials have it, for messages. */
const char *http_endpoint_server(const struct http_endpoint *endpoint);

#endif
