/* SPDX-License-Identifier: Apache-2.0 */
/* A kubeconfig, without files: several documents (as JSON text; io/yaml makes it from YAML) are
   merged as kubectl merges KUBECONFIG (the first to name a cluster, user, context or
   current-context wins), and one context is resolved. Relative paths are made absolute with the
   folder of the document that wrote them.
   Source: client-go tools/clientcmd (loader.go, client_config.go, overrides). */
#ifndef ADJOINT_KUBE_KUBECONFIG_H
#define ADJOINT_KUBE_KUBECONFIG_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct exec_plugin;

struct kubeconfig_document {
    const char *json;
    const char *folder; /* absolute, of the file it was read from */
    const char *path;   /* for messages */
};

/* All strings live in the arena; NULL: not set (an empty string in the file is not set either).
   Data fields are already base64-decoded PEM. A file and its data field: data wins, as in
   client-go. */
struct kubeconfig {
    const char *context, *cluster, *user; /* user NULL: nobody, as `kubectl proxy` wants it */
    const char *namespace;                /* defaults to "default" */
    const char *server;                   /* with its scheme, https unless it says http */
    const char *tls_server_name, *proxy_url;
    bool insecure_skip_tls_verify;
    const char *exec_extension_json; /* the cluster's own configuration for exec plugins */
    /* The cluster's extension adjoint.dev/clock, of a simulated one that runs at a speed: its
       milliseconds in a real one, and when its wall clock showed the real time. 0: not said. */
    int64_t clock_speed, clock_from_ms;
    const char *authority_file, *authority_pem;
    const char *token, *token_file; /* both: token_file wins and token is the fallback */
    const char *username, *password;
    const char *certificate_file, *certificate_pem;
    const char *key_file, *key_pem;
    const struct exec_plugin *exec; /* NULL: none, or a token, password or certificate beside it */
};

/* context NULL: current-context. Errors are ERROR_INVALID, name the file and the field, and never
   quote a secret. Unknown fields are passed over; entries that the context does not name are not
   looked at. An auth-provider (removed from Kubernetes in 1.26) is refused with what to use
   instead; so is impersonation (`as`), because leaving it out would act with more rights. */
MUST_CHECK bool kubeconfig_resolve(const struct kubeconfig_document *documents,
                                   size_t document_count, const char *context, struct arena *arena,
                                   struct kubeconfig *out, struct error *error);

/* The same server, the same credentials, got in the same way. */
bool kubeconfig_equal(const struct kubeconfig *one, const struct kubeconfig *other);

#endif
