/* SPDX-License-Identifier: Apache-2.0 */
/* All that the operator would see, read once: a store filled by the lists of every watched kind. */
#ifndef ADJOINT_CLI_CLUSTER_VIEW_H
#define ADJOINT_CLI_CLUSTER_VIEW_H

#include "cli/cli.h"
#include "kube/informer.h"

struct cluster_view {
    struct cli *cli;
    struct store *store;
    struct informer *informers[KIND_WATCHED_COUNT];
    /* What kept us from reading it, and of which kind. */
    struct error error;
    enum object_kind failed_kind;
    char no_watch; /* its address is every watch's call; private */
};

/* The session is open. */
void cluster_view_init(struct cluster_view *view, struct cli *cli);
void cluster_view_release(struct cluster_view *view);
#define cleanup_cluster_view __attribute__((cleanup(cluster_view_release)))

/* Reads everything. false: view->error says why. Objects that cannot be decoded are said on err and
   left out, as the operator leaves them out. */
MUST_CHECK bool cluster_view_read(struct cluster_view *view);

#endif
