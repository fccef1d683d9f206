/* SPDX-License-Identifier: Apache-2.0 */
/* Both ends of the protocol of an exec plugin, which logs in for us: what it is told in its
   environment and what it prints. Running it is io's business.
   Source: client-go pkg/apis/clientauthentication, plugin/pkg/client/auth/exec. */
#ifndef ADJOINT_KUBE_EXEC_PLUGIN_H
#define ADJOINT_KUBE_EXEC_PLUGIN_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kubeconfig;

struct exec_variable {
    const char *name, *value;
};

enum exec_interactive {
    EXEC_INTERACTIVE_NEVER,
    EXEC_INTERACTIVE_IF_AVAILABLE,
    EXEC_INTERACTIVE_ALWAYS,
};

/* users[].user.exec */
struct exec_plugin {
    const char *api_version; /* client.authentication.k8s.io/v1 or v1beta1 */
    const char *command;     /* as written; has '/': resolved against the document's folder */
    size_t argument_count;
    const char *const *arguments;
    size_t variable_count;
    const struct exec_variable *variables;
    const char *install_hint; /* NULL: none */
    bool provide_cluster_info;
    enum exec_interactive interactive;
};

/* NULL equals only NULL. */
bool exec_plugin_equal(const struct exec_plugin *one, const struct exec_plugin *other);

/* The KUBERNETES_EXEC_INFO document a plugin gets. Appends JSON. The authority goes into it when
   config has its PEM; who wants a file's in it puts its bytes there first. */
void exec_plugin_write_info(const struct exec_plugin *plugin, const struct kubeconfig *config,
                            bool interactive, struct text *out);

/* What a plugin printed (JSON): status of an ExecCredential. A token, a certificate with its key,
   or all three. expiry_ms 0: never. Errors are ERROR_INVALID, read on after "the plugin printed"
   and quote nothing of it. */
struct exec_credential {
    const char *token, *certificate_pem, *key_pem;
    int64_t expiry_ms; /* wall */
};
MUST_CHECK bool exec_credential_read(const char *json, const struct exec_plugin *plugin,
                                     struct arena *arena, struct exec_credential *out,
                                     struct error *error);

#endif
