/* SPDX-License-Identifier: Apache-2.0 */
/* An exec plugin as a source of credentials: run when there is none, again before it expires while
   the old one is still handed out, and again when the server refused it; with a growing pause
   after failures, and when fresh credentials are refused too. */
#ifndef ADJOINT_IO_ACCESS_PLUGIN_H
#define ADJOINT_IO_ACCESS_PLUGIN_H

#include "base/now.h"
#include "kube/credentials.h"
#include "kube/exec_plugin.h"
#include "kube/kubeconfig.h"

struct loop;
struct access_plugin;

struct access_plugin_options {
    int64_t deadline_ms;
    int64_t refresh_before_ms;
    void (*ended)(void *self); /* a run has ended, well or not; from the loop */
    void *self;
};

/* config->exec is not NULL. Refused when the plugin must talk to a person and standard input is no
   terminal. */
MUST_CHECK bool access_plugin_new(struct loop *loop, const struct access_plugin_options *options,
                                  const struct kubeconfig *config, struct access_plugin **out,
                                  struct error *error);
void access_plugin_free(struct access_plugin *plugin); /* kills what runs */

/* From now on another config with an equal exec; borrowed until the next call of this. */
void access_plugin_adopt(struct access_plugin *plugin, const struct kubeconfig *config);

/* *out is borrowed until the next call. *changed: its strings are others than last time.
   authority_pem is what the plugin may be told; NULL: the config's own. */
enum credentials_state access_plugin_get(struct access_plugin *plugin, const char *authority_pem,
                                         const struct exec_credential **out, bool *changed,
                                         struct error *error);

/* The server answered 401 to the credential that was handed out last. */
void access_plugin_refuse(struct access_plugin *plugin);

#endif
