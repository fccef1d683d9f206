/* SPDX-License-Identifier: Apache-2.0 */
/* The seam between the transport and where credentials come from: files that are rotated under us
   (projected tokens, CA bundles), exec plugins that take seconds, or fixed bytes.
   Sources: Kubernetes KEP-1205 (bound tokens, re-read at least each minute), client-go's
   transport and exec plugin (refresh on 401 once). */
#ifndef ADJOINT_KUBE_CREDENTIALS_H
#define ADJOINT_KUBE_CREDENTIALS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Borrowed; valid until the next call of get on the same credentials. NULL: not used. */
struct credential_set {
    uint64_t generation; /* changes whenever any of the others does */
    const char *server;  /* https://host:port, no path behind it unless the server has one */
    const char *token;   /* bearer */
    const char *username, *password;
    const char *certificate_pem, *key_pem; /* the client's */
    const char *authority_pem;             /* NULL: the system's authorities */
    bool insecure_skip_tls_verify;
    const char *tls_server_name; /* for SNI and the certificate check; NULL: server's host */
    const char
        *proxy_url; /* http, https or socks5; NULL: HTTPS_PROXY, NO_PROXY of the environment */
};

enum credentials_state {
    CREDENTIALS_READY,
    CREDENTIALS_PENDING, /* a plugin is running; `changed` will be called */
    CREDENTIALS_FAILED,  /* *error says why; asked again, it tries again */
};

struct credentials {
    /* Cheap; re-reads files at most once a minute, and keeps the last good set when a file is
       missing, empty or garbage. */
    enum credentials_state (*get)(void *self, struct credential_set *out, struct error *error);
    /* A 401 came for this generation: read again now. No effect if the generation is not the
       current one any more. */
    void (*invalidate)(void *self, uint64_t generation);
    /* Called from the loop when a pending set is there or has failed. One listener; changed NULL:
       none any more. */
    void (*listen)(void *self, void (*changed)(void *listener), void *listener);
    void *self;
};

#endif
