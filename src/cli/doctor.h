/* SPDX-License-Identifier: Apache-2.0 */
/* An examination of an installation: checks that look, and findings that say what they saw and
   what to do about it. To add a check, add a file with its function, a declaration below and a row
   in doctor.c. */
#ifndef ADJOINT_CLI_DOCTOR_H
#define ADJOINT_CLI_DOCTOR_H

#include "base/json.h"
#include "cli/cluster_view.h"
#include "cli/fetch.h"
#include "operator/observe.h"

enum finding_level {
    FINDING_OK,
    FINDING_WARN, /* works, or may work, and should be looked at */
    FINDING_FAIL, /* does not work, or loses data or money */
    FINDING_LEVEL_COUNT,
};

struct finding {
    enum finding_level level;
    const char *check;   /* its row's name */
    const char *subject; /* what it is about; NULL: the check itself */
    const char *message; /* what is so, and what to do */
};

struct doctor {
    struct cli *cli;
    struct arena arena;                     /* of all below */
    const char *pool_namespace, *pool_name; /* narrowed to one Pool; NULL: all */
    const char *check;                      /* that runs */
    size_t finding_count, counts[FINDING_LEVEL_COUNT];
    struct finding *findings;

    /* What the operator would see, for checks that need it. */
    struct cluster_view cluster;
    struct assignment assignment;
    struct memos memos;
    struct view seen;
    struct fetched volumes; /* every PV of the cluster, ours or not */
};

void doctor_find(struct doctor *doctor, enum finding_level level, const char *subject,
                 const char *format, ...) PRINTF_LIKE(4, 5);
/* FINDING_WARN with the error's words: what could not be looked at. */
void doctor_cannot_see(struct doctor *doctor, const char *subject, const struct error *error);
/* FINDING_FAIL, explained: a kind that the operator cannot do without. */
void doctor_cannot_read(struct doctor *doctor, enum object_kind kind, const struct error *error);
/* FINDING_OK unless the check has found something else. */
void doctor_all_well(struct doctor *doctor, const char *format, ...) PRINTF_LIKE(2, 3);

/* POST of a JSON body. The document is the caller's (cleanup_json). */
MUST_CHECK bool doctor_post(struct doctor *doctor, const char *path, const char *body,
                            struct json_document **out, struct error *error);

/* Those of the cluster view, sorted by namespace and name: Pools, their Instances and volumes only
   of the Pool it is narrowed to. In the doctor's arena. */
const struct object *const *doctor_objects(struct doctor *doctor, enum object_kind kind,
                                           size_t *out_count);
const char *doctor_name(struct doctor *doctor, const struct object *object); /* "Pool ns/name" */

/* Is the operator's Lease held, and was it renewed lately? The holder's name then; NULL: not. Reads
   it. */
MUST_CHECK bool doctor_leader(struct doctor *doctor, const char **out_holder, struct error *error);

/* What its checks find in all of the cluster, as the command prints it. Connected; with the options
   of OPTIONS_LEASE. */
void doctor_write(struct cli *cli, struct text *out);

/* Which Lease is the operator's. */
#define OPTIONS_LEASE                                                                              \
    {.name = "lease-namespace",                                                                    \
     .argument = "NAME",                                                                           \
     .environment = "ADJOINT_LEASE_NAMESPACE",                                                     \
     .help = "where the operator's Lease is (default: looked for in all namespaces)",              \
     .completion = COMPLETE_NAMESPACES,                                                            \
     OPTION_SETS_TEXT(struct cli_options, lease_namespace)},                                       \
    {                                                                                              \
        .name = "lease-name", .argument = "NAME", .environment = "ADJOINT_LEASE_NAME",             \
        .fallback = "adjoint-operator", .help = "the operator's Lease",                            \
        OPTION_SETS_TEXT(struct cli_options, lease_name)                                           \
    }

void doctor_kinds(struct doctor *doctor);
void doctor_operator(struct doctor *doctor);
void doctor_rights(struct doctor *doctor);
void doctor_cloudnativepg(struct doctor *doctor);
void doctor_classes(struct doctor *doctor);
void doctor_goldens(struct doctor *doctor);
void doctor_pools(struct doctor *doctor);
void doctor_instances(struct doctor *doctor);
void doctor_volumes(struct doctor *doctor);
void doctor_owners(struct doctor *doctor);
void doctor_fsx(struct doctor *doctor);

/* `doctor --remove-finalizers`. The cluster has been read. */
enum exit_code doctor_remove_finalizers(struct doctor *doctor);

#endif
