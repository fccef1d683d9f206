/* SPDX-License-Identifier: Apache-2.0 */
/* One resolved kubeconfig brought to life: the files it names, read, and its plugin. */
#ifndef ADJOINT_IO_ACCESS_IDENTITY_H
#define ADJOINT_IO_ACCESS_IDENTITY_H

#include "base/arena.h"
#include "io/access_file.h"
#include "io/access_plugin.h"
#include "kube/kubeconfig.h"

struct access_identity {
    struct arena arena; /* config's strings; fill it before access_identity_open */
    struct kubeconfig config;
    struct access_file token, authority, certificate, key;
    struct access_plugin *plugin; /* NULL: none */
};

struct access_identity *access_identity_new(void);
void access_identity_free(struct access_identity *identity);

/* Reads every file; an error when one is bad. A token file may be missing if there is a token to
   fall back to. Makes the plugin unless there is one already. */
MUST_CHECK bool access_identity_open(struct access_identity *identity, struct loop *loop,
                                     const struct access_plugin_options *options,
                                     struct error *error);

/* Reads the files again and takes every one that is good; *changed when any is another than
   before. False: the first that is not, whose last good bytes stay. */
MUST_CHECK bool access_identity_read(struct access_identity *identity, bool *changed,
                                     struct error *error);

/* PEM of the authority, from the file or the config; NULL: none. */
const char *access_identity_authority(const struct access_identity *identity);

/* Everything but the generation and the plugin's part; borrowed until the next read. */
void access_identity_fill(const struct access_identity *identity, struct credential_set *out);

#endif
