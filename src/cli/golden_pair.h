/* SPDX-License-Identifier: Apache-2.0 */
/* A VolumeSnapshot over a VolumeSnapshotContent, made for a snapshot that storage has already (a
   static pair: external-snapshotter, pre-provisioned snapshots). */
#ifndef ADJOINT_CLI_GOLDEN_PAIR_H
#define ADJOINT_CLI_GOLDEN_PAIR_H

#include "cli/cli.h"

/* Kubernetes' longest name of an object. */
enum { GOLDEN_NAME_BYTES = 253 + 1, GOLDEN_MAJOR_BYTES = 24 };

struct golden_pair {
    struct cli *cli;
    const char *namespace, *name; /* the VolumeSnapshot's */
    char content[GOLDEN_NAME_BYTES];
    const char *handle, *driver, *system_id, *database, *owner;
    char major_version[GOLDEN_MAJOR_BYTES]; /* "": not known */
    bool dry_run;

    /* out */
    bool existed;          /* both were there */
    enum object_kind kind; /* of the last request: what an error is about */
};

/* Makes what is missing of the two, so that whoever was cut off runs it again. Both are looked at,
   and their making tried with dryRun, before anything is written: where one cannot be, or is
   something else, neither is touched. Connected first.
   ERROR_EXISTS: something else has a name, or the pair cannot bind (any more); and those of
   cli_call. */
MUST_CHECK bool golden_pair_make(struct golden_pair *pair, struct error *error);

#endif
