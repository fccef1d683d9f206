/* SPDX-License-Identifier: Apache-2.0 */
/* The operators that run, as far as somebody may see them: pods with the chart's label, asked
   through the API server, or one that answers under a URL. */
#ifndef ADJOINT_CLI_OPERATOR_PODS_H
#define ADJOINT_CLI_OPERATOR_PODS_H

#include "base/arena.h"
#include "cli/cli.h"

/* Where the chart is installed unless somebody said otherwise. */
#define OPERATOR_NAMESPACE "adjoint-system"

#define OPTIONS_OPERATOR                                                                           \
    {.name = "operator-url",                                                                       \
     .argument = "URL",                                                                            \
     .help = "ask the operator that answers there (its --listen), as with `kubectl "               \
             "port-forward`: http://localhost:8080",                                               \
     OPTION_SETS_TEXT(struct cli_options, operator_url)},                                          \
    {                                                                                              \
        .name = "operator-namespace", .argument = "NAME", .completion = COMPLETE_NAMESPACES,       \
        .help = "where the operator's pods are (default: looked for in all namespaces, "           \
                "or " OPERATOR_NAMESPACE " if you may not)",                                       \
        OPTION_SETS_TEXT(struct cli_options, operator_namespace)                                   \
    }

/* Is --operator-url one? ERROR_INVALID: not; what was typed. */
MUST_CHECK bool operator_url_check(const struct cli *cli, struct error *error);

struct operator_pod {
    const char *namespace, *name;
    const char *labelled_version; /* NULL: it has no such label */
    int64_t port;                 /* that it listens on; 0: on none */
    size_t container_count;
    const char **containers;
};

enum { OPERATOR_PODS_MAX = 8 };

struct operator_pods {
    size_t count;
    struct operator_pod items[OPERATOR_PODS_MAX]; /* more of them are left out */
};

/* Strings live in the arena. None is no error. */
MUST_CHECK bool operator_pods_read(struct cli *cli, struct arena *arena, struct operator_pods *out,
                                   struct error *error);

/* What it answers under a path; pod NULL: the one of --operator-url. ERROR_NOT_FOUND: it listens on
   nothing. */
MUST_CHECK bool operator_pod_get(struct cli *cli, const struct operator_pod *pod, const char *path,
                                 struct text *out, struct error *error);

/* The version by its metrics, in the arena. */
MUST_CHECK bool operator_pod_version(struct cli *cli, const struct operator_pod *pod,
                                     struct arena *arena, const char **out, struct error *error);

#endif
