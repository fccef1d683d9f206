/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/settings.h"

#include "cli/options.h"

static const struct option_row rows[] = {
    {.name = "speed",
     .argument = "N",
     .fallback = "60",
     .help = "simulated seconds in a real one; 1 is real time",
     .minimum = 1,
     .maximum = 3600,
     OPTION_SETS_INTEGER(struct settings, speed)},
    {.name = "golden",
     .help = "begin with a golden snapshot, adjoint-pools/orders-golden, and the StorageClass "
             "fsx-clone that clones it: what deploy/examples asks for",
     OPTION_SETS_FLAG(struct settings, golden)},
    {.name = "seed",
     .argument = "N",
     .fallback = "1",
     .help = "where chance comes from: how long things take within their bounds",
     OPTION_SETS_INTEGER(struct settings, seed)},
    {.name = "provisioner-timeout",
     .argument = "DURATION",
     .fallback = "5m",
     .help = "what csi-provisioner's --timeout is: how long one attempt to make a volume may take "
             "before it is tried again, later and later",
     .minimum = INT64_C(15) * 1000,
     .maximum = INT64_C(24) * 60 * 60 * 1000,
     OPTION_SETS_DURATION(struct settings, provisioner_timeout_ms)},
    {.name = "kubeconfig",
     .argument = "FILE",
     .fallback = "adjoint-sim.kubeconfig",
     .help = "written at the start, for kubectl, adj and adjoint-operator",
     OPTION_SETS_TEXT(struct settings, kubeconfig)},
    {.name = "crds",
     .argument = "FOLDER",
     .help = "the CustomResourceDefinitions to begin with; without it: those installed or built "
             "beside this program",
     OPTION_SETS_TEXT(struct settings, crds)},
    {.name = "address",
     .argument = "IPv4",
     .fallback = "127.0.0.1",
     .help = "where to listen",
     OPTION_SETS_TEXT(struct settings, address)},
    {.name = "port",
     .argument = "N",
     .fallback = "0",
     .help = "where to listen; 0 is any that is free",
     .minimum = 0,
     .maximum = 65535,
     OPTION_SETS_INTEGER(struct settings, port)},
    {.name = "trace",
     .help = "a line on stderr for all that happens in the world",
     OPTION_SETS_FLAG(struct settings, trace)},
    {.name = "help", .letter = 'h', .help = "this text", OPTION_SETS_FLAG(struct settings, help)},
    {.name = NULL},
};

static const struct option_row *const tables[] = {rows, NULL};

bool settings_read(int argc, char **argv, struct settings *out, struct error *error)
{
    struct settings settings = {0};
    struct arguments arguments = {argc - 1, argv + 1};
    if (!options_prefill(tables, &settings, error) ||
        !options_parse(tables, &arguments, &settings, NULL, error)) {
        return false;
    }
    if (arguments.count > 0) {
        return error_set(error, ERROR_INVALID, "\"%s\" is no option; see --help",
                         arguments.items[0]);
    }
    *out = settings;
    return true;
}

void settings_help(struct text *out)
{
    text_append(out, "adjoint-sim is a simulated Kubernetes with FSx for OpenZFS and "
                     "CloudNativePG, for kubectl,\nadj and adjoint-operator.\n\n"
                     "usage: adjoint-sim [OPTION ...]\n\n");
    options_write_help(rows, out);
}
