/* SPDX-License-Identifier: Apache-2.0 */
/* Where the API server is and who we are: a kubeconfig (files named by an option, KUBECONFIG, or
   ~/.kube/config) or, inside a pod, the projected service account. Gives the credentials seam. */
#ifndef ADJOINT_IO_ACCESS_H
#define ADJOINT_IO_ACCESS_H

#include "base/error.h"
#include "io/clock.h"
#include "kube/credentials.h"

#include <stdint.h>

struct loop;
struct access;

struct access_options {
    const char *kubeconfig; /* NULL: $KUBECONFIG, then in-cluster, then ~/.kube/config */
    const char *context;    /* NULL: current-context */
    const char *service_account_folder; /* NULL: /var/run/secrets/kubernetes.io/serviceaccount */
    int64_t reload_ms;                  /* how old a file's bytes may be; 0: 60 s */
    int64_t exec_deadline_ms;           /* 0: 60 s */
    int64_t exec_refresh_before_ms;     /* refresh this long before expiry; 0: 60 s */
};

MUST_CHECK bool access_open(struct loop *loop, const struct access_options *options,
                            struct access **out, struct error *error);
void access_free(struct access *access);
struct credentials access_credentials(struct access *access);

/* How the server's time runs, by its kubeconfig's extension adjoint.dev/clock:
       extensions: [{name: adjoint.dev/clock, extension: {speed: 60, from: "2026-..."}}] */
struct clock access_clock(const struct access *access);

/* The context's namespace or the service account's; never NULL. */
const char *access_namespace(const struct access *access);
/* "context NAME of FILE, server URL" or "in-cluster, server URL"; for messages. */
const char *access_description(const struct access *access);

#endif
