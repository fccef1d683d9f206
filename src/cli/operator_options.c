/* SPDX-License-Identifier: Apache-2.0 */
/* The lease's three times are options because a slow API server needs longer ones; that they fit
   together is checked here, where the person who typed them is told. */
#include "cli/operator_options.h"

#include "cli/options.h"

static const char *const log_levels[] = {"debug", "info", "warning", "error", NULL};

static const struct option_row rows[] = {
    {.name = "kubeconfig",
     .argument = "FILE",
     .help = "the API server to use; without it: $KUBECONFIG, the pod's service account, "
             "~/.kube/config",
     OPTION_SETS_TEXT(struct operator_settings, kubeconfig)},
    {.name = "context",
     .argument = "NAME",
     .help = "the kubeconfig's context; without it: its current one",
     OPTION_SETS_TEXT(struct operator_settings, context)},
    {.name = "lease-namespace",
     .argument = "NAMESPACE",
     .environment = "ADJOINT_LEASE_NAMESPACE",
     .help = "where the leader's Lease is; without it: the service account's or the context's "
             "namespace",
     OPTION_SETS_TEXT(struct operator_settings, lease_namespace)},
    {.name = "lease-name",
     .argument = "NAME",
     .environment = "ADJOINT_LEASE_NAME",
     .fallback = "adjoint-operator",
     .help = "the Lease that replicas contend for",
     OPTION_SETS_TEXT(struct operator_settings, lease_name)},
    {.name = "identity",
     .argument = "TEXT",
     .environment = "ADJOINT_IDENTITY",
     .help = "who holds the Lease; without it: the host's name and a random number",
     OPTION_SETS_TEXT(struct operator_settings, identity)},
    {.name = "lease-duration",
     .argument = "DURATION",
     .environment = "ADJOINT_LEASE_DURATION",
     .fallback = "15s",
     .help = "others may take the Lease when it was not renewed for so long",
     .minimum = 1000,
     .maximum = 3600000,
     OPTION_SETS_DURATION(struct operator_settings, lease_duration_ms)},
    {.name = "lease-renew-deadline",
     .argument = "DURATION",
     .environment = "ADJOINT_LEASE_RENEW_DEADLINE",
     .fallback = "12s",
     .help = "stop writing when it could not be renewed for so long",
     .minimum = 500,
     .maximum = 3600000,
     OPTION_SETS_DURATION(struct operator_settings, lease_renew_ms)},
    {.name = "lease-retry-period",
     .argument = "DURATION",
     .environment = "ADJOINT_LEASE_RETRY_PERIOD",
     .fallback = "2s",
     .help = "between two attempts",
     .minimum = 100,
     .maximum = 3600000,
     OPTION_SETS_DURATION(struct operator_settings, lease_retry_ms)},
    {.name = "watch-silence",
     .argument = "DURATION",
     .environment = "ADJOINT_WATCH_SILENCE",
     .fallback = "90s",
     .help = "a watch without a byte for so long is begun again (bookmarks come each minute)",
     .minimum = 1000,
     .maximum = 3600000,
     OPTION_SETS_DURATION(struct operator_settings, watch_silence_ms)},
    {.name = "listen",
     .argument = "IP:PORT",
     .environment = "ADJOINT_LISTEN",
     .help = "answer GET /healthz, /readyz, /metrics and /debug/state there; without it: nowhere",
     OPTION_SETS_TEXT(struct operator_settings, listen)},
    {.name = "log-level",
     .argument = "LEVEL",
     .environment = "ADJOINT_LOG_LEVEL",
     .fallback = "info",
     .help = "what is logged",
     .choices = log_levels,
     OPTION_SETS_TEXT(struct operator_settings, log_level)},
    {.name = "help",
     .letter = 'h',
     .help = "this text",
     OPTION_SETS_FLAG(struct operator_settings, help)},
    {.name = "version", .help = "the version", OPTION_SETS_FLAG(struct operator_settings, version)},
    {.name = NULL},
};

static const struct option_row *const tables[] = {rows, NULL};

bool operator_options_read(int argc, char **argv, struct operator_settings *out,
                           struct error *error)
{
    struct operator_settings settings = {0};
    struct arguments arguments = {argc - 1, argv + 1};
    if (!options_prefill(tables, &settings, error) ||
        !options_parse(tables, &arguments, &settings, NULL, error)) {
        return false;
    }
    if (arguments.count > 0) {
        return error_set(error, ERROR_INVALID, "\"%s\" is no option; see --help",
                         arguments.items[0]);
    }
    if (settings.lease_renew_ms >= settings.lease_duration_ms ||
        settings.lease_retry_ms * 2 > settings.lease_renew_ms) {
        return error_set(error, ERROR_INVALID,
                         "--lease-retry-period must be at most half of --lease-renew-deadline, "
                         "and that less than --lease-duration");
    }
    *out = settings;
    return true;
}

void operator_options_help(struct text *out)
{
    text_append(out, "adjoint-operator keeps warm clones of golden Postgres volumes and hands them "
                     "to developers.\n\nusage: adjoint-operator [OPTION ...]\n\n");
    options_write_help(rows, out);
}
